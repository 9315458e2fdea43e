// SPDX-License-Identifier: Apache-2.0
// Transactions of packets and hops that are made by hand, read back.
#include "testbenches/simulation/observation/transaction_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/test_file.h"
#include "topologies/registry.h"
#include "traces/read_ftr_test.h"

namespace toriscope::transaction_recorder_test {
namespace {

using ftr_reading::ftr_contents;

/// "ID GENERATOR BEGIN-END NAME=VALUE ..."; a time is NAME@VALUE, a text 'TEXT'.
std::vector<std::string> transactions_of(const ftr_contents& file, std::uint64_t stream) {
  std::vector<std::string> list;
  const auto found = file.transactions.find(stream);
  if (found == file.transactions.end()) return list;
  for (const ftr_reading::transaction& t : found->second) {
    const auto& [name, of_stream] = file.generators.at(t.generator);
    EXPECT_EQ(of_stream, stream);
    std::string text = std::to_string(t.id) + ' ' + name + ' ' + std::to_string(t.begin) + '-' + std::to_string(t.end);
    for (const auto& [key, type, value] : t.attributes) {
      text += ' ' + file.texts.at(key) + (type == 11 ? '@' : '=');
      text += type == 10 ? "'" + file.texts.at(value) + "'" : std::to_string(value);
    }
    list.push_back(text);
  }
  return list;
}

/// Two nodes, two VCs: what a packet does in the second, and how others end.
void record_some(const std::string& path, transaction_detail detail) {
  const topology line = make_topology("mesh:1x2");
  transaction_recorder recorder(path, *line.wiring, 2, detail);
  const port_id local = line.wiring->local_port(1), in = line.wiring->port_named(1, "x-");
  packet_record record;
  record.created = 3;
  record.head_sent = 4;
  record.destination = 1;
  record.flits = 7;
  record.hops = 1;
  record.message_class = 2;
  hop_record hop;
  hop.packet = 5;
  hop.begin = 5;
  hop.end = 19;
  hop.node = 1;
  hop.in_port = in;
  hop.in_vc = 1;
  hop.out_port = static_cast<std::int8_t>(local);
  hop.out_vc = 0;
  hop.how = hop_end::sent;
  hop.waits = {0, 1, 0, 30, 0, 2};
  recorder.hop_ended(hop);
  recorder.packet_received(5, record, 20);
  record = {};
  record.created = 9;
  record.source = 1;
  recorder.packet_refused(6, record);
  record.created = 10;
  record.head_sent = 10;
  recorder.packet_discarded(7, record, 1, in, 30);
  hop = {};
  hop.packet = 7;
  hop.begin = 11;
  hop.end = 30;
  hop.node = 1;
  hop.source = 1;
  hop.in_port = in;
  hop.how = hop_end::discarded;
  recorder.hop_ended(hop);
  hop.packet = 8;
  hop.begin = 12;
  hop.end = 99;
  hop.in_vc = 1;
  hop.out_port = 0;
  hop.out_vc = 1;
  hop.how = hop_end::unfinished;
  recorder.hop_ended(hop);
  packet_table packets;
  packets.create({0, 1, 4, 1}, 40);
  packets.create({1, 0, 2, 0}, 41);
  packets[1].head_sent = 50;
  packets.create({1, 0, 3, 0}, 97);
  recorder.packet_discarded(2, packets[2], 1, in, 98);  // its tail is still there
  recorder.close(packets, 99);
}

TEST(transaction_recorder, tells_all_of_packets_and_hops) {
  const std::string path = test_file("all.ftr");
  record_some(path, transaction_detail::relations);
  const ftr_contents file(path, -9);
  using stream = std::pair<std::string, std::string>;
  using streams = std::map<std::uint64_t, stream>;
  EXPECT_EQ(file.streams, (streams{{1, {"mesh.node_0_0.ni", "packets"}},
                                   {2, {"mesh.node_0_0.in_x+", "hops"}},
                                   {3, {"mesh.node_0_0.in_local", "hops"}},
                                   {4, {"mesh.node_0_1.ni", "packets"}},
                                   {5, {"mesh.node_0_1.in_x-", "hops"}},
                                   {6, {"mesh.node_0_1.in_local", "hops"}}}));
  using generator = std::pair<std::string, std::uint64_t>;
  using generators = std::map<std::uint64_t, generator>;
  EXPECT_EQ(file.generators, (generators{{1, {"packets", 1}},
                                         {2, {"vc0", 2}},
                                         {3, {"vc1", 2}},
                                         {4, {"vc0", 3}},
                                         {5, {"vc1", 3}},
                                         {6, {"packets", 4}},
                                         {7, {"vc0", 5}},
                                         {8, {"vc1", 5}},
                                         {9, {"vc0", 6}},
                                         {10, {"vc1", 6}}}));
  using testing::ElementsAre;
  EXPECT_THAT(transactions_of(file, 1),
              ElementsAre("5 packets 3-20 source='00' destination='01' class=2 flits=7 hops=1 sent@4",
                          "0 packets 40-99 source='00' destination='01' class=1 flits=4 hops=0 state='under way'"));
  EXPECT_THAT(transactions_of(file, 4),
              ElementsAre("6 packets 9-9 source='01' destination='00' class=0 flits=1 hops=0 state='refused'",
                          "7 packets 10-30 source='01' destination='00' class=0 flits=1 hops=0 sent@10 "
                          "state='discarded'",
                          "2 packets 97-98 source='01' destination='00' class=0 flits=3 hops=0 state='discarded'",
                          "1 packets 41-99 source='01' destination='00' class=0 flits=2 hops=0 sent@50 "
                          "state='under way'"));
  const std::uint64_t first = std::uint64_t{5} << 40;
  EXPECT_THAT(transactions_of(file, 5),
              ElementsAre(std::to_string(first) + " vc1 5-19 packet=5 vc=1 out_port='local' out_vc=0 "
                                                  "wait_lost_vc_allocation=1 wait_lost_switch=30 wait_output_buffer=2",
                          std::to_string(first + 1) + " vc0 11-30 packet=7 vc=0 state='discarded'",
                          std::to_string(first + 2) + " vc1 12-99 packet=8 vc=1 out_port='x-' out_vc=1 "
                                                      "state='under way'"));
  EXPECT_EQ(file.transactions.size(), 3u);
  ASSERT_EQ(file.relations.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto& [name, from, to, from_stream, to_stream] = file.relations[i];
    EXPECT_EQ(file.texts.at(name), "hop");
    EXPECT_EQ(from, i == 0 ? 5 : 6 + i);
    EXPECT_EQ(to, first + i);
    EXPECT_EQ(from_stream, i == 0 ? 1u : 4u) << "of the source";
    EXPECT_EQ(to_stream, 5u);
  }
}

TEST(transaction_recorder, tells_as_much_as_it_is_asked_for) {
  const std::string all = test_file("relations.ftr"), hops = test_file("hops.ftr"), packets = test_file("packets.ftr");
  record_some(all, transaction_detail::relations);
  record_some(hops, transaction_detail::hops);
  const ftr_contents whole(all, -9), without(hops, -9);
  EXPECT_EQ(without.transactions, whole.transactions);
  EXPECT_EQ(without.relations.size(), 0u);
  const topology line = make_topology("mesh:1x2");
  transaction_recorder(packets, *line.wiring, 2, transaction_detail::packets).close({}, 7);
  const ftr_contents few(packets, -9);
  EXPECT_EQ(few.streams.size(), 2u);
  EXPECT_EQ(few.streams.at(2).first, "mesh.node_0_1.ni");
  EXPECT_EQ(few.transactions.size(), 0u);
}

TEST(transaction_recorder, knows_whether_a_packet_of_cycle_0_has_left) {
  const std::string path = test_file("first.ftr");
  const topology line = make_topology("mesh:1x2");
  packet_table packets;
  for (int i = 0; i < 2; ++i) packets.create({0, 1, 4}, 0);
  packets[1].head_sent = 0;
  transaction_recorder recorder(path, *line.wiring, 1, transaction_detail::packets);
  packet_record received;
  received.head_sent = 0;
  recorder.packet_received(2, received, 3);
  recorder.close(packets, 9);
  const std::string to_1 = " packets 0-9 source='00' destination='01' class=0 flits=4 ";
  EXPECT_THAT(transactions_of(ftr_contents(path, -9), 1),
              testing::ElementsAre("2 packets 0-3 source='00' destination='00' class=0 flits=1 hops=0 sent@0",
                                   "0" + to_1 + "hops=0 state='under way'",
                                   "1" + to_1 + "hops=0 sent@0 state='under way'"));
}

/// Several interfaces of a node are numbered, those of a node of their own kind are not.
TEST(transaction_recorder, numbers_the_interfaces_of_a_node) {
  const std::string path = test_file("several.ftr");
  const topology net = make_topology("cmesh:1x2,3");
  transaction_recorder(path, *net.wiring, 1, transaction_detail::packets).close({}, 7);
  std::vector<std::string> names;
  for (const auto& [number, stream] : ftr_contents(path, -9).streams)
    names.push_back(stream.first.substr(stream.first.rfind('.')));
  EXPECT_THAT(names, testing::ElementsAre(".ni0", ".ni1", ".ni2", ".ni0", ".ni1", ".ni2"));
}

/// Many more batches than may wait, in less time than they are written in.
TEST(transaction_recorder, lets_hops_wait_that_come_faster_than_they_are_written) {
  constexpr unsigned count = 40 * 4096 + 100;
  const std::string path = test_file("many.ftr");
  const topology line = make_topology("mesh:1x2");
  transaction_recorder recorder(path, *line.wiring, 2, transaction_detail::hops);
  for (unsigned i = 0; i < count; ++i) {
    hop_record hop;
    hop.packet = i;
    hop.begin = i;
    hop.end = i + 7;
    hop.in_port = line.wiring->local_port(0);
    hop.in_vc = static_cast<std::uint8_t>(i % 2);
    hop.out_port = 0;
    hop.out_vc = 0;
    hop.how = hop_end::sent;
    recorder.hop_ended(hop);
  }
  recorder.close({}, count + 7);
  const ftr_contents file(path, -9);
  ASSERT_EQ(file.transactions.size(), 1u);
  const std::vector<ftr_reading::transaction>& hops = file.transactions.at(3);
  ASSERT_EQ(hops.size(), count);
  for (unsigned i = 0; i < count; ++i) {
    ASSERT_EQ(hops[i].begin, i);
    ASSERT_EQ(hops[i].id, (std::uint64_t{3} << 40) + i);
  }
}

TEST(transaction_recorder, leaves_no_file_where_it_is_not_closed) {
  const std::string path = test_file("never.ftr");
  {
    const topology line = make_topology("mesh:1x2");
    transaction_recorder recorder(path, *line.wiring, 2, transaction_detail::hops);
    recorder.packet_refused(0, {});
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace toriscope::transaction_recorder_test
