// SPDX-License-Identifier: Apache-2.0
// See equality_config.h.
#include "testbenches/reference/equality_config.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/words.h"
#include "testbenches/reference/draws.h"
#include "testbenches/reference/policy_configs.h"

namespace toriscope::reference {

namespace {

constexpr std::size_t drawn_in_short_tier = 110;
constexpr std::size_t drawn_in_long_tier = 500;

/// Half of the configurations have the engine's network stepped by several threads.
std::vector<equality_config> with_threads(std::vector<equality_config> list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    draws d(mix(20092, list.size(), i));
    if (d.one_in(2)) list[i].network.threads = d.between(2, 4);
  }
  return list;
}

/// A network to draw from.
struct candidate {
  std::string topology;
  std::string links;
  std::string ties;
  std::string vc_rule;
  unsigned least_vcs;
  bool power_of_two;
  unsigned weight;
};

const std::vector<candidate>& candidates() {
  // clang-format off
  static const std::vector<candidate> all = {
      {"mesh:4x4", "U", "", "safe", 1, true, 15},
      {"mesh:5x3", "U", "", "safe", 1, false, 15},
      {"mesh:3x3x2", "U", "", "safe", 1, false, 12},
      {"mesh:4x4", "U", "", "adaptive", 1, true, 9},
      {"mesh:3x5", "U", "", "adaptive", 1, false, 9},
      {"mesh:1x8", "U", "", "safe", 1, true, 6},
      {"mesh:2x1", "U", "", "safe", 1, true, 3},
      {"torus:4x4", "U", "nowrap", "safe", 2, true, 12},
      {"torus:4x4", "U", "positive", "safe", 2, true, 6},
      {"torus:4x4", "U", "balanced", "safe", 2, true, 9},
      {"torus:5x5", "U", "", "safe", 2, false, 15},
      {"torus:1x7", "U", "", "safe", 2, false, 6},
      {"torus:1x8", "U", "balanced", "safe", 2, true, 6},
      {"torus:2x3x2", "U", "", "safe", 2, false, 9},
      {"torus:8x8", "U", "nowrap", "safe", 2, true, 4},
      {"cube:2,4", "U", "", "safe", 1, true, 12},
      {"ucube:4,2", "U", "", "safe", 2, true, 12},
      {"ucube:5,1", "U", "", "safe", 2, false, 9},
      {"ucube:3,2", "U", "", "safe", 2, false, 9},
      {"ttn:2,2,0", "U", "", "safe", 4, true, 2},
      {"ttn:2,2,0", "B", "", "safe", 4, true, 2},
      {"ttn:2,2,0", "U", "nowrap", "A", 2, true, 2},
      {"ttn:2,2,0", "B", "nowrap", "D3", 3, true, 2},
      {"ttn:2,2,0", "U", "positive", "C", 4, true, 2},
      {"ttn:2,2,1", "U", "nowrap", "E", 4, true, 2},
      {"ttn:2,2,1", "B", "nowrap", "A", 2, true, 2},
      {"ttn:2,2,2", "U", "nowrap", "D3", 3, true, 2},
      {"ttn:2,2,2", "B", "", "safe", 4, true, 2},
  };
  // clang-format on
  return all;
}

candidate draw_candidate(draws& d) {
  unsigned sum = 0;
  for (const candidate& c : candidates()) sum += c.weight;
  unsigned left = d.below(sum);
  for (const candidate& c : candidates()) {
    if (left < c.weight) return c;
    left -= c.weight;
  }
  return candidates().front();
}

/// 256 nodes behind a few gates: traffic that gets through them in a few hundred cycles.
void calm(equality_config& config, draws& d) {
  config.pattern = d.one_of<std::string>({"uniform", "uniform", "hotspot", "neighbour", "shuffle"});
  config.lengths = d.one_of<std::string>({"1", "2", "3", "1:3,8:1"});
  config.network.checks = check_level::cheap;
  if (config.network.router.depth < 4) config.max_link_delay = d.between(1, 3);
  if (config.network.router.vc_reallocation == vc_reallocation::atomic) config.pattern = "neighbour";
  if (!config.saturated) config.rate = d.one_of<double>({0.05, 0.1, 0.2});
}

equality_config drawn(std::uint64_t number) {
  draws d(mix(20091, number));
  const candidate c = draw_candidate(d);
  equality_config config;
  config.topology = c.topology;
  config.links = c.links;
  config.ties = c.ties;
  config.vc_rule = c.vc_rule;
  config.seed = number;

  router_config& router = config.network.router;
  router.pipeline = d.one_of<pipeline>({pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009});
  router.vc_reallocation = d.one_of<vc_reallocation>({vc_reallocation::non_atomic, vc_reallocation::atomic});
  router.vcs = d.one_in(2) ? c.least_vcs : d.between(c.least_vcs, d.one_in(3) ? 16 : 6);
  router.depth = d.one_of<unsigned>({1, 1, 2, 3, 4, 5, 8, 8, 16, 33, 64});
  if (router.pipeline == pipeline::paper2009) router.depth = 1;
  config.network.injection_delay_cycles = d.one_in(3) ? d.between(1, 7) : 1;
  config.network.ejection_delay_cycles = d.one_in(3) ? d.between(1, 7) : 1;
  config.network.credit_delay_cycles = d.one_in(3) ? d.between(1, 5) : 0;
  config.max_link_delay = d.one_in(2) ? 7 : d.between(1, 3);
  if (d.one_in(6)) config.network.checks = check_level::full;

  std::vector<std::string> patterns = {"uniform", "uniform", "hotspot", "tornado", "neighbour"};
  if (c.power_of_two) {
    for (const char* name : {"bit_reversal", "complement", "bit_flip", "shuffle"}) patterns.push_back(name);
  }
  config.pattern = d.one_of(patterns);
  config.include_self = d.one_in(4);
  config.arrivals = d.one_of<arrival_kind>(
      {arrival_kind::bernoulli, arrival_kind::bernoulli, arrival_kind::poisson, arrival_kind::constant});
  config.lengths =
      d.one_of<std::string>({"1", "2", "3", "4", "4", "5", "1:1,2:1,3:1", "1:3,8:1", "16", "1:6,32:1"});
  config.saturated = d.one_in(4);
  config.rate =
      config.saturated ? d.one_of<double>({0.75, 1.0}) : d.one_of<double>({0.1, 0.15, 0.2, 0.3, 0.4});
  if (begins_with(c.topology, "ttn")) calm(config, d);
  return config;
}

equality_config base(const std::string& topology, pipeline stages, unsigned vcs, unsigned depth) {
  equality_config config;
  config.topology = topology;
  config.network.router.pipeline = stages;
  config.network.router.vcs = vcs;
  config.network.router.depth = depth;
  config.rate = 0.2;
  return config;
}

void add_fixed(std::vector<equality_config>& list) {
  const auto add = [&list](equality_config config) { list.push_back(std::move(config)); };
  for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
    const unsigned depth = stages == pipeline::paper2009 ? 1 : 8;
    // what the program runs by default, at ease and saturated
    equality_config config = base("torus:8x8", stages, 4, depth);
    config.rate = 0.3;
    config.lengths = "16";
    add(config);
    config.saturated = true;
    config.rate = 1.0;
    add(config);
    // the extremes of the router
    config = base("mesh:4x4", stages, 1, 1);
    config.saturated = true;
    config.rate = 1.0;
    add(config);
    config = base("mesh:4x4", stages, 16, stages == pipeline::paper2009 ? 1 : 64);
    config.saturated = true;
    config.rate = 1.0;
    config.lengths = "1:1,16:1";
    config.max_link_delay = 7;
    add(config);
    // both kinds of re-grant, where a VC is all there is
    for (const vc_reallocation when : {vc_reallocation::non_atomic, vc_reallocation::atomic}) {
      config = base("ucube:5,1", stages, 2, depth == 1 ? 1 : 2);
      config.network.router.vc_reallocation = when;
      config.max_link_delay = 7;
      config.network.credit_delay_cycles = 3;
      config.saturated = true;
      config.rate = 1.0;
      add(config);
    }
    // each node sends to itself only (both nodes are fixed points), and a single pair of links
    config = base("mesh:1x2", stages, 3, depth);
    config.pattern = "bit_reversal";
    config.saturated = true;
    config.rate = 1.0;
    add(config);
    config = base("mesh:2x1", stages, 1, depth);
    config.network.injection_delay_cycles = 7;
    config.network.ejection_delay_cycles = 5;
    config.rate = 0.5;
    config.lengths = "8";
    add(config);
    // TTN under its default rule, both kinds of links
    for (const char* links : {"U", "B"}) {
      config = base("ttn:2,2,0", stages, 4, depth);
      config.links = links;
      config.saturated = true;
      config.rate = 0.8;
      add(config);
    }
  }
}

/// What is drawn for the short tier: but those with 256 nodes, which take half of the time of all, are in the long one.
std::vector<equality_config> drawn_for_short_tier(bool many_nodes) {
  std::vector<equality_config> list;
  const auto add = [&](equality_config config) {
    if (begins_with(config.topology, "ttn") == many_nodes) list.push_back(std::move(config));
  };
  for (std::size_t i = 0; i < drawn_in_short_tier; ++i) add(drawn(i));
  for (equality_config& config : short_policy_configs()) add(std::move(config));
  return list;
}

}  // namespace

std::string describe(const equality_config& c) {
  const router_config& router = c.network.router;
  const std::string text = fmt::format(
      "{} links {} ties '{}'{}{} rule {}; {} vc_reallocation {} vcs {} depth {}; link delay 1..{}, injection "
      "{}, "
      "ejection {}, "
      "credit +{}; {}{} {} rate {} lengths {}{}; checks {}; threads {}; seed {}",
      c.topology, c.links, c.ties, c.gates.empty() ? "" : " gates " + c.gates,
      c.routing.empty() ? "" : " routing " + c.routing, c.vc_rule, to_string(router.pipeline),
      to_string(router.vc_reallocation), router.vcs, router.depth, c.max_link_delay,
      c.network.injection_delay_cycles, c.network.ejection_delay_cycles, c.network.credit_delay_cycles,
      c.pattern, c.include_self ? " with self" : "", to_string(c.arrivals), c.rate, c.lengths,
      c.saturated ? " without end" : "", c.network.checks == check_level::full ? "full" : "cheap", c.network.threads,
      c.seed);
  return text + describe_policies(c);
}

std::vector<equality_config> short_equality_configs() {
  std::vector<equality_config> list;
  add_fixed(list);
  for (equality_config& config : drawn_for_short_tier(false)) list.push_back(std::move(config));
  for (equality_config& config : list) config.packets = 1000;
  return with_threads(std::move(list));
}

std::vector<equality_config> long_equality_configs() {
  std::vector<equality_config> list = drawn_for_short_tier(true);
  for (std::size_t i = 0; i < drawn_in_long_tier; ++i) {
    list.push_back(drawn(drawn_in_short_tier + i));
    list.back().packets = 5000;
  }
  for (equality_config& config : long_policy_configs()) list.push_back(std::move(config));
  for (const char* links : {"U", "B"}) {
    for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
      equality_config config = base("ttn:2,3,0", stages, 4, stages == pipeline::paper2009 ? 1 : 4);
      config.links = links;
      config.packets = 5000;
      config.saturated = true;
      config.rate = 0.5;
      list.push_back(config);
    }
  }
  return with_threads(std::move(list));
}

}  // namespace toriscope::reference
