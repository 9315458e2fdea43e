// SPDX-License-Identifier: Apache-2.0
// What a run says first: the network, its router where it is another than the usual one, the traffic, the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/scratch_directory.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope::headline_test {
namespace {

using testing::HasSubstr;

std::string headline_of(const std::string& configuration) {
  const named_config named = config_from_text(configuration, "test.json");
  return simulation(named.config, named.given).headline();
}

/// The first line, for a router of a mesh of two nodes.
std::string of_router(const std::string& members) {
  const std::string text = headline_of(R"({"topology": {"spec": "mesh:2x1"}, "router": {)" + members + "}}");
  return text.substr(0, text.find('\n'));
}

/// The lines behind the first one.
std::string of_traffic(const std::string& topology, const std::string& members, const std::string& others = "") {
  const std::string text =
      headline_of(R"({"topology": {"spec": ")" + topology + R"("}, "traffic": {)" + members + "}" + others + "}");
  return text.substr(text.find('\n') + 1);
}

TEST(headline, names_the_network_and_what_was_chosen_in_it) {
  EXPECT_EQ(headline_of("{}"),
            "ttn:2,2,0: 256 nodes, 1056 links (one_way), tie break nowrap, routing dor, VC rule level_descending (K), "
            "4 x 8 flits, four_stage\n"
            "uniform traffic, 0.01 flits/node/cycle, packets of 16 flits, bernoulli, seed 1; 2000 + 10000 cycles\n");
  EXPECT_THAT(headline_of(R"({"topology": {"spec": "htn:4,4,2,1", "routing": "ls+cs", "gates": "nearest"}})"),
              HasSubstr("htn:4,4,2,1: 1024 nodes, 6656 links (duplex), tie break positive, gateways nearest, routing "
                        "ls+cs, VC rule gate_dateline (P3), 4 x 8 flits, four_stage\n"));
  EXPECT_THAT(headline_of(R"({"topology": {"spec": "mesh:2x2"}})"),
              HasSubstr("mesh:2x2: 4 nodes, 8 links, routing dor, VC rule single, 4 x 8 flits, four_stage\n"))
      << "one level, and no ties";
  EXPECT_THAT(headline_of(R"({"topology": {"spec": "cmesh:2x2,2"}})"),
              HasSubstr("cmesh:2x2,2: 4 nodes, 8 terminals, 8 links, routing dor"));
}

TEST(headline, says_what_a_budget_makes_of_the_links) {
  EXPECT_THAT(headline_of(R"({"topology": {"spec": "torus:4x4", "equal": "pins:256"}})"),
              HasSubstr("\nlinks of 32 bits, 2 cycles for a flit of 64: pins:256, 8 links of a node\n"));
  EXPECT_THAT(headline_of(R"({"topology": {"spec": "torus:4x4", "equal": "pins:1024", "flit_bits": 128}})"),
              HasSubstr("\nlinks of 128 bits, 1 cycle for a flit of 128: pins:1024, 8 links of a node\n"));
}

TEST(headline, names_the_policies_of_a_router_that_are_not_the_usual_ones) {
  const std::string usual = "mesh:2x1: 2 nodes, 2 links, routing dor, VC rule single, 4 x 8 flits, four_stage";
  EXPECT_EQ(of_router(""), usual);
  EXPECT_EQ(of_router(R"("regrant": "atomic")"), usual + ", atomic VC reallocation");
  EXPECT_EQ(of_router(R"("va_allocator": "islip")"), usual + ", VA islip");
  EXPECT_EQ(of_router(R"("sa_allocator": "output_first")"), usual + ", SA output_first");
  EXPECT_EQ(of_router(R"("va_allocator": "islip", "islip_iterations": 3)"), usual + ", VA islip, 3 iterations");
  EXPECT_EQ(of_router(R"("arbiter": "matrix")"), usual + ", matrix arbiters");
  EXPECT_EQ(of_router(R"("lookahead": true)"), usual + ", look-ahead");
  EXPECT_EQ(of_router(R"("speculative": true)"), usual + ", speculative");
  EXPECT_EQ(of_router(R"("adaptive_delay_cycles": 1)"), usual + ", adaptive heads +1");
  EXPECT_EQ(of_router(R"("vcs": 2, "depth_flits": 5, "stages": "rc=1,va=1,sa=1,st=2")"),
            "mesh:2x1: 2 nodes, 2 links, routing dor, VC rule single, 2 x 5 flits, custom rc=1,va=1,sa=1,st=2");
}

TEST(headline, names_the_traffic_and_its_window) {
  const std::string ring = "ring:4";
  EXPECT_EQ(of_traffic(ring, R"("pattern": "neighbour", "rate_flits_per_node_cycle": 0.25, "packet_flits": "3",
                                "arrivals": "on_off", "seed": 7)",
                       R"(, "measurement": {"warmup_cycles": 5, "measure_cycles": 6})"),
            "neighbour traffic, 0.25 flits/node/cycle, packets of 3 flits, on_off, seed 7; 5 + 6 cycles\n");
  EXPECT_THAT(of_traffic(ring, "", R"(, "measurement": {"precision": 0.02, "max_cycles": 15000})"),
              HasSubstr(", seed 1; to 2 % of the mean latency, at most 15000 cycles\n"));
  EXPECT_EQ(of_traffic(ring, R"("mode": "batch", "batch_packets": 9, "packet_flits": "2", "seed": 3)"),
            "batch: 9 packets of 2 flits from each node, uniform traffic, seed 3\n");
  EXPECT_EQ(of_traffic(ring, R"("mode": "request_reply", "outstanding": 3, "service_cycles": 11, "reply_flits": "5")",
                       R"(, "network": {"message_classes": 2}, "measurement": {"warmup_cycles": 5,
                            "measure_cycles": 6})"),
            "request-reply (disjoint VC sets), 3 outstanding, service 11 cycles, replies of 5 flits\n"
            "uniform traffic, 0.01 flits/node/cycle, packets of 16 flits, bernoulli, seed 1; 5 + 6 cycles\n");
}

TEST(headline, tells_who_sends_only_to_itself) {
  const auto last_line = [](const std::string& pattern, const std::string& topology = "torus:4x4") {
    const std::string text = of_traffic(topology, R"("pattern": ")" + pattern + "\"");
    return text.substr(text.find('\n') + 1);
  };
  EXPECT_EQ(last_line("transpose"), "4 of 16 nodes send only to themselves: 25 % of the packets use no link\n");
  EXPECT_EQ(last_line("uniform"), "");
  EXPECT_EQ(of_traffic("ring:4", R"("include_self": true, "mode": "batch")"),
            "batch: 100 packets of 16 flits from each node, uniform traffic, seed 1\n"
            "packets to the own node: 25 % of the packets use no link\n");
  EXPECT_EQ(of_traffic("torus:4x4", R"("include_self": true, "mode": "batch")"),
            "batch: 100 packets of 16 flits from each node, uniform traffic, seed 1\n")
      << "a sixteenth is not worth a line";
  EXPECT_EQ(last_line("bit_reversal", "butterfly:2,3"), "") << "their packets cross two links";
}

TEST(headline, tells_where_each_node_is_its_own_hot_node) {
  const auto last_line = [](const std::string& topology, const std::string& more = "") {
    const std::string text = of_traffic(topology, R"("pattern": "hotspot")" + more);
    return text.substr(text.find('\n') + 1);
  };
  const std::string own = "every node is its own hot node: the traffic is uniform; --hot-node names others\n";
  EXPECT_EQ(last_line("torus:4x4"), own) << "a fourth of each ring is a node";
  EXPECT_EQ(last_line("hypercube:3"), own);
  EXPECT_EQ(last_line("torus:4x5"), "");
  EXPECT_EQ(last_line("ttn:2,2,0"), "");
  EXPECT_EQ(last_line("torus:4x4", R"(, "hot_nodes": ["3"])"), "");
}

TEST(headline, names_the_file_that_packets_come_from) {
  const scratch_directory scratch;
  const std::string packets = scratch.file("packets.txt"), flows = scratch.file("flows.json");
  std::ofstream(packets) << "0 0 1 4\n9500 2 3 4\n";
  std::ofstream(flows) << R"({"flows": [{"name": "a", "from": ["0", "1"], "to": "2", "rate": 0.125, "packet": 2},
                                {"name": "b", "from": "3", "to": "1", "rate": 0.0625, "packet": 2}]})";
  const auto of_file = [&](const std::string& others) {
    return of_traffic("ring:4", R"("file": ")" + packets + "\"" + others);
  };
  EXPECT_EQ(of_file(""), "packets from " + packets + "; 0 + 10500 cycles\n");
  EXPECT_EQ(of_file(R"(, "file_timing": "dependencies", "outstanding": 3)"),
            "packets from " + packets +
                ", when those that they depend on have been received; else 3 of a source under way\n");
  EXPECT_EQ(of_traffic("ring:4", R"("seed": 5, "flows": ")" + flows + "\""),
            "flows of " + flows + " (2), 0.3125 flits/cycle together, seed 5; 2000 + 10000 cycles\n");
  std::ofstream(flows) << R"({"flows": [{"from": 0, "to": 1, "bandwidth": 4}]})";
  EXPECT_THAT(headline_of(R"({"topology": {"spec": "ring:4", "flit_bits": 128}, "traffic": {"flows": ")" + flows +
                          "\"}}"),
              HasSubstr(" (1), 0.25 flits/cycle together"))
      << "4 GB/s, a flit of 128 bits in a ns";
}

}  // namespace
}  // namespace toriscope::headline_test
