// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/flow_source.h"

#include <gtest/gtest.h>

#include <map>

#include "base/text_hash.h"
#include "testbenches/simulation/traffic/request_text_test.h"

namespace toriscope::flow_source_test {
namespace {

flow flow_between(const std::string& name, std::vector<terminal_id> from, std::vector<terminal_id> to, double rate) {
  flow f;
  f.name = name;
  f.from = std::move(from);
  f.to = std::move(to);
  f.rate = rate;
  f.lengths = packet_lengths(2);
  return f;
}

const std::vector<flow>& busy_and_rare() {
  static const std::vector<flow> flows = [] {
    std::vector<flow> all{flow_between("busy", {2, 5}, {1, 5, 9}, 1), flow_between("rare", {7}, {3}, .01),
                          flow_between("never", {0}, {1}, 0)};
    all[0].arrivals = arrival_kind::constant;
    all[1].message_class = 3;
    return all;
  }();
  return flows;
}

std::string in_a_line(cycle_t now, const packet_request& r) {
  return std::to_string(now) + ": " + to_text(r);
}

/// "busy" has a packet of two flits in every second cycle of each source.
TEST(flow_source, counts_what_each_flow_offers_in_the_window) {
  flow_source source(busy_and_rare(), 1, 100, 400);
  std::vector<packet_request> out;
  std::uint64_t rare = 0;
  for (cycle_t now = 0; now < 1000; ++now) {
    out.clear();
    if (source.next_packet_cycle(now) == now) source.packets_at(now, out);
    for (const packet_request& r : out) {
      if (r.message_class == 3) {
        EXPECT_EQ(r.source, 7u);
        EXPECT_EQ(r.destination, 3u);
        rare += now >= 100 && now < 500;
      } else {
        EXPECT_TRUE(r.source == 2 || r.source == 5);
        EXPECT_NE(r.destination, r.source);
      }
    }
  }
  EXPECT_EQ(source.offered(0).packets, 400u);
  EXPECT_EQ(source.offered(0).flits, 800u);
  EXPECT_EQ(source.offered(1).packets, rare);
  EXPECT_EQ(source.offered(1).flits, 2 * rare);
  EXPECT_EQ(source.offered(2).packets, 0u);
}

/// Source 2 stands before, among and behind the destinations of these flows, or is one of them.
TEST(flow_source, packets_go_to_all_destinations_but_their_source_as_often) {
  for (const std::vector<terminal_id>& to : std::vector<std::vector<terminal_id>>{
           {3, 4, 5}, {1, 3, 4}, {0, 1}, {2, 3, 4, 5}, {0, 1, 2, 3}, {0, 1, 2}, {1, 2}}) {
    std::vector<flow> flows{flow_between("f", {2}, to, 1)};
    flows[0].lengths = packet_lengths(1);
    flow_source source(flows, 3, 0, 3000);
    std::vector<packet_request> out;
    for (cycle_t now = 0; now < 3000; ++now) source.packets_at(now, out);
    ASSERT_EQ(out.size(), 3000u);
    std::map<terminal_id, unsigned> count;
    for (const packet_request& r : out) ++count[r.destination];
    std::map<terminal_id, unsigned> expected;
    for (const terminal_id destination : to)
      if (destination != 2) expected[destination] = 0;
    ASSERT_EQ(count.size(), expected.size());
    for (const auto& [destination, packets] : count) {
      EXPECT_EQ(expected.count(destination), 1u) << destination;
      EXPECT_NEAR(packets, 3000. / static_cast<double>(expected.size()), 120) << destination;
    }
    EXPECT_EQ(source.offered(0).packets, 3000u);
    EXPECT_EQ(source.next_packet_cycle(3000), 3000u);
  }
  const std::vector<flow> no_flows;
  flow_source none(no_flows, 1, 0, 10);
  EXPECT_EQ(none.next_packet_cycle(5), ~cycle_t{0});
}

/// What the only packets of a flow are drawn with.
struct to_the_only_destination final : traffic_pattern {
  node_id destination(node_id, random_stream& random) const override {
    return 9 + static_cast<node_id>(random.below(1));
  }
};

TEST(flow_source, a_flow_is_a_source_with_its_settings_and_a_seed_of_its_name) {
  std::vector<flow> flows{flow_between("f", {4}, {9}, .3)};
  flows[0].arrivals = arrival_kind::on_off;
  flows[0].mean_burst_packets = 3;
  flows[0].lengths = packet_lengths("2:1,3:1");
  synthetic_source::config settings;
  settings.rate_flits_per_node_cycle = .3;
  settings.arrivals = arrival_kind::on_off;
  settings.mean_burst_packets = 3;
  settings.lengths = packet_lengths("2:1,3:1");
  settings.seed = mix_text("f", mix(77));
  synthetic_source expected(1, std::make_shared<to_the_only_destination>(), settings);
  flow_source source(flows, 77, 0, 1);
  std::size_t packets = 0;
  for (cycle_t now = 0; now < 1000; ++now) {
    std::vector<packet_request> seen, right;
    source.packets_at(now, seen);
    expected.packets_at(now, right);
    ASSERT_EQ(seen.size(), right.size()) << now;
    packets += seen.size();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      right[i].source = 4;
      EXPECT_EQ(in_a_line(now, seen[i]), in_a_line(now, right[i]));
    }
  }
  EXPECT_GT(packets, 50u);
}

TEST(flow_source, a_flow_is_the_same_beside_others) {
  const std::vector<flow> alone{busy_and_rare()[1]};
  flow_source one(alone, 9, 0, 1000), all(busy_and_rare(), 9, 0, 1000);
  std::vector<std::string> first, second;
  for (cycle_t now = 0; now < 5000; ++now) {
    std::vector<packet_request> out;
    one.packets_at(now, out);
    for (const packet_request& r : out) first.push_back(in_a_line(now, r));
    out.clear();
    all.packets_at(now, out);
    for (const packet_request& r : out)
      if (r.message_class == 3) second.push_back(in_a_line(now, r));
  }
  EXPECT_GT(first.size(), 10u);
  EXPECT_EQ(first, second);
}

/// 600 packets are done, so that the table of packets does not begin with the first any more; some are under way.
TEST(flow_source, goes_on_from_a_state) {
  flow_source before(busy_and_rare(), 1, 100, 900), after(busy_and_rare(), 1, 100, 900);
  packet_table packets;
  std::vector<std::pair<packet_id, unsigned>> under_way;  // with the flow, 0 or 1
  std::vector<packet_request> out;
  const cycle_t saved_at = 700;
  for (cycle_t now = 0; now < saved_at; ++now) {
    out.clear();
    before.packets_at(now, out);
    for (const packet_request& r : out) {
      const packet_id id = packets.create(r, now);
      const unsigned f = r.message_class == 3;
      if (id >= 600) {
        under_way.emplace_back(id, f);
      } else {
        EXPECT_EQ(before.take(id), f);
        packets.retire(id);
      }
    }
  }
  ASSERT_GT(packets.first_kept(), 0u);
  state_archive saved;
  before.archive(saved, saved_at, packets);
  state_archive read(saved.bytes());
  after.archive(read, saved_at, packets);
  read.end();
  for (unsigned f = 0; f < 3; ++f) {
    EXPECT_EQ(after.offered(f).packets, before.offered(f).packets);
    EXPECT_EQ(after.offered(f).flits, before.offered(f).flits);
  }
  packet_id next = packets.created();
  for (cycle_t now = saved_at; now < 1200; ++now) {
    EXPECT_EQ(after.next_packet_cycle(now), before.next_packet_cycle(now));
    std::vector<packet_request> first, second;
    before.packets_at(now, first);
    after.packets_at(now, second);
    ASSERT_EQ(first.size(), second.size()) << now;
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(in_a_line(now, first[i]), in_a_line(now, second[i]));
      under_way.emplace_back(next++, first[i].message_class == 3);
    }
  }
  for (const auto& [id, f] : under_way) EXPECT_EQ(after.take(id), f) << id;
}

TEST(flow_source, knows_after_a_state_when_the_next_packet_comes) {
  const std::vector<flow> rare{busy_and_rare()[1]};
  flow_source before(rare, 1, 0, 900), after(rare, 1, 0, 900);
  packet_table packets;
  std::vector<packet_request> out;
  for (cycle_t now = 0; now < 700; ++now) before.packets_at(now, out);
  for (const packet_request& r : out) packets.retire(packets.create(r, 0));
  state_archive saved;
  before.archive(saved, 700, packets);
  state_archive read(saved.bytes());
  after.archive(read, 700, packets);
  ASSERT_GT(before.next_packet_cycle(700), 700u);
  EXPECT_EQ(after.next_packet_cycle(700), before.next_packet_cycle(700));
}

}  // namespace
}  // namespace toriscope::flow_source_test
