// SPDX-License-Identifier: Apache-2.0
#include "testbenches/measure/measurement.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "links/word_reader.h"

namespace toriscope {
namespace {

constexpr cycle_t most_cycles = cycle_t{1} << 48;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<std::string> measurement_config::validate() const {
  std::vector<std::string> errors;
  if (measure_cycles < 1) errors.emplace_back("cycles: there must be at least 1 measured cycle");
  for (const auto& [key, value] : {std::pair("warmup", warmup_cycles), std::pair("cycles", measure_cycles),
                                   std::pair("drain", drain_cycles)})
    if (value > most_cycles)
      errors.push_back(std::string(key) + ": " + std::to_string(value) +
                       " cycles are too many, at most 2^48 are possible");
  return errors;
}

measurement::measurement(const measurement_config& config, node_id nodes, const zero_load_model* model)
    : config_(config), nodes_(nodes), model_(model), batches_(config.measure_cycles) {}

void measurement::packet_received(packet_id, const packet_record& record, cycle_t received) {
  if (!is_measured(record)) return;
  last_received_ = received;
  const std::uint64_t latency = received - record.created;
  latency_.add(latency);
  network_latency_.add(received - record.head_sent);
  hops_.add(record.hops);
  batches_.add(record.created - config_.warmup_cycles, latency);
  if (model_) zero_load_sum_ += model_->latency(record);
  if (on_complete_ && complete()) on_complete_();
}

void measurement::packet_discarded(packet_id, const packet_record& record, node_id, port_id, cycle_t) {
  if (!is_measured(record)) return;
  ++discarded_;
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

bool measurement::stable() const {
  const std::uint64_t offered = end_.flits_created - begin_.flits_created;
  const std::uint64_t accepted = end_.flits_ejected - begin_.flits_ejected;
  const bool whole_window = end_.cycle - begin_.cycle == config_.measure_cycles;
  return whole_window && complete() && accepted * 20 >= offered * 19;
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
  std::vector<std::uint64_t> all{zero_load_sum_, discarded_};
  append(begin_, all);
  append(end_, all);
  for (const integer_histogram* h : {&latency_, &network_latency_, &hops_}) h->append_to(all);
  batches_.append_to(all);
  return all;
}

void measurement::add(word_reader& in) {
  zero_load_sum_ += in.next();
  discarded_ += in.next();
  add_to(begin_, in);
  add_to(end_, in);
  for (integer_histogram* h : {&latency_, &network_latency_, &hops_}) h->add_from(in);
  batches_.add_from(in);
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

  return {
      {"offered", "flits/node/cycle", "flits created in the measured cycles",
       per_node_and_cycle(offered_flits)},
      {"accepted", "flits/node/cycle", "flits ejected in the measured cycles",
       per_node_and_cycle(accepted_flits)},
      {"stable", "", "all measured packets arrived, and accepted >= .95 offered", stable()},
      {"packets", "", "packets created in the measured cycles", packets_measured()},
      {"packets_arrived", "", "of these, received before the end of the drain", received},
      {"latency.mean", "cycles", "from creation to the tail received", latency_.mean()},
      {"latency.standard_error", "cycles", "of the mean, by 20 batch means", batches_.standard_error()},
      {"latency.min", "cycles", "the smallest", of_packets(latency_.min())},
      {"latency.p50", "cycles", "the median", of_packets(latency_.percentile(50))},
      {"latency.p90", "cycles", "90 % are not above it", of_packets(latency_.percentile(90))},
      {"latency.p99", "cycles", "99 % are not above it", of_packets(latency_.percentile(99))},
      {"latency.max", "cycles", "the largest", of_packets(latency_.max())},
      {"latency.network_mean", "cycles", "from the head sent to the tail received", network_latency_.mean()},
      {"latency.zero_load_model", "cycles", "mean of the zero-load formula over the same packets",
       model_ && received ? static_cast<double>(zero_load_sum_) / static_cast<double>(received) : none},
      {"hops.mean", "links", "links crossed by a packet", hops_.mean()},
      {"hops.max", "links", "links crossed by a packet, at most", of_packets(hops_.max())},
  };
}

}  // namespace toriscope
