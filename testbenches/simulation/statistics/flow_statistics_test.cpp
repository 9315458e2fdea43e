// SPDX-License-Identifier: Apache-2.0
// Flows that send a packet of a flit in every cycle, received when the test says.
#include "testbenches/simulation/statistics/flow_statistics.h"

#include <gtest/gtest.h>

namespace toriscope::flow_statistics_test {
namespace {

using json = nlohmann::ordered_json;

flow flow_of(const std::string& name, std::vector<terminal_id> from, double rate, cycle_t bound) {
  flow f;
  f.name = name;
  f.from = std::move(from);
  f.to = {7};
  f.rate = rate;
  f.lengths = packet_lengths(1);
  f.latency_bound = bound;
  return f;
}

/// Packets of cycle t: 4 t of "free", 4 t + 1 and 4 t + 2 of "late", 4 t + 3 of "lossy". Cycles 10 to 13 are measured.
const std::vector<flow>& four_flows() {
  static const std::vector<flow> flows{flow_of("free", {0}, 1, 0), flow_of("late", {1, 2}, 1, 10),
                                       flow_of("idle", {3}, 0, 5), flow_of("lossy", {4}, 1, 100)};
  return flows;
}
const std::vector<std::string> limits_of_flows{"a", "b", "c", "d"};

struct received_flows {
  flow_source source{four_flows(), 1, 10, 4};
  flow_statistics statistics{four_flows(), source, 10, 4};

  received_flows() {
    std::vector<packet_request> out;
    for (cycle_t now = 0; now < 20; ++now) source.packets_at(now, out);
    EXPECT_EQ(out.size(), 80u);
  }
  void receive(packet_id id, cycle_t received, std::uint32_t flits = 1) {
    packet_record record;
    record.created = id / 4;
    record.flits = flits;
    statistics.packet_received(id, record, received);
  }
  /// All that the test tells, or the half of it with packets of this parity.
  void receive_all(int parity = -1) {
    const auto take = [&](packet_id id, cycle_t received, std::uint32_t flits = 1) {
      if (parity < 0 || static_cast<int>(id / 4 % 2) == parity) receive(id, received, flits);
    };
    take(4 * 8, 9, 100);   // received before the window
    take(4 * 9, 10, 5);    // created before it
    take(4 * 10, 13, 5);   // latency 3
    take(4 * 11, 14, 5);   // 3, and received after it
    take(4 * 12, 20);      // 8
    take(4 * 13, 22);      // 9
    take(4 * 14, 23);      // created after it
    for (packet_id t = 10; t < 14; ++t) {
      take(4 * t + 1, t + (t == 11 ? 11 : 10));  // one above the bound
      take(4 * t + 2, t + 4);
      if (t != 12) take(4 * t + 3, t + 50);
    }
  }
};

std::vector<std::uint64_t> numbers(const statistics& list) {
  std::vector<std::uint64_t> all;
  for (const statistic& s : list) all.push_back(std::get<std::uint64_t>(s.value));
  return all;
}

TEST(flow_statistics, measures_packets_by_their_creation_and_accepts_flits_by_their_reception) {
  received_flows b;
  b.receive_all();
  const json list = b.statistics.as_tree(20, limits_of_flows);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0], json({{"name", "free"},
                           {"offered", 1.0},
                           {"accepted", 2.5},
                           {"packets", 4},
                           {"packets_arrived", 4},
                           {"latency", {{"mean", 5.75}, {"p50", 3}, {"p99", 9}, {"max", 9}}},
                           {"bound", nullptr},
                           {"met", nullptr},
                           {"slack", nullptr},
                           {"late", nullptr},
                           {"limited_by", "a"}}));
}

TEST(flow_statistics, a_bound_is_met_when_all_packets_arrive_within_it) {
  received_flows b;
  b.receive_all();
  const json list = b.statistics.as_tree(20, limits_of_flows);
  const auto verdict = [&](std::size_t f) {
    return json::array({list[f]["bound"], list[f]["met"], list[f]["slack"], list[f]["late"]});
  };
  EXPECT_EQ(verdict(1), json::parse("[10, false, -1, 1]")) << "10 cycles are within it, 11 are not";
  EXPECT_EQ(list[1]["packets"], 8);
  EXPECT_EQ(list[1]["offered"], 2.0) << "of both sources";
  EXPECT_EQ(verdict(2), json::parse("[5, null, null, 0]")) << "it has no packet";
  EXPECT_EQ(list[2]["offered"], 0.0);
  EXPECT_EQ(list[2]["latency"], json::parse(R"({"mean": null, "p50": null, "p99": null, "max": null})"));
  EXPECT_EQ(verdict(3), json::parse("[100, false, null, 0]")) << "one is missing";
  EXPECT_EQ(list[3]["packets_arrived"], 3);
  EXPECT_EQ(numbers(b.statistics.figures()), (std::vector<std::uint64_t>{4, 3, 2}));
  b.receive(4 * 12 + 3, 12 + 100);
  EXPECT_EQ(b.statistics.as_tree(20, limits_of_flows)[3]["slack"], 0);
  EXPECT_EQ(numbers(b.statistics.figures()), (std::vector<std::uint64_t>{4, 3, 1}));
}

TEST(flow_statistics, a_lost_packet_does_not_arrive) {
  received_flows b;
  b.receive_all();
  b.statistics.packet_refused(4 * 15, {});
  b.statistics.packet_discarded(4 * 12 + 3, {}, 0, 0, 14);
  EXPECT_EQ(b.statistics.as_tree(20, limits_of_flows)[3]["met"], false);
  EXPECT_EQ(b.statistics.as_tree(20, limits_of_flows)[0]["packets_arrived"], 4);
}

TEST(flow_statistics, loads_are_those_of_the_measured_cycles_that_the_run_had) {
  received_flows b;
  b.receive_all();
  EXPECT_EQ(b.statistics.as_tree(12, limits_of_flows)[0]["accepted"], 5.0) << "10 flits in 2 cycles";
  EXPECT_EQ(b.statistics.as_tree(11, limits_of_flows)[0]["accepted"], 10.0) << "in a cycle";
  EXPECT_EQ(b.statistics.as_tree(10, limits_of_flows)[0]["accepted"], nullptr);
  EXPECT_EQ(b.statistics.as_tree(5, limits_of_flows)[0]["offered"], nullptr);
}

TEST(flow_statistics, percentiles_are_values_that_so_many_packets_do_not_exceed) {
  const std::vector<flow> flows{flow_of("f", {0}, 1, 0)};
  flow_source source(flows, 1, 0, 200);
  flow_statistics one(flows, source, 0, 200);
  std::vector<packet_request> out;
  for (cycle_t now = 0; now < 200; ++now) source.packets_at(now, out);
  for (packet_id id = 0; id < 200; ++id) {
    packet_record record;
    record.created = id;
    one.packet_received(id, record, id + 1 + id);
  }
  EXPECT_EQ(one.as_tree(200, limits_of_flows)[0]["latency"],
            json({{"mean", 100.5}, {"p50", 100}, {"p99", 198}, {"max", 200}}));
}

TEST(flow_statistics, one_packet_has_a_latency_and_leaves_a_slack) {
  const std::vector<flow> flows{flow_of("f", {0}, 1, 10)};
  flow_source source(flows, 1, 5, 1);
  flow_statistics one(flows, source, 5, 1);
  std::vector<packet_request> out;
  for (cycle_t now = 0; now < 10; ++now) source.packets_at(now, out);
  packet_record record;
  record.created = 5;
  one.packet_received(5, record, 12);
  EXPECT_EQ(one.as_tree(10, {"x"}), json::array({{{"name", "f"},
                                                  {"offered", 1.0},
                                                  {"accepted", 0.0},
                                                  {"packets", 1},
                                                  {"packets_arrived", 1},
                                                  {"latency", {{"mean", 7.0}, {"p50", 7}, {"p99", 7}, {"max", 7}}},
                                                  {"bound", 10},
                                                  {"met", true},
                                                  {"slack", 3},
                                                  {"late", 0},
                                                  {"limited_by", "x"}}}));
}

TEST(flow_statistics, parts_add_up_to_the_whole) {
  received_flows whole, even, odd;
  whole.receive_all();
  even.receive_all(0);
  odd.receive_all(1);
  const json all = whole.statistics.as_tree(20, limits_of_flows);
  EXPECT_NE(even.statistics.as_tree(20, limits_of_flows), all);
  const std::vector<std::uint64_t> words = odd.statistics.words();
  word_reader reader(words);
  even.statistics.add(reader);
  EXPECT_FALSE(reader.more());
  EXPECT_EQ(even.statistics.as_tree(20, limits_of_flows), all);
  even.statistics.forget();
  EXPECT_EQ(even.statistics.as_tree(20, limits_of_flows), received_flows().statistics.as_tree(20, limits_of_flows));
}

TEST(flow_statistics, a_state_has_all_that_was_counted) {
  received_flows before, after;
  before.receive_all();
  state_archive saved;
  before.statistics.archive(saved);
  state_archive read(saved.bytes());
  after.statistics.archive(read);
  read.end();
  EXPECT_EQ(after.statistics.as_tree(20, limits_of_flows), before.statistics.as_tree(20, limits_of_flows));
}

TEST(flow_table, has_a_line_for_each_flow) {
  const json list = json::parse(R"([
    {"name": "a", "offered": 1.0, "accepted": 0.123456, "packets": 4, "latency": {"mean": 5.75, "p50": 3, "p99": 8,
     "max": 9}, "bound": null, "met": null, "slack": null, "limited_by": "x"},
    {"name": "longer", "offered": 0.5, "accepted": 0.5, "packets": 12, "latency": {"mean": 21.0, "p50": 20, "p99": 40,
     "max": 41}, "bound": 40, "met": false, "slack": -1, "limited_by": "y"},
    {"name": "c", "offered": 0.5, "accepted": 0.5, "packets": 12, "latency": {"mean": 21.0, "p50": 20, "p99": 40,
     "max": 41}, "bound": 50, "met": true, "slack": 9, "limited_by": "z"},
    {"name": "d", "offered": null, "accepted": null, "packets": 0, "latency": {"mean": null, "p50": null, "p99": null,
     "max": null}, "bound": 7, "met": null, "slack": null, "limited_by": ""}])");
  EXPECT_EQ(flow_table(list),
            "flows\n"
            "  name    offered accepted  packets     mean    p50    p99    max  bound         limited by\n"
            "  a             1   0.1235        4     5.75      3      8      9  -             x\n"
            "  longer      0.5      0.5       12       21     20     40     41  40 missed -1  y\n"
            "  c           0.5      0.5       12       21     20     40     41  50 met +9     z\n"
            "  d             -        -        0        -      -      -      -  7 unknown     \n");
}

TEST(flow_table, of_a_flow_without_a_bound_is_as_wide_as_its_headings) {
  const json list = json::parse(R"([{"name": "a", "offered": 1, "accepted": 1, "packets": 1, "latency": {"mean": 1,
                                    "p50": 1, "p99": 1, "max": 1}, "bound": null, "limited_by": "x"}])");
  EXPECT_EQ(flow_table(list),
            "flows\n"
            "  name  offered accepted  packets     mean    p50    p99    max  bound  limited by\n"
            "  a           1        1        1        1      1      1      1  -      x\n");
}

TEST(flow_table, a_name_of_more_than_40_characters_does_not_push_the_others_aside) {
  const auto width_of_a = [](std::size_t length) {
    json flow = json::parse(R"({"name": "a", "offered": 1, "accepted": 1, "packets": 1, "latency": {"mean": 1,
                                "p50": 1, "p99": 1, "max": 1}, "bound": null, "limited_by": "x"})");
    json list = json::array({flow, flow});
    list[1]["name"] = std::string(length, 'n');
    const std::string text = flow_table(list);
    const std::size_t line = text.find("\n  a ") + 3;
    return text.find('1', line) - line - 8;  // a space and seven of the column before the 1
  };
  EXPECT_EQ(width_of_a(1), 4u) << "that of the heading";
  EXPECT_EQ(width_of_a(39), 39u);
  EXPECT_EQ(width_of_a(40), 40u);
  EXPECT_EQ(width_of_a(60), 40u);
}

}  // namespace
}  // namespace toriscope::flow_statistics_test
