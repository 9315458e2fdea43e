// SPDX-License-Identifier: Apache-2.0
// Adapters around one router, with random back-pressure: the wormhole router as it is and by other pins, and our own
// router as a user's with credits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/test_file.h"
#include "base/text_file.h"
#include "rtl_models/on_demand/rtl_build.h"
#include "rtl_models/route_table.h"
#include "rtl_models/rtl_sources.h"
#include "rtl_models/user_rtl/adapter_bench.h"
#include "rtl_models/user_rtl/built_pins.h"
#include "rtl_models/user_rtl/pin_wrapper.h"
#include "rtl_models/user_rtl/router_adapter.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"

namespace toriscope::adapter_test {
namespace {

const std::string sources_directory = RTL_MODELS_DIRECTORY;

/// A description of test_rtl.
router_description test_router(const std::string& name) {
  return router_description::read(sources_directory + "/user_rtl/test_rtl/" + name);
}

void run_described(router_description d, unsigned vcs, unsigned depth, double rate, double return_rate,
                   vc_reallocation reallocation = vc_reallocation::non_atomic) {
  SCOPED_TRACE(d.file + ", " + std::to_string(vcs) + " VCs of " + std::to_string(depth) + " flits, " +
               std::to_string(d.clocks_per_cycle) + " clocks");
  adapter_bench bench(vcs, depth, reallocation);
  const user_rtl_routers user_routers(std::move(d), bench.wiring(), bench.routing(), bench.config(),
                                      {adapter_bench::middle});
  const auto router = user_routers.make(bench.context(), 99);
  bench.run(*router, 2000, rate, return_rate);
  EXPECT_GT(bench.packets(), 200u);
  EXPECT_EQ(bench.under_way(), 0u);
  bench.expect_all_credits();
}

TEST(ready_valid_adapter, wormhole_router_under_back_pressure) {
  router_description d = router_description::read(sources_directory + "/sv_wormhole/wormhole.json");
  run_described(d, 4, 4, 0.9, 0.7);
  run_described(d, 1, 1, 0.5, 0.1);
  d.clocks_per_cycle = 3;
  run_described(d, 2, 8, 0.9, 0.3);
}

TEST(ready_valid_adapter, pins_of_every_shape) {
  run_described(test_router("odd_pins.json"), 3, 4, 0.9, 0.5);
}

TEST(ready_valid_adapter, heads_wait_for_all_credits_where_the_network_reallocates_vcs_atomically) {
  run_described(test_router("odd_pins.json"), 3, 4, 0.9, 0.5, vc_reallocation::atomic);
}

/// sv/router.sv as if it were a user's.
router_description our_router(adapter_bench& bench, const std::string& table) {
  const flit_layout& layout = bench.context().network.layout;
  route_tables tables(bench.wiring(), bench.routing(), layout, bench.config().router.vcs,
                      {adapter_bench::middle});
  tables.write_file(adapter_bench::middle, table);
  router_description d;
  d.file = "reference.json";
  d.top = "router";
  d.sources = rtl_router_sources();
  for (const auto& [name, value] : named_values(tables.parameters(bench.config().router, false, 0)))
    d.parameters.emplace_back(name, std::to_string(value));
  d.clock_pin = "clk_i";
  d.reset_pin = "rst_i";
  for (const char* pin : {"slots_i", "flit_cycles_i", "node_i"})
    d.ties.push_back({{std::string("ties.") + pin, pin}, "'0"});
  d.flow = router_description::flow_control::credit;
  d.vcs = bench.config().router.vcs;
  d.depth = bench.config().router.depth;
  d.registered_outputs = true;
  d.in_flit = {{"pins.in_flit", "flit_i"}};
  d.out_flit = {{"pins.out_flit", "flit_o"}};
  d.in_credit = {"pins.in_credit", "credit_o"};
  d.out_credit = {"pins.out_credit", "credit_i"};
  d.plus_arguments = {"+route_table=" + table};
  const auto field = [](unsigned first, unsigned count, const char* value) {
    return flit_format::field{{first, count}, expression(value)};
  };
  d.flit.valid = field(0, 1, "1");
  d.flit.all = {field(1, 1, "head"), field(2, 1, "tail"), field(3, 4, "vc")};
  d.flit.head = {field(layout.destination_shift(), layout.destination_bits(), "dest"),
                 field(layout.tag_shift(), 12, "tag")};
  d.flit.body = {field(layout.tag_shift(), 32, "payload")};
  return d;
}

TEST(credit_adapter, our_router_with_more_and_with_as_many_buffers) {
  const std::string table = test_file("adapter_test.hex");
  for (const unsigned depth : {4u, 2u}) {
    adapter_bench bench(2, 4);
    router_description d = our_router(bench, table);
    d.depth = depth;
    for (auto& [name, value] : d.parameters)
      if (name == "DEPTH") value = std::to_string(depth);
    run_described(d, 2, 4, 0.9, 0.5);
  }
  std::remove(table.c_str());
}

TEST(credit_adapter, one_credit_at_a_time_by_number) {
  router_description d = test_router("credit_planes.json");
  run_described(d, 2, 4, 0.9, 0.5);  // its credits are the neighbours'
  run_described(d, 2, 8, 0.9, 0.5);  // the adapter has buffers
  run_described(d, 2, 1, 0.5, 0.3);
}

TEST(credit_adapter, credits_taken_by_number_and_given_by_vc) {
  router_description d = test_router("credit_planes.json");
  d.in_credit_valid = d.in_credit_vc = {};
  d.in_credit = {"pins.in_credit", "credit_out_of_vcs"};
  run_described(d, 2, 4, 0.9, 0.5);
  run_described(d, 2, 8, 0.9, 0.5);
}

TEST(credit_adapter, router_without_vcs_in_networks_with_any_number) {
  const router_description d = test_router("credit_wormhole.json");
  for (const unsigned vcs : {1u, 2u, 4u}) {
    run_described(d, vcs, 4, 0.9, 0.5);
    run_described(d, vcs, 8, 0.9, 0.9);
  }
}

void set_parameter(router_description& d, const std::string& name, const std::string& value) {
  for (auto& [known, text] : d.parameters)
    if (known == name) return void(text = value);
  d.parameters.emplace_back(name, value);
}

/// One flit a clock leaves: the fifth is the first too many.
TEST(credit_adapter, tells_of_a_flit_without_a_credit) {
  router_description d = test_router("credit_wormhole.json");
  set_parameter(d, "GREEDY", "1");
  EXPECT_THAT([&] { run_described(d, 1, 8, 0.9, 0.2); },
              testing::ThrowsMessage<rtl_assertion>(testing::HasSubstr(
                  "for which it has no credit: 4 slots are downstream (depth), and 5 flits have left")));
}

TEST(ready_valid_adapter, valid_and_ready_of_each_vc_in_structures) {
  const router_description d = test_router("styled_planes.json");
  run_described(d, 2, 4, 0.9, 0.5);
  run_described(d, 2, 1, 0.5, 0.1);
}

TEST(ready_valid_adapter, pins_cut_into_bits_and_a_one_hot_table_from_the_top) {
  run_described(test_router("flat_planes.json"), 2, 4, 0.9, 0.5);
}

TEST(ready_valid_adapter, one_ready_for_the_vc_on_offer) {
  router_description d = test_router("styled_planes.json");
  set_parameter(d, "STYLE", "styles_pkg::OF_OFFER");
  d.ready_of_offer = true;
  d.in_ready.bit_count = d.out_ready.bit_count = 1;
  d.ties.push_back({{"ties.link_i", "link_i", false, "back", 1, 1}, "0"});
  run_described(d, 2, 4, 0.9, 0.5);
  run_described(d, 2, 1, 0.5, 0.2);
}

TEST(router_adapter, knows_what_the_description_says) {
  router_description d = test_router("odd_pins.json");
  d.clocks_per_cycle = 5;
  d.depth = 9;
  d.slack = 2;
  d.atomic_vcs = d.registered_outputs = d.own_routes = true;
  d.patience_cycles = 77;
  adapter_bench bench(2, 4);
  const user_rtl_routers user_routers(d, bench.wiring(), bench.routing(), bench.config(),
                                      {adapter_bench::middle});
  const auto router = user_routers.make(bench.context());
  const adapter_config& c = router->config();
  EXPECT_EQ(c.clocks_per_cycle, 5u);
  EXPECT_EQ(c.depth, 9u);
  EXPECT_EQ(c.slack, 2u);
  EXPECT_TRUE(c.atomic_vcs);
  EXPECT_TRUE(c.registered_outputs);
  EXPECT_TRUE(c.own_routes);
  EXPECT_EQ(c.patience_cycles, 77u);
}

TEST(router_adapter, is_clocked_alone_while_it_has_a_waveform) {
  adapter_bench bench(2, 4);
  built_pins* pins = nullptr;
  const user_rtl_routers user_routers(test_router("odd_pins.json"), bench.wiring(), bench.routing(),
                                      bench.config(), {adapter_bench::middle},
                                      [&pins](const user_rtl_made& made) { pins = &made.pins; });
  const auto router = user_routers.make(bench.context());
  ASSERT_NE(pins, nullptr);
  EXPECT_TRUE(router->is_clocked_with_others());
  pins->clock().trace(testing::TempDir() + "never.vcd", 1'000'000, 1'000'000);
  EXPECT_FALSE(router->is_clocked_with_others());
  router->neighbours_stop();
  EXPECT_TRUE(router->is_clocked_with_others());
}

TEST(router_adapter, is_built_once_whatever_the_file_of_its_description_is_called) {
  router_description d = test_router("odd_pins.json");
  adapter_bench bench(2, 4);
  const auto libraries = [&] {
    return user_rtl_routers(d, bench.wiring(), bench.routing(), bench.config(), {adapter_bench::middle}).libraries();
  };
  const std::vector<std::string> built = libraries();
  EXPECT_EQ(built.size(), 1u);
  d.file = "elsewhere/another.json";
  EXPECT_EQ(libraries(), built);
}

TEST(router_adapter, local_port_may_be_the_first) {
  router_description d = test_router("table_wormhole.json");
  d.local_port_first = true;
  ASSERT_EQ(d.ties[1].pin.name, "first_local_i");
  d.ties[1].value = "0";
  run_described(d, 2, 4, 0.9, 0.5);
}

TEST(on_off_adapter, slack_for_flits_under_way) {
  router_description d = test_router("styled_planes.json");
  set_parameter(d, "STYLE", "styles_pkg::ON_OFF");
  d.flow = router_description::flow_control::on_off;
  d.depth = 2;
  d.slack = 1;
  run_described(d, 2, 4, 0.9, 0.5);
  run_described(d, 2, 1, 0.9, 0.2);
  d.slack = 0;
  EXPECT_THAT([&] { run_described(d, 2, 1, 0.9, 0.2); },
              testing::ThrowsMessage<rtl_assertion>(testing::ContainsRegex(
                  "a flit left by port [nesw] on VC [01], which was off for longer than 0 flits")));
}

TEST(on_off_adapter, router_without_vcs_in_networks_with_any_number) {
  router_description d = test_router("on_off_wormhole.json");
  for (const unsigned vcs : {1u, 2u, 4u}) {
    run_described(d, vcs, 4, 0.9, 0.5);
    run_described(d, vcs, 1, 0.5, 0.2);
  }
  set_parameter(d, "LATE", "1");
  EXPECT_THAT([&] { run_described(d, 2, 1, 0.9, 0.2); },
              testing::ThrowsMessage<rtl_assertion>(testing::ContainsRegex(
                  "a flit left by port [nesw] on VC 0, which was off for longer than 0 flits")));
  d.slack = 1;
  run_described(d, 2, 4, 0.9, 0.5);
}

TEST(router_adapter, heads_wait_for_an_empty_vc_if_it_is_atomic) {
  router_description d = test_router("styled_planes.json");
  set_parameter(d, "ATOMIC", "1");
  EXPECT_THAT([&] { run_described(d, 2, 4, 0.9, 0.5); },
              testing::ThrowsMessage<rtl_assertion>(testing::HasSubstr("a head for a VC with flits")));
  d.atomic_vcs = true;
  run_described(d, 2, 4, 0.9, 0.5);
}

TEST(router_adapter, valid_of_two_vcs_at_once_and_idle_bits_that_are_missing) {
  router_description d = test_router("styled_planes.json");
  set_parameter(d, "BOTH", "1");
  EXPECT_THAT([&] { run_described(d, 2, 4, 0.9, 0.5); },
              testing::ThrowsMessage<rtl_assertion>(testing::HasSubstr("or valid was set for several VCs")));
  d = test_router("styled_planes.json");
  d.flit.idle.clear();
  EXPECT_THAT([&] { run_described(d, 2, 4, 0.9, 0.5); },
              testing::ThrowsMessage<rtl_assertion>(testing::HasSubstr("sleeps")));
}

TEST(user_rtl_routers, warnings_are_counted_by_kind_and_one_is_shown) {
  adapter_bench bench(2, 4);
  const user_rtl_routers routers(test_router("odd_pins.json"), bench.wiring(), bench.routing(), bench.config(),
                                 {adapter_bench::middle});
  const std::string file = rtl_warnings_file(routers.libraries().at(0));
  const auto before = text_if_there(file);
  write_text_file(file, "%Warning-WIDTH: a.sv:1:2: width\n   : ... note\n%Warning-LATCH: b.sv:3:4: a latch\n"
                        "%Warning-LITENDIAN: c.sv:1:1: [0:7]\n%Warning-WIDTH: /x/toriscope_pins.sv:9:9: ours\n"
                        "%Warning-LATCH: d.sv:5:5: another\n");
  EXPECT_EQ(routers.warnings(), "2 LATCH, 1 WIDTH; for example b.sv:3:4: a latch; all are in " + file);
  write_text_file(file, "%Warning-UNOPTFLAT: a.sv:1:1: loop\n");
  EXPECT_THAT(routers.warnings(), testing::HasSubstr("1 UNOPTFLAT; for example a.sv:1:1: loop; all are in " + file +
                                                     "; UNOPTFLAT: Verilator 5.006"));
  std::remove(file.c_str());
  if (before) write_text_file(file, *before);
}

/// A build is shared by the nodes for which all of this is the same.
TEST(router_variant, compares_all_that_it_is_built_from) {
  const router_variant node{{{"X", "1"}, {"Y", "2"}}, {"west", "east"}, {"3"}};
  EXPECT_EQ(node, (router_variant{{{"X", "1"}, {"Y", "2"}}, {"west", "east"}, {"3"}}));
  EXPECT_FALSE(node == (router_variant{{{"X", "1"}, {"Y", "3"}}, {"west", "east"}, {"3"}}));
  EXPECT_FALSE(node == (router_variant{{{"X", "1"}, {"Y", "2"}}, {"west", "north"}, {"3"}}));
  EXPECT_FALSE(node == (router_variant{{{"X", "1"}, {"Y", "2"}}, {"west", "east"}, {"4"}}));
}

}  // namespace
}  // namespace toriscope::adapter_test
