// SPDX-License-Identifier: Apache-2.0
// Zero-load latency is the formula of docs/model.md for all pairs of nodes, exactly. Packets go through the
// engine one at a time; the formula is evaluated from a walk with the routing function, which knows nothing
// of the engine. Policies, narrow links and limited reception are judged by zero_load_model in the same way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <systemc>

#include "base/hash.h"
#include "network/network.h"
#include "testbenches/reference/adaptive_mesh.h"
#include "testbenches/reference/child_process.h"
#include "testbenches/reference/tier.h"
#include "testbenches/simulation/statistics/zero_load_model.h"
#include "topologies/registry.h"

namespace toriscope::reference::zero_load_test {
namespace {

struct zero_load_case {
  std::string topology;
  pipeline stages;
  unsigned vcs;
  unsigned depth;
  unsigned flits;
  unsigned link_delay;  // of all links, or the largest
  bool mixed = false;   // link delays 1 .. link_delay
  unsigned injection = 1;
  unsigned ejection = 1;
  std::string links = "U";
};

void PrintTo(const zero_load_case& c, std::ostream* out) {
  *out << fmt::format("{} links {} {} vcs {} depth {} flits {} delay {}{} injection {} ejection {}",
                      c.topology, c.links, to_string(c.stages), c.vcs, c.depth, c.flits, c.mixed ? "1.." : "",
                      c.link_delay, c.injection, c.ejection);
}

/// Routers on the way and the delays of the links between them.
struct way {
  unsigned routers = 1;
  unsigned delays = 0;
  unsigned longest = 0;
};

way walk(const netlist& wiring, const routing_function& routing, terminal_id from, terminal_id to) {
  way w;
  route_request at{wiring.terminal(from).node, wiring.terminal(from).port, 0, to, 0};
  for (;;) {
    route_option options[routing_function::max_options];
    routing.route(at, options);
    const route_option& taken = options[0];
    if (wiring.is_local(at.node, taken.out_port)) {
      if (wiring.leaving(at.node, taken.out_port) != to)
        throw std::logic_error("the walk ends at the wrong node");
      return w;
    }
    const netlist_link& link = wiring.link(wiring.ports(at.node)[taken.out_port].out);
    unsigned vc = 0;
    while ((taken.vcs >> vc) % 2 == 0) ++vc;
    at = {link.to, link.to_port, static_cast<std::uint8_t>(vc), to, taken.state};
    ++w.routers;
    w.delays += link.delay_cycles;
    w.longest = std::max<unsigned>(w.longest, link.delay_cycles);
    if (w.routers > wiring.node_count()) throw std::logic_error("the walk does not end");
  }
}

/// docs/model.md, "Zero-load latency".
std::uint64_t formula(const zero_load_case& c, const way& w) {
  const unsigned n = c.flits - 1;
  const unsigned stages = c.stages == pipeline::single_cycle ? 1 : c.stages == pipeline::four_stage ? 4 : 2;
  std::uint64_t ser = 0;
  if (c.stages == pipeline::paper2009) {
    ser = 2 * n;
  } else {
    const bool registers_between_routers = c.stages == pipeline::four_stage && w.routers > 1;
    const unsigned x = registers_between_routers ? 1 : 0;
    const unsigned longest = std::max(w.longest, c.injection);
    ser = n / c.depth * std::max(c.depth, x + 2 * longest) + n % c.depth;
  }
  return w.routers * (stages - 1) + w.delays + c.injection + c.ejection + ser;
}

/// Where the formula is a bound: four_stage, buffers less deep than the longest loop, and delays that differ.
bool is_bound(const zero_load_case& c, const way& w) {
  if (c.stages != pipeline::four_stage || w.routers == 1) return false;
  const unsigned longest = std::max(w.longest, c.injection);
  return c.depth < 1 + 2 * longest && (c.mixed || c.injection > c.link_delay);
}

/// All pairs, one packet after the other: the next one is created when the last one has arrived and its
/// credits are back.
class one_at_a_time : public traffic_source, public packet_sink {
 public:
  one_at_a_time(const zero_load_case& c, const topology& made) : c_(c), made_(made) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    const terminal_id nodes = made_.wiring->terminal_count();
    if (under_way_ || now < next_ || pair_ == std::uint64_t{nodes} * nodes) return;
    out.push_back({static_cast<node_id>(pair_ / nodes), static_cast<node_id>(pair_ % nodes), c_.flits});
    ++pair_;
    under_way_ = true;
  }

  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    under_way_ = false;
    next_ = received + c_.link_delay + c_.injection + 5;
    ++arrived_;
    const way w = walk(*made_.wiring, *made_.routing, record.source, record.destination);
    const std::uint64_t latency = received - record.created;
    const std::uint64_t expected = formula(c_, w);
    const bool right = is_bound(c_, w) ? latency <= expected : latency == expected;
    if (!right && differences_++ < 5) {
      text_ += fmt::format("{} to {}, {} routers: {} cycles, the formula says {}; ", record.source,
                           record.destination, w.routers, latency, expected);
    }
  }

  bool done() const {
    return arrived_ == std::uint64_t{made_.wiring->terminal_count()} * made_.wiring->terminal_count();
  }
  std::string text() const { return differences_ ? fmt::format("{} pairs: {}", differences_, text_) : ""; }

 private:
  const zero_load_case c_;
  const topology& made_;
  bool under_way_ = false;
  cycle_t next_ = 0;
  std::uint64_t pair_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t differences_ = 0;
  std::string text_;
};

std::string measure(const zero_load_case& c) {
  topology_options options;
  options.links = c.links;
  options.vcs = c.vcs;
  topology& made = keep(std::make_unique<topology>(make_topology(c.topology, options)));
  for (link_id l = 0; l < made.wiring->links().size(); ++l) {
    made.wiring->link(l).delay_cycles =
        static_cast<std::uint16_t>(c.mixed ? 1 + mix(1, l) % c.link_delay : c.link_delay);
  }
  network_config config;
  config.router.pipeline = c.stages;
  config.router.vcs = c.vcs;
  config.router.depth = c.depth;
  config.injection_delay_cycles = c.injection;
  config.ejection_delay_cycles = c.ejection;
  config.on_failure = failure_action::stop;
  auto& clock = keep(std::make_unique<sc_core::sc_clock>("clock", sc_core::sc_time(1, sc_core::SC_NS)));
  auto& engine = keep(std::make_unique<toriscope::network>("engine", made.wiring, made.routing, config));
  auto& pairs = keep(std::make_unique<one_at_a_time>(c, made));
  engine.clk(clock);
  engine.set_source(&pairs);
  engine.add_sink(&pairs);
  for (int looks = 0; !pairs.done(); ++looks) {
    if (engine.failure()) return engine.failure()->message;
    if (looks == 20000) return "the packets do not all arrive";
    sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_NS));
  }
  return pairs.text();
}

/// Knobs beyond those of zero_load_case.
struct policy_case {
  std::string topology = "torus:4x4";
  bool adaptive = false;
  std::string routing = "";
  network_config network;
  unsigned link_delay = 1;   // links have D = 1 .. this
  unsigned flit_cycles = 1;  // and F = 1 .. this
  unsigned flits = 9;
};

void PrintTo(const policy_case& c, std::ostream* out) {
  const router_config& router = c.network.router;
  const stage_counts s = router.pipeline == pipeline::paper2009 ? stage_counts{} : router.counts();
  *out << fmt::format(
      "{}{} {} {} rc {} va {} sa {} st {}{}{} adaptive +{} depth {} D 1..{} F 1..{} flits {}{}", c.topology,
      c.adaptive ? " adaptive" : "", c.routing, to_string(router.pipeline), s.rc, s.va, s.sa, s.st,
      router.lookahead ? " look-ahead" : "", router.speculative ? " speculative" : "",
      router.adaptive_delay_cycles, router.depth, c.link_delay, c.flit_cycles, c.flits,
      c.network.limited_reception ? " limited reception" : "");
}

/// As one_at_a_time, judged by the model.
class judged_by_model : public traffic_source, public packet_sink {
 public:
  judged_by_model(const policy_case& c, const topology& made)
      : c_(c),
        nodes_(made.wiring->terminal_count()),
        injection_(*made.routing),
        model_(made.wiring, made.routing, c.network) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (under_way_ || now < next_ || pair_ == nodes_ * nodes_) return;
    out.push_back({pair_ / nodes_, pair_ % nodes_, c_.flits});
    ++pair_;
    under_way_ = true;
  }
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override {
    under_way_ = false;
    next_ = received + 40;  // all credits are back
    const std::uint64_t expected =
        model_.latency(record.source, record.destination, record.flits, injection_.of(id, record));
    if (received - record.created == expected || differences_++ >= 5) return;
    text_ += fmt::format("{} to {}: {} cycles, the model says {}; ", record.source, record.destination,
                         received - record.created, expected);
  }
  bool done() const { return pair_ == nodes_ * nodes_ && !under_way_; }
  std::string text() const { return text_; }

 private:
  const policy_case c_;
  const node_id nodes_;
  const injection_rule injection_;
  const zero_load_model model_;
  bool under_way_ = false;
  cycle_t next_ = 0;
  node_id pair_ = 0;
  unsigned differences_ = 0;
  std::string text_;
};

std::string measure_policies(const policy_case& c) {
  topology_options options;
  options.vcs = c.network.router.vcs;
  options.routing = c.routing;
  topology& made = keep(std::make_unique<topology>(make_topology(c.topology, options)));
  if (c.adaptive) made.routing = make_adaptive_mesh(made.wiring, options.vcs);
  for (link_id l = 0; l < made.wiring->links().size(); ++l) {
    made.wiring->link(l).delay_cycles = static_cast<std::uint16_t>(1 + mix(1, l) % c.link_delay);
    made.wiring->link(l).flit_cycles = static_cast<std::uint8_t>(1 + mix(2, l) % c.flit_cycles);
  }
  auto& clock = keep(std::make_unique<sc_core::sc_clock>("clock", sc_core::sc_time(1, sc_core::SC_NS)));
  auto& engine = keep(std::make_unique<toriscope::network>("engine", made.wiring, made.routing, c.network));
  auto& pairs = keep(std::make_unique<judged_by_model>(c, made));
  engine.clk(clock);
  engine.set_source(&pairs);
  engine.add_sink(&pairs);
  for (int looks = 0; !pairs.done(); ++looks) {
    if (engine.failure()) return engine.failure()->message;
    if (looks == 2000) return "the packets do not all arrive";
    sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_NS));
  }
  return pairs.text();
}

class zero_load_of_policies : public testing::TestWithParam<policy_case> {};

TEST_P(zero_load_of_policies, is_the_model_for_all_pairs) {
  EXPECT_EQ(run_in_child([] { return measure_policies(GetParam()); }), "");
}

std::vector<policy_case> policy_cases() {
  std::vector<policy_case> list;
  const stage_counts counts[] = {{0, 0, 1, 0}, {1, 1, 1, 0}, {0, 1, 0, 1},
                                 {3, 2, 2, 1}, {7, 1, 3, 2}, {6, 1, 1, 1}};
  unsigned number = 0;
  for (const stage_counts& stages : counts) {
    for (const char kind : {'p', 'l', 's', 'b'}) {  // plain, look-ahead, speculative, both
      policy_case c;
      router_config& router = c.network.router;
      router.pipeline = pipeline::custom;
      router.custom_stages = stages;
      router.lookahead = kind == 'l' || kind == 'b';
      router.speculative = kind == 's' || kind == 'b';
      if (router.speculative && stages.va != 1) continue;
      router.depth = number % 3 == 0 ? 3 : 16;
      c.adaptive = number % 2 == 1;
      if (c.adaptive) {
        c.topology = "mesh:4x4";
        router.adaptive_delay_cycles = number % 5;
      }
      c.link_delay = 1 + number % 4;
      c.flit_cycles = number % 4 == 2 ? 4 : 1;
      c.network.limited_reception = number % 4 == 3;
      if (c.network.limited_reception) c.network.ejection_delay_cycles = 5;
      list.push_back(c);
      ++number;
    }
  }
  for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
    policy_case c;
    c.network.router.pipeline = stages;
    c.network.router.depth = stages == pipeline::paper2009 ? 1 : 4;
    c.network.limited_reception = true;
    c.network.ejection_delay_cycles = stages == pipeline::paper2009 ? 1 : 4;
    list.push_back(c);
    c.flit_cycles = 5;
    c.link_delay = 3;
    list.push_back(c);
    c.network.limited_reception = false;
    for (const auto& [topology, routing] :
         {std::pair("torus:4x4", "valiant"), std::pair("torus:4x4", "ugal"), std::pair("mesh:4x4", "o1turn"),
          std::pair("fattree:2,3", "random")}) {
      c.topology = topology;
      c.routing = routing;
      list.push_back(c);
    }
  }
  for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage, pipeline::custom}) {
    policy_case c;
    c.topology = "file:" OWN_VALUES;
    c.network.router.pipeline = stages;
    if (stages == pipeline::custom) c.network.router.custom_stages = {3, 2, 2, 1};
    for (const bool limited : {false, true}) {
      c.network.limited_reception = limited;
      c.network.ejection_delay_cycles = limited ? 5 : 1;
      c.flit_cycles = 1;
      list.push_back(c);
      c.link_delay = 4;
      c.flit_cycles = 3;
      c.flits = 20;
      list.push_back(c);
    }
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(all, zero_load_of_policies, testing::ValuesIn(policy_cases()),
                         [](const auto& i) { return fmt::format("{}", i.index); });

class zero_load : public testing::TestWithParam<zero_load_case> {};

TEST_P(zero_load, is_the_formula_for_all_pairs) {
  EXPECT_EQ(run_in_child([] { return measure(GetParam()); }), "");
}

std::vector<zero_load_case> cases() {
  constexpr pipeline one = pipeline::single_cycle, four = pipeline::four_stage, paper = pipeline::paper2009;
  std::vector<zero_load_case> list;
  for (const char* topology : {"mesh:8x8", "torus:8x8", "ttn:2,2,0"}) {
    const bool ttn = std::string(topology) == "ttn:2,2,0";
    for (const pipeline stages : {one, four}) {
      list.push_back({topology, stages, 4, 8, 16, 1});
      if (ttn && !is_long_tier()) continue;
      list.push_back({topology, stages, 4, 2, 9, 3});
      if (ttn) continue;
      list.push_back({topology, stages, 4, 1, 5, 1});
      list.push_back({topology, stages, 2, 3, 32, 2});
      list.push_back({topology, stages, 2, 4, 11, 7});
      list.push_back({topology, stages, 4, 8, 1, 5});
      list.push_back({topology, stages, 4, 64, 20, 7, false, 3, 6});
      // a buffer as deep as the loop is long: delays may differ
      list.push_back({topology, stages, 4, 15, 40, 7, true, 7, 4});
      // less deep: a bound where there are pipeline registers
      list.push_back({topology, stages, 4, 2, 10, 7, true, 3, 2});
      list.push_back({topology, stages, 4, 3, 10, 1, false, 6, 1});
    }
    if (ttn && !is_long_tier()) continue;
    // no pipeline registers: the slowest loop counts, wherever it is
    list.push_back({topology, one, 4, 3, 20, 7, true, 2, 5});
    if (!ttn) {
      list.push_back({topology, one, 4, 1, 6, 5, true, 6, 1});
      list.push_back({topology, paper, 2, 1, 1, 1});
    }
    list.push_back({topology, paper, 4, 1, 16, 1});
  }
  if (is_long_tier()) list.push_back({"ttn:2,2,0", four, 4, 8, 16, 1, false, 1, 1, "B"});
  for (const char* topology :
       {"crossbar:5", "fattree:2,3", "butterfly:2,3", "flatfly:3,2,2", "dragonfly:2,2,1", "cmesh:3x2,3",
        "chiplets:mesh:1x3+mesh:2x3+gateways=00,12"}) {
    list.push_back({topology, one, 4, 8, 16, 1});
    list.push_back({topology, four, 4, 8, 16, 3});
    list.push_back({topology, four, 4, 3, 11, 2});
    list.push_back({topology, paper, 4, 1, 7, 1});
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(all, zero_load, testing::ValuesIn(cases()),
                         [](const auto& i) { return fmt::format("{}", i.index); });

}  // namespace
}  // namespace toriscope::reference::zero_load_test
