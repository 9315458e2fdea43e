// SPDX-License-Identifier: Apache-2.0
// What each workload makes of the user's settings.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "testbenches/simulation/traffic/batch_source.h"
#include "testbenches/simulation/traffic/request_text_test.h"
#include "testbenches/simulation/workloads/workload_registry.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

workload_setup setup_on(const char* network) {
  workload_setup setup;
  setup.wiring = make_topology(network).wiring;
  return setup;
}

std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = test_file(name);
  write_text_file(path, text);
  return path;
}

/// All packets up to a cycle, a line each.
std::string packets_of(traffic_source& source, cycle_t cycles, cycle_t from = 0) {
  std::string text;
  for (cycle_t now = from; now < cycles; ++now) {
    std::vector<packet_request> out;
    source.packets_at(now, out);
    for (const packet_request& r : out) text += std::to_string(now) + ": " + to_text(r) + "\n";
  }
  return text;
}

std::string in_words(const statistics& figures) {
  std::string text;
  for (const statistic& s : figures) text += s.name + " " + to_text(s.value) + "\n";
  return text;
}

workload_setup bursts() {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.rate_flits_per_node_cycle = .3;
  setup.traffic.packet_flits = "2:1,3:1";
  setup.traffic.arrivals = "on_off";
  setup.traffic.mean_burst_packets = 3;
  setup.traffic.seed = 9;
  return setup;
}

synthetic_source::config settings_of_bursts() {
  synthetic_source::config c;
  c.rate_flits_per_node_cycle = .3;
  c.lengths = packet_lengths("2:1,3:1");
  c.arrivals = arrival_kind::on_off;
  c.mean_burst_packets = 3;
  c.seed = 9;
  return c;
}

TEST(workloads, open_loop_has_the_packets_and_the_load_of_its_settings) {
  workload_setup setup = bursts();
  setup.network.message_classes = 2;
  const auto open = make_workload(setup);
  synthetic_source::config c = settings_of_bursts();
  c.message_classes = 2;
  synthetic_source expected(4, make_pattern("uniform", setup.wiring), c);
  EXPECT_EQ(packets_of(open->source(), 500), packets_of(expected, 500));
  EXPECT_EQ(open->load().what, source_load::kind::known);
  EXPECT_DOUBLE_EQ(open->load().flits_per_cycle, .15) << "of each class";
  EXPECT_EQ(open->load().burst_packets, 3);
  EXPECT_EQ(open->headline(),
            "uniform traffic, 0.3 flits/node/cycle, packets of 2:1,3:1 flits, on_off, seed 9; 2000 + 10000 cycles\n");
  EXPECT_FALSE(open->to_the_end());
  EXPECT_EQ(open->has_no_state(), "");
  setup.network.dead_links.push_back({0, 0});
  EXPECT_EQ(make_workload(setup)->load().what, source_load::kind::counted);
  EXPECT_EQ(make_workload(setup)->load().burst_packets, 3);
  setup.traffic.arrivals = "bernoulli";
  setup.network.dead_links.clear();
  EXPECT_EQ(make_workload(setup)->load().burst_packets, 1);
}

TEST(workloads, say_how_long_a_window_is_and_which_packets_use_no_link) {
  const auto last_part = [](const workload_setup& setup) {
    const std::string text = make_workload(setup)->headline();
    return text.substr(text.find("seed 1") + 6);
  };
  workload_setup setup = setup_on("mesh:2x2");
  setup.measurement.warmup_cycles = 7;
  setup.measurement.measure_cycles = 8;
  EXPECT_EQ(last_part(setup), "; 7 + 8 cycles\n");
  setup.traffic.include_self = true;
  EXPECT_EQ(last_part(setup), "; 7 + 8 cycles\npackets to the own node: 25 % of the packets use no link\n");
  setup.traffic.pattern = "transpose";
  EXPECT_EQ(last_part(setup),
            "; 7 + 8 cycles\n2 of 4 nodes send only to themselves: 50 % of the packets use no link\n");
  setup = setup_on("mesh:4x4");
  setup.traffic.include_self = true;
  setup.measurement.precision = .05;
  EXPECT_EQ(last_part(setup), "; to 5 % of the mean latency, at most 1000000 cycles\n")
      << "1 of 16 is not worth a word";
}

TEST(workloads, request_reply_has_its_own_limits) {
  workload_setup setup = bursts();
  setup.traffic.mode = "request_reply";
  setup.traffic.outstanding = 2;
  setup.traffic.service_cycles = 5;
  setup.traffic.reply_flits = "7";
  setup.traffic.reply_queue = 1;
  setup.measurement.warmup_cycles = 0;
  const auto asking = make_workload(setup);
  request_reply_source expected(4, make_pattern("uniform", setup.wiring),
                                {settings_of_bursts(), 2, 5, packet_lengths(7), 1});
  // The first two requests are received in cycle 90, and answered.
  const auto packets = [](traffic_source& source, packet_sink& sink) {
    std::vector<packet_request> out;
    for (cycle_t now = 0; now < 90; ++now) source.packets_at(now, out);
    for (packet_id id = 0; id < 2; ++id) {
      packet_record record;
      record.source = out.at(id).source;
      record.destination = out.at(id).destination;
      sink.packet_received(id, record, 90);
    }
    return packets_of(source, 200, 90);
  };
  auto* const answering = const_cast<request_reply_source*>(asking->answers());
  ASSERT_EQ(static_cast<traffic_source*>(answering), &asking->source());
  const std::string wanted = packets(expected, expected);
  EXPECT_NE(wanted.find("95: "), std::string::npos);
  EXPECT_NE(wanted.find("of 7 class 1"), std::string::npos);
  EXPECT_EQ(packets(asking->source(), *answering), wanted);
  packet_record request;
  EXPECT_TRUE(answering->admit(9, request, 0));
  EXPECT_FALSE(answering->admit(10, request, 0)) << "there is one slot";
  const std::string figures = in_words(asking->figures(200, {}));
  EXPECT_NE(figures.find("\nrequests.created " + std::to_string(answering->requests_created()) +
                         "\nrequests.held_back " + std::to_string(answering->requests_held_back()) + "\n"),
            std::string::npos)
      << figures;
  EXPECT_EQ(asking->load().what, source_load::kind::limited);
  const std::string traffic =
      " 2 outstanding, service 5 cycles, replies of 7 flits\n"
      "uniform traffic, 0.3 flits/node/cycle, packets of 2:1,3:1 flits, on_off, seed 9; 0 + 10000 cycles\n";
  EXPECT_EQ(asking->headline(), "request-reply (disjoint VC sets)," + traffic);
  setup.network.shared_classes = true;
  EXPECT_EQ(make_workload(setup)->headline(), "request-reply (shared VCs)," + traffic);
}

TEST(workloads, a_batch_runs_until_all_its_packets_are_delivered) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.mode = "batch";
  setup.traffic.batch_packets = 3;
  setup.traffic.packet_flits = "5";
  setup.traffic.seed = 4;
  const auto batch = make_workload(setup);
  batch_source expected(4, make_pattern("uniform", setup.wiring), {3, packet_lengths(5), 4});
  EXPECT_EQ(packets_of(batch->source(), 10), packets_of(expected, 10));
  EXPECT_EQ(batch->source().next_packet_cycle(1), ~cycle_t{0});
  EXPECT_EQ(batch->measured().warmup_cycles, 0u);
  EXPECT_EQ(batch->measured().drain_cycles, 0u);
  EXPECT_EQ(batch->measured().measure_cycles, cycle_t{1} << 47);
  ASSERT_TRUE(batch->to_the_end());
  EXPECT_EQ(batch->to_the_end()->name, std::string("batch"));
  EXPECT_EQ(batch->to_the_end()->most, cycle_t{1} << 47);
  EXPECT_TRUE(batch->all_created());
  network_counters counters{};
  counters.packets_received = 11;
  EXPECT_EQ(in_words(batch->figures(77, counters)), "batch.packets 12\nbatch.cycles -\n");
  counters.packets_received = 12;
  EXPECT_EQ(in_words(batch->figures(77, counters)), "batch.packets 12\nbatch.cycles 77\n");
  EXPECT_EQ(batch->headline(), "batch: 3 packets of 5 flits from each node, uniform traffic, seed 4\n");
  setup.cycles_named = true;
  setup.measurement.measure_cycles = 500;
  EXPECT_EQ(make_workload(setup)->to_the_end()->most, 500u);
  EXPECT_EQ(make_workload(setup)->measured().measure_cycles, 500u);
}

TEST(workloads, packets_of_a_file_are_all_measured_unless_the_window_is_named) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.file = file_with("timed", "0 0 1 2\n9500 1 2 3\n");
  const auto window = [&] {
    const measurement_config m = make_workload(setup)->measured();
    return std::pair(m.warmup_cycles, m.measure_cycles);
  };
  const auto timed = make_workload(setup);
  EXPECT_EQ(packets_of(timed->source(), 9501), "0: 0>1 of 2 class 0\n9500: 1>2 of 3 class 0\n");
  EXPECT_EQ(window(), std::pair(cycle_t{0}, cycle_t{10500})) << "1000 cycles to arrive";
  EXPECT_EQ(timed->headline(), "packets from " + setup.traffic.file + "; 0 + 10500 cycles\n");
  EXPECT_EQ(timed->load().what, source_load::kind::counted);
  setup.warmup_named = true;
  EXPECT_EQ(window().first, 2000u);
  setup.cycles_named = true;
  EXPECT_EQ(window().second, 10000u);
  setup.cycles_named = false;
  setup.measurement.measure_cycles = 20000;
  EXPECT_EQ(window().second, 20000u);
}

/// Node 1 has sent a reply, and has created another one.
TEST(workloads, packets_of_a_file_go_on_from_a_state_with_the_reply_queues) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.file = file_with("replies", "0 1 0 2 class=1\n5 1 0 2 class=1\n7 0 1 1\n");
  setup.network.message_classes = 2;
  const auto state_of = [](workload& w) {
    state_archive a;
    w.archive(a, 6, packet_table());
    return a.bytes();
  };
  EXPECT_FALSE(make_workload(setup)->has_state_by_node());
  EXPECT_EQ(state_of(*make_workload(setup)), "");
  setup.traffic.reply_queue = 3;
  const auto before = make_workload(setup), after = make_workload(setup);
  EXPECT_TRUE(before->has_state_by_node());
  const std::string empty = state_of(*before);
  packets_of(before->source(), 6);
  const std::string state = state_of(*before);
  EXPECT_NE(state, empty) << "two replies are queued";
  state_archive read(state);
  after->archive(read, 6, packet_table());
  read.end();
  EXPECT_EQ(state_of(*after), state);
  EXPECT_EQ(packets_of(after->source(), 20, 6), "7: 0>1 of 1 class 0\n");
  setup.network.message_classes = 1;
  setup.traffic.file = file_with("requests", "0 1 0 2\n");
  EXPECT_FALSE(make_workload(setup)->has_state_by_node()) << "there are no replies";
}

TEST(workloads, packets_that_depend_on_others_are_replayed_to_the_end) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.file = file_with("dependent", "0 0 1 2\n0 0 2 2\n50 1 0 3 after=0 delay=4\n");
  setup.traffic.file_timing = "dependencies";
  setup.traffic.outstanding = 1;
  const auto replay = make_workload(setup);
  EXPECT_EQ(packets_of(replay->source(), 30), "0: 0>1 of 2 class 0\n") << "one at a time";
  EXPECT_FALSE(replay->all_created());
  EXPECT_EQ(replay->to_the_end()->name, std::string("replay"));
  EXPECT_EQ(replay->measured().warmup_cycles, 0u);
  EXPECT_EQ(in_words(replay->figures(9, {})), "replay.packets 3\nreplay.cycles -\n");
  EXPECT_EQ(replay->headline(), "packets from " + setup.traffic.file +
                                    ", when those that they depend on have been received; else 1 of a source under "
                                    "way\n");
}

TEST(workloads, flows_offer_their_rates_together) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.flows = file_with("flows", ",1,2\n0,0.25,0.5\n3,,0.125\n");
  setup.traffic.packet_flits = "1";
  setup.traffic.seed = 6;
  setup.measurement.warmup_cycles = 100;
  setup.measurement.measure_cycles = 50;
  const auto flows = make_workload(setup);
  ASSERT_NE(flows->of_flows(), nullptr);
  ASSERT_EQ(flows->of_flows()->flows().size(), 3u);
  for (const flow& f : flows->of_flows()->flows()) EXPECT_EQ(f.latency_bound, 0u) << "a matrix has no bounds";
  EXPECT_EQ(flows->headline(), "flows of " + setup.traffic.flows +
                                   " (3), 0.875 flits/cycle together, seed 6; 100 + 50 cycles\n");
  EXPECT_EQ(flows->load().what, source_load::kind::counted);
  EXPECT_EQ(in_words(flows->figures(150, {})), "flows.count 3\nflows.bounded 0\nflows.missed 0\n");
  flow_source expected(flows->of_flows()->flows(), 6, 100, 50);
  EXPECT_EQ(packets_of(flows->source(), 200), packets_of(expected, 200));
  EXPECT_EQ(flows->of_flows()->as_tree(200, {"", "", ""})[1]["packets"], expected.offered(1).packets);
  EXPECT_EQ(make_workload(setup_on("mesh:2x2"))->of_flows(), nullptr);
}

TEST(workloads, a_name_that_is_none_is_refused) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.mode = "closed";
  EXPECT_EQ(error_of<std::invalid_argument>([&] { make_workload(setup); }), "there is no workload 'closed'");
}

}  // namespace
}  // namespace toriscope
