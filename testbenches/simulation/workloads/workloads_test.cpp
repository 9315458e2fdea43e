// SPDX-License-Identifier: Apache-2.0
// What each workload makes of the user's settings.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "base/words.h"
#include "network/network.h"
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

TEST(workloads, sources_have_the_defaults_of_the_options) {
  const traffic_config options;
  const synthetic_source::config packets;
  EXPECT_EQ(packets.lengths.mean(), packet_lengths(options.packet_flits).mean());
  EXPECT_STREQ(to_string(packets.arrivals), options.arrivals.c_str());
  EXPECT_EQ(packets.seed, options.seed);
  EXPECT_EQ(packets.mean_burst_packets, options.mean_burst_packets);
  const request_reply_source::config asking;
  EXPECT_EQ(asking.outstanding, options.outstanding);
  EXPECT_EQ(asking.service_cycles, options.service_cycles);
  EXPECT_EQ(asking.reply_lengths.mean(), packet_lengths(options.reply_flits).mean());
  EXPECT_EQ(asking.reply_queue, options.reply_queue);
  const batch_source::config batch;
  EXPECT_EQ(batch.packets_per_node, options.batch_packets);
  EXPECT_EQ(batch.seed, options.seed);
  const pattern_options pattern;
  EXPECT_EQ(pattern.include_self, options.include_self);
  EXPECT_EQ(pattern.hot_probability, options.hot_probability);
  EXPECT_EQ(pattern.local_square, options.local_square);
  EXPECT_EQ(pattern.local_probability, options.local_probability);
  const flow one;
  EXPECT_EQ(one.rate, 0);
  EXPECT_EQ(one.mean_burst_packets, options.mean_burst_packets);
  EXPECT_EQ(one.message_class, 0);
}

TEST(workloads, take_the_options_of_patterns) {
  workload_setup setup = setup_on("torus:8x8");
  setup.traffic.pattern = "local";
  setup.traffic.local_square = 3;
  setup.traffic.local_probability = .5;
  const destination_weights local = make_workload(setup)->pattern()->weights(0);
  EXPECT_EQ(local.points.size(), 8u);
  EXPECT_DOUBLE_EQ(local.every_other, .5 / 63);
  setup.traffic.pattern = "hotspot";
  setup.traffic.hot_probability = .25;
  setup.traffic.hot_nodes = {"5"};
  const destination_weights hot = make_workload(setup)->pattern()->weights(0);
  ASSERT_EQ(hot.points.size(), 1u);
  EXPECT_EQ(hot.points[0], std::pair(node_id{5}, .25));
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
  setup.traffic.pattern = "hotspot";
  setup.traffic.hot_probability = 1;
  setup.traffic.hot_nodes = {"0"};
  EXPECT_EQ(last_part(setup),
            "; 7 + 8 cycles\n1 of 4 nodes send only to themselves: 25 % of the packets use no link\n");
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
  std::size_t requests_before = 0;
  const auto packets = [&](traffic_source& source, packet_sink& sink) {
    std::vector<packet_request> out;
    for (cycle_t now = 0; now < 90; ++now) source.packets_at(now, out);
    requests_before = out.size();
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
  EXPECT_NE(figures.find("\nround_trip.answered 0\n"), std::string::npos) << figures;
  // The first reply, of one of the servers, is received.
  packet_record reply;
  reply.message_class = 1;
  reply.destination = 0;
  std::size_t first = 0;  // packets before it
  for (const std::string& line : split(wanted, '\n')) {
    if (line.find("class 1") != std::string::npos) break;
    ++first;
  }
  first += requests_before;
  answering->packet_received(first, reply, 199);
  EXPECT_NE(in_words(asking->figures(200, {})).find("\nround_trip.answered 1\n"), std::string::npos);
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
  EXPECT_EQ(batch->source().next_packet_cycle(0), 0u);
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
  setup.traffic.batch_packets = 25'000'000;
  EXPECT_EQ(error_of([&] { make_workload(setup); }), "none");
  setup.traffic.batch_packets = 25'000'001;
  EXPECT_EQ(error_of([&] { make_workload(setup); }),
            "batch: 25000001 packets from each of 4 nodes are 100000004 in cycle 0; at most 100000000");
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
  EXPECT_EQ(after->source().next_packet_cycle(6), 7u) << "the packets before are skipped";
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
  network_counters counters;
  counters.packets_received = counters.packets_refused = 1;
  EXPECT_EQ(in_words(replay->figures(9, counters)), "replay.packets 3\nreplay.cycles -\n");
  counters.packets_discarded = 1;
  EXPECT_EQ(in_words(replay->figures(9, counters)), "replay.packets 3\nreplay.cycles 9\n");
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
  for (const flow& f : flows->of_flows()->flows()) EXPECT_EQ(f.message_class, 0);
  EXPECT_EQ(flows->headline(), "flows of " + setup.traffic.flows +
                                   " (3), 0.875 flits/cycle together, seed 6; 100 + 50 cycles\n");
  EXPECT_EQ(flows->load().what, source_load::kind::counted);
  EXPECT_EQ(in_words(flows->figures(150, {})), "flows.count 3\nflows.bounded 0\nflows.missed 0\n");
  flow_source expected(flows->of_flows()->flows(), 6, 100, 50);
  EXPECT_EQ(packets_of(flows->source(), 200), packets_of(expected, 200));
  EXPECT_EQ(flows->of_flows()->as_tree(200, {"", "", ""})[1]["packets"], expected.offered(1).packets);
  EXPECT_EQ(make_workload(setup_on("mesh:2x2"))->of_flows(), nullptr);
  setup.traffic.flows = file_with("bandwidth", R"({"flows": [{"from": 0, "to": 1, "bandwidth": 4}]})");
  EXPECT_EQ(make_workload(setup)->headline(),
            "flows of " + setup.traffic.flows + " (1), 0.5 flits/cycle together, seed 6; 100 + 50 cycles\n")
      << "of 64 bits";
  setup.flit_bits = 128;
  EXPECT_EQ(make_workload(setup)->headline(),
            "flows of " + setup.traffic.flows + " (1), 0.25 flits/cycle together, seed 6; 100 + 50 cycles\n");
}

/// A message of 72 bytes in a trace of 4 nodes; netrace_test.cpp has the format.
TEST(workloads, messages_of_netrace_take_as_many_flits_as_they_fill) {
  const auto bytes = [](std::uint64_t value, unsigned count) {
    std::string text;
    for (; count > 0; --count, value >>= 8) text += static_cast<char>(value & 255);
    return text;
  };
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.file =
      file_with("netrace", "UTJH" + bytes(0x3f800000, 4) + std::string(30, 'n') + bytes(4, 1) + bytes(0, 9) +
                               bytes(1, 8) + bytes(0, 16) + bytes(0, 8) + bytes(1, 4) + bytes(0, 4) + bytes(2, 1) +
                               bytes(3, 1) + bytes(1, 1) + bytes(0, 2));
  for (const char* timing : {file_timing::as_timed, file_timing::dependencies}) {
    setup.traffic.file_timing = timing;
    setup.flit_bits = 64;
    EXPECT_EQ(packets_of(make_workload(setup)->source(), 1), "0: 3>1 of 9 class 0\n") << timing;
    setup.flit_bits = 128;
    EXPECT_EQ(packets_of(make_workload(setup)->source(), 1), "0: 3>1 of 5 class 0\n") << timing;
  }
}

/// What is saved while packets are created and received is what goes on.
TEST(workloads, flows_go_on_from_a_state) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.flows = file_with("going_on", ",1,2\n0,0.25,0.5\n3,,0.125\n");
  setup.traffic.packet_flits = "1";
  setup.measurement.warmup_cycles = 10;
  setup.measurement.measure_cycles = 50;
  const auto before = make_workload(setup), after = make_workload(setup);
  packet_table packets;
  std::vector<packet_request> out;
  for (cycle_t now = 0; now < 40; ++now) {
    const std::size_t known = out.size();
    before->source().packets_at(now, out);
    for (std::size_t i = known; i < out.size(); ++i) packets.create(out[i], now);
  }
  for (packet_id id = 0; id < 10; ++id) {
    before->of_flows()->packet_received(id, packets[id], 39);
    packets.retire(id);
  }
  state_archive saved, again;
  before->archive(saved, 40, packets);
  state_archive read(saved.bytes());
  after->archive(read, 40, packets);
  read.end();
  after->archive(again, 40, packets);
  EXPECT_EQ(again.bytes(), saved.bytes());
  const std::vector<std::string> limits(3);
  EXPECT_EQ(after->of_flows()->as_tree(40, limits), before->of_flows()->as_tree(40, limits));
  EXPECT_EQ(packets_of(after->source(), 100, 40), packets_of(before->source(), 100, 40));
}

TEST(workloads, a_replay_goes_on_from_a_state) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.file = file_with("replayed", "0 0 1 2\n0 0 2 2\n50 1 0 3 after=0 delay=4\n");
  setup.traffic.file_timing = "dependencies";
  setup.traffic.outstanding = 1;
  const auto before = make_workload(setup), after = make_workload(setup);
  packet_table packets;
  std::vector<packet_request> out;
  before->source().packets_at(0, out);
  ASSERT_EQ(out.size(), 1u);
  packets.create(out[0], 0);
  state_archive saved, again;
  before->archive(saved, 5, packets);
  state_archive read(saved.bytes());
  after->archive(read, 5, packets);
  read.end();
  after->archive(again, 5, packets);
  EXPECT_EQ(again.bytes(), saved.bytes());
  EXPECT_NE(again.bytes(), "");
}

struct cycles_of_reception final : packet_sink {
  void packet_received(packet_id id, const packet_record&, cycle_t received) override { by_packet[id] = received; }
  std::map<packet_id, cycle_t> by_packet;
};

/// Each on a network of two nodes, side by side.
TEST(workloads, attach_what_their_packets_need) {
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  std::vector<std::unique_ptr<workload>> made;
  std::vector<std::unique_ptr<network>> networks;
  const auto make = [&](const char* name, workload_setup setup) {
    topology_options options;
    options.message_classes = setup.network.message_classes;
    const topology pair = make_topology("mesh:1x2", options);
    setup.wiring = pair.wiring;
    setup.network.limited_reception = true;
    setup.measurement.warmup_cycles = 0;
    made.push_back(make_workload(setup));
    networks.push_back(std::make_unique<network>(name, pair.wiring, pair.routing, setup.network));
    networks.back()->clk(clock);
    networks.back()->set_source(&made.back()->source());
    made.back()->attach(*networks.back());
    return made.back().get();
  };
  // The second request waits until the reply to the first has been sent.
  workload_setup setup;
  setup.network.message_classes = 2;
  setup.traffic.file = file_with("answered", "0 0 1 2\n0 0 1 2\n100 1 0 2 class=1\n200 1 0 2 class=1\n");
  setup.traffic.reply_queue = 1;
  make("timed", setup);
  cycles_of_reception received;
  networks.back()->add_sink(&received);
  setup.traffic.file = file_with("in_turn", "0 0 1 2\n0 1 0 2 after=0 delay=4\n");
  setup.traffic.file_timing = "dependencies";
  const workload* const replay = make("replay", setup);
  setup.traffic.file.clear();
  setup.traffic.flows = file_with("one_flow", ",1\n0,0.5\n");
  setup.traffic.packet_flits = "2";
  workload* const flows = make("flows", setup);
  setup.traffic.flows.clear();
  setup.traffic.mode = "request_reply";
  setup.traffic.rate_flits_per_node_cycle = .5;
  setup.traffic.reply_flits = "2";
  const workload* const asking = make("asking", setup);
  sc_core::sc_start(400, sc_core::SC_NS);

  ASSERT_EQ(received.by_packet.size(), 4u);
  EXPECT_LT(received.by_packet[0], 50u);
  EXPECT_GT(received.by_packet[1], 100u);
  EXPECT_TRUE(replay->all_created());
  EXPECT_GT(flows->of_flows()->as_tree(400, {""})[0]["packets_arrived"], 50);
  const request_reply_source& answers = *asking->answers();
  EXPECT_GT(answers.requests_answered(), 5u);
  for (const node_id n : {0u, 1u}) EXPECT_LE(answers.replies_held(n), 1u);
  const std::string figures = in_words(asking->figures(400, {}));
  const std::string answered = std::to_string(answers.requests_answered());
  EXPECT_NE(figures.find("replies.arrived " + answered + "\n"), std::string::npos) << figures;
  EXPECT_NE(figures.find("round_trip.answered " + answered + "\n"), std::string::npos) << figures;
  for (const auto& net : networks) EXPECT_EQ(net->failure(), nullptr) << net->name();
}

TEST(workloads, a_name_that_is_none_is_refused) {
  workload_setup setup = setup_on("mesh:2x2");
  setup.traffic.mode = "closed";
  EXPECT_EQ(error_of<std::invalid_argument>([&] { make_workload(setup); }), "there is no workload 'closed'");
}

}  // namespace
}  // namespace toriscope
