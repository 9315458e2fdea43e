// SPDX-License-Identifier: Apache-2.0
// Two ranks without MPI have the results of one process, and leave its state; ranks_test.cpp has those of mpirun.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "testbenches/simulation/distributed/socket_ranks_test.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"
#include "topologies/analysis/netlist_parts.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using nlohmann::json;

class two_ranks : public testing::Test {
 protected:
  struct left {
    std::string results, links, state, advice;
    json performance;
  };

  /// What a run leaves that saves its state in this cycle (0: does not), or goes on from the file `from`.
  left run(const std::string& members, process_transport* transport, cycle_t save = 0,
           const std::string& from = "") const {
    const named_config named = config_from_text("{" + members + "}", "test.json");
    simulation made(named.config, named.given);
    if (transport) made.share(*transport);
    made.leave_kernel();
    const std::string state = scratch_.file("state");
    if (!from.empty()) made.go_on_from(from);
    made.elaborate();
    if (save > 0) made.save_state(save, 0, state);
    made.run();
    if (transport && transport->rank() != 0) return {};
    json all = json::parse(as_json(made.results()));
    left result;
    result.performance = all["performance"];
    all.erase("performance");
    all.erase("units");
    result.results = all.dump(1);
    result.links = made.link_table();
    result.advice = made.advice();
    if (save > 0) result.state = text_of_file(state, "state", 1 << 24);
    return result;
  }

  left run_together(const std::string& members, cycle_t save = 0, const std::string& from = "") const {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw std::runtime_error("no sockets");
    const auto untouched = [](words&) {};
    const pid_t other = fork();
    if (other == 0) {
      close(ends[0]);
      try {
        socket_transport transport(1, ends[1], untouched);
        run(members, &transport, save, from);
      } catch (const std::exception&) {
        std::_Exit(1);
      }
      std::_Exit(0);
    }
    close(ends[1]);
    socket_transport transport(0, ends[0], untouched);
    left result = run(members, &transport, save, from);
    close(ends[0]);
    int status = 0;
    waitpid(other, &status, 0);
    EXPECT_EQ(status, 0) << "the other rank";
    return result;
  }

  /// @returns what one process leaves
  left expect_same(const std::string& members, cycle_t save = 0) const {
    const left alone = run(members, nullptr, save), together = run_together(members, save);
    EXPECT_EQ(together.results, alone.results);
    EXPECT_EQ(together.links, alone.links);
    EXPECT_EQ(together.advice, alone.advice);
    EXPECT_EQ(together.state, alone.state);
    EXPECT_FALSE(alone.performance.contains("ranks"));
    EXPECT_EQ(together.performance["ranks"], 2);
    EXPECT_EQ(together.performance["router_cycles"], alone.performance["router_cycles"]);
    const auto hops = [](const left& what) { return what.performance["flit_hops"].get<double>(); };
    EXPECT_GE(hops(together), hops(alone));
    EXPECT_LE(hops(together), 1.05 * hops(alone)) << "ranks may simulate some cycles more before they know";
    if (save == 0) return alone;
    std::ofstream(scratch_.file("from"), std::ios::binary) << alone.state;
    const left rest = run_together(members, 0, scratch_.file("from"));
    EXPECT_EQ(rest.results, alone.results) << "from the state on";
    EXPECT_EQ(rest.links, alone.links);
    return alone;
  }

  static json figures(const left& what) { return json::parse(what.results)["results"]; }

  const std::string window_ = R"(, "measurement": {"warmup_cycles": 50, "measure_cycles": 200})";
  scratch_directory scratch_;
};

TEST_F(two_ranks, have_the_results_and_the_state_of_one_process) {
  const left open = expect_same(R"("topology": {"spec": "mesh:4x4", "link_delay_cycles": [3]},
      "traffic": {"rate_flits_per_node_cycle": 0.3, "packet_flits": "1:1,9:1"}, "network": {"wire_hash": true})" +
                                    window_,
                                150);
  EXPECT_GT(figures(open)["packets_arrived"], 100);
  const left batch = expect_same(R"("topology": {"spec": "torus:4x4", "link_delay_cycles": [2]},
      "traffic": {"mode": "batch", "batch_packets": 8, "packet_flits": "5"}, "network": {"wire_hash": true})",
                                 30);
  EXPECT_EQ(figures(batch)["packets_arrived"], 16 * 8);
}

TEST_F(two_ranks, keep_the_classes_of_messages) {
  const left classes = expect_same(R"("topology": {"spec": "mesh:4x4"}, "router": {"vcs": 16},
      "network": {"message_classes": 16}, "traffic": {"rate_flits_per_node_cycle": 0.3, "packet_flits": "4"})" + window_,
                                   150);
  EXPECT_GT(figures(classes)["packets_arrived"], 100);
}

TEST_F(two_ranks, keep_the_choices_of_packets_and_the_terminals_of_routers) {
  const std::string ring = scratch_.file("ring.json");  // two shortest ways to the node opposite
  std::ofstream(ring) << R"({"nodes": 4, "links": [{"from": 0, "to": 1}, {"from": 1, "to": 2}, {"from": 2, "to": 3},
      {"from": 3, "to": 0}]})";
  const std::string traffic = R"(, "link_delay_cycles": [3]}, "traffic": {"rate_flits_per_node_cycle": 0.5,
      "packet_flits": "4"}, "network": {"wire_hash": true})";
  const std::vector<std::string> networks = {"file:" + ring + R"(", "routing": "in_turn")",
                                             R"(fattree:4,2", "routing": "random")",
                                             R"(mesh:4x4", "routing": "valiant")", R"(cmesh:3x3,2")"};
  for (const std::string& network : networks)
    expect_same(R"("topology": {"spec": ")" + network + traffic + window_, 150);
}

TEST_F(two_ranks, keep_the_credit_delay_the_reception_and_routers_of_two_kinds) {
  const std::string ring = scratch_.file("ring.json");
  std::ofstream(ring) << R"({"nodes": [{"name": "0", "depth": 4, "pipeline": "single_cycle"}, "1",
      {"name": "2", "depth": 4, "pipeline": "single_cycle"}, "3", {"name": "4", "depth": 4, "pipeline": "single_cycle"},
      "5"], "links": [{"from": "0", "to": "1"}, {"from": "1", "to": "2"}, {"from": "2", "to": "3"},
      {"from": "3", "to": "4"}, {"from": "4", "to": "5"}, {"from": "5", "to": "0"}]})";
  const std::string rest = R"("wire_hash": true}, "traffic": {"rate_flits_per_node_cycle": 0.6},
      "measurement": {"warmup_cycles": 50, "measure_cycles": 200, "drain_cycles": 11})";
  expect_same(R"("topology": {"spec": "mesh:4x4", "link_delay_cycles": [2]}, "network": {"credit_delay_cycles": 3, )" +
                  rest,
              150);
  expect_same(R"("topology": {"spec": "mesh:4x4"}, "network": {"limited_reception": true, "watchdog_cycles": 4, )" +
                  rest,
              150);
  expect_same(R"("topology": {"spec": "file:)" + ring + R"("}, "network": {)" + rest, 150);
}

TEST_F(two_ranks, share_a_network_of_two_nodes) {
  expect_same(R"("topology": {"spec": "mesh:2x1"}, "traffic": {"rate_flits_per_node_cycle": 0.6, "packet_flits": "3"},
      "network": {"wire_hash": true})" +
                  window_,
              150);
}

TEST_F(two_ranks, lose_what_one_process_loses_at_dead_links) {
  const left lossy = expect_same(R"("topology": {"spec": "torus:4x4", "link_delay_cycles": [3],
      "dead_links": ["5.x+", "1.y-@120", "9.y+@170", "14.x-@200"]},
      "traffic": {"rate_flits_per_node_cycle": 0.4, "packet_flits": "12"}, "network": {"wire_hash": true})" + window_,
              150);
  EXPECT_GT(figures(lossy)["lost"]["packets_discarded"], 0);
}

/// Ranks simulate the rest of a window of 9 cycles, in whose first cycle behind the end of the run a link fails.
TEST_F(two_ranks, lose_nothing_after_the_end_of_the_run) {
  for (const char* seed : {"1", "2", "3"}) {
    const auto members = [&](const std::string& topology) {
      return R"("topology": {"spec": "torus:4x4", "link_delay_cycles": [9])" + topology +
             R"(}, "traffic": {"rate_flits_per_node_cycle": 0.6, "packet_flits": "4", "seed": )" + seed + "}" + window_;
    };
    const int end = figures(run(members(""), nullptr))["cycles"];
    const std::string cycle = "@" + std::to_string(end);
    const std::string dead =
        R"(, "dead_links": ["5.x+)" + cycle + R"(", "6.y+)" + cycle + R"(", "9.x-)" + cycle + "\"]";
    const json results = figures(expect_same(members(dead)));
    EXPECT_EQ(results["cycles"], end);
    EXPECT_EQ(results["lost"]["flits_discarded"], 0);
  }
}

/// A window of one cycle in which no packet is created: the ranks simulate eight more, in which some are.
TEST_F(two_ranks, end_with_the_first_cycle) {
  unsigned ends = 0;
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const std::string members =
        R"("topology": {"spec": "mesh:4x4", "link_delay_cycles": [9]}, "network": {"wire_hash": true},
        "traffic": {"rate_flits_per_node_cycle": 0.05, "packet_flits": "1", "seed": )" + std::string(seed) +
        R"(}, "measurement": {"warmup_cycles": 0, "measure_cycles": 1, "drain_cycles": 500})";
    const left alone = run(members, nullptr), together = run_together(members);
    EXPECT_EQ(together.results, alone.results) << "seed " << seed;
    ends += figures(alone)["cycles"] == 1;
  }
  EXPECT_GT(ends, 0u);
}

/// Of two packets one has no way, and the other one is given up flit by flit, on the rank of its source.
TEST_F(two_ranks, end_a_batch_with_the_last_flit_that_is_lost) {
  const left lossy = expect_same(R"("topology": {"spec": "mesh:2x1", "dead_links": ["0.y+@2", "1.y-"]},
      "traffic": {"mode": "batch", "pattern": "neighbour", "batch_packets": 1})");
  EXPECT_EQ(figures(lossy)["packets_arrived"], 0);
  EXPECT_GT(figures(lossy)["cycles"], 16);
}

/// Packets are sent in it, and none arrives.
TEST_F(two_ranks, have_a_run_of_one_cycle) {
  const left one = expect_same(R"("topology": {"spec": "mesh:4x4", "link_delay_cycles": [9]}, "network":
      {"wire_hash": true}, "traffic": {"rate_flits_per_node_cycle": 0.9, "packet_flits": "1"},
      "measurement": {"warmup_cycles": 0, "measure_cycles": 1, "drain_cycles": 0})");
  EXPECT_EQ(figures(one)["cycles"], 1);
  EXPECT_NE(figures(one)["wire_hash"], "0000000000000000");
}

/// The routers of nodes 0 and 1 send the head in 4 and 10, and it is shown to that of node 2 in 13, whose link is dead:
/// given up in cycle 14, it ends the run. The next flits follow.
TEST_F(two_ranks, lose_what_is_lost_in_the_last_cycle) {
  const std::string trace = scratch_.file("trace");
  std::ofstream(trace) << "0 0 3 64\n";
  const left lossy = expect_same(R"("topology": {"spec": "mesh:1x4", "link_delay_cycles": [3],
      "dead_links": ["2.x+@3"]}, "traffic": {"file": ")" + trace +
                                 R"("}, "measurement": {"warmup_cycles": 0, "measure_cycles": 10})");
  EXPECT_EQ(figures(lossy)["cycles"], 15);
  EXPECT_EQ(figures(lossy)["lost"]["flits_discarded"], 1);
}

/// When it is saved all flits of one packet, some of the others are between the ranks: each is to be forgotten by both,
/// the first when it is discarded, the second when it has arrived. The third is under way in both states.
TEST_F(two_ranks, forget_the_packets_of_a_state_that_have_ended) {
  const std::string trace = scratch_.file("trace");
  std::ofstream(trace) << "0 0 3 8\n0 3 1 4\n0 3 0 64\n";
  const std::string members =
      R"("topology": {"spec": "mesh:1x4", "link_delay_cycles": [3], "dead_links": ["2.x+@3"]}, "network":
      {"wire_hash": true}, "traffic": {"file": ")" + trace +
      R"("}, "measurement": {"warmup_cycles": 0, "measure_cycles": 40})";
  std::ofstream(scratch_.file("from"), std::ios::binary) << run_together(members, 12).state;
  const left alone = run(members, nullptr, 50), together = run_together(members, 50, scratch_.file("from"));
  EXPECT_EQ(together.results, alone.results);
  EXPECT_EQ(together.state, alone.state);
  EXPECT_EQ(figures(alone)["lost"]["flits_discarded"], 8);
  EXPECT_EQ(figures(alone)["packets_arrived"], 2);
}

/// Two ranks of five nodes, each linked to all of its rank and to one of the other. Packets to node 9 change the rank
/// at every second link: worms of 64 flits in buffers of 2 are in each rank three times at the same time. One has left
/// when the state is saved, and one is under way.
TEST_F(two_ranks, forget_packets_that_came_back_before_they_had_left) {
  const std::vector<int> way = {0, 5, 6, 1, 2, 7, 8, 3, 4, 9};
  json network = {{"nodes", 10}};
  for (int a = 0; a < 10; ++a)
    for (int b = 0; b < 10; ++b) {
      if (a == b) continue;
      const std::string to_b = "p" + std::to_string(b), to_a = "p" + std::to_string(a);
      if (a < b && (a / 5 == b / 5 || a + 5 == b))
        network["links"].push_back({{"from", a}, {"to", b}, {"from_port", to_b}, {"to_port", to_a}});
      const int next = b == 9 ? *(std::find(way.begin(), way.end(), a) + 1) : a / 5 == b / 5 ? b : (a + 5) % 10;
      network["routes"][std::to_string(a)][std::to_string(b)] = "p" + std::to_string(next);
    }
  const std::string file = scratch_.file("network.json"), trace = scratch_.file("trace");
  std::ofstream(file) << network;
  std::ofstream(trace) << "0 0 9 64\n10 9 0 64\n700 0 9 64\n";
  const std::vector<std::uint32_t> parts = cut_into_parts(*make_topology("file:" + file).wiring, 2);
  for (std::size_t n = 0; n < 10; ++n) ASSERT_EQ(parts[n] == parts[0], n < 5) << n;
  const left worms = expect_same(R"("topology": {"spec": "file:)" + file + R"(", "link_delay_cycles": [3]},
      "router": {"depth_flits": 2}, "traffic": {"file": ")" + trace +
                                     R"("}, "network": {"wire_hash": true}, "measurement": {"warmup_cycles": 0,
      "measure_cycles": 800})",
                                 750);
  EXPECT_EQ(figures(worms)["packets_arrived"], 3);
}

/// Other packets are still under way then, but for a batch: they stay where they are.
TEST_F(two_ranks, do_no_cycle_more_after_a_state_of_the_last_one) {
  const auto members = [&](const std::string& traffic, const std::string& measurement) {
    return R"("topology": {"spec": "mesh:4x4", "link_delay_cycles": [3]}, "network": {"wire_hash": true},
        "traffic": {"packet_flits": "4", )" +
           traffic + "}" + measurement;
  };
  for (const std::string& all : {members(R"("rate_flits_per_node_cycle": 0.3)", window_),
                                 members(R"("mode": "batch", "batch_packets": 3)", "")}) {
    const cycle_t end = figures(run(all, nullptr))["cycles"].get<cycle_t>();
    const left whole = run_together(all, end);
    ASSERT_NE(whole.state, "") << all;
    std::ofstream(scratch_.file("from"), std::ios::binary) << whole.state;
    const left rest = run_together(all, 0, scratch_.file("from"));
    EXPECT_EQ(rest.results, whole.results) << all;
    EXPECT_EQ(rest.performance["flit_hops"], 0) << all;
  }
}

TEST_F(two_ranks, have_the_figures_of_each_flow) {
  const std::string flows = scratch_.file("flows.json");
  std::ofstream(flows) << R"({"flows": [{"name": "a", "from": ["0", "5"], "to": ["15", "10"], "rate": 0.2, "packet": 4,
      "latency_bound": 20}, {"name": "b", "from": "12", "to": "3", "rate": 0.3, "packet": 2}]})";
  const left of_flows =
      expect_same(R"("topology": {"spec": "mesh:4x4"}, "traffic": {"flows": ")" + flows + "\"}" + window_, 150);
  EXPECT_EQ(json::parse(of_flows.results)["flows"].size(), 2);
}

TEST_F(two_ranks, find_a_deadlock_in_the_cycle_in_which_one_process_finds_it) {
  const left frozen = expect_same(R"("topology": {"spec": "ttn:2,2,0", "vc_rule": "paper", "link_delay_cycles": [1, 3]},
      "traffic": {"rate_flits_per_node_cycle": 0.8}, "network": {"watchdog_cycles": 200},
      "measurement": {"warmup_cycles": 100, "measure_cycles": 1500})");
  EXPECT_EQ(json::parse(frozen.results)["failure"]["kind"], "deadlock");
}

/// Requests, which wait for room for a reply that waits for VCs that requests hold.
TEST_F(two_ranks, find_a_protocol_deadlock_and_tell_it_in_the_same_words) {
  const std::string trace = scratch_.file("t.txt");
  std::ofstream packets(trace);
  for (int c = 0; c < 2; ++c)
    for (int t = 0; t < 20; ++t)
      for (int n = 0; n < 2; ++n)
        packets << 100 * c + t << ' ' << n << ' ' << 1 - n << " 4 class=" << c << '\n';
  packets.close();
  const left frozen = expect_same(R"("topology": {"spec": "mesh:2x1"}, "router": {"vcs": 1, "depth_flits": 2},
      "traffic": {"file": ")" + trace +
                                  R"(", "reply_queue": 1}, "network": {"message_classes": 2,
      "shared_classes": true, "limited_reception": true, "watchdog_cycles": 200}, "measurement": {"warmup_cycles": 0,
      "measure_cycles": 2000})");
  EXPECT_EQ(figures(frozen)["failure"].get<std::string>().substr(0, 30), "protocol deadlock since cycle ");
  EXPECT_GT(json::parse(frozen.results)["failure"]["detail"].size(), 4u);
}

/// Four worms of the warm-up freeze in a ring, which is seen in cycle 129 first; the only measured packet arrives
/// before, in it or after it, and two ranks know that some cycles later.
TEST_F(two_ranks, look_for_no_deadlock_behind_the_end_of_the_run) {
  const std::string network = scratch_.file("n.json"), trace = scratch_.file("t.txt");
  std::ofstream(network) << R"({"nodes": ["r0", "r1", "r2", "r3", "s0", "s1"], "links": [
      {"from": "r0", "to": "r1", "from_port": "n", "duplex": false},
      {"from": "r1", "to": "r2", "from_port": "n", "duplex": false},
      {"from": "r2", "to": "r3", "from_port": "n", "duplex": false},
      {"from": "r3", "to": "r0", "from_port": "n", "duplex": false},
      {"from": "r0", "to": "s0", "from_port": "s", "to_port": "r"},
      {"from": "s0", "to": "s1", "from_port": "e", "to_port": "w"}],
      "routes": {"r0": {"s0": "s", "s1": "s", "*": "n"}, "r1": {"*": "n"}, "r2": {"*": "n"}, "r3": {"*": "n"},
                 "s0": {"s1": "e", "*": "r"}, "s1": {"*": "w"}}})";
  unsigned failed = 0, ended = 0;
  for (int length = 84; length < 96; ++length) {
    std::ofstream(trace) << "0 r0 r2 64\n0 r1 r3 64\n0 r2 r0 64\n0 r3 r1 64\n20 s0 s1 " << length << '\n';
    const left end = expect_same(R"("topology": {"spec": "file:)" + network + R"(", "vc_rule": "given",
        "link_delay_cycles": [10]}, "router": {"vcs": 1, "depth_flits": 32}, "network": {"watchdog_cycles": 100},
        "traffic": {"file": ")" + trace +
                                 R"("}, "measurement": {"warmup_cycles": 10, "measure_cycles": 20,
        "drain_cycles": 5000})");
    ++(json::parse(end.results)["failure"].is_null() ? ended : failed);
  }
  EXPECT_GT(ended, 2u);
  EXPECT_GT(failed, 2u);
}

TEST_F(two_ranks, end_their_drain_with_the_last_packet_or_when_it_is_over) {
  const auto with_drain = [&](const char* cycles, const char* drain) {
    return expect_same(R"("topology": {"spec": "mesh:4x4", "link_delay_cycles": [7]},
        "traffic": {"rate_flits_per_node_cycle": 0.5, "packet_flits": "20"}, "measurement": {"warmup_cycles": 0,
        "measure_cycles": )" +
                       std::string(cycles) + R"(, "drain_cycles": )" + drain + "}");
  };
  const left whole = with_drain("60", "2000"), cut_off = with_drain("60", "11");
  EXPECT_EQ(figures(with_drain("10", "2"))["cycles"], 12) << "before any packet has arrived";
  EXPECT_GT(figures(whole)["cycles"], 71);
  EXPECT_LT(figures(whole)["cycles"], 2060);
  EXPECT_EQ(figures(cut_off)["cycles"], 71);
}

}  // namespace
}  // namespace toriscope
