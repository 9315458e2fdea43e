// SPDX-License-Identifier: Apache-2.0
// Single packets whose cycles are worked out on paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "testbenches/simulation/observation/hop_follower.h"
#include "testbenches/simulation/observation/observation_report.h"
#include "testbenches/simulation/observation/observed_bench.h"
#include "testbenches/simulation/observation/timeline_text.h"

namespace toriscope::observed_by_hand_test {
namespace {

using testing::HasSubstr;

constexpr cycle_t all_cycles = 120;

/// To the middle of a mesh: a packet of class 0, by the first port, and two of class 1. A class has one VC.
bench_setup three_to_the_middle() {
  bench_setup s;
  s.name = "three";
  s.topology = "mesh:3x3";
  s.config.router.vcs = s.config.message_classes = 2;
  s.packets = {{0, {5, 4, 2, 0}}, {0, {3, 4, 2, 1}}, {0, {7, 4, 2, 1}}};
  return s;
}

/// A packet along a line of three, whose link from `node` on dies in a cycle, and one over a link that lives.
bench_setup dying_link(const char* name, node_id node, cycle_t from) {
  bench_setup s;
  s.name = name;
  s.topology = "mesh:1x3";
  s.config.router.pipeline = pipeline::single_cycle;
  s.packets = {{0, {0, 2, 1}}, {0, {2, 1, 1}}};
  const topology line = observed_bench::make(s);
  const port_id out = line.wiring->port_named(node, "x+");
  s.config.dead_links = {{line.wiring->ports(node)[out].out, from}};
  return s;
}

/// Nodes send to themselves; then all records are given up when the last packet of a block is discarded.
bench_setup last_of_a_block() {
  bench_setup s = dying_link("last", 1, 102);
  s.packets.clear();
  for (node_id i = 0; i < 255; ++i) s.packets.push_back({i / 3, {i % 3, i % 3, 1}});
  s.packets.push_back({101, {1, 2, 1}});
  return s;
}

/// A packet of two flits over a link that a flit takes four cycles of.
bench_setup narrow_paper() {
  bench_setup s;
  s.name = "narrow_paper";
  s.topology = "mesh:1x3";
  s.config.router.pipeline = pipeline::paper2009;
  s.config.router.depth = 1;
  s.packets = {{0, {0, 1, 2}}};
  s.change = [](netlist& n) {
    for (link_id l = 0; l < n.links().size(); ++l) n.link(l).flit_cycles = 4;
  };
  return s;
}

/// A packet of a flit, and as many VCs as there can be.
bench_setup many_vcs() {
  bench_setup s = narrow_paper();
  s.name = "many_vcs";
  s.config.router.vcs = flit_word::max_vcs;
  s.packets = {{0, {0, 1, 1}}};
  return s;
}

/// To the corner of a mesh: from its middle, and what goes there, to the right or down.
class right_or_down final : public routing_function {
 public:
  explicit right_or_down(std::shared_ptr<const netlist> wiring) : wiring_(std::move(wiring)) {}

  unsigned route(const route_request& at, route_option* options) const override {
    const auto to = [&](const char* port) { return route_option{wiring_->port_named(at.node, port), 1, 0}; };
    if (at.node == at.destination) return options[0] = {wiring_->local_port(at.node), 1, 0}, 1;
    if (at.node == 4 && at.destination == 8) return options[0] = to("x+"), options[1] = to("y+"), 2;
    options[0] = to(at.node == 3 || at.node == 4 || at.node == 7 ? "x+" : "y+");
    return 1;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }

 private:
  std::shared_ptr<const netlist> wiring_;
};

/// A long packet takes the way to the right; then two more want to go on from the middle in the same cycle.
bench_setup two_ways() {
  bench_setup s;
  s.name = "two_ways";
  s.topology = "mesh:3x3";
  s.config.router.vcs = 1;
  s.packets = {{0, {4, 5, 20}}, {0, {3, 8, 2}}, {0, {1, 8, 2}}};
  s.routing = [](std::shared_ptr<const netlist> wiring, unsigned) {
    return std::make_shared<right_or_down>(std::move(wiring));
  };
  return s;
}

/// Packets of two flits from both ends of a line to its middle, where they want one VC. VA and SA are in one cycle.
bench_setup speculative() {
  bench_setup s;
  s.name = "speculative";
  s.topology = "mesh:1x3";
  s.config.router.vcs = 1;
  s.config.router.pipeline = pipeline::custom;
  s.config.router.speculative = true;
  s.packets = {{0, {2, 1, 2}}, {0, {0, 1, 2}}};
  return s;
}

struct hop_log final : hop_listener {
  void hop_ended(const hop_record& hop) override { hops.push_back(hop); }
  std::vector<hop_record> hops;
};

class observed_by_hand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto* const clock = new sc_core::sc_clock("clk", 1, sc_core::SC_NS);
    const auto make = [clock](const bench_setup& s) {
      auto* const bench = new observed_bench(s, *clock, all_cycles);
      bench->tell_all();
      return bench;
    };
    three_ = make(three_to_the_middle());
    bench_setup nothing = three_to_the_middle();
    nothing.name = "nothing";
    nothing.from = nothing.to = 6;
    nothing.config.injection_delay_cycles = 2;
    nothing.config.ejection_delay_cycles = 3;
    nothing_ = make(nothing);
    dead_ = make(dying_link("dead", 1, 2));
    alive_ = make(dying_link("alive", 1, 3));
    dead_at_once_ = make(dying_link("dead_at_once", 0, 1));
    refused_ = make(dying_link("refused", 1, 0));
    bench_setup left = dying_link("dead_to_the_left", 1, 2);
    left.packets = {{0, {2, 0, 1}}};
    const topology line = observed_bench::make(left);
    left.config.dead_links = {{line.wiring->ports(1)[line.wiring->port_named(1, "x-")].out, 2}};
    dead_to_the_left_ = make(left);
    narrow_ = make(narrow_paper());
    ways_ = make(two_ways());
    vcs_ = make(many_vcs());
    last_ = make(last_of_a_block());
    last_->seen.observer.listen(*new hop_follower(*last_->made.wiring, last_->seen.observer, last_hops_));
    bench_setup staged = dying_link("staged", 1, 3);
    staged.config.router.pipeline = pipeline::four_stage;
    staged_ = make(staged);
    staged_->seen.observer.listen(*new hop_follower(*staged_->made.wiring, staged_->seen.observer, staged_hops_));
    speculative_ = make(speculative());
    sc_core::sc_start(static_cast<double>(all_cycles) - 0.5, sc_core::SC_NS);
  }
  static inline observed_bench *three_, *nothing_, *dead_, *alive_, *dead_at_once_,
      *dead_to_the_left_, *refused_, *narrow_, *ways_, *vcs_, *last_, *staged_, *speculative_;
  static inline hop_log last_hops_, staged_hops_;
};

TEST_F(observed_by_hand, a_packet_that_lost_in_vc_allocation_lost_to_one_that_took_a_vc_it_wanted) {
  // All heads ask in cycle 6. Packet 0 is granted VC 0, which is none of class 1.
  const timeline_hop& other = three_->timelines[0]->hops().back();
  EXPECT_EQ(other.granted, 6u);
  EXPECT_EQ(other.out_vc, 0);
  EXPECT_THAT(timeline_text(*three_->timelines[2], {}, all_cycles),
              HasSubstr("waited 1 cycle: VC allocation: local VC 1 went to packet 1\n"));
}

TEST_F(observed_by_hand, without_observed_cycles_nothing_is_in_use) {
  EXPECT_EQ(nothing_->net.counters().packets_received, 3u);
  const auto usage = nlohmann::json::parse(link_usage(nothing_->seen, file_format::json));
  EXPECT_EQ(usage["cycles"], 0);
  for (const char* list : {"links", "ports"}) {
    ASSERT_FALSE(usage[list].empty());
    for (const auto& row : usage[list])
      for (const char* share : {"flits", "utilisation", "busy", "vc0_utilisation", "vc1_utilisation"})
        EXPECT_EQ(row.at(share), 0) << row;
    EXPECT_FALSE(usage[list][0].contains("vc2_utilisation"));
  }
  for (const auto& row : usage["links"]) EXPECT_EQ(row["delay_cycles"], 1);
  for (const auto& row : usage["ports"]) EXPECT_EQ(row["delay_cycles"], row["kind"] == "injection" ? 2 : 3) << row;
}

TEST_F(observed_by_hand, a_packet_meets_a_link_that_is_dead_in_the_cycle_in_which_it_asks_for_it) {
  // Shown to the routers in cycles 1, 2 and 3, in which each of them does all there is to do.
  const port_id from_0 = dead_->made.wiring->port_named(1, "x-"), from_2 = dead_->made.wiring->port_named(1, "x+");
  for (const observed_bench* b : {dead_, alive_}) {
    SCOPED_TRACE(b->setup.name);
    const bool is_dead = b == dead_;
    const packet_timeline& story = *b->timelines[0];
    EXPECT_EQ(story.discarded(), is_dead);
    EXPECT_EQ(story.discarded_cycle(), is_dead ? 2u : 0u);
    EXPECT_EQ(story.hops().size(), is_dead ? 2u : 3u);
    fate_counts one{};
    at(one, is_dead ? stall_cause::discarded : stall_cause::moved) = 1;
    EXPECT_EQ(b->seen.counts.input_vc(1, from_0, 0), one);
    fate_counts other{};
    at(other, stall_cause::moved) = 1;
    EXPECT_EQ(b->seen.counts.input_vc(1, from_2, 0), other);
    EXPECT_EQ(b->seen.counts.events(1).vc_grants, is_dead ? 1u : 2u);
    EXPECT_EQ(b->net.counters().flits_discarded, is_dead ? 1u : 0u);
  }
}

TEST_F(observed_by_hand, a_story_ends_at_the_router_that_discarded_the_packet_when_it_came) {
  EXPECT_THAT(timeline_text(*dead_->timelines[0], {}, all_cycles),
              testing::EndsWith("router 2: 01 (node 1, node_0_1), in x- VC 0\n"
                                "         2  shown; RC 2\n"
                                "         2  discarded: all route options are dead; its destination is x+\n"));
  EXPECT_THAT(timeline_text(*dead_to_the_left_->timelines[0], {}, all_cycles), testing::EndsWith(" is x-\n"));
  EXPECT_THAT(timeline_text(*dead_at_once_->timelines[0], {}, all_cycles),
              testing::EndsWith("router 1: 00 (node 0, node_0_0), in local VC 0\n"
                                "         1  shown; RC 1\n"
                                "         1  discarded: all route options are dead; its destination is x+\n"));
}

TEST_F(observed_by_hand, a_story_of_a_packet_that_never_entered_the_network_is_short) {
  EXPECT_TRUE(refused_->timelines[0]->refused());
  EXPECT_EQ(timeline_text(*refused_->timelines[0], {}, all_cycles),
            "packet 0: 1 flit from 00 (node 0, node_0_0) to 02 (node 2, node_0_2)\n"
            "\n"
            "         0  created\n"
            "rejected: no route over working links leads to its destination\n");
}

TEST_F(observed_by_hand, a_story_as_data_says_whether_a_packet_was_refused_or_discarded) {
  const auto refused = timeline_json(*refused_->timelines[0], {}), discarded = timeline_json(*dead_->timelines[0], {});
  EXPECT_EQ(refused["refused"], true);
  EXPECT_TRUE(refused["discarded"].is_null());
  EXPECT_EQ(refused["hops"].dump(), "[]");
  EXPECT_EQ(discarded["refused"], false);
  EXPECT_EQ(discarded["discarded"], 2);
  EXPECT_TRUE(discarded["received"].is_null());
  EXPECT_EQ(discarded["hops"][1]["rc"], 2);
  EXPECT_TRUE(discarded["hops"][1]["va"].is_null());
}

/// Both ask in cycle 6, for the way down. The one that lost waits until that is free again; its first option is to the
/// right.
TEST_F(observed_by_hand, a_packet_that_lost_an_output_vc_waits_for_its_port) {
  EXPECT_EQ(ways_->net.counters().packets_received, 3u);
  const netlist& mesh = *ways_->made.wiring;
  const fate_counts& right = ways_->seen.counts.output_port(4, mesh.port_named(4, "x+"));
  const fate_counts& down = ways_->seen.counts.output_port(4, mesh.port_named(4, "y+"));
  EXPECT_EQ(at(down, stall_cause::lost_vc_allocation), 1u);
  EXPECT_EQ(at(down, stall_cause::no_output_vc), 0u);
  EXPECT_EQ(at(right, stall_cause::lost_vc_allocation), 0u);
  EXPECT_GT(at(right, stall_cause::no_output_vc), 0u);
}

/// The head is put on the link in 2, is shown to the next router 4 cycles later, in 6, and sent on in 7. Its first
/// credit lets the tail go in 2, which is shown in 3 and in the buffer before the link in 4. The link is free in 6, the
/// next credit comes in 7: the tail is shown to the next router in 11, and sent on in 12, where 8 would do.
TEST_F(observed_by_hand, a_story_finds_what_kept_a_flit_in_a_router_before) {
  EXPECT_EQ(timeline_text(*narrow_->timelines[0], {}, all_cycles),
            "packet 0: 2 flits from 00 (node 0, node_0_0) to 01 (node 1, node_0_1)\n"
            "latency 13 = 9 without any wait + 4 of waiting\n"
            "\n"
            "         0  created\n"
            "            waited 1 cycle: no credit on injection VC 0\n"
            "         0  head sent on VC 0\n"
            "router 1: 00 (node 0, node_0_0), in local VC 0, out x+ VC 0\n"
            "         1  shown; RC 1, VA 1, SA 1, sent 2\n"
            "            flits behind the head: 2 cycles: x+ was still sending the flit before\n"
            "            flits behind the head: 1 cycle: no credit on x+ VC 0\n"
            "router 2: 01 (node 1, node_0_1), in x- VC 0, out local VC 0\n"
            "         6  shown; RC 6, VA 6, SA 6, sent 7\n"
            "01 (node 1, node_0_1)\n"
            "         8  head received\n"
            "        13  tail received\n");
  const auto told = timeline_json(*narrow_->timelines[0], {});
  EXPECT_EQ(told["hops"][0]["out_vc"], 0);
  EXPECT_THAT(timeline_text(*alive_->timelines[0], {}, all_cycles), testing::StartsWith("packet 0: 1 flit from 00 "));
}

TEST_F(observed_by_hand, a_flit_passes_one_buffer_of_each_router) {
  fate_counts one{};
  at(one, stall_cause::moved) = 1;
  const netlist& line = *vcs_->made.wiring;
  for (node_id n = 0; n < 3; ++n)
    for (port_id p = 0; p < line.port_count(n); ++p)
      for (unsigned v = 0; v < flit_word::max_vcs; ++v) {
        const bool on_its_way = n == 0 ? p == line.port_named(0, "x+") : n == 1 && p == line.local_port(1);
        const bool passed = on_its_way && v == 0;
        EXPECT_EQ(vcs_->seen.counts.output_vc(n, p, v), passed ? one : fate_counts{}) << n << ' ' << +p << ' ' << v;
      }
}

TEST_F(observed_by_hand, the_source_of_a_packet_is_known_when_it_is_discarded_as_it_comes) {
  EXPECT_EQ(last_->net.packets().first_kept(), 256u);
  ASSERT_EQ(last_hops_.hops.size(), 256u);
  const hop_record& last = last_hops_.hops.back();
  EXPECT_EQ(last.packet, 255u);
  EXPECT_EQ(last.how, hop_end::discarded);
  EXPECT_EQ(last.source, 1u);
  EXPECT_EQ(last.begin, 102u);
  EXPECT_EQ(last.end, 102u);
}

/// Shown to the second router in 5; VA is in 6.
TEST_F(observed_by_hand, the_last_hop_of_a_packet_ends_when_it_is_discarded) {
  EXPECT_EQ(staged_->timelines[0]->discarded_cycle(), 6u);
  std::vector<std::string> hops;
  for (const hop_record& hop : staged_hops_.hops)
    if (hop.packet == 0)
      hops.push_back(std::to_string(hop.begin) + '-' + std::to_string(hop.end) +
                     (hop.how == hop_end::discarded ? " discarded" : ""));
  EXPECT_THAT(hops, testing::ElementsAre("1-4", "5-6 discarded"));
}

/// Both heads are shown in 4, and ask VA and SA in 5. The winner is read out in 5 and 6, the other one in 7 and 8.
TEST_F(observed_by_hand, a_speculative_head_asks_for_the_switch_whenever_it_asks_for_a_vc) {
  const router_events& e = speculative_->seen.counts.events(1);
  EXPECT_EQ(e.vc_requests, 3u);
  EXPECT_EQ(e.vc_grants, 2u);
  EXPECT_EQ(e.switch_requests, 5u);
  EXPECT_EQ(e.switch_grants, 4u);
}

/// Both ask in 6; the tail of the one that wins is read out in 8. The long packet has the other way all the time.
TEST_F(observed_by_hand, a_story_names_all_ways_that_a_packet_waits_for) {
  const bool second_wins = ways_->timelines[1]->hops()[1].granted == 6;
  const std::string winner = second_wins ? "1" : "2";
  const timeline_hop& loser = ways_->timelines[second_wins ? 2 : 1]->hops()[1];
  ASSERT_EQ(loser.waits.size(), 2u);
  EXPECT_EQ(loser.waits[0].text, "VC allocation: y+ VC 0 went to packet " + winner);
  EXPECT_EQ(loser.waits[1].text, "no free output VC in x+ {0}, y+ {0} (held by packets 0, " + winner + ")");
  EXPECT_EQ(loser.waits[1].from, 7u);
  EXPECT_EQ(loser.waits[1].cycles, 2u);
  EXPECT_EQ(loser.granted, 9u);
}

/// A line of the observation for people.
std::string row(const std::string& name, unsigned count) {
  const std::string number = std::to_string(count);
  return "  " + name + std::string(21 - name.size(), ' ') + std::string(14 - number.size(), ' ') + number;
}

TEST_F(observed_by_hand, without_observed_cycles_there_is_little_to_tell) {
  std::string expected = "observed in 0 cycles, all routers\n";
  for (const event_kind& kind : event_table) expected += row(kind.name, 0) + '\n';
  expected += "flits at the front of input VCs\n"
              "busiest links and ports    busy  by VC, flits/cycle; cycles that flits waited for it\n";
  for (const wire_id w : {0, 1, 2}) {
    const std::string name = wire_name(*nothing_->made.wiring, w);
    expected += "  " + name + std::string(24 - name.size(), ' ') + " 0.000  0.000 0.000\n";
  }
  EXPECT_EQ(observation_text(nothing_->seen, 3), expected);
  EXPECT_EQ(observation_summary(nothing_->seen, 3)["congestion"].dump(), "[]");
}

/// Four heads, one of which is discarded; they go over two links and three local ports.
TEST_F(observed_by_hand, all_is_told_of_a_packet_that_passes_and_one_that_is_discarded) {
  const observation& seen = dead_->seen;
  const netlist& line = *dead_->made.wiring;
  const std::pair<const char*, unsigned> events[] = {
      {"buffer_writes", 4},      {"buffer_reads", 4}, {"crossbar_traversals", 3}, {"link_traversals", 2},
      {"ejections", 1},          {"route_computations", 4}, {"vc_requests", 3},   {"vc_grants", 3},
      {"switch_requests", 3},    {"switch_grants", 3}};
  std::string expected = "observed in 120 cycles, all routers\n", object;
  for (const auto& [name, count] : events) {
    expected += row(name, count) + '\n';
    object += std::string(object.empty() ? "{" : ",") + '"' + name + "\":" + std::to_string(count);
  }
  expected += "flits at the front of input VCs\n" + row("moved", 3) + "   75.0 %\n" + row("discarded", 1) +
              "   25.0 %\nbusiest links and ports    busy  by VC, flits/cycle; cycles that flits waited for it\n";
  std::vector<wire_id> used = {line.ports(0)[line.port_named(0, "x+")].out, line.ports(2)[line.port_named(2, "x-")].out,
                               injection_wire(line, 0), injection_wire(line, 2), ejection_wire(line, 1)};
  std::sort(used.begin(), used.end());
  for (const wire_id w : used) {
    const std::string name = wire_name(line, w);
    expected += "  " + name + std::string(24 - name.size(), ' ') + " 0.008  0.008 0.000 0.000 0.000\n";
  }
  EXPECT_EQ(observation_text(seen, 5), expected);
  const auto summary = observation_summary(seen, 2);
  EXPECT_EQ(summary["cycles"], 120);
  EXPECT_EQ(summary["events"].dump(), object + '}');
  EXPECT_EQ(summary["fronts"].dump(),
            R"({"front_cycles":4,"moved":3,"pipeline":0,"no_output_vc":0,"lost_vc_allocation":0,"no_credit":0,)"
            R"("lost_switch":0,"link_busy":0,"output_buffer":0,"discarded":1})");
  ASSERT_EQ(summary["busiest_links"].size(), 2u);
  EXPECT_EQ(summary["busiest_links"][0]["link"], used[0]);
  EXPECT_EQ(summary["busiest_links"][1]["link"], used[1]);
  EXPECT_EQ(event_counts(seen, file_format::csv),
            "node,address,buffer_writes,buffer_reads,crossbar_traversals,link_traversals,ejections,route_computations,"
            "vc_requests,vc_grants,switch_requests,switch_grants\n"
            "0,00,1,1,1,1,0,1,1,1,1,1\n1,01,2,2,1,0,1,2,1,1,1,1\n2,02,1,1,1,1,0,1,1,1,1,1\n");
  const std::string stalls = stall_reasons(seen, file_format::csv);
  EXPECT_THAT(stalls, testing::StartsWith("node,address,side,port,vc,front_cycles,moved,pipeline,no_output_vc,"
                                          "lost_vc_allocation,no_credit,lost_switch,link_busy,output_buffer,"
                                          "discarded\n"));
  for (const char* passed : {"\n0,00,in,local,0,1,1,0,0,0,0,0,0,0,0\n", "\n2,02,in,local,0,1,1,0,0,0,0,0,0,0,0\n",
                             "\n1,01,in,x+,0,1,1,0,0,0,0,0,0,0,0\n", "\n1,01,in,x-,0,1,0,0,0,0,0,0,0,0,1\n"})
    EXPECT_THAT(stalls, HasSubstr(passed));
  const auto ports = nlohmann::json::parse(stall_reasons(seen, file_format::json))["ports"];
  ASSERT_EQ(ports.size(), 7u) << "two at each end, three in the middle";
  for (const auto& port : ports) EXPECT_FALSE(port.contains("vc"));
}

}  // namespace
}  // namespace toriscope::observed_by_hand_test
