// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/flow_statistics.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"

namespace toriscope {

using json = nlohmann::ordered_json;

flow_statistics::flow_statistics(const std::vector<flow>& flows, flow_source& source, cycle_t first,
                                 cycle_t cycles)
    : flows_(flows), source_(source), first_(first), cycles_(cycles), counts_(flows.size()) {}

void flow_statistics::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  const flow_source::flow_number number = source_.take(id);
  counts& c = counts_[number];
  if (received - first_ < cycles_) c.accepted_flits += record.flits;
  if (record.created - first_ >= cycles_) return;
  const std::uint64_t latency = received - record.created;
  c.latency.add(latency);
  const cycle_t bound = flows_[number].latency_bound;
  if (bound > 0 && latency > bound) ++c.late;
}

std::vector<std::uint64_t> flow_statistics::words() const {
  std::vector<std::uint64_t> all;
  for (const counts& c : counts_) {
    all.insert(all.end(), {c.accepted_flits, c.late});
    c.latency.append_to(all);
  }
  return all;
}

void flow_statistics::add(word_reader& words) {
  for (counts& c : counts_) {
    c.accepted_flits += words.next();
    c.late += words.next();
    c.latency.add_from(words);
  }
}

void flow_statistics::archive(state_archive& a) {
  for (counts& c : counts_) {
    a.number(c.accepted_flits);
    a.number(c.late);
    c.latency.archive(a);
  }
}

statistics flow_statistics::figures() const {
  std::uint64_t bounded = 0, missed = 0;
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    if (flows_[f].latency_bound == 0) continue;
    ++bounded;
    if (is_judged(f) && !is_met(f)) ++missed;
  }
  return {{"flows.count", "", "flows of the file", std::uint64_t{flows_.size()}},
          {"flows.bounded", "", "of these, with a bound of the latency", bounded},
          {"flows.missed", "", "of these, that miss it: a packet took longer, or did not arrive", missed}};
}

json flow_statistics::as_tree(cycle_t cycles, const std::vector<std::string>& limits) const {
  const cycle_t measured = std::min(cycles, first_ + cycles_) - std::min(cycles, first_);
  json list = json::array();
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    const counts& c = counts_[f];
    const auto per_cycle = [&](std::uint64_t flits) {
      return measured > 0 ? json(static_cast<double>(flits) / static_cast<double>(measured)) : json();
    };
    const auto of_packets = [&](std::uint64_t value) { return c.latency.count() > 0 ? json(value) : json(); };
    json entry = {{"name", flows_[f].name},
                  {"offered", per_cycle(offered(f).flits)},
                  {"accepted", per_cycle(c.accepted_flits)},
                  {"packets", offered(f).packets},
                  {"packets_arrived", c.latency.count()},
                  {"latency",
                   {{"mean", c.latency.count() > 0 ? json(c.latency.mean()) : json()},
                    {"p50", of_packets(c.latency.percentile(50))},
                    {"p99", of_packets(c.latency.percentile(99))},
                    {"max", of_packets(c.latency.max())}}},
                  {"bound", nullptr},
                  {"met", nullptr},
                  {"slack", nullptr},
                  {"late", nullptr},
                  {"limited_by", limits[f]}};
    if (const cycle_t bound = flows_[f].latency_bound; bound > 0) {
      entry["bound"] = bound;
      if (is_judged(f)) entry["met"] = is_met(f);
      if (all_arrived(f) && c.latency.count() > 0)
        entry["slack"] = static_cast<std::int64_t>(bound) - static_cast<std::int64_t>(c.latency.max());
      entry["late"] = c.late;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string flow_table(const json& list) {
  const auto number = [](const json& value) {
    return value.is_null()           ? "-"
           : value.is_number_float() ? fmt::format("{:.4g}", value.get<double>())
                                     : value.dump();
  };
  const auto bound = [](const json& flow) -> std::string {
    if (flow["bound"].is_null()) return "-";
    const std::string left =
        flow["slack"].is_null() ? "" : fmt::format(" {:+}", flow["slack"].get<std::int64_t>());
    const char* const verdict = flow["met"].is_null() ? "unknown" : flow["met"].get<bool>() ? "met" : "missed";
    return fmt::format("{} {}{}", flow["bound"].get<cycle_t>(), verdict, left);
  };
  std::size_t width = 4, bounds = 5;
  for (const json& flow : list) {
    width = std::max(width, std::min<std::size_t>(40, one_line(flow["name"].get<std::string>()).size()));
    bounds = std::max(bounds, bound(flow).size());
  }
  std::string text =
      fmt::format("flows\n  {:<{}} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6}  {:<{}}  limited by\n", "name",
                  width, "offered", "accepted", "packets", "mean", "p50", "p99", "max", "bound", bounds);
  for (const json& flow : list) {
    const json& latency = flow["latency"];
    text += fmt::format("  {:<{}} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6}  {:<{}}  {}\n",
                        one_line(flow["name"].get<std::string>()), width, number(flow["offered"]),
                        number(flow["accepted"]), number(flow["packets"]), number(latency["mean"]),
                        number(latency["p50"]), number(latency["p99"]), number(latency["max"]), bound(flow),
                        bounds, flow["limited_by"].get<std::string>());
  }
  return text;
}

}  // namespace toriscope
