// SPDX-License-Identifier: Apache-2.0
// What follows from a configuration and from what of it was asked for; links by name.
#include "testbenches/simulation/configuration/resolved_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "testbenches/simulation/configuration/link_options.h"
#include "testbenches/simulation/configuration/stage_text.h"

namespace toriscope::resolved_run_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(explicit_among, notes_each_parameter_that_defaults_of_others_depend_on) {
  const std::pair<const char*, bool explicit_parameters::*> noted[] = {
      {"measurement.warmup_cycles", &explicit_parameters::warmup},
      {"measurement.measure_cycles", &explicit_parameters::cycles},
      {"router.pipeline", &explicit_parameters::pipeline},
      {"router.depth_flits", &explicit_parameters::depth},
      {"router.regrant", &explicit_parameters::vc_reallocation},
      {"traffic.pattern", &explicit_parameters::traffic},
      {"topology.spec", &explicit_parameters::topology},
      {"topology.routing", &explicit_parameters::routing}};
  for (const auto& [path, member] : noted) {
    const explicit_parameters given = explicit_among({"router.vcs", path});
    for (const auto& [other_path, other] : noted) EXPECT_EQ(given.*other, other == member) << path << " " << other_path;
  }
}

TEST(resolve, requests_and_replies_have_two_classes_and_reply_queues_limited_reception) {
  const auto resolved = [](const std::string& mode, unsigned classes, unsigned reply_queue,
                           const std::string& file = "") {
    run_config config;
    config.topology.spec = "mesh:2x2";
    config.traffic.mode = mode;
    config.traffic.reply_queue = reply_queue;
    config.traffic.file = file;
    config.network.message_classes = classes;
    const network_config made = resolve(config).config.network;
    return std::pair(made.message_classes, made.limited_reception);
  };
  EXPECT_EQ(resolved(traffic_mode::request_reply, 1, 0), std::pair(2u, false));
  EXPECT_EQ(resolved(traffic_mode::request_reply, 2, 0), std::pair(2u, false));
  EXPECT_EQ(resolved(traffic_mode::request_reply, 1, 1), std::pair(2u, true));
  EXPECT_EQ(resolved(traffic_mode::open, 1, 1), std::pair(1u, false));
  EXPECT_EQ(resolved(traffic_mode::open, 2, 0), std::pair(2u, false));
  EXPECT_EQ(resolved(traffic_mode::open, 2, 1), std::pair(2u, false));
  EXPECT_EQ(resolved(traffic_mode::open, 2, 1, "replies"), std::pair(2u, true));
  EXPECT_EQ(resolved(traffic_mode::open, 1, 1, "replies"), std::pair(1u, false));
  EXPECT_EQ(resolved(traffic_mode::open, 2, 0, "replies"), std::pair(2u, false));
}

TEST(resolve, heads_that_may_turn_to_an_escape_get_atomic_reallocation_unless_told) {
  const auto reallocation = [](const char* routing, const explicit_parameters& given) {
    run_config config;
    config.topology.spec = "mesh:4x4";
    config.topology.routing = routing;
    return resolve(config, given).config.network.router.vc_reallocation;
  };
  EXPECT_EQ(reallocation("dor", {}), vc_reallocation::non_atomic);
  EXPECT_EQ(reallocation("adaptive", {}), vc_reallocation::atomic);
  EXPECT_EQ(reallocation("adaptive", explicit_among({"router.regrant"})), vc_reallocation::non_atomic);
}

TEST(with_router_defaults, follow_from_the_router_that_is_named) {
  const auto router = [](pipeline kind, bool stages, const explicit_parameters& given) {
    run_config config;
    config.network.router.pipeline = kind;
    config.network.router.depth = 5;
    config.stages_named = stages;
    const router_config made = with_router_defaults(config, given).network.router;
    return std::pair(made.pipeline, made.depth);
  };
  EXPECT_EQ(router(pipeline::four_stage, false, {}), std::pair(pipeline::four_stage, 5u));
  EXPECT_EQ(router(pipeline::paper2009, false, {}), std::pair(pipeline::paper2009, 1u));
  EXPECT_EQ(router(pipeline::paper2009, false, explicit_among({"router.depth_flits"})),
            std::pair(pipeline::paper2009, 5u));
  EXPECT_EQ(router(pipeline::four_stage, true, {}), std::pair(pipeline::custom, 5u));
  EXPECT_EQ(router(pipeline::four_stage, true, explicit_among({"router.pipeline"})),
            std::pair(pipeline::four_stage, 5u));
}

TEST(stage_counts, are_0_to_7_cycles_of_each_stage_at_most_once) {
  const stage_counts usual;
  const stage_counts counts = stage_counts_of("st=0,rc=7");
  EXPECT_EQ(counts.rc, 7u);
  EXPECT_EQ(counts.va, usual.va);
  EXPECT_EQ(counts.sa, usual.sa);
  EXPECT_EQ(counts.st, 0u);
  EXPECT_EQ(stage_text(stage_counts_of("rc=1,va=2,sa=3,st=4")), "rc=1,va=2,sa=3,st=4");
  for (const std::string wrong : {"", "rc=8", "rc=/", "rc=10", "rc=", "rc:1", "xrc=1", "rd=1", "rc=1,rc=1", "rc=1,",
                                  "va=1,rc=2,va=3"})
    EXPECT_EQ(error_of<std::invalid_argument>([&] { stage_counts_of(wrong); }),
              "'" + wrong + "' must be cycles of the stages rc, va, sa and st, 0 to 7 each, at most once, such as "
                            "rc=1,va=1,sa=1,st=1");
}

/// Around a ring of 8, the wire from the last node to the first one is 7 pitches long; folded, none is longer than 2.
TEST(resolve, wires_are_as_long_as_the_layout_makes_them) {
  const auto longest = [](const char* layout) {
    run_config config;
    config.topology.spec = "torus:8";
    config.topology.layout = layout;
    config.topology.link_delay_cycles = {"linear:1"};
    const resolved_run run = resolve(config);
    unsigned delay = 0;
    for (const netlist_link& l : run.network.wiring->links()) delay = std::max<unsigned>(delay, l.delay_cycles);
    return delay;
  };
  EXPECT_EQ(longest("planar"), 7u);
  EXPECT_EQ(longest("folded"), 2u);
}

/// Flits of 128 bits over wires of 32 and, from the second node to the third, of 16.
TEST(resolve, widths_are_compared_with_the_bits_of_a_flit) {
  run_config config;
  config.topology.spec = "mesh:3x1";
  config.topology.flit_bits = 128;
  config.topology.link_width_bits = {32};
  config.topology.link_overrides = {"1.y+:width=16"};
  std::vector<unsigned> cycles;
  const resolved_run run = resolve(config);
  for (const netlist_link& l : run.network.wiring->links()) cycles.push_back(l.flit_cycles);
  EXPECT_THAT(cycles, ElementsAre(4, 4, 8, 4));
}

TEST(resolve, delays_in_mm_are_those_of_wires_of_a_pitch) {
  run_config config;
  config.topology.spec = "mesh:2x1";
  config.topology.pitch_mm = 2.5;
  config.topology.link_delay_cycles = {"mm:2"};
  EXPECT_EQ(resolve(config).network.wiring->links()[0].delay_cycles, 5);
}

TEST(resolve, all_that_is_wrong_is_told_in_one_line) {
  run_config config;
  config.traffic.hot_probability = 2;
  config.traffic.rate_flits_per_node_cycle = 2;
  EXPECT_EQ(error_of<std::invalid_argument>([&] { resolve(config); }),
            "rate: expected 0 to 1 flits per node and cycle; hot-probability: expected 0 to 1");
}

/// The links of a row of three nodes: 0 from node 0 to 1, 1 back, 2 and 3 between 1 and 2.
class link_options : public testing::Test {
 protected:
  std::string refusal(const std::string& text) {
    return error_of<std::invalid_argument>([&] { apply_link_override(text, wiring_, 64); });
  }
  resolved_run made_ = [] {
    run_config config;
    config.topology.spec = "mesh:3x1";
    return resolve(config);
  }();
  netlist& wiring_ = *made_.network.wiring;
};

TEST_F(link_options, links_are_named_by_node_and_port) {
  EXPECT_EQ(parse_link("0.y+", wiring_), 0u);
  EXPECT_EQ(parse_link("1.y-", wiring_), 1u);
  EXPECT_EQ(parse_link("1.y+", wiring_), 2u);
  EXPECT_EQ(error_of([&] { parse_link("1.x", wiring_); }),
            "link '1.x': no link leaves node 1 by a port 'x'; it has: y+, y-");
  EXPECT_EQ(error_of([&] { parse_link("0.x", wiring_); }),
            "link '0.x': no link leaves node 0 by a port 'x'; it has: y+");
  EXPECT_EQ(error_of([&] { parse_link("0", wiring_); }),
            "link '0' is not a link; expected NODE.PORT, for example 0.y+");
  EXPECT_THAT(error_of([&] { parse_link("9.y+", wiring_); }), testing::StartsWith("link '9.y+': "));
  run_config two;
  two.topology.spec = "mesh:2x1";
  EXPECT_EQ(error_of([&] { parse_link("1", *resolve(two).network.wiring); }),
            "link '1' is not a link; expected NODE.PORT, for example 0.y+")
      << "the other node has y- only";
}

TEST_F(link_options, delays_and_widths_of_a_link_are_within_their_ranges) {
  apply_link_override("1.y+:delay=1:width=16", wiring_, 64);
  EXPECT_EQ(wiring_.links()[2].delay_cycles, 1);
  EXPECT_EQ(wiring_.links()[2].flit_cycles, 4);
  apply_link_override("1.y+:delay=1000", wiring_, 64);
  EXPECT_EQ(wiring_.links()[2].delay_cycles, 1000);
  const std::string expected = "; expected NODE.PORT:delay=CYCLES:width=BITS, or one of the two";
  for (const std::string wrong : {"0", "1001"})
    EXPECT_EQ(refusal("0.y+:delay=" + wrong),
              "link '0.y+:delay=" + wrong + "': delays are 1 to 1000 cycles" + expected);
  EXPECT_EQ(refusal("0.y+"), "link '0.y+': no delay or width given" + expected);
  EXPECT_EQ(refusal("0.y+:delay=2:delay=3"), "link '0.y+:delay=2:delay=3': delay is given twice" + expected);
  for (const std::string word : {"relay=3", "delay", "delay=x", "delay="})
    EXPECT_EQ(refusal("0.y+:width=32:" + word),
              "link '0.y+:width=32:" + word + "': '" + word + "' is not delay=CYCLES or width=BITS" + expected);
  EXPECT_EQ(refusal("0.y+:delay=2:relay=3"),
            "link '0.y+:delay=2:relay=3': 'relay=3' is not delay=CYCLES or width=BITS" + expected);
}

TEST_F(link_options, a_link_fails_from_its_cycle_on) {
  EXPECT_EQ(parse_dead_link("1.y-", wiring_).link, 1u);
  EXPECT_EQ(parse_dead_link("1.y-", wiring_).from_cycle, 0u) << "from the first one";
  EXPECT_EQ(parse_dead_link("1.y-@7", wiring_).link, 1u);
  EXPECT_EQ(parse_dead_link("1.y-@7", wiring_).from_cycle, 7u);
  for (const std::string wrong : {"", "x", "-1", "7x"})
    EXPECT_EQ(error_of([&] { parse_dead_link("1.y-@" + wrong, wiring_); }),
              "--fail-link '1.y-@" + wrong + "': '" + wrong +
                  "' is not a cycle; expected NODE.PORT or NODE.PORT@CYCLE");
}

}  // namespace
}  // namespace toriscope::resolved_run_test
