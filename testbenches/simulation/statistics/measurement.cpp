// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/word_reader.h"

namespace toriscope {
namespace {

constexpr cycle_t cycle_limit = cycle_t{1} << 48;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

void count_in(source_backlogs& backlogs, const packet_record& sent) {
  backlogs.created(sent);
  backlogs.sent(sent);
}

}  // namespace

std::vector<std::string> measurement_config::validate() const {
  std::vector<std::string> errors;
  if (measure_cycles < 1) errors.emplace_back("cycles: there must be at least 1 measured cycle");
  if (!(precision >= 0 && precision <= 0.5))
    errors.emplace_back("precision: it must be from 0 to 50 % of the mean");
  if (const cycle_t least = std::max(warmup_cycles, least_warmup) + measure_cycles; precision > 0 && max_cycles < least)
    errors.push_back("max-cycles: with --precision it must be at least --warmup (" + std::to_string(least_warmup) +
                     " or more) and --cycles together, " + std::to_string(least));
  for (const auto& [key, value] : {std::pair("warmup", warmup_cycles), std::pair("cycles", measure_cycles),
                                   std::pair("drain", drain_cycles)})
    if (value > cycle_limit)
      errors.push_back(std::string(key) + ": " + std::to_string(value) +
                       " cycles are too many, at most 2^48 are possible");
  return errors;
}

measurement::measurement(const measurement_config& config, node_id nodes, const zero_load_model* model,
                         const source_load& load, unsigned classes)
    : config_(config),
      nodes_(nodes),
      model_(model),
      batches_(config.measure_cycles),
      classes_(classes),
      load_(load),
      backlogs_(nodes, classes, load, config.warmup_cycles, config.measure_cycles) {}

void measurement::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  note({id, record, packet_event::kind::received, received});
}

void measurement::packet_discarded(packet_id id, const packet_record& record, node_id, port_id, cycle_t discarded) {
  note({id, record, packet_event::kind::discarded, discarded});
}

void measurement::packet_gone(packet_id id, const packet_record& record, cycle_t gone) {
  note({id, record, packet_event::kind::gone, gone});
}

void measurement::note(const packet_event& e) {
  if (ended_ && config_.precision > 0) later_.push_back(e);
  if (e.what != packet_event::kind::discarded) count_in(backlogs_, e.record);  // of those, when they are gone
  if (e.what != packet_event::kind::gone) take(e);
}

void measurement::take(const packet_event& e) {
  const packet_record& record = e.record;
  if (!is_measured(record)) return;
  last_ended_ = e.cycle;
  if (e.what == packet_event::kind::discarded) {
    ++discarded_;
  } else {
    const std::uint64_t latency = e.cycle - record.created;
    latency_.add(latency);
    network_latency_.add(e.cycle - record.head_sent);
    hops_.add(record.hops);
    batches_.add(record.created - config_.warmup_cycles, latency);
    if (model_) zero_load_sum_ += model_->latency(e.id, record);
  }
  if (on_complete_ && complete()) on_complete_();
}

bool measurement::is_measured(const packet_record& record) const {
  return record.created >= config_.warmup_cycles &&
         record.created - config_.warmup_cycles < config_.measure_cycles;
}

void measurement::end(traffic_counts counts) {
  end_ = std::move(counts);
  ended_ = true;
}

void measurement::end_early(traffic_counts counts) {
  config_.measure_cycles = counts.cycle - begin_.cycle;
  end(std::move(counts));
}

void measurement::begin_late(traffic_counts counts, cycle_t window, bool warmed_up) {
  warmed_up_ = warmed_up;
  config_.warmup_cycles = counts.cycle;
  config_.measure_cycles = window;
  batches_ = time_batches(window);
  backlogs_ = source_backlogs(nodes_, classes_, load_, counts.cycle, window);
  begin(std::move(counts));
}

void measurement::extend() {
  const cycle_t old_end = window_end();
  config_.measure_cycles *= 2;
  ended_ = false;
  batches_.double_duration();
  backlogs_.double_window();
  // What ended since is known; of it, what was not in the window is now, or may be after the next extension.
  std::vector<packet_event> again;
  for (const packet_event& e : later_) {
    if (e.record.created >= old_end && e.what != packet_event::kind::gone) take(e);
    if (e.what != packet_event::kind::discarded) {
      if (e.record.created >= old_end) backlogs_.created(e.record);
      if (e.record.head_sent >= old_end) backlogs_.sent(e.record);
    }
    if (e.record.head_sent >= window_end()) again.push_back(e);
  }
  later_ = std::move(again);
}

void measurement::run_over(const packet_table& packets, bool part) {
  packets.for_each_alive([this, part](packet_id id, const packet_record& record) {
    if (record.sent()) {
      if (!part) return count_in(backlogs_, record);
      return on_their_way_.push_back(
          {id, record.created, record.head_sent, record.source, record.flits, record.message_class});
    }
    backlogs_.created(record);
    backlogs_.waits(record);
  });
}

void measurement::all_parts_added() {
  const auto earlier = [](const sent_packet& a, const sent_packet& b) { return a.id < b.id; };
  const auto same = [](const sent_packet& a, const sent_packet& b) { return a.id == b.id; };
  std::sort(on_their_way_.begin(), on_their_way_.end(), earlier);
  on_their_way_.erase(std::unique(on_their_way_.begin(), on_their_way_.end(), same), on_their_way_.end());
  for (const sent_packet& p : on_their_way_) {
    packet_record record;
    record.created = p.created;
    record.head_sent = p.head_sent;
    record.source = p.source;
    record.flits = p.flits;
    record.message_class = p.message_class;
    count_in(backlogs_, record);
  }
  on_their_way_.clear();
}

bool measurement::keeps_up_95() const {
  const std::uint64_t offered = end_.flits_created - begin_.flits_created;
  const std::uint64_t accepted = end_.flits_ejected - begin_.flits_ejected;
  return whole_window() && complete() && accepted * 20 >= offered * 19;
}

double measurement::zero_load() const {
  const std::uint64_t received = latency_.count();
  return model_ && received ? static_cast<double>(zero_load_sum_) / static_cast<double>(received) : none;
}

backlog_growth measurement::growth() const {
  if (whole_window()) return backlogs_.growth();
  backlog_growth unknown;
  unknown.growth = unknown.standard_error = none;
  return unknown;
}

std::optional<confidence_interval> measurement::interval() const {
  if (growth().growing) return std::nullopt;  // there is no steady state
  return interval_95(batches_, load_in_window());
}

window_load measurement::load_in_window() const {
  window_load load;
  load.zero_load = zero_load();
  if (model_ && model_->one_route()) load.least = load.zero_load;
  const bool bursts = load_.burst_packets > 1;
  // A burst waits at its source for itself, however far saturation is.
  load.waiting = std::max(0.0, (bursts ? network_latency_ : latency_).mean() - load.zero_load);
  load.dispersion = 2 * load_.burst_packets - 1;  // of bursts of geometric length
  if (!wiring_ || latency_.count() == 0) return load;
  const link_use used = use();
  load.busy = used.busy(used.busiest());
  const auto flits = static_cast<double>(end_.flits_ejected - begin_.flits_ejected);
  if (load.busy > 0 && flits > 0) load.share = std::min(1.0, static_cast<double>(used.flits_where_busy()) / flits);
  return load;
}

double measurement::per_node_and_cycle(std::uint64_t flits) const {
  const cycle_t cycles = end_.cycle - begin_.cycle;
  return cycles ? static_cast<double>(flits) / static_cast<double>(nodes_) / static_cast<double>(cycles)
                : none;
}

namespace {

void append(const traffic_counts& counts, std::vector<std::uint64_t>& words) {
  words.insert(words.end(), {counts.flits_created, counts.flits_ejected, counts.packets_created});
  words.insert(words.end(), counts.wire_flits.begin(), counts.wire_flits.end());
}

void add_to(traffic_counts& counts, word_reader& words) {
  counts.flits_created += words.next();
  counts.flits_ejected += words.next();
  counts.packets_created += words.next();
  for (std::uint64_t& flits : counts.wire_flits) flits += words.next();
}

}  // namespace

std::vector<std::uint64_t> measurement::words() const {
  std::vector<std::uint64_t> all{zero_load_sum_, discarded_, last_ended_};
  append(begin_, all);
  append(end_, all);
  for (const integer_histogram* h : {&latency_, &network_latency_, &hops_}) h->append_to(all);
  batches_.append_to(all);
  backlogs_.append_to(all);
  all.push_back(on_their_way_.size());
  for (const sent_packet& p : on_their_way_)
    all.insert(all.end(), {p.id, p.created, p.head_sent, p.source, p.flits, p.message_class});
  return all;
}

void measurement::add(word_reader& in) {
  zero_load_sum_ += in.next();
  discarded_ += in.next();
  last_ended_ = std::max(last_ended_, in.next());
  add_to(begin_, in);
  add_to(end_, in);
  for (integer_histogram* h : {&latency_, &network_latency_, &hops_}) h->add_from(in);
  batches_.add_from(in);
  backlogs_.add_from(in);
  for (std::uint64_t left = in.next(); left > 0; --left) {
    sent_packet& p = on_their_way_.emplace_back();
    p.id = in.next();
    p.created = in.next();
    p.head_sent = in.next();
    p.source = static_cast<node_id>(in.next());
    p.flits = static_cast<std::uint32_t>(in.next());
    p.message_class = static_cast<std::uint8_t>(in.next());
  }
}

void measurement::forget() {
  zero_load_sum_ = discarded_ = 0;
  for (traffic_counts* counts : {&begin_, &end_})
    *counts = {counts->cycle, 0, 0, 0, std::vector<std::uint64_t>(counts->wire_flits.size())};
  latency_ = network_latency_ = hops_ = {};
  batches_ = time_batches(batches_.duration());
  backlogs_ = source_backlogs(nodes_, classes_, load_, config_.warmup_cycles, config_.measure_cycles);
  on_their_way_.clear();
}

namespace {

void archive_counts(state_archive& a, traffic_counts& counts, std::size_t wires) {
  for (std::uint64_t* value : {&counts.cycle, &counts.flits_created, &counts.flits_ejected, &counts.packets_created})
    a.below(*value, std::uint64_t{1} << 60);
  a.numbers(counts.wire_flits);
  a.require(counts.wire_flits.empty() || counts.wire_flits.size() == wires, "flits are counted on other wires");
}

}  // namespace

void measurement::archive(state_archive& a, unsigned states, cycle_t now) {
  const measurement_config own = config_;
  a.number(config_.warmup_cycles);
  a.number(config_.measure_cycles);
  a.number(begun_);
  if (own.precision > 0) a.number(warmed_up_);
  if (own.precision > 0 && begun_)
    a.require(config_.warmup_cycles <= now && config_.measure_cycles <= own.max_cycles, "a window is too long");
  else
    a.require(config_.warmup_cycles == own.warmup_cycles && config_.measure_cycles == own.measure_cycles &&
                  (own.precision == 0 || now <= own.max_cycles),
              "the window is another one");
  a.number(ended_);
  for (traffic_counts* counts : {&begin_, &end_}) archive_counts(a, *counts, wire_count(*wiring_));
  a.require(!begun_ || !begin_.wire_flits.empty(), "flits are counted on other wires");
  a.require(!ended_ || !end_.wire_flits.empty(), "flits are counted on other wires");
  for (integer_histogram* h : {&latency_, &network_latency_, &hops_}) h->archive(a);
  batches_.archive(a);
  a.require(batches_.duration() == config_.measure_cycles, "a window has two lengths");
  a.require(config_.measure_cycles < cycle_t{1} << 50, "a window is too long");
  backlogs_.archive(a);
  a.number(zero_load_sum_);
  a.below(discarded_, std::uint64_t{1} << 60);
  a.number(last_ended_);
  later_.resize(a.size(later_.size()));
  for (packet_event& e : later_) {
    a.number(e.id);
    auto what = static_cast<std::uint8_t>(e.what);
    a.below(what, 3);
    e.what = static_cast<packet_event::kind>(what);
    a.below(e.cycle, now);
    e.record.archive(a, states, nodes_, classes_, now);
    a.require(e.record.created <= e.record.head_sent && e.record.head_sent <= e.cycle,
              "a packet has ended before it was created or sent");
  }
}

std::vector<std::uint64_t> measurement::wire_flits() const {
  std::vector<std::uint64_t> flits = end_.wire_flits;
  for (std::size_t w = 0; w < std::min(flits.size(), begin_.wire_flits.size()); ++w)
    flits[w] -= begin_.wire_flits[w];
  return flits;
}

statistics measurement::figures() const {
  const std::uint64_t offered_flits = end_.flits_created - begin_.flits_created;
  const std::uint64_t accepted_flits = end_.flits_ejected - begin_.flits_ejected;
  const std::uint64_t received = latency_.count();
  const auto of_packets = [&](std::uint64_t value) {
    return received ? statistic::value_type(value) : statistic::value_type(none);
  };

  const backlog_growth grown = growth();
  const auto nodes = static_cast<double>(nodes_);
  const std::optional<confidence_interval> sure = interval();

  return {
      {"offered", "flits/node/cycle", "flits created in the measured cycles",
       per_node_and_cycle(offered_flits)},
      {"accepted", "flits/node/cycle", "flits ejected in the measured cycles",
       per_node_and_cycle(accepted_flits)},
      {"stable", "", "steady state: all measured packets arrived, or met a dead link, and no source queue grows",
       stable()},
      {"keeps_up_95", "", "all measured packets arrived, or met a dead link, and accepted >= .95 offered",
       keeps_up_95()},
      {"backlog.growth", "flits/node/cycle", "of source queues that were never empty in the second half",
       grown.growth / nodes},
      {"backlog.standard_error", "flits/node/cycle", "of this growth", grown.standard_error / nodes},
      {"unstable_sources", "", "nodes whose source queue grows",
       std::isfinite(grown.growth) ? statistic::value_type(grown.sources) : statistic::value_type(none)},
      {"packets", "", "packets created in the measured cycles", packets_measured()},
      {"packets_arrived", "", "of these, received before the end of the drain", received},
      {"latency.mean", "cycles", "from creation to the tail received", latency_.mean()},
      {"latency.interval_95", "cycles", "covers the mean of the steady state in 95 % of runs",
       sure ? std::vector<double>{sure->low, sure->high} : std::vector<double>{}},
      {"latency.standard_error", "cycles", "of the mean: half the interval over 1.96",
       sure ? sure->half_width() / 1.96 : none},
      {"latency.min", "cycles", "the smallest", of_packets(latency_.min())},
      {"latency.p50", "cycles", "the median", of_packets(latency_.percentile(50))},
      {"latency.p90", "cycles", "90 % are not above it", of_packets(latency_.percentile(90))},
      {"latency.p99", "cycles", "99 % are not above it", of_packets(latency_.percentile(99))},
      {"latency.max", "cycles", "the largest", of_packets(latency_.max())},
      {"latency.network_mean", "cycles", "from the head sent to the tail received", network_latency_.mean()},
      {"latency.zero_load_model", "cycles",
       "mean of the zero-load formula over the same packets, of several routes the first",
       zero_load()},
      {"hops.mean", "links", "links crossed by a packet", hops_.mean()},
      {"hops.max", "links", "links crossed by a packet, at most", of_packets(hops_.max())},
  };
}

statistics measurement::worst_source(const std::string& address, const std::string& limited_by) const {
  return {{"worst_source.node", "", "the node whose source queue grows fastest", address},
          {"worst_source.growth", "flits/cycle", "of that queue: offered less sent",
           growth().worst_growth},
          {"limited_by", "", "the busiest link or port on the routes of that source",
           limited_by.empty() ? statistic::value_type(none) : statistic::value_type(limited_by)}};
}

bool measurement::precise() const {
  const std::optional<confidence_interval> known = interval();
  return warmed_up_ && complete() && known && known->half_width() <= config_.precision * known->mean;
}

statistics measurement::precision_figures() const {
  const std::optional<confidence_interval> known = interval();
  return {{"precision.reached", "",
           "the warm-up ended, and latency.interval_95 is as narrow as --precision asks for", precise()},
          {"precision.half_width", "", "of latency.interval_95, as a share of the mean",
           known ? known->half_width() / known->mean : none},
          {"precision.warmup_cycles", "cycles", "before the measured ones: the warm-up, if it ended (MSER)",
           window_cycles() > 0 ? statistic::value_type(config_.warmup_cycles) : statistic::value_type(none)},
          {"precision.measured_cycles", "cycles", "of the window", window_cycles()}};
}

}  // namespace toriscope
