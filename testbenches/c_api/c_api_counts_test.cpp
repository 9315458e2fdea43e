// SPDX-License-Identifier: Apache-2.0
// What a network of the C interface counts and how it says that it is wired: all by hand.
#include <gtest/gtest.h>

#include <array>

#include "testbenches/c_api/owned_network.h"

namespace toriscope {
namespace {

using nlohmann::json;

/// Packets created, received, discarded and refused; flits created, injected, ejected and discarded.
using counts = std::array<std::uint64_t, 8>;

counts counts_of(const owned& net) {
  const toriscope_statistics s = statistics_of(net);
  return {s.packets_created, s.packets_received, s.packets_discarded, s.packets_refused,
          s.flits_created,   s.flits_injected,   s.flits_ejected,     s.flits_discarded};
}

void inject(const owned& net, std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
  ASSERT_EQ(toriscope_inject(net.get(), from, to, flits, 0, nullptr), TORISCOPE_OK) << toriscope_error();
}

TEST(c_api_counts, begin_again_when_they_are_cleared) {
  const owned net = made({{"topology", "mesh:4x4"}});
  inject(net, 0, 5, 3);
  toriscope_step(net.get(), 100);
  EXPECT_EQ(counts_of(net), (counts{1, 1, 0, 0, 3, 3, 3, 0}));
  toriscope_clear_statistics(net.get());
  EXPECT_EQ(counts_of(net), counts{});
  inject(net, 4, 6, 5);
  toriscope_step(net.get(), 100);
  EXPECT_EQ(counts_of(net), (counts{1, 1, 0, 0, 5, 5, 5, 0}));
}

TEST(c_api_counts, tell_flits_created_sent_and_received_apart) {
  const owned net = made({{"topology", "mesh:1x2"}});
  inject(net, 0, 1, 9);
  toriscope_step(net.get(), 3);
  EXPECT_EQ(counts_of(net), (counts{1, 0, 0, 0, 9, 3, 0, 0})) << "a flit in each cycle, none of which is there";
  toriscope_step(net.get(), 7);
  EXPECT_EQ(counts_of(net), (counts{1, 0, 0, 0, 9, 9, 1, 0})) << "the head has taken 4 + 5 cycles";
}

/// A packet of nine flits, of which three have been sent and none has arrived.
TEST(c_api_counts, of_a_packet_that_was_under_way_when_they_were_cleared) {
  const owned net = made({{"topology", "mesh:1x2"}});
  inject(net, 0, 1, 9);
  EXPECT_EQ(statistics_of(net).under_way, 0u) << "it is created in the next cycle";
  toriscope_step(net.get(), 3);
  EXPECT_EQ(statistics_of(net).under_way, 1u);
  toriscope_clear_statistics(net.get());
  EXPECT_EQ(statistics_of(net).under_way, 1u);
  toriscope_step(net.get(), 100);
  EXPECT_EQ(counts_of(net), (counts{0, 1, 0, 0, 0, 6, 9, 0}));
  EXPECT_EQ(statistics_of(net).under_way, 0u);
}

/// The link dies under the packet; a later packet is rejected at once.
TEST(c_api_counts, of_a_packet_discarded_and_of_one_refused) {
  const owned net = made({{"topology", "mesh:4x4"}, {"fail_link", {"2.x+@3"}}});
  inject(net, 0, 3, 64);
  toriscope_step(net.get(), 300);
  toriscope_packet p{};
  ASSERT_EQ(toriscope_receive(net.get(), &p), 1);
  EXPECT_EQ(p.fate, 1u);
  EXPECT_EQ(p.ended, 10u);  // sent in 0, in routers 0, 1 and 2 in 1, 5 and 9; VC allocation is a cycle later
  const toriscope_statistics s = statistics_of(net);
  EXPECT_EQ(s.packets_discarded, 1u);
  EXPECT_EQ(s.packets_refused, 0u);
  EXPECT_EQ(s.flits_discarded, 64u);
  toriscope_clear_statistics(net.get());
  EXPECT_EQ(counts_of(net), counts{});
  inject(net, 0, 3, 2);
  toriscope_step(net.get(), 10);
  ASSERT_EQ(toriscope_receive(net.get(), &p), 1);
  EXPECT_EQ(p.fate, 2u);
  EXPECT_EQ(p.created, 300u);
  EXPECT_EQ(p.ended, 300u) << "refused when it was created";
  EXPECT_EQ(statistics_of(net).packets_refused, 1u);
  EXPECT_EQ(statistics_of(net).packets_discarded, 0u);
  toriscope_clear_statistics(net.get());
  EXPECT_EQ(counts_of(net), counts{});
}

/// Three flits take 4 + 5 + 2 cycles over one link; those of the second packet leave behind those of the first.
TEST(c_api_counts, network_latency_begins_when_the_head_is_sent) {
  const owned net = made({{"topology", "mesh:4x4"}});
  inject(net, 0, 1, 3);
  inject(net, 0, 1, 3);
  toriscope_step(net.get(), 100);
  std::uint64_t waited = 0;
  for (toriscope_packet p{}; toriscope_receive(net.get(), &p);) waited += p.head_sent - p.created;
  EXPECT_EQ(waited, 3u);
  EXPECT_EQ(statistics_of(net).latency_sum, 11u + 14);
  EXPECT_EQ(statistics_of(net).network_latency_sum, 11u + 11);
  EXPECT_EQ(statistics_of(net).latency_least, 11u);
  EXPECT_EQ(statistics_of(net).latency_most, 14u);
}

/// Two links, two injection and two ejection ports.
TEST(c_api_counts, of_wires_fill_the_room_that_there_is) {
  const owned net = made({{"topology", "mesh:2x1"}});
  inject(net, 0, 1, 4);
  toriscope_step(net.get(), 100);
  using flits = std::vector<std::uint64_t>;
  flits part(8, 99), more(8, 99);
  EXPECT_EQ(toriscope_wire_flits(net.get(), part.data(), 3), 6u);
  EXPECT_EQ(part, (flits{4, 0, 4, 99, 99, 99, 99, 99}));
  EXPECT_EQ(toriscope_wire_flits(net.get(), more.data(), more.size()), 6u);
  EXPECT_EQ(more, (flits{4, 0, 4, 0, 0, 4, 99, 99}));
}

json wiring_of(const json& config) { return json::parse(toriscope_wiring(made(config).get())); }

/// A switch of a butterfly leads by its port i to switch i of the next stage, which has it at the port of its number.
TEST(c_api_wiring, has_the_ports_of_both_ends_of_a_link) {
  const json butterfly = wiring_of({{"topology", "butterfly:2,2"}});
  EXPECT_EQ(butterfly["terminals"].size(), 4u);
  EXPECT_EQ(butterfly["terminals"][3], (json{{"address", "0.1.t1"}, {"node", 1}, {"exit", 3}}));
  json link = butterfly["links"][1];
  link.erase("bend");
  EXPECT_EQ(link, (json{{"from", 0},
                        {"port", "p1"},
                        {"to", 3},
                        {"to_port", "p0"},
                        {"level", 1},
                        {"delay_cycles", 1},
                        {"flit_cycles", 1},
                        {"length", 1}}));
}

/// x grows along a row, y from row to row.
TEST(c_api_wiring, has_address_path_and_position_of_a_node) {
  const auto nodes_of = [](const char* topology) { return wiring_of({{"topology", topology}})["nodes"]; };
  const json last = nodes_of("mesh:2x2")[3];
  EXPECT_EQ(last["address"], "11");
  EXPECT_EQ(last["path"], "node_1_1");
  const json row = nodes_of("mesh:1x2"), column = nodes_of("mesh:2x1");
  EXPECT_GT(row[1]["position"][0], row[0]["position"][0]);
  EXPECT_EQ(row[1]["position"][1], row[0]["position"][1]);
  EXPECT_EQ(column[1]["position"][0], column[0]["position"][0]);
  EXPECT_GT(column[1]["position"][1], column[0]["position"][1]);
}

/// A flit of 64 bits takes four cycles over 16 wires.
TEST(c_api_wiring, has_delay_and_width_of_a_link) {
  const json mesh = wiring_of({{"topology", "mesh:2x1"}, {"link_width", {16}}, {"link_delay", "3"}});
  EXPECT_EQ(mesh["links"][0], (json{{"from", 0},
                                    {"port", "y+"},
                                    {"to", 1},
                                    {"to_port", "y-"},
                                    {"level", 1},
                                    {"delay_cycles", 3},
                                    {"flit_cycles", 4},
                                    {"length", 1},
                                    {"bend", nullptr}}));
}

/// The way back of a ring in a row passes by the nodes between, in the middle between its ends; in a column likewise.
TEST(c_api_wiring, has_the_bend_of_a_link_that_passes_by_nodes) {
  for (const unsigned along : {0u, 1u}) {
    const json wiring = wiring_of({{"topology", along == 0 ? "torus:1x4" : "torus:4x1"}});
    const json &nodes = wiring["nodes"], &links = wiring["links"];
    unsigned bends = 0;
    for (const json& link : links) {
      if (link["bend"].is_null()) continue;
      ++bends;
      const json& from = nodes[link["from"].get<std::size_t>()]["position"];
      const json& to = nodes[link["to"].get<std::size_t>()]["position"];
      EXPECT_DOUBLE_EQ(link["bend"][along].get<double>(),
                       (from[along].get<double>() + to[along].get<double>()) / 2);
      EXPECT_NE(link["bend"][1 - along], from[1 - along]);
    }
    EXPECT_EQ(bends, 2u);
  }
}

/// Networks of the first level have 16 nodes here; the links between two of them are those of the second.
TEST(c_api_wiring, has_the_level_of_a_link) {
  unsigned between = 0;
  const json wiring = wiring_of({{"topology", "ttn:2,2,0"}});
  for (const json& link : wiring["links"]) {
    const bool within = link["from"].get<int>() / 16 == link["to"].get<int>() / 16;
    EXPECT_EQ(link["level"], within ? 1 : 2) << link;
    between += !within;
  }
  EXPECT_GT(between, 0u);
}

}  // namespace
}  // namespace toriscope
