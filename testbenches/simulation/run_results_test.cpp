// SPDX-License-Identifier: Apache-2.0
// What a run says last: the table of its links, what limits a source or a flow, and advice on an unexpected result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/error_of_test.h"
#include "base/json.h"
#include "base/resources.h"
#include "base/scratch_directory.h"
#include "base/text_hash.h"
#include "testbenches/simulation/rtl_figures.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope::run_results_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class run_results_test : public testing::Test {
 protected:
  /// @param members  of the configuration, behind the topology
  static std::unique_ptr<simulation> run(const std::string& spec, const std::string& members,
                                         const std::string& of_topology = "") {
    const named_config named =
        config_from_text(R"({"topology": {"spec": ")" + spec + "\"" + of_topology + "}, " + members + "}", "test.json");
    auto made = std::make_unique<simulation>(named.config, named.given);
    made->leave_kernel();
    made->elaborate();
    made->run();
    return made;
  }
  static json results_of(const simulation& run) { return json::parse(as_json(run.results())); }
  /// The path of a file in quotes.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(scratch_.file(name)) << text;
    return '"' + scratch_.file(name) + '"';
  }

  scratch_directory scratch_;
};

// Of packets over 3 links, over 1 link, and to the own node; a link of half a flit's width takes 2 cycles for each.
TEST_F(run_results_test, the_table_of_links_has_every_link_and_port_with_its_delay_and_use) {
  const std::string packets = file("packets.txt", "0 0 3 4\n0 1 2 2\n5 2 2 3\n");
  const auto made = run("mesh:4x1", R"("traffic": {"file": )" + packets + R"(}, "measurement": {"measure_cycles": 80},
      "network": {"injection_delay_cycles": 2, "ejection_delay_cycles": 5})",
                        R"(, "link_delay_cycles": [3], "link_width_bits": [32],
                             "link_overrides": ["1.y+:delay=7:width=16"])");
  EXPECT_EQ(made->link_table(),
            "link,from,port,to,level,delay_cycles,utilisation,busy,kind\n"
            "0,00,y+,10,1,3,0.05,0.1,link\n"
            "1,10,y-,00,1,3,0,0,link\n"
            "2,10,y+,20,1,7,0.075,0.3,link\n"
            "3,20,y-,10,1,3,0,0,link\n"
            "4,20,y+,30,1,3,0.05,0.1,link\n"
            "5,30,y-,20,1,3,0,0,link\n"
            "6,00,local,00,,2,0.05,0.05,injection\n"
            "7,10,local,10,,2,0.025,0.025,injection\n"
            "8,20,local,20,,2,0.0375,0.0375,injection\n"
            "9,30,local,30,,2,0,0,injection\n"
            "10,00,local,00,,5,0,0,ejection\n"
            "11,10,local,10,,5,0,0,ejection\n"
            "12,20,local,20,,5,0.0625,0.0625,ejection\n"
            "13,30,local,30,,5,0.05,0.05,ejection\n");
  EXPECT_EQ(made->advice(), "");
}

// Flow a fills the link between its sources and its destination; c sends nothing in time.
TEST_F(run_results_test, each_flow_is_limited_by_the_busiest_link_or_port_on_its_routes) {
  const std::string flows = file("flows.json", R"({"flows": [
      {"name": "a", "from": ["0", "1"], "to": "3", "rate": 0.5, "packet": 1, "arrivals": "constant"},
      {"name": "b", "from": "3", "to": ["2", "0"], "rate": 0.25, "packet": 1, "arrivals": "constant"},
      {"name": "c", "from": "4", "to": "5", "rate": 0.0001, "packet": 1, "arrivals": "constant"}]})");
  const auto made = run("mesh:6x1", R"("traffic": {"flows": )" + flows +
                                        R"(}, "measurement": {"warmup_cycles": 100, "measure_cycles": 1000})");
  const json of_flows = results_of(*made)["flows"];
  ASSERT_EQ(of_flows.size(), 3);
  EXPECT_EQ(of_flows[0]["limited_by"], "10 y+ -> 20");
  EXPECT_EQ(of_flows[1]["limited_by"], "30 local in");
  EXPECT_EQ(of_flows[2]["limited_by"], "none");
  EXPECT_EQ(made->advice(), "\nThe link 10 y+ -> 20 is full: busy 100.0 % of the measured cycles.\n");
}

// Flow a of node 0 is for node 1 alone, and passes no port of node 0 that b does.
TEST_F(run_results_test, no_route_of_a_flow_leads_to_its_own_source) {
  const std::string flows = file("flows.json", R"({"flows": [
      {"name": "a", "from": "0", "to": ["0", "1"], "rate": 0.125, "packet": 1, "arrivals": "constant"},
      {"name": "b", "from": "2", "to": "0", "rate": 0.5, "packet": 1, "arrivals": "constant"}]})");
  const auto made = run("mesh:3x1", R"("traffic": {"flows": )" + flows + R"(},
      "measurement": {"warmup_cycles": 100, "measure_cycles": 1000})");
  EXPECT_EQ(results_of(*made)["flows"][0]["limited_by"], "00 local in");
}

// The link is a quarter as wide as a flit.
TEST_F(run_results_test, a_source_of_a_flow_is_limited_on_its_own_routes) {
  const std::string flows = file("flows.json", R"({"flows": [
      {"name": "a", "from": "1", "to": "0", "rate": 0.6, "packet": 2, "arrivals": "constant"}]})");
  const json results =
      results_of(*run("mesh:2x1",
                      R"("traffic": {"flows": )" + flows +
                          R"(}, "measurement": {"warmup_cycles": 500, "measure_cycles": 2000})",
                      R"(, "link_overrides": ["1.y-:width=16"])"))["results"];
  EXPECT_EQ(results["worst_source"]["node"], "10");
  EXPECT_EQ(results["limited_by"], "10 y- -> 00");
}

// Both ends of a row send to each other.
TEST_F(run_results_test, of_equally_busy_ports_that_of_the_first_source_limits_a_flow) {
  const std::string flows = file("flows.json", R"({"flows": [
      {"name": "a", "from": ["0", "5"], "to": ["0", "5"], "rate": 0.25, "packet": 1, "arrivals": "constant"}]})");
  const auto made = run("mesh:6x1", R"("traffic": {"flows": )" + flows +
                                        R"(}, "measurement": {"warmup_cycles": 100, "measure_cycles": 1000})");
  EXPECT_EQ(results_of(*made)["flows"][0]["limited_by"], "00 local in");
}

// The link that node 0 sends on is half as wide as a flit.
TEST_F(run_results_test, an_unstable_run_names_the_worst_source_and_what_limits_it) {
  const auto made = run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.6, "packet_flits": "2"},
      "measurement": {"warmup_cycles": 500, "measure_cycles": 4000})",
                        R"(, "link_overrides": ["0.y+:width=32"])");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["stable"], false);
  EXPECT_EQ(results["worst_source"]["node"], "00");
  EXPECT_NEAR(results["worst_source"]["growth"].get<double>(), 0.1, 0.02) << "0.6 are offered, 0.5 sent";
  EXPECT_EQ(results["limited_by"], "00 y+ -> 10");
  EXPECT_NEAR(results["fairness"]["least"].get<double>(), 0.5, 0.01);
  EXPECT_EQ(results["fairness"]["least_source"], "00");
  const std::string advice = made->advice();
  EXPECT_THAT(advice, HasSubstr("\nNot stable: the source queues of 1 of 2 nodes grow, fastest at node 00, by "));
  EXPECT_THAT(advice, HasSubstr(" flits/cycle; latencies grow with the length of the run.\n"
                                        "The link 00 y+ -> 10 is full: busy 100.0 % of the measured cycles.\n"));
}

// Both terminals of router 0 send half of their packets over its link, which is a quarter as wide as a flit.
TEST_F(run_results_test, a_source_is_a_terminal_where_routers_have_two) {
  const auto made = run("cmesh:2x1,2", R"("traffic": {"rate_flits_per_node_cycle": 0.6, "packet_flits": "2"},
      "measurement": {"warmup_cycles": 500, "measure_cycles": 4000})",
                        R"(, "link_overrides": ["0.y+:width=16"])");
  const std::string worst = results_of(*made)["results"]["worst_source"]["node"];
  EXPECT_THAT(worst, testing::AnyOf("00.t0", "00.t1"));
  EXPECT_THAT(made->advice(), HasSubstr(" 2 of 4 nodes grow, fastest at node " + worst + ", by "));
}

// Likewise; each of the two queues of node 0 is offered 0.3, and sends its half of what the link takes.
TEST_F(run_results_test, each_message_class_of_an_unstable_source_is_offered_its_share) {
  const auto made = run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.6, "packet_flits": "2"},
      "network": {"message_classes": 2}, "measurement": {"warmup_cycles": 500, "measure_cycles": 4000})",
                        R"(, "link_overrides": ["0.y+:width=32"])");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["worst_source"]["node"], "00");
  EXPECT_NEAR(results["worst_source"]["growth"].get<double>(), 0.3 - 0.25, 0.03);
}

TEST_F(run_results_test, a_stable_run_has_neither_a_worst_source_nor_fairness) {
  const auto made = run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.1, "packet_flits": "2"},
      "measurement": {"warmup_cycles": 500, "measure_cycles": 4000})");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["stable"], true);
  for (const char* name :
       {"worst_source", "fairness", "limited_by", "wire_hash", "accepted_gbps", "link_width", "longest_link_mm", "lost",
        "rtl"})
    EXPECT_FALSE(results.contains(name)) << name;
  EXPECT_EQ(made->advice(), "");
}

TEST_F(run_results_test, a_window_of_one_cycle_has_figures_and_a_pitch_below_a_millimetre_counts) {
  const std::string packets = file("packets.txt", "3 0 1 1\n");
  const auto made = run("mesh:2x2", R"("traffic": {"file": )" + packets + R"(}, "measurement": {"measure_cycles": 1})",
                        R"(, "pitch_mm": 0.5)");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["links"]["utilisation_max"], 0);
  EXPECT_EQ(results["longest_link_mm"], 0.5);
  EXPECT_EQ(results["total_link_mm"], 4 * 0.5);
}

// There is no drain, and the last packet is created just before the window ends.
TEST_F(run_results_test, packets_that_have_not_arrived_make_a_run_unstable) {
  const std::string flows = file("flows.json", R"({"flows": [
      {"name": "a", "from": "0", "to": "1", "rate": 0.2, "packet": 2, "arrivals": "constant"}]})");
  const auto made = run("mesh:2x1", R"("traffic": {"flows": )" + flows +
                                        R"(}, "measurement": {"warmup_cycles": 0, "measure_cycles": 40,
                                              "drain_cycles": 0})");
  EXPECT_EQ(results_of(*made)["results"]["stable"], false);
  EXPECT_THAT(made->advice(), HasSubstr("\nNot stable: 1 measured packet had not arrived at the end of the drain.\n"
                                        "No link or port is full; the busiest, the injection port of node 0 (00), is "
                                        "busy 17.5 % of the measured cycles.\n"));
}

// What is on its way at the end was sent in the window.
TEST_F(run_results_test, queues_grow_as_fast_with_a_drain_as_without) {
  for (const char* fidelity : {"cycle", "transaction"}) {
    const auto backlog = [&](const std::string& drain) {
      return results_of(*run("torus:4x4", R"("fidelity": ")" + std::string(fidelity) + R"(",
          "traffic": {"rate_flits_per_node_cycle": 1, "packet_flits": "4"}, "measurement": {"warmup_cycles": 100,
          "measure_cycles": 800, "drain_cycles": )" +
                                              drain + "}"))["results"]["backlog"];
    };
    const json with_drain = backlog("2000");
    EXPECT_GT(with_drain["growth"], 0.01) << fidelity;
    EXPECT_EQ(backlog("0"), with_drain) << fidelity;
  }
}

TEST_F(run_results_test, a_mean_that_is_not_known_well_enough_is_told_with_the_reason) {
  const std::string measured = R"(, "measurement": {"warmup_cycles": 256, "measure_cycles": 500, "max_cycles": 3000,
                                                    "precision": )";
  EXPECT_EQ(run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.5})" + measured + "0.0001}")->advice(),
            "\nThe mean latency is not known to 0.01 %: --max-cycles is too short for that.\n");
  EXPECT_THAT(run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.7})" + measured + "0.01}",
                  R"(, "link_width_bits": [32])")
                  ->advice(),
              HasSubstr("\n\nThe mean latency is not known to 1 %: there is no steady state.\n"));
  EXPECT_EQ(
      run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.1}, "measurement": {"warmup_cycles": 256,
                               "measure_cycles": 500, "max_cycles": 10000, "precision": 0.5})")
          ->advice(),
      "");
}

// Behind a warm-up of 256 cycles the longest window is 2744, and the others are halves of it: 343 is the first.
TEST_F(run_results_test, a_window_that_is_never_long_enough_ends_with_the_most_cycles_that_are_allowed) {
  const auto made = run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.5, "packet_flits": "2"},
      "measurement": {"warmup_cycles": 256, "measure_cycles": 500, "max_cycles": 3000, "precision": 0.0001})");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["precision"]["warmup_cycles"], 256);
  EXPECT_EQ(results["precision"]["measured_cycles"], 3000 - 256);
}

TEST_F(run_results_test, the_first_window_is_as_long_as_asked_for_at_most) {
  const auto measured = [](unsigned cycles, unsigned most) {
    const auto made = run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.5, "packet_flits": "2"},
        "measurement": {"warmup_cycles": 256, "precision": 0.0001, "measure_cycles": )" + std::to_string(cycles) +
                                        R"(, "max_cycles": )" + std::to_string(most) + "}");
    return results_of(*made)["results"]["precision"]["measured_cycles"].get<unsigned>();
  };
  EXPECT_EQ(measured(343, 3000), 8 * 343) << "which is long enough; its half, 171, would make 2736";
  EXPECT_EQ(measured(1, 257), 1) << "all that the warm-up leaves";
}

// The mean of the latencies rises for longer than 256 cycles at this load.
TEST_F(run_results_test, a_warm_up_that_was_too_short_is_doubled) {
  const auto made = run("mesh:2x1", R"("traffic": {"rate_flits_per_node_cycle": 0.5},
      "measurement": {"warmup_cycles": 256, "measure_cycles": 500, "max_cycles": 3000, "precision": 0.0001})");
  const json results = results_of(*made)["results"];
  EXPECT_THAT(results["precision"]["warmup_cycles"], testing::AnyOf(512, 1024));
}

TEST_F(run_results_test, a_batch_that_no_link_takes_is_over_after_the_cycle_that_refuses_it) {
  const auto made = run("mesh:2x1", R"("traffic": {"mode": "batch", "pattern": "neighbour", "batch_packets": 3})",
                        R"(, "dead_links": ["0.y+", "1.y-"])");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["lost"]["packets_refused"], 2 * 3);
  EXPECT_EQ(results["cycles"], 1);
}

// It has 16 flits, which are given up one by one: its link fails before its head gets there.
TEST_F(run_results_test, a_batch_whose_last_packet_is_lost_on_its_way_is_over_with_its_last_flit) {
  const auto made = run("mesh:2x1", R"("traffic": {"mode": "batch", "pattern": "neighbour", "batch_packets": 1})",
                        R"(, "dead_links": ["0.y+@2", "1.y-"])");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["lost"]["packets_refused"], 1);
  EXPECT_EQ(results["packets_arrived"], 0);
  EXPECT_GT(results["cycles"], 16);
  EXPECT_LT(results["cycles"], 40);
}

// A packet from each node, which meets no other: the transaction level is exact.
TEST_F(run_results_test, a_batch_is_over_in_the_same_cycle_at_either_fidelity) {
  const auto cycles = [](const char* fidelity) {
    const auto made = run("mesh:2x1", R"("traffic": {"mode": "batch", "pattern": "neighbour", "batch_packets": 1,
        "packet_flits": "2"}, "network": {"fidelity": ")" + std::string(fidelity) + "\"}");
    EXPECT_EQ(results_of(*made)["results"]["packets_arrived"], 2);
    return made->cycles();
  };
  EXPECT_EQ(cycles("transaction"), cycles("cycle"));
  EXPECT_LT(cycles("cycle"), 32u);
}

// Packets over 3 links, over 1 link, and to the own node.
TEST_F(run_results_test, performance_is_of_what_the_run_did) {
  const std::string packets = file("packets.txt", "0 0 3 4\n0 1 2 2\n5 2 2 3\n");
  const auto made = run("mesh:4x1", R"("traffic": {"file": )" + packets + R"(}, "network": {"wire_hash": true},
      "measurement": {"measure_cycles": 400})");
  const json all = results_of(*made), &p = all["performance"];
  EXPECT_EQ(all["results"]["cycles"], 400);
  EXPECT_EQ(p["flit_hops"], 4 * (3 + 1) + 2 * (1 + 1) + 3 * 1);
  EXPECT_EQ(p["router_cycles"], 4 * 400);
  const auto cpu = p["simulate_cpu_s"].get<double>();
  EXPECT_LE(cpu, cpu_seconds()) << "of this process";
  EXPECT_LE(p["elaborate_s"].get<double>(), cpu_seconds());
  if (cpu > 0) {  // some clocks of processes have long ticks
    EXPECT_NEAR(p["router_cycles_per_s"].get<double>() * cpu, 4 * 400, 1e-6);
    EXPECT_NEAR(p["flit_hops_per_s"].get<double>() * cpu, 23, 1e-6);
  }
  EXPECT_NEAR(p["max_rss_mb"].get<double>() * 1e6, static_cast<double>(max_resident_bytes()), 1e6);
  for (const char* name : {"threads", "ranks", "working_cpu_s"}) EXPECT_FALSE(p.contains(name)) << name;
  EXPECT_EQ(all["results"]["packet_hash"], hex_text(made->packet_net().packet_hash()));
  EXPECT_EQ(all["results"]["wire_hash"], hex_text(made->net().wire_hash()));
}

// Created at once, one arrives in each cycle but the third.
TEST_F(run_results_test, latencies_of_more_than_64_values_have_bins_of_two) {
  const auto bins = [&](unsigned packets) {
    std::string text;
    for (unsigned i = 0; i < packets; ++i) text += "0 0 1 1\n";
    const json found = results_of(*run("mesh:2x1", R"("traffic": {"file": )" + file("packets.txt", text) +
                                                       R"(}, "measurement": {"measure_cycles": 400})"));
    return found["results"]["latency"]["histogram"]["bin_width"].get<unsigned>();
  };
  EXPECT_EQ(bins(63), 1u);
  EXPECT_EQ(bins(64), 2u) << "of 65 latencies";
}

// 95 packets of 10 flits one behind the other keep the link busy for 950 of 1000 cycles.
TEST_F(run_results_test, a_link_that_is_busy_for_95_percent_of_the_window_is_full) {
  const auto advice = [&](unsigned packets) {
    std::string text;
    for (unsigned i = 0; i < packets; ++i) text += std::to_string(10 * i) + " 0 1 10\n";
    return run("mesh:2x1", R"("traffic": {"file": )" + file("packets.txt", text) +
                               R"(}, "measurement": {"measure_cycles": 1000})")
        ->advice();
  };
  EXPECT_EQ(advice(95), "\nThe link 00 y+ -> 10 is full: busy 95.0 % of the measured cycles.\n");
  EXPECT_EQ(advice(94), "");
}

// The link that node 0 sends on is half as wide as a flit; what its packets are, flows or a file say.
TEST_F(run_results_test, what_limits_a_source_is_known_where_it_is_known_whom_it_sends_to) {
  const std::string narrow = R"(, "link_overrides": ["0.y+:width=32"])";
  const std::string flows = file("flows.json", R"({"flows": [
      {"name": "a", "from": "0", "to": "1", "rate": 0.6, "packet": 2, "arrivals": "constant"}]})");
  const json of_flows = results_of(*run("mesh:2x1", R"("traffic": {"flows": )" + flows +
                                        R"(}, "measurement": {"warmup_cycles": 500, "measure_cycles": 4000})",
                                        narrow))["results"];
  EXPECT_EQ(of_flows["worst_source"]["node"], "00");
  EXPECT_NEAR(of_flows["worst_source"]["growth"].get<double>(), 0.1, 0.02) << "0.6 are offered, 0.5 sent";
  EXPECT_EQ(of_flows["limited_by"], "00 y+ -> 10");
  EXPECT_FALSE(of_flows.contains("fairness"));
  std::string packets;
  for (unsigned cycle = 0; cycle < 4000; cycle += 10) packets += std::to_string(cycle) + " 0 1 6\n";
  const json of_file = results_of(*run("mesh:2x1", R"("traffic": {"file": )" + file("packets.txt", packets) +
                                       R"(}, "measurement": {"measure_cycles": 4000})",
                                       narrow))["results"];
  EXPECT_EQ(of_file["worst_source"]["node"], "00");
  EXPECT_NEAR(of_file["worst_source"]["growth"].get<double>(), 0.1, 0.02);
  EXPECT_EQ(of_file["limited_by"], nullptr);
}

// Its rule is not free of deadlock, and this load finds that out.
TEST_F(run_results_test, a_deadlock_is_the_result_of_a_run_and_there_is_no_advice_on_it) {
  const auto made = run("ttn:2,2,0", R"("router": {"vcs": 2}, "traffic": {"rate_flits_per_node_cycle": 0.1},
      "network": {"watchdog_cycles": 400}, "measurement": {"warmup_cycles": 200, "measure_cycles": 50000})",
                        R"(, "vc_rule": "paper")");
  ASSERT_TRUE(made->failure());
  const json all = results_of(*made);
  EXPECT_EQ(all["failure"]["kind"], "deadlock");
  EXPECT_EQ(all["failure"]["since"], made->failure()->since);
  EXPECT_EQ(all["results"]["failure"], made->failure()->message);
  EXPECT_EQ(all["results"]["stable"], false);
  EXPECT_EQ(all["results"]["keeps_up_95"], false);
  EXPECT_LT(made->cycles(), 5000u);
  EXPECT_EQ(made->advice(), "");
}

TEST_F(run_results_test, several_threads_are_told_in_the_performance) {
  const auto threads = [](const char* number) {
    return results_of(*run("mesh:4x4", R"("traffic": {"rate_flits_per_node_cycle": 0.1}, "network": {"threads": )" +
                                           std::string(number) + R"(}, "measurement": {"measure_cycles": 50})"))
        ["performance"];
  };
  EXPECT_FALSE(threads("1").contains("threads"));
  EXPECT_EQ(threads("2")["threads"], 2);
}

// No queue ever holds a packet at this load: none grows, and there is no error of that.
TEST_F(run_results_test, a_precise_run_without_any_waiting_packets_goes_on) {
  const auto made = run("mesh:4x1", R"("traffic": {"rate_flits_per_node_cycle": 0.02, "packet_flits": "2",
      "arrivals": "constant"}, "measurement": {"warmup_cycles": 256, "measure_cycles": 500, "max_cycles": 3000,
      "precision": 0.0001})");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["backlog"]["growth"], 0);
  EXPECT_EQ(results["backlog"]["standard_error"], 0);
  EXPECT_EQ(results["precision"]["reached"], false);
  EXPECT_EQ(results["precision"]["warmup_cycles"].get<unsigned>() +
                results["precision"]["measured_cycles"].get<unsigned>(),
            3000);
}

TEST_F(run_results_test, elaboration_takes_the_time_of_making_the_network) {
  const named_config named = config_from_text(R"({"topology": {"spec": "torus:64x64"}})", "test.json");
  const double first = cpu_seconds();
  simulation made(named.config, named.given);
  const double second = cpu_seconds();
  made.leave_kernel();
  made.elaborate();
  const double both[] = {second - first, cpu_seconds() - second};
  const auto said = results_of(made)["performance"]["elaborate_s"].get<double>();
  EXPECT_LE(said, both[0] + both[1]);
  const double least = std::min(both[0], both[1]);
  if (least > 1e-3) {  // some clocks of processes have long ticks
    EXPECT_GE(said, both[0] + both[1] - 0.3 * least);
  }
}

TEST_F(run_results_test, a_time_series_has_the_rest_of_the_run_in_its_last_row) {
  const std::string packets = file("packets.txt", "31 0 1 2\n");
  const named_config named = config_from_text(R"({"topology": {"spec": "mesh:2x1"}, "traffic": {"file": )" + packets +
                                                  R"(}, "measurement": {"measure_cycles": 80}})",
                                              "test.json");
  simulation made(named.config, named.given);
  made.leave_kernel();
  const time_series& series = made.watch_over_time(30);
  made.elaborate();
  made.run();
  EXPECT_THAT(series.csv(), testing::MatchesRegex("[^\n]*\n0,30,0,0,0,0,\n30,30,0.0333+,0.0333+,0,1,[0-9.]+\n"
                                                  "60,20,0,0,0,0,\n"));
}

// No kernel runs, which does so once in a process.
TEST_F(run_results_test, simulate_runs_a_configuration_or_a_file_as_often_as_wanted) {
  const std::string packets = file("packets.txt", "0 0 3 4\n0 1 2 2\n");
  const std::string text = R"({"topology": {"spec": "mesh:4x1"}, "traffic": {"file": )" + packets +
                           R"(}, "measurement": {"measure_cycles": 80}})";
  setenv("XDG_CACHE_HOME", scratch_.path().c_str(), 1);  // of proofs
  const named_config named = config_from_text(text, "test.json");
  file("run.json", text);
  const run_result one = simulate(named.config, named.given), other = simulate_file(scratch_.file("run.json"));
  EXPECT_EQ(one.figure("packets_arrived"), 2);
  EXPECT_EQ(one.figure("cycles"), 80);
  EXPECT_EQ(other.document()["results"], one.document()["results"]);
  EXPECT_EQ(other.config(), one.config());
  run_config cyclic;  // ttn:2,2,0
  cyclic.topology.vc_rule = "paper";
  EXPECT_THAT(error_of<std::invalid_argument>([&] { simulate(cyclic); }),
              testing::StartsWith("VC rule 'paper' of ttn:2,2,0 with 4 VCs is not free of deadlock: "));
  unsetenv("XDG_CACHE_HOME");
}

TEST(rtl_figures, have_an_oldest_packet_only_where_there_is_one) {
  const auto oldest = [](std::uint64_t packets) {
    foreign_contents left;
    left.all.packets = packets;
    left.all.since = 7;
    report r;
    r.results = rtl_figures(left);
    return json::parse(as_json(r))["results"]["rtl"]["oldest_since"];
  };
  EXPECT_EQ(oldest(1), 7);
  EXPECT_EQ(oldest(0), nullptr);
}

// It is told to stop in the cycle in which the last packet of the first window has arrived.
TEST_F(run_results_test, a_precise_run_that_is_told_to_stop_does_not_measure_on) {
  const named_config named = config_from_text(R"({"topology": {"spec": "mesh:2x1"},
      "traffic": {"rate_flits_per_node_cycle": 0.5, "packet_flits": "2"},
      "measurement": {"warmup_cycles": 256, "measure_cycles": 500, "max_cycles": 3000, "precision": 0.0001}})", "t");
  simulation made(named.config, named.given);
  made.leave_kernel();
  made.elaborate();
  cycle_t stopped = 0;
  progress none(false);
  made.run(none, [&] {
    if (made.packet_net().cycles_done() <= 256 + 343) return true;
    if (stopped == 0) stopped = made.packet_net().cycles_done();
    return false;
  });
  const json results = results_of(made)["results"];
  EXPECT_EQ(results["precision"]["warmup_cycles"], 256);
  EXPECT_EQ(results["precision"]["measured_cycles"], 343);
  EXPECT_EQ(results["cycles"], stopped);
}

// 8 links of 32 bits at each node; each of the 8 rings of 4 has three pairs of links of one pitch, and one of three.
TEST_F(run_results_test, figures_that_a_configuration_asks_for_are_there) {
  const auto made = run("torus:4x4", R"("traffic": {"rate_flits_per_node_cycle": 0.1, "packet_flits": "2"},
      "measurement": {"warmup_cycles": 100, "measure_cycles": 400, "clock_ghz": 0.5}, "network": {"wire_hash": true})",
                        R"(, "equal": "pins:256", "pitch_mm": 1.5)");
  const json results = results_of(*made)["results"];
  EXPECT_EQ(results["wire_hash"].get<std::string>().size(), 16);
  EXPECT_EQ(results["link_width"], 32);
  EXPECT_EQ(results["link_flit_cycles"], 2);
  EXPECT_EQ(results["longest_link_mm"], 4.5);
  EXPECT_EQ(results["total_link_mm"], 8 * (3 * 1.5 + 4.5));
  ASSERT_TRUE(results.contains("bisection_gbps"));
  EXPECT_EQ(results["bisection_gbps"], 16 * 32 * 0.5) << "16 links cross the middle";
  EXPECT_EQ(results["latency"]["mean_ns"], results["latency"]["mean"].get<double>() / 0.5);
}

}  // namespace
}  // namespace toriscope::run_results_test
