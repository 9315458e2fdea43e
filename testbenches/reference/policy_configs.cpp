// SPDX-License-Identifier: Apache-2.0
// See policy_configs.h.
#include "testbenches/reference/policy_configs.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbenches/reference/draws.h"

namespace toriscope::reference {

namespace {

constexpr std::uint64_t drawn_in_short_tier = 70;
constexpr std::uint64_t drawn_in_long_tier = 900;

constexpr allocator_kind allocators[] = {allocator_kind::input_first, allocator_kind::output_first,
                                         allocator_kind::islip};
constexpr arbiter_kind arbiters[] = {arbiter_kind::round_robin, arbiter_kind::matrix, arbiter_kind::age};

bool any_islip(const router_config& router) {
  return router.va_allocator == allocator_kind::islip || router.sa_allocator == allocator_kind::islip;
}

/// 27 of allocators and arbiters, saturated: four in turn with plain stages, with speculation, with adaptive
/// routing, and with links of different widths.
void add_allocators(std::vector<equality_config>& list) {
  unsigned number = 0;
  for (const allocator_kind va : allocators) {
    for (const allocator_kind sa : allocators) {
      for (const arbiter_kind picks : arbiters) {
        equality_config config;
        config.topology = number % 4 == 2 ? "mesh:4x4" : "torus:4x4";
        if (number % 4 == 2) config.vc_rule = "adaptive";
        config.seed = 500 + number;
        router_config& router = config.network.router;
        router.pipeline = number % 2 == 0 ? pipeline::single_cycle : pipeline::four_stage;
        router.va_allocator = va;
        router.sa_allocator = sa;
        router.arbiter = picks;
        if (any_islip(router)) router.islip_iterations = 1 + number % 4;
        router.speculative = number % 4 == 1;
        router.vcs = 4 + number % 3;
        router.depth = 3 + number % 4;
        if (number % 4 == 3) config.max_flit_cycles = 4;
        config.max_link_delay = 1 + number % 3;
        config.lengths = "1:1,2:1,5:1";
        config.saturated = true;
        config.rate = 1.0;
        list.push_back(config);
        ++number;
      }
    }
  }
}

/// Speculation where the switch is granted in several iterations: those of a later one move no pointer.
void add_speculation(std::vector<equality_config>& list) {
  unsigned number = 0;
  for (const arbiter_kind picks : arbiters) {
    for (const unsigned iterations : {2u, 3u, 8u}) {
      equality_config config;
      config.topology = "torus:4x4";
      config.seed = 800 + number;
      router_config& router = config.network.router;
      router.pipeline = pipeline::four_stage;
      router.va_allocator = allocators[number % 3];
      router.sa_allocator = allocator_kind::islip;
      router.islip_iterations = iterations;
      router.arbiter = picks;
      router.speculative = true;
      router.vcs = 6;
      router.depth = 4;
      config.lengths = "1:3,3:1";
      config.saturated = true;
      config.rate = 1.0;
      list.push_back(config);
      ++number;
    }
  }
}

/// Stage counts from the smallest to the largest, each plain, with look-ahead, and with speculation.
void add_stages(std::vector<equality_config>& list) {
  const stage_counts all[] = {{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1},
                              {0, 1, 1, 0}, {1, 1, 0, 1}, {2, 1, 1, 1}, {1, 3, 2, 0},
                              {5, 2, 0, 2}, {7, 1, 7, 7}, {7, 7, 7, 7}, {6, 1, 1, 2}};
  unsigned number = 0;
  for (const stage_counts& counts : all) {
    for (const char* kind : {"plain", "lookahead", "speculative"}) {
      equality_config config;
      config.topology = "mesh:4x4";
      config.vc_rule = "adaptive";
      config.seed = 600 + number;
      router_config& router = config.network.router;
      router.pipeline = pipeline::custom;
      router.custom_stages = counts;
      router.lookahead = kind[0] == 'l';
      router.speculative = kind[0] == 's';
      if (router.speculative && counts.va != 1) continue;
      router.adaptive_delay_cycles = number % 3 == 0 ? 0 : number % 5 + 1;
      router.vc_reallocation = number % 4 == 3 ? vc_reallocation::atomic : vc_reallocation::non_atomic;
      router.vcs = 3;
      router.depth = 1 + number % 9;
      config.max_link_delay = 1 + number % 4;
      config.lengths = "1:1,4:1";
      config.saturated = number % 2 == 0;
      config.rate = config.saturated ? 1.0 : 0.2;
      list.push_back(config);
      ++number;
    }
  }
}

/// Dead links, message classes, limited reception: by each pipeline alone, then together.
void add_failures_and_interfaces(std::vector<equality_config>& list) {
  unsigned number = 0;
  for (const pipeline stages :
       {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009, pipeline::custom}) {
    for (const char* what : {"dead", "dying", "classes", "shared", "reception", "all"}) {
      const std::string kind = what;
      const bool all = kind == "all";
      equality_config config;
      config.topology = number % 3 == 2 ? "mesh:4x4" : "torus:4x4";
      if (number % 3 == 2) config.vc_rule = "adaptive";
      config.seed = 700 + number;
      router_config& router = config.network.router;
      router.pipeline = stages;
      if (stages == pipeline::custom) router.custom_stages = {2, 1, 2, 1};
      router.vcs = 6;
      router.depth = stages == pipeline::paper2009 ? 1 : 2 + number % 4;
      router.vc_reallocation = number % 4 == 1 ? vc_reallocation::atomic : vc_reallocation::non_atomic;
      if (kind == "dead" || kind == "dying" || all) config.dead_links = 4;
      if (kind == "dying" || all) config.dead_by = 300;
      if (kind == "classes" || all) config.network.message_classes = 2 + number % 2;
      if (kind == "shared") config.network.message_classes = 4;
      config.network.shared_classes = kind == "shared";
      config.network.limited_reception = kind == "reception" || all;
      if (config.network.limited_reception) config.gate_patience = 1 + number % 3;
      config.network.ejection_delay_cycles = 1 + number % 3;
      config.max_flit_cycles = all ? 3 : 1;
      config.lengths = "1:1,2:1,5:1";
      config.include_self = true;
      config.saturated = number % 2 == 0;
      config.rate = config.saturated ? 1.0 : 0.3;
      list.push_back(config);
      ++number;
    }
  }
}

/// Terminals that send into one router and receive from another, with other values.
void add_two_routers_of_a_terminal(std::vector<equality_config>& list) {
  for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
    equality_config config;
    config.topology = "butterfly:2,3";
    config.seed = 750 + static_cast<std::uint64_t>(stages);
    config.own_values = true;
    config.network.router.pipeline = stages;
    config.network.router.vcs = 4;
    config.network.router.depth = stages == pipeline::paper2009 ? 1 : 5;
    config.network.limited_reception = stages != pipeline::four_stage;
    config.network.shared_classes = true;
    config.lengths = "1:1,2:1,5:1";
    config.rate = 0.3;
    list.push_back(config);
  }
}

void draw_stages(router_config& router, draws& d) {
  const auto kinds = std::vector<pipeline>{pipeline::custom,     pipeline::custom,       pipeline::custom,
                                           pipeline::four_stage, pipeline::single_cycle, pipeline::paper2009};
  router.pipeline = d.one_of(kinds);
  if (router.pipeline != pipeline::custom) return;
  router.custom_stages = {d.one_of<unsigned>({0, 0, 1, 1, 2, 3, 7}), d.one_of<unsigned>({0, 1, 1, 1, 2, 5}),
                          d.one_of<unsigned>({0, 1, 1, 2, 4}), d.one_of<unsigned>({0, 1, 1, 3})};
  if (router.custom_stages.sa + router.custom_stages.st == 0) router.custom_stages.st = 1;
}

void draw_policies(router_config& router, bool adaptive, draws& d) {
  if (router.pipeline == pipeline::paper2009) return;
  router.va_allocator = allocators[d.below(3)];
  router.sa_allocator = allocators[d.below(3)];
  if (any_islip(router)) router.islip_iterations = d.one_of<unsigned>({1, 1, 2, 3, 4, 8});
  router.arbiter = arbiters[d.below(3)];
  router.lookahead = d.one_in(3);
  router.speculative = router.counts().va == 1 && d.one_in(2);
  if (adaptive && d.one_in(2)) router.adaptive_delay_cycles = d.one_of<unsigned>({1, 2, 5, 15});
  router.configurable_pipeline = router.pipeline != pipeline::custom && d.one_in(3);
}

/// A few links that die, at once or soon.
void draw_failures(equality_config& config, draws& d) {
  config.dead_links = d.one_in(3) ? d.between(1, 4) : 0;
  if (config.dead_links > 0) config.dead_by = d.one_of<cycle_t>({0, 100, 300});
}

void draw_interface(network_config& config, unsigned least_vcs, draws& d) {
  if (d.one_in(3)) {
    config.message_classes = d.between(2, 4);
    config.shared_classes = d.one_in(3);
    unsigned& vcs = config.router.vcs;
    if (!config.shared_classes) {
      vcs = std::max(vcs / config.message_classes, least_vcs) * config.message_classes;
      while (vcs > flit_word::max_vcs) vcs -= config.message_classes;
    }
  }
  config.limited_reception = d.one_in(3);
}

struct candidate {
  const char* topology;
  const char* vc_rule;
  unsigned least_vcs;
  const char* routing = "";
};

const std::vector<candidate> plain_terminals = {
    {"mesh:4x4", "adaptive", 1}, {"mesh:4x4", "adaptive", 2}, {"mesh:5x3", "adaptive", 2},
    {"mesh:6x6", "adaptive", 2}, {"mesh:3x3x2", "safe", 1},   {"torus:4x4", "safe", 2},
    {"torus:4x4", "safe", 2},    {"torus:5x5", "safe", 2},    {"torus:1x7", "safe", 2},
    {"torus:2x3x2", "safe", 2},  {"cube:2,4", "safe", 1},     {"ucube:3,2", "safe", 2}};

/// Routers with several terminals, or none.
const std::vector<candidate> other_terminals = {{"file:" MIXED_TERMINALS, "safe", 2},
                                                {"cmesh:3x2,3", "safe", 1},
                                                {"ctorus:3x3,2", "safe", 2},
                                                {"cmesh:2x2,4", "safe", 1},
                                                {"fattree:2,3", "safe", 1},
                                                {"fattree:3,2", "safe", 1, "adaptive"},
                                                {"butterfly:2,3", "safe", 1},
                                                {"flatfly:3,2,2", "safe", 1},
                                                {"dragonfly:2,2,1", "safe", 2},
                                                {"file:" MIXED_TERMINALS, "safe", 4, "spread"},
                                                {"file:" MIXED_TERMINALS, "safe", 1, "updown"}};

/// Routings that draw routes; the VCs of each message class are an even number.
const std::vector<candidate> drawn_routes = {{"mesh:4x3", "safe", 2, "o1turn"},
                                             {"torus:3x4", "safe", 4, "valiant"},
                                             {"torus:3x4", "safe", 4, "ugal"},
                                             {"cmesh:2x2,3", "safe", 2, "ugal"},
                                             {"flatfly:3,2,2", "safe", 2, "valiant"},
                                             {"dragonfly:2,2,1", "safe", 4, "ugal"},
                                             {"fattree:2,3", "safe", 2, "random"},
                                             {"ctorus:3x2,2", "safe", 4, "o1turn"},
                                             {"file:" MIXED_TERMINALS, "safe", 4, "random"},
                                             {"file:" MIXED_TERMINALS, "safe", 4, "in_turn"}};

/// Networks whose routes do with one VC: any number of them may be missing. And one whose file says it all.
const std::vector<candidate> own_values = {{"mesh:4x3", "safe", 1},
                                           {"mesh:3x3x2", "safe", 1},
                                           {"cube:2,4", "safe", 1},
                                           {"cmesh:3x2,3", "safe", 1},
                                           {"fattree:2,3", "safe", 1},
                                           {"butterfly:2,3", "safe", 1},
                                           {"fattree:3,2", "safe", 1, "adaptive"},
                                           {"file:" OWN_VALUES, "safe", 4},
                                           {"file:" OWN_VALUES, "safe", 4, "random"},
                                           {"file:" OWN_VALUES, "safe", 4, "in_turn"},
                                           {"file:" OWN_VALUES, "safe", 4, "updown"}};

equality_config drawn(std::uint64_t number, std::uint64_t series = 20261,
                      const std::vector<candidate>& networks = plain_terminals) {
  draws d(mix(series, number));
  const candidate c = d.one_of(networks);
  equality_config config;
  config.topology = c.topology;
  config.routing = c.routing;
  config.vc_rule = c.vc_rule;
  config.seed = 1000 + number;
  router_config& router = config.network.router;
  draw_stages(router, d);
  draw_policies(router, config.vc_rule == "adaptive", d);
  router.vc_reallocation = d.one_of<vc_reallocation>(
      {vc_reallocation::non_atomic, vc_reallocation::non_atomic, vc_reallocation::atomic});
  router.vcs = d.one_in(3) ? c.least_vcs : d.between(c.least_vcs, d.one_in(4) ? 16 : 6);
  router.depth =
      router.pipeline == pipeline::paper2009 ? 1 : d.one_of<unsigned>({1, 2, 3, 4, 4, 5, 8, 8, 16});
  config.network.injection_delay_cycles = d.one_in(4) ? d.between(1, 5) : 1;
  config.network.ejection_delay_cycles = d.one_in(4) ? d.between(1, 5) : 1;
  config.network.credit_delay_cycles = d.one_in(4) ? d.between(1, 3) : 0;
  config.max_link_delay = d.one_in(3) ? 5 : d.between(1, 2);
  if (d.one_in(2)) config.max_flit_cycles = d.one_of<unsigned>({2, 3, 4, 8});
  if (d.one_in(5)) config.network.checks = check_level::full;
  draw_interface(config.network, c.least_vcs, d);
  if (config.network.limited_reception) config.gate_patience = d.one_of<unsigned>({1, 2, 5});
  draw_failures(config, d);
  config.pattern =
      d.one_of<std::string>({"uniform", "uniform", "uniform", "hotspot", "tornado", "neighbour"});
  if (&networks != &plain_terminals) config.pattern = "uniform";  // the others are of nodes
  if (&networks == &own_values) {
    config.own_values = true;
    config.network.shared_classes = true;
    router.speculative = false;  // a pipeline of its own may have another va
    if (router.pipeline == pipeline::paper2009 && c.topology[0] == 'f' && c.least_vcs == 4)
      router.pipeline = pipeline::four_stage;  // which the file names
  }
  if (&networks == &drawn_routes) {
    const unsigned even = 2 * (config.network.shared_classes ? 1 : config.network.message_classes);
    router.vcs = std::min((router.vcs + even - 1) / even, 16 / even) * even;
  }
  config.include_self = d.one_in(3);
  config.lengths = d.one_of<std::string>({"1", "2", "3", "1:1,2:1,3:1", "1:3,8:1", "5", "1:6,32:1"});
  config.saturated = d.one_in(2);
  config.rate = config.saturated ? d.one_of<double>({0.75, 1.0}) : d.one_of<double>({0.1, 0.2, 0.3});
  return config;
}

}  // namespace

std::vector<equality_config> short_policy_configs() {
  std::vector<equality_config> list;
  add_allocators(list);
  add_speculation(list);
  add_stages(list);
  add_failures_and_interfaces(list);
  add_two_routers_of_a_terminal(list);
  for (std::uint64_t i = 0; i < drawn_in_short_tier; ++i) list.push_back(drawn(i));
  for (std::uint64_t i = 0; i < drawn_in_short_tier / 2; ++i)
    list.push_back(drawn(i, 20262, other_terminals));
  for (std::uint64_t i = 0; i < drawn_in_short_tier / 3; ++i) list.push_back(drawn(i, 20263, drawn_routes));
  for (std::uint64_t i = 0; i < drawn_in_short_tier / 3; ++i) list.push_back(drawn(i, 20264, own_values));
  return list;
}

std::vector<equality_config> long_policy_configs() {
  std::vector<equality_config> list;
  for (std::uint64_t i = 0; i < drawn_in_long_tier; ++i) {
    list.push_back(drawn(drawn_in_short_tier + i));
    list.back().packets = 5000;
    if (i % 3 > 0) continue;
    list.push_back(drawn(drawn_in_short_tier + i, 20262, other_terminals));
    list.back().packets = 5000;
    list.push_back(drawn(drawn_in_short_tier + i, 20263, drawn_routes));
    list.back().packets = 5000;
    list.push_back(drawn(drawn_in_short_tier + i, 20264, own_values));
    list.back().packets = 5000;
  }
  return list;
}

std::string describe_policies(const equality_config& c) {
  const router_config& router = c.network.router;
  std::string text;
  if (router.pipeline == pipeline::custom) {
    const stage_counts& s = router.custom_stages;
    text += fmt::format("; stages rc {} va {} sa {} st {}", s.rc, s.va, s.sa, s.st);
  }
  if (router.va_allocator != allocator_kind::input_first ||
      router.sa_allocator != allocator_kind::input_first)
    text += fmt::format("; allocators {}/{} iterations {}", to_string(router.va_allocator),
                        to_string(router.sa_allocator), router.islip_iterations);
  if (router.arbiter != arbiter_kind::round_robin)
    text += fmt::format("; arbiter {}", to_string(router.arbiter));
  if (router.lookahead) text += "; look-ahead";
  if (router.speculative) text += "; speculative";
  if (router.configurable_pipeline) text += "; configurable pipeline";
  if (router.adaptive_delay_cycles > 0)
    text += fmt::format("; adaptive headers +{}", router.adaptive_delay_cycles);
  if (c.network.message_classes > 1)
    text += fmt::format("; {} classes{}", c.network.message_classes,
                        c.network.shared_classes ? " sharing VCs" : "");
  if (c.network.limited_reception) text += fmt::format("; reception one in {}", c.gate_patience);
  if (c.dead_links > 0) text += fmt::format("; {} dead links by {}", c.dead_links, c.dead_by);
  if (c.own_values) text += "; own values";
  if (c.max_flit_cycles > 1) text += fmt::format("; F 1..{}", c.max_flit_cycles);
  return text;
}

}  // namespace toriscope::reference
