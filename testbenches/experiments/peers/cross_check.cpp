// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/cross_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

namespace toriscope {
namespace {

/// A channel of one cycle is D = 2 of ours (booksim.h).
constexpr unsigned like_a_channel_of_one = 2;
/// Flits per node and cycle: with a packet of each pair in a run, every third is alone.
constexpr double rate_of_lone_packets = 0.03;

constexpr double first_guess = 0.3;

const char* name_of(bool wraps) { return wraps ? "torus" : "mesh"; }

std::string part_name(bool wraps, const std::string& part) {
  return fmt::format("{}/{}", name_of(wraps), part);
}

std::string latencies_text(const std::map<std::uint64_t, unsigned>& latencies) {
  std::string text;
  for (const auto& [cycles, pairs] : latencies)
    text += (text.empty() ? "" : " ") +
            (latencies.size() == 1 ? fmt::format("{}", cycles) : fmt::format("{} ({} pairs)", cycles, pairs));
  return text;
}

std::string text_of(const pair_result& r) {
  std::string text = fmt::format(
      "{} 8x8, packets of {}, depth {}, credit delay {}: {} of {} pairs equal{}\n  cycles by routers passed:",
      name_of(r.wraps), r.flits, r.depth, r.credit_delay, r.equal, r.pairs,
      r.agrees() ? "" : "; " + r.difference);
  for (const auto& [routers, latencies] : r.by_routers)
    text += fmt::format(" {}: {}{}", routers, latencies_text(latencies),
                        routers == r.by_routers.rbegin()->first ? "" : ",");
  return text + "\n";
}

std::string text_of(const saturation_result& r, unsigned steps) {
  std::string text =
      fmt::format("{:<6} {:<13} {:>11} {:>11} {:>9.3f} {:>9.3f}  {}", name_of(r.wraps), r.traffic,
                  text_of(r.theirs), text_of(r.ours), r.full_theirs, r.full_ours, r.verdict(steps));
  for (const auto& [name, bracket] : r.variants)
    text += fmt::format("\n         {}: {}", name, text_of(bracket));
  return text + "\n";
}

nlohmann::ordered_json bracket_json(const load_bracket& b) {
  return {{"stable", b.stable}, {"saturated", b.saturated}};
}

}  // namespace

const std::vector<std::string>& patterns_of_both() {
  static const std::vector<std::string> names = {"uniform",    "transpose", "bit_reversal",
                                                 "complement", "shuffle",   "tornado"};
  return names;
}

std::vector<std::string> cross_check_parts() {
  std::vector<std::string> parts;
  for (const bool wraps : {false, true}) {
    parts.push_back(part_name(wraps, "pairs"));
    for (const std::string& traffic : patterns_of_both()) parts.push_back(part_name(wraps, traffic));
  }
  return parts;
}

std::vector<variant> variants_for(bool wraps, const std::string& traffic) {
  std::vector<variant> result;
  if (traffic == "uniform") result.push_back({"own node left out", false, {}});
  if (!wraps) return result;
  result.push_back({"VC rule wrapping", true, {"--vc-rule", "wrapping"}});
  for (const char* ties : {"nowrap", "positive"})
    result.push_back(
        {std::string("VC rule wrapping, ties ") + ties, true, {"--vc-rule", "wrapping", "--ties", ties}});
  return result;
}

std::string saturation_result::verdict(unsigned steps) const {
  if (brackets_agree(theirs, ours, steps)) return "agree";
  for (const auto& [name, bracket] : variants)
    if (brackets_agree(theirs, bracket, steps)) return "explained: " + name;
  return fmt::format("differ by {:.0f} %", 100 * std::abs(ours.middle() / theirs.middle() - 1));
}

cross_check::cross_check(booksim& peer, cross_check_settings settings, teller tell)
    : peer_(peer), settings_(std::move(settings)), tell_(std::move(tell)) {}

bool cross_check::wanted(bool wraps, const std::string& part) const {
  const std::vector<std::string>& only = settings_.only;
  return only.empty() || std::find(only.begin(), only.end(), part_name(wraps, part)) != only.end();
}

own_simulator cross_check::own(const variant& v) const {
  // x before y, and ejection ports with credits, as BookSim 2 has them.
  std::vector<std::string> arguments = {"--routing", "xy", "--limited-reception"};
  arguments.insert(arguments.end(), v.arguments.begin(), v.arguments.end());
  return {settings_.program, like_a_channel_of_one, v.self, arguments};
}

workload cross_check::network(bool wraps) const {
  workload w;
  w.wraps = wraps;
  w.k = settings_.k;
  w.warmup_cycles = settings_.warmup;
  w.measured_cycles = settings_.measured;
  return w;
}

pair_result cross_check::pairs(bool wraps, unsigned flits, unsigned depth, unsigned credit_delay) {
  pair_result result;
  result.wraps = wraps;
  result.flits = flits;
  result.depth = depth;
  result.credit_delay = credit_delay;
  const unsigned nodes = settings_.k * settings_.k;
  result.pairs = std::size_t{nodes} * nodes;

  tell_(fmt::format("{}: zero-load latency of {} pairs, packets of {}", name_of(wraps), result.pairs, flits));
  workload w = network(wraps);
  w.packet_flits = flits;
  w.depth_flits = depth;
  w.credit_delay_cycles = credit_delay;
  w.rate_flits_per_node_cycle = rate_of_lone_packets;
  w.measured_cycles = static_cast<std::uint64_t>(nodes * flits / rate_of_lone_packets);
  w.warmup_cycles = w.measured_cycles / 10;  // a period of BookSim2
  const std::vector<lone_packet> packets =
      lone_packets_of(peer_.lone_pair_latencies(w, settings_.pair_runs), nodes);
  result.compared = packets.size();
  result.by_routers = by_routers(packets, wraps, settings_.k);

  own_simulator ours = own({"", true, {}});
  const std::string file = settings_.directory + "/packets.txt";
  const auto run = [&](const std::vector<lone_packet>& some) {
    std::ofstream(file) << packet_file(some, flits);
    return ours.run_packets(w, file);
  };
  result.equal = agreeing_before_first_difference(packets, [&](const std::vector<lone_packet>& some) {
    return run(some).packet_hash == expected_packet_hash(some);
  });
  if (result.equal < packets.size()) {
    const lone_packet& p = packets[result.equal];
    result.difference = fmt::format("{} to {}: BookSim2 {}, toriscope {} cycles", p.source, p.destination,
                                    p.latency, run({p}).latency_min);
  } else if (result.compared < result.pairs) {
    result.difference =
        fmt::format("{} had no undisturbed packet in BookSim2", result.pairs - result.compared);
  }
  return result;
}

saturation_result cross_check::saturation(bool wraps, const std::string& traffic) {
  saturation_result result;
  result.wraps = wraps;
  result.traffic = traffic;
  workload w = network(wraps);
  w.traffic = traffic;
  const auto bracket = [&](simulator& s, const std::string& who, double near) {
    tell_(fmt::format("{}, {}: saturation, {}", name_of(wraps), traffic, who));
    return bracket_saturation(s, w, settings_.steps, settings_.seeds, near);
  };
  own_simulator ours = own({"", true, {}});
  result.ours = bracket(ours, ours.name(), first_guess);
  result.theirs = bracket(peer_, peer_.name(), result.ours.stable);
  workload full = w;
  full.rate_flits_per_node_cycle = 1;
  result.full_theirs = peer_.run(full).accepted;
  result.full_ours = ours.run(full).accepted;
  for (const variant& v : variants_for(wraps, traffic)) {
    own_simulator other = own(v);
    result.variants.emplace_back(v.name, bracket(other, v.name, result.ours.stable));
  }
  return result;
}

bool cross_check::run(const teller& show) {
  bool well = true;
  struct {
    unsigned flits, depth, credit_delay;
  } const lone[] = {{1, 8, 0}, {16, 8, 0}, {16, 4, 0}, {16, 4, 1}};
  for (const bool wraps : {false, true})
    for (const auto& c : lone) {
      if (!wanted(wraps, "pairs")) continue;
      pairs_.push_back(pairs(wraps, c.flits, c.depth, c.credit_delay));
      well = well && pairs_.back().agrees();
      show(text_of(pairs_.back()));
    }
  show(fmt::format("\n{:<6} {:<13} {:>11} {:>11} {:>9} {:>9}  {}\n", "", "saturation at", "BookSim2",
                   "toriscope", "at load 1", "toriscope", "verdict"));
  for (const bool wraps : {false, true})
    for (const std::string& traffic : patterns_of_both()) {
      if (!wanted(wraps, traffic)) continue;
      saturations_.push_back(saturation(wraps, traffic));
      const saturation_result& r = saturations_.back();
      well = well && r.verdict(settings_.steps).rfind("differ", 0) != 0;
      show(text_of(r, settings_.steps));
    }
  return well;
}

nlohmann::ordered_json cross_check::as_json() const {
  nlohmann::ordered_json all;
  all["zero_load"] = nlohmann::ordered_json::array();
  for (const pair_result& r : pairs_)
    all["zero_load"].push_back({{"topology", name_of(r.wraps)},
                                {"packet_flits", r.flits},
                                {"depth_flits", r.depth},
                                {"credit_delay_cycles", r.credit_delay},
                                {"pairs", r.pairs},
                                {"compared", r.compared},
                                {"equal", r.equal},
                                {"difference", r.difference},
                                {"agrees", r.agrees()}});
  all["saturation"] = nlohmann::ordered_json::array();
  for (const saturation_result& r : saturations_) {
    nlohmann::ordered_json variants;
    for (const auto& [name, bracket] : r.variants) variants[name] = bracket_json(bracket);
    all["saturation"].push_back(
        {{"topology", name_of(r.wraps)},
         {"traffic", r.traffic},
         {"booksim2", bracket_json(r.theirs)},
         {"toriscope", bracket_json(r.ours)},
         {"accepted_at_load_1", {{"booksim2", r.full_theirs}, {"toriscope", r.full_ours}}},
         {"variants", variants},
         {"verdict", r.verdict(settings_.steps)}});
  }
  return all;
}

}  // namespace toriscope
