// SPDX-License-Identifier: Apache-2.0
// Stories of single packets whose waits are worked out on paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "testbenches/simulation/observation/observed_bench.h"
#include "testbenches/simulation/observation/timeline_text.h"

namespace toriscope::stories_by_hand_test {
namespace {

using testing::HasSubstr;

constexpr cycle_t all_cycles = 120;

/// Packets from one end of a line to its middle, all created in cycle 0, on one VC.
bench_setup queued(const char* name, unsigned depth, const std::vector<std::uint32_t>& flits) {
  bench_setup s;
  s.name = name;
  s.topology = "mesh:1x3";
  s.config.router.vcs = 1;
  s.config.router.depth = depth;
  for (const std::uint32_t f : flits) s.packets.push_back({0, {0, 1, f}});
  return s;
}

/// A long packet to the node itself has one of two VCs, and two others come in the same cycle.
bench_setup two_vcs_for_three() {
  bench_setup s;
  s.name = "two_vcs_for_three";
  s.topology = "mesh:1x3";
  s.config.router.vcs = 2;
  s.packets = {{0, {1, 1, 12}}, {0, {2, 1, 5}}, {0, {0, 1, 5}}};
  return s;
}

/// Two packets of a source, each of a class of its own: the interface sends a flit of either in turn.
bench_setup two_classes(const char* name, pipeline stages) {
  bench_setup s;
  s.name = name;
  s.topology = "mesh:1x3";
  s.config.router.pipeline = stages;
  s.config.router.vcs = s.config.message_classes = 2;
  s.packets = {{0, {0, 1, 3, 0}}, {0, {0, 1, 3, 1}}};
  return s;
}

/// One packet from each of three nodes to the next, in the last cycles: 116, 117 and 118.
bench_setup cut_off() {
  bench_setup s;
  s.name = "cut_off";
  s.topology = "mesh:1x3";
  s.packets = {{116, {0, 1, 1}}, {117, {1, 2, 1}}, {118, {2, 1, 1}}};
  return s;
}

/// Two packets of a flit that come to the middle of a line in the same cycle. VA and SA are in that cycle.
bench_setup meeting() {
  bench_setup s = queued("meeting", 8, {});
  s.config.router.pipeline = pipeline::single_cycle;
  s.packets = {{0, {0, 1, 1}}, {0, {2, 1, 1}}};
  return s;
}

/// Two packets over a link that a flit takes four cycles of; a VC is free when its last credit is back.
bench_setup slow_drained() {
  bench_setup s = queued("slow_drained", 1, {2, 1});
  s.config.router.pipeline = pipeline::paper2009;
  s.config.router.vc_reallocation = vc_reallocation::atomic;
  s.change = [](netlist& n) {
    for (link_id l = 0; l < n.links().size(); ++l) n.link(l).flit_cycles = 4;
  };
  return s;
}

/// From the second terminal of a switch to the first of the next; the other two send as well.
bench_setup of_terminals() {
  bench_setup s;
  s.name = "of_terminals";
  s.topology = "cmesh:1x2,3";
  s.packets = {{0, {1, 3, 3}}, {0, {0, 4, 9}}, {0, {2, 5, 9}}};
  return s;
}

class stories_by_hand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto* const clock = new sc_core::sc_clock("clk", 1, sc_core::SC_NS);
    const auto make = [clock](const bench_setup& s) {
      auto* const bench = new observed_bench(s, *clock, all_cycles);
      bench->tell_all();
      return bench;
    };
    three_queued_ = make(queued("three_queued", 8, {2, 1, 1}));
    never_ = &three_queued_->tell(3);
    stuck_ = make(queued("stuck", 16, {600, 1}));
    one_slot_ = make(queued("one_slot", 1, {1, 1}));
    bench_setup limited = queued("limited", 8, {1});
    limited.config.limited_reception = true;
    limited_ = make(limited);
    full_ = make(two_vcs_for_three());
    in_turn_ = make(two_classes("in_turn", pipeline::single_cycle));
    crossing_ = make(two_classes("crossing", pipeline::four_stage));
    bench_setup slow = two_classes("slow", pipeline::single_cycle);
    slow.config.injection_delay_cycles = 3;
    slow.config.ejection_delay_cycles = 2;
    slow_ = make(slow);
    cut_off_ = make(cut_off());
    meeting_ = make(meeting());
    slow_drained_ = make(slow_drained());
    of_terminals_ = make(of_terminals());
    sc_core::sc_start(static_cast<double>(all_cycles) - 0.5, sc_core::SC_NS);
  }
  static inline observed_bench *three_queued_, *stuck_, *one_slot_, *limited_, *full_, *in_turn_, *crossing_,
      *slow_, *cut_off_, *meeting_, *slow_drained_, *of_terminals_;
  static inline packet_timeline* never_;
};

/// The first packet is read out of the VC in 3 and 4, the second in 7: four cycles behind the tail before.
TEST_F(stories_by_hand, a_story_of_a_packet_behind_another) {
  const packet_timeline& story = *three_queued_->timelines[1];
  EXPECT_EQ(timeline_text(story, 9, all_cycles),
            "packet 1: 1 flit from 00 (node 0, node_0_0) to 01 (node 1, node_0_1)\n"
            "latency 13 = 9 without any wait + 4 of waiting; 9 in an empty network\n"
            "\n"
            "         0  created\n"
            "            waited 2 cycles: in the source queue behind packet 0\n"
            "         2  head sent on VC 0\n"
            "router 1: 00 (node 0, node_0_0), in local VC 0, out x+ VC 0\n"
            "         3  shown; RC 5, VA 6, SA 7, sent 8\n"
            "            waited 2 cycles: behind packet 0 in its VC\n"
            "router 2: 01 (node 1, node_0_1), in x- VC 0, out local VC 0\n"
            "         9  shown; RC 9, VA 10, SA 11, sent 12\n"
            "01 (node 1, node_0_1)\n"
            "        13  head received\n"
            "        13  tail received\n");
  EXPECT_EQ(timeline_json(story, 9).dump(),
            R"({"packet":1,"source":0,"destination":1,"flits":1,"created":0,"received":13,"refused":false,)"
            R"("discarded":null,"latency":13,"no_wait":9,"waits":4,"zero_load":9,"interface":{"head_sent":2,"vc":0,)"
            R"("waits":[{"from":0,"cycles":2,"reason":"source_queue","text":"in the source queue behind packet 0"}]},)"
            R"("hops":[{"node":0,"address":"00","in_port":"local","in_vc":0,"out_port":"x+","out_vc":0,"shown":3,)"
            R"("rc":5,"va":6,"sa":7,"sent":8,"stage_cycles":3,"link_cycles":1,"waits":[{"from":3,"cycles":2,)"
            R"("reason":"behind","text":"behind packet 0 in its VC"}],"waits_behind_head":[]},{"node":1,)"
            R"("address":"01","in_port":"x-","in_vc":0,"out_port":"local","out_vc":0,"shown":9,"rc":9,"va":10,)"
            R"("sa":11,"sent":12,"stage_cycles":3,"link_cycles":1,"waits":[],"waits_behind_head":[]}],)"
            R"("head_received":13,"reception":[]})");
  const std::string third = timeline_text(*three_queued_->timelines[2], {}, all_cycles);
  EXPECT_THAT(third, HasSubstr("latency 16 = 9 without any wait + 7 of waiting\n"));
  EXPECT_THAT(third, HasSubstr("         0  created\n"
                               "            waited 3 cycles: in the source queue behind 2 packets\n"
                               "         3  head sent on VC 0\n"));
  EXPECT_THAT(third, HasSubstr("         4  shown; RC 8, VA 9, SA 10, sent 11\n"
                               "            waited 1 cycle: behind packet 0 in its VC\n"
                               "            waited 3 cycles: behind packet 1 in its VC\n"));
}

TEST_F(stories_by_hand, a_story_of_a_packet_that_is_never_created_does_not_begin) {
  never_->end(three_queued_->net.packets());
  EXPECT_FALSE(never_->created());
  EXPECT_FALSE(never_->is_over());
}

TEST_F(stories_by_hand, a_story_ends_in_the_source_queue_with_the_run) {
  packet_timeline& story = *stuck_->timelines[1];
  story.end(stuck_->net.packets());
  EXPECT_EQ(timeline_text(story, {}, all_cycles),
            "packet 1: 1 flit from 00 (node 0, node_0_0) to 01 (node 1, node_0_1)\n"
            "\n"
            "         0  created\n"
            "            waited 120 cycles: in the source queue behind packet 0\n"
            "            still in the source queue\n"
            "not received in the 120 cycles of the run\n");
  EXPECT_EQ(timeline_json(story, {}).dump(),
            R"({"packet":1,"source":0,"destination":1,"flits":1,"created":0,"received":null,"refused":false,)"
            R"("discarded":null,"latency":null,"no_wait":null,"waits":null,"zero_load":null,"interface":{)"
            R"("head_sent":null,"vc":null,"waits":[{"from":0,"cycles":120,"reason":"source_queue",)"
            R"("text":"in the source queue behind packet 0"}]},"hops":[],"head_received":null,"reception":[]})");
}

/// The first flit is read out in 3: its credit is at the interface in 4.
TEST_F(stories_by_hand, a_story_tells_of_a_packet_that_waits_for_a_credit_at_the_interface) {
  EXPECT_THAT(timeline_text(*one_slot_->timelines[1], {}, all_cycles),
              HasSubstr("         0  created\n"
                        "            waited 1 cycle: in the source queue behind packet 0\n"
                        "            waited 3 cycles: no credit on any VC of the injection link\n"
                        "         4  head sent on VC 0\n"));
}

/// It is shown to the interface in 9, and admitted in 10: bench_gate.
TEST_F(stories_by_hand, a_story_tells_of_a_packet_that_waits_at_its_destination) {
  EXPECT_THAT(timeline_text(*limited_->timelines[0], {}, all_cycles),
              testing::EndsWith("         9  head received\n"
                                "            waited 1 cycle: the interface of the destination did not take the packet\n"
                                "        10  tail received\n"));
}

/// Both heads ask in 6 for the VC that is left.
TEST_F(stories_by_hand, a_story_names_all_who_hold_the_vcs_of_a_port) {
  const bool second_wins = full_->timelines[1]->hops().back().granted == 6;
  const packet_timeline& loser = *full_->timelines[second_wins ? 2 : 1];
  EXPECT_EQ(full_->timelines[second_wins ? 1 : 2]->hops().back().granted, 6u);
  const std::string winner = second_wins ? "1" : "2";
  const std::vector<story_wait>& waits = loser.hops().back().waits;
  ASSERT_GE(waits.size(), 2u);
  EXPECT_EQ(waits[0].from, 6u);
  EXPECT_EQ(waits[0].cycles, 1u);
  EXPECT_EQ(waits[0].reason, "lost_vc_allocation");
  EXPECT_EQ(waits[0].text, "VC allocation: local VC 1 went to packet " + winner);
  EXPECT_EQ(waits[1].from, 7u);
  EXPECT_EQ(waits[1].reason, "no_output_vc");
  EXPECT_EQ(waits[1].text, "no free output VC in local {0,1} (held by packets 0, " + winner + ")");
}

/// Each flit is shown to the routers in the two cycles after it was sent. Those of the first packet are sent in 0, 2
/// and 4, those of the second in 1, 3 and 5.
TEST_F(stories_by_hand, names_the_packet_that_the_interface_sends_in_between) {
  EXPECT_EQ(timeline_text(*in_turn_->timelines[0], {}, all_cycles),
            "packet 0: 3 flits from 00 (node 0, node_0_0) to 01 (node 1, node_0_1)\n"
            "latency 7 = 5 without any wait + 2 of waiting\n"
            "\n"
            "         0  created\n"
            "            waited 2 cycles: the interface sent a flit of packet 1\n"
            "         0  head sent on VC 0\n"
            "router 1: 00 (node 0, node_0_0), in local VC 0, out x+ VC 0\n"
            "         1  shown; RC 1, VA 1, SA 1, sent 1\n"
            "router 2: 01 (node 1, node_0_1), in x- VC 0, out local VC 0\n"
            "         2  shown; RC 2, VA 2, SA 2, sent 2\n"
            "01 (node 1, node_0_1)\n"
            "         3  head received\n"
            "         7  tail received\n");
  EXPECT_THAT(timeline_text(*in_turn_->timelines[1], {}, all_cycles),
              HasSubstr("latency 8 = 5 without any wait + 3 of waiting\n"
                        "\n"
                        "         0  created\n"
                        "            waited 3 cycles: the interface sent a flit of packet 0\n"
                        "         1  head sent on VC 1\n"));
}

/// The routers read the flits out in 3, 5, 7 and in 4, 6, 8.
TEST_F(stories_by_hand, looks_for_a_wait_at_the_interface_as_long_before_as_a_flit_takes_from_there) {
  EXPECT_THAT(timeline_text(*slow_->timelines[0], {}, all_cycles),
              HasSubstr("latency 10 = 8 without any wait + 2 of waiting\n"
                        "\n"
                        "         0  created\n"
                        "            waited 2 cycles: the interface sent a flit of packet 1\n"
                        "         0  head sent on VC 0\n"));
}

/// Shown and RC in the cycle after the creation; VA, SA and ST in the three behind it. The last cycle is 119.
TEST_F(stories_by_hand, a_story_has_the_stages_that_a_packet_came_to_before_the_run_ended) {
  std::vector<std::string> stages;
  for (const auto& story : cut_off_->timelines) {
    story->end(cut_off_->net.packets());
    ASSERT_EQ(story->hops().size(), 1u);
    std::string values;
    const auto hop = timeline_json(*story, {})["hops"][0];
    for (const char* key : {"shown", "rc", "va", "sa", "sent", "out_port", "out_vc", "stage_cycles", "link_cycles"})
      values += hop.at(key).dump() + ' ';
    stages.push_back(values);
  }
  EXPECT_THAT(stages, testing::ElementsAre("117 117 118 119 null \"x+\" 0 3 1 ", "118 118 119 null null \"x+\" 0 3 1 ",
                                           "119 119 null null null null null 3 null "));
  EXPECT_THAT(timeline_text(*cut_off_->timelines[0], {}, all_cycles),
              testing::EndsWith("       117  shown; RC 117, VA 118, SA 119\n"
                                "not received in the 120 cycles of the run\n"));
  EXPECT_THAT(timeline_text(*cut_off_->timelines[2], {}, all_cycles),
              testing::EndsWith("router 1: 02 (node 2, node_0_2), in local VC 0\n"
                                "       119  shown; RC 119\n"
                                "not received in the 120 cycles of the run\n"));
}

/// The heads are read out of the first router in 3 and 4, when their next flits are there. From then on a flit of each
/// packet asks for the switch, which grants them in turn: the second router reads out those of the first packet in 7, 9
/// and 11, those of the other one in 8, 10 and 12.
TEST_F(stories_by_hand, names_the_vc_of_the_same_port_that_got_the_switch) {
  const std::string first = timeline_text(*crossing_->timelines[0], {}, all_cycles),
                    second = timeline_text(*crossing_->timelines[1], {}, all_cycles);
  EXPECT_THAT(first, HasSubstr("latency 13 = 11 without any wait + 2 of waiting\n"));
  EXPECT_THAT(first, HasSubstr("         5  shown; RC 5, VA 6, SA 7, sent 8\n"
                               "            flits behind the head: 2 cycles: lost the switch to packet 1 (input port "
                               "x-, VC 1)\n"));
  EXPECT_THAT(second, HasSubstr("latency 14 = 11 without any wait + 3 of waiting\n"));
  EXPECT_THAT(second, HasSubstr("         6  shown; RC 6, VA 7, SA 8, sent 9\n"
                                "            flits behind the head: 2 cycles: lost the switch to packet 0 (input port "
                                "x-, VC 0)\n"));
}

/// Which VC it was is not seen of a packet that takes it and leaves in one cycle.
TEST_F(stories_by_hand, names_the_packet_that_took_an_output_vc_and_left_in_the_same_cycle) {
  const bool second_wins = meeting_->timelines[1]->latency() < meeting_->timelines[0]->latency();
  const std::string winner = second_wins ? "1" : "0";
  EXPECT_THAT(timeline_text(*meeting_->timelines[second_wins ? 0 : 1], {}, all_cycles),
              HasSubstr("waited 1 cycle: VC allocation: local went to packet " + winner + "\n"));
}

/// The tail of the first packet is in the buffer before the link when the second head asks for the VC.
TEST_F(stories_by_hand, names_the_packet_whose_tail_is_in_the_buffer_of_an_output_vc) {
  EXPECT_THAT(timeline_text(*slow_drained_->timelines[1], {}, all_cycles),
              HasSubstr("no free output VC in x+ {0} (held by packet 0)\n"));
}

TEST_F(stories_by_hand, a_story_of_terminals_is_of_their_own_interfaces) {
  const std::string story = timeline_text(*of_terminals_->timelines[0], {}, all_cycles);
  EXPECT_THAT(story, testing::StartsWith("packet 0: 3 flits from 00.t1 (terminal 1, node_0_0.t1) to 01.t0 "
                                         "(terminal 3, node_0_1.t0)\n"));
  EXPECT_THAT(story, HasSubstr("\n         0  created\n         0  head sent on VC 0\n"));
  EXPECT_THAT(story, testing::Not(HasSubstr("the interface sent")));
  EXPECT_THAT(story, testing::Not(HasSubstr("do not add up")));
}

}  // namespace
}  // namespace toriscope::stories_by_hand_test
