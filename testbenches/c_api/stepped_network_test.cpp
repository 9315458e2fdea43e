// SPDX-License-Identifier: Apache-2.0
// What a network of the C interface takes at which time: packets, a run, a waveform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "testbenches/c_api/owned_network.h"
#include "testbenches/program/program_process.h"

namespace toriscope::stepped_network_test {
namespace {

using testing::HasSubstr;

TEST(stepped_network, packets_are_numbered_in_the_order_of_their_injection) {
  const owned net = made({{"topology", "mesh:4x4"}});
  std::array<std::uint64_t, 3> numbers{99, 99, 99};
  for (std::uint64_t& number : numbers)
    ASSERT_EQ(toriscope_inject(net.get(), 0, 5, 1, 0, &number), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(numbers, (std::array<std::uint64_t, 3>{0, 1, 2}));
}

TEST(stepped_network, a_run_needs_a_network_without_packets) {
  const owned net = made({{"topology", "mesh:4x4"}, {"cycles", 200}});
  ASSERT_EQ(toriscope_inject(net.get(), 0, 5, 1, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  refuses(toriscope_run(net.get()), "done no cycle");
  EXPECT_EQ(toriscope_cycle(net.get()), 0u);
}

/// Its packets are not the user's.
TEST(stepped_network, after_a_run_there_is_no_other_run_and_no_packet) {
  const owned net = made({{"topology", "mesh:4x4"}, {"cycles", 200}});
  ASSERT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
  EXPECT_GT(statistics_of(net).packets_received, 10u);
  toriscope_packet packet{};
  EXPECT_EQ(toriscope_receive(net.get(), &packet), 0);
  refuses(toriscope_inject(net.get(), 0, 5, 1, 0, nullptr), "has done its run");
  refuses(toriscope_run(net.get()), "done no cycle");
}

/// The results are those of the run, and its packets are not created again.
TEST(stepped_network, after_a_run_there_is_no_step) {
  const owned net = made({{"topology", "mesh:4x4"}, {"rate", 0.2}, {"cycles", 200}}, TORISCOPE_WITH_TRAFFIC);
  ASSERT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
  const auto results_of = [&] { return nlohmann::json::parse(toriscope_results(net.get()))["results"]; };
  const nlohmann::json results = results_of();
  const std::uint64_t cycle = toriscope_cycle(net.get());
  for (const std::uint64_t cycles : {0, 1, 1000})
    refuses(toriscope_step(net.get(), cycles), "has done its run; create another one to step");
  EXPECT_EQ(toriscope_cycle(net.get()), cycle);
  EXPECT_EQ(results_of(), results);
}

TEST(stepped_network, no_cycle_changes_nothing) {
  const owned net = made({{"topology", "mesh:4x4"}, {"cycles", 200}}, TORISCOPE_WITH_TRAFFIC);
  ASSERT_EQ(toriscope_step(net.get(), 0), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
}

struct refused_calls {
  toriscope_network* net;
  std::string file;
  unsigned calls;
};

/// Of a run and a step nothing has begun; of a waveform there is no file.
TEST(stepped_network, what_a_watcher_may_not_do_is_not_begun) {
  const program_directory d;
  const owned net = made({{"topology", "mesh:4x4"}, {"rate", 0.2}, {"cycles", 200}});
  const toriscope_watcher tries = [](void* user, std::uint64_t, const char*, std::uint64_t) {
    auto& refused = *static_cast<refused_calls*>(user);
    refuses(toriscope_run(refused.net), "a watcher may not run the network that it watches");
    refuses(toriscope_step(refused.net, 1), "a watcher may not step the network that it watches");
    refuses(toriscope_wave_on(refused.net, "*", refused.file.c_str()),
            "a watcher may not begin a waveform of the network that it watches");
    ++refused.calls;
  };
  refused_calls refused{net.get(), d.file("chip.vcd"), 0};
  ASSERT_EQ(toriscope_watch(net.get(), "*.ni.queue", tries, &refused), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(refused.calls, 16u);
  EXPECT_EQ(toriscope_results(net.get()), nullptr) << "no run has begun";
  EXPECT_THAT(toriscope_error(), HasSubstr("no run has ended; call toriscope_run() first"));
  ASSERT_EQ(toriscope_run(net.get()), TORISCOPE_OK) << toriscope_error();
  EXPECT_GT(refused.calls, 100u);
  EXPECT_NE(toriscope_results(net.get()), nullptr);
  EXPECT_EQ(d.files(), strings{});
}

/// Replies are made where requests arrive, in cycles that the caller does, too.
TEST(stepped_network, requests_are_answered_as_in_a_run) {
  const nlohmann::json config{{"topology", "mesh:4x4"}, {"traffic_mode", "request_reply"}, {"message_classes", 2},
                              {"vcs", 4},               {"rate", 0.1},                     {"warmup", 0},
                              {"cycles", 2000},         {"drain", 0}};
  const owned stepped = made(config, TORISCOPE_WITH_TRAFFIC), run = made(config);
  ASSERT_EQ(toriscope_step(stepped.get(), 2000), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_run(run.get()), TORISCOPE_OK) << toriscope_error();
  EXPECT_EQ(toriscope_cycle(run.get()), 2000u);
  EXPECT_EQ(statistics_of(stepped).packets_created, statistics_of(run).packets_created);
  EXPECT_EQ(statistics_of(stepped).packets_received, statistics_of(run).packets_received);
  EXPECT_EQ(statistics_of(stepped).packet_hash, statistics_of(run).packet_hash);
  EXPECT_GT(statistics_of(run).packets_received, 100u);
}

/// A packet of one flit takes 4 + 4 + 5 cycles over two links, if it meets no other.
TEST(stepped_network, packets_are_injected_beside_those_of_a_file_in_their_cycles) {
  const program_directory d;
  d.write("packets.txt", "5 0 3 4\n");
  const owned net =
      made({{"topology", "mesh:4x4"}, {"traffic_file", d.file("packets.txt")}}, TORISCOPE_WITH_TRAFFIC);
  ASSERT_EQ(toriscope_inject(net.get(), 4, 6, 1, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 100), TORISCOPE_OK);
  toriscope_packet packet{};
  ASSERT_EQ(toriscope_receive(net.get(), &packet), 1);
  EXPECT_EQ(packet.destination, 6u);
  EXPECT_EQ(packet.ended, 13u);
  EXPECT_EQ(toriscope_receive(net.get(), &packet), 0) << "the file's";
  EXPECT_EQ(statistics_of(net).packets_received, 2u);
}

/// What is sent in cycle t over a link of delay D is shown in t + D, a credit two cycles later still. The interface
/// sends in 0 and 1, the router of node 0 a cycle later each.
TEST(stepped_network, a_link_shows_what_its_other_end_has_sent) {
  const owned net = made({{"topology", "mesh:1x2"},
                          {"pipeline", "single_cycle"},
                          {"vcs", 1},
                          {"link_delay", "3"},
                          {"credit_delay", 2}});
  ASSERT_EQ(toriscope_inject(net.get(), 0, 1, 2, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  using cycles = std::vector<std::uint64_t>;
  cycles flit_sent, flit_shown, credit_sent, credit_shown;
  for (std::uint64_t t = 0; t < 20; ++t) {
    std::uint64_t flit = 0;
    std::uint32_t credits = 0;
    const auto note = [&](cycles& flits_in, cycles& credits_in) {
      if (flit != 0) flits_in.push_back(t);
      if (credits != 0) credits_in.push_back(t);
    };
    cycles none;
    ASSERT_EQ(toriscope_shown(net.get(), 0, 0, &flit, &credits), TORISCOPE_OK);
    note(none, credit_shown);
    ASSERT_EQ(toriscope_shown(net.get(), 1, 0, &flit, &credits), TORISCOPE_OK);
    note(flit_shown, none);
    ASSERT_EQ(toriscope_step(net.get(), 1), TORISCOPE_OK);
    ASSERT_EQ(toriscope_sent(net.get(), 0, 0, &flit, &credits), TORISCOPE_OK);
    note(flit_sent, none);
    ASSERT_EQ(toriscope_sent(net.get(), 1, 0, &flit, &credits), TORISCOPE_OK);
    note(none, credit_sent);
    EXPECT_EQ(none, cycles{}) << "nothing goes the other way";
  }
  EXPECT_EQ(flit_sent, (cycles{1, 2}));
  EXPECT_EQ(flit_shown, (cycles{4, 5}));
  EXPECT_EQ(credit_sent, (cycles{4, 5})) << "the flit leaves at once";
  EXPECT_EQ(credit_shown, (cycles{9, 10}));
}

/// Four packets of 20 flits in a ring of four nodes, each to the node behind its own, the long way: in buffers of 2
/// flits each holds the VC that the next one needs. No packet is created, and nothing moves, in the cycles behind.
TEST(stepped_network, a_deadlock_of_injected_packets_is_found) {
  const program_directory d;
  d.write("ring.json", R"({"nodes": 4, "links": [{"from": 0, "to": 1, "from_port": "n"},
    {"from": 1, "to": 2, "from_port": "n"}, {"from": 2, "to": 3, "from_port": "n"},
    {"from": 3, "to": 0, "from_port": "n"}],
    "routes": {"0": {"*": "n"}, "1": {"*": "n"}, "2": {"*": "n"}, "3": {"*": "n"}}})");
  for (const char* fidelity : {"cycle", "transaction"}) {
    const owned net = made({{"topology", "file:" + d.file("ring.json")},
                            {"vc_rule", "given"},
                            {"vcs", 1},
                            {"depth", 2},
                            {"watchdog", 200},
                            {"fidelity", fidelity}},
                           TORISCOPE_ALLOW_DEADLOCK);
    for (std::uint32_t n = 0; n < 4; ++n)
      ASSERT_EQ(toriscope_inject(net.get(), n, (n + 3) % 4, 20, 0, nullptr), TORISCOPE_OK) << toriscope_error();
    EXPECT_EQ(toriscope_step(net.get(), 5000), TORISCOPE_FAILED) << fidelity;
    EXPECT_THAT(toriscope_error(), testing::StartsWith("deadlock since cycle ")) << fidelity;
  }
}

TEST(stepped_network, a_packet_is_created_in_the_cycle_that_is_next_when_it_is_injected) {
  for (const char* fidelity : {"cycle", "transaction"}) {
    const owned net = made({{"topology", "mesh:4x4"}, {"fidelity", fidelity}});
    for (const std::uint64_t cycle : {0u, 100u, 250u}) {
      ASSERT_EQ(toriscope_step(net.get(), cycle - toriscope_cycle(net.get())), TORISCOPE_OK)
          << toriscope_error();
      ASSERT_EQ(toriscope_inject(net.get(), 0, 5, 3, 0, nullptr), TORISCOPE_OK) << toriscope_error();
    }
    ASSERT_EQ(toriscope_step(net.get(), 100), TORISCOPE_OK);
    for (const std::uint64_t cycle : {0u, 100u, 250u}) {
      toriscope_packet packet{};
      ASSERT_EQ(toriscope_receive(net.get(), &packet), 1) << fidelity;
      EXPECT_EQ(packet.created, cycle) << fidelity;
    }
  }
}

/// A slot of a reply queue is given back by the reply of the trace.
TEST(stepped_network, packets_are_not_injected_beside_a_trace_with_reply_queues) {
  const program_directory d;
  d.write("t.txt", "0 0 1 1 class=0\n5 1 0 1 class=1\n");
  const auto inject_beside = [&](std::uint32_t reply_queue) {
    const owned net = made({{"topology", "mesh:4x4"},
                            {"message_classes", 2},
                            {"traffic_file", d.file("t.txt")},
                            {"reply_queue", reply_queue}},
                           TORISCOPE_WITH_TRAFFIC);
    return toriscope_inject(net.get(), 0, 1, 1, 0, nullptr);
  };
  EXPECT_EQ(inject_beside(0), TORISCOPE_OK) << toriscope_error();
  EXPECT_NE(inject_beside(2), TORISCOPE_OK);
  EXPECT_THAT(toriscope_error(), HasSubstr("dependencies or reply queues counts its own packets only"));
}

TEST(stepped_network, a_waveform_ends_with_its_network) {
  const program_directory d;
  owned net = made({{"topology", "mesh:2x2"}});
  ASSERT_EQ(toriscope_wave_on(net.get(), "*", d.file("chip.vcd").c_str()), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 10), TORISCOPE_OK);
  net.reset();
  EXPECT_THAT(d.read("chip.vcd"), HasSubstr("\n#9000\n")) << "edge 9 is at 9 ns";
}

TEST(stepped_network, a_packet_keeps_its_message_class) {
  const owned net = made({{"topology", "mesh:4x4"}, {"message_classes", 2}, {"vcs", 2}});
  ASSERT_EQ(toriscope_inject(net.get(), 0, 5, 1, 1, nullptr), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 100), TORISCOPE_OK);
  toriscope_packet packet{};
  ASSERT_EQ(toriscope_receive(net.get(), &packet), 1);
  EXPECT_EQ(packet.message_class, 1u);
}

TEST(stepped_network, a_waveform_that_ends_before_its_window_is_an_error_once) {
  const program_directory d;
  const owned net = made({{"topology", "mesh:4x4"}});
  ASSERT_EQ(toriscope_wave_on(net.get(), "*@100:200", d.file("late.vcd").c_str()), TORISCOPE_OK)
      << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 10), TORISCOPE_OK);
  refuses(toriscope_wave_off(net.get()), "window of the waveform has not begun");
  EXPECT_EQ(d.files(), strings{});
  EXPECT_EQ(toriscope_wave_off(net.get()), TORISCOPE_OK) << toriscope_error();
}

/// A window that is past is an error; of one that is partly past the rest is shown, as the legend of the file says.
TEST(stepped_network, a_waveform_begins_at_the_present_cycle_or_later) {
  const program_directory d;
  const owned net = made({{"topology", "mesh:2x2"}});
  const std::string file = d.file("chip.vcd");
  ASSERT_EQ(toriscope_step(net.get(), 100), TORISCOPE_OK);
  refuses(toriscope_wave_on(net.get(), "*@10:99", file.c_str()),
          "'*@10:99': the window ends before the present cycle, 100; expected one that ends at 100 or later");
  for (const char* window : {"*@10:110", "*@100:110"}) {
    const std::uint64_t begun = toriscope_cycle(net.get());
    ASSERT_EQ(toriscope_wave_on(net.get(), window, file.c_str()), TORISCOPE_OK) << toriscope_error();
    ASSERT_EQ(toriscope_step(net.get(), 5), TORISCOPE_OK);
    ASSERT_EQ(toriscope_wave_off(net.get()), TORISCOPE_OK) << toriscope_error();
    EXPECT_THAT(d.read("chip.vcd"), HasSubstr("what the cycles " + std::to_string(begun) + " .. 110 find"));
  }
  const std::string until_now = "*@10:" + std::to_string(toriscope_cycle(net.get()));
  EXPECT_EQ(toriscope_wave_on(net.get(), until_now.c_str(), file.c_str()), TORISCOPE_OK) << toriscope_error();
}

/// A second waveform, of the same cycles as the only one of another network.
TEST(stepped_network, waveforms_follow_each_other) {
  const program_directory d;
  const owned net = made({{"topology", "mesh:2x2"}}), other = made({{"topology", "mesh:2x2"}});
  const auto wave_of_packet = [&](const owned& of, const char* file) {
    ASSERT_EQ(toriscope_wave_on(of.get(), "mesh.node_0_0", d.file(file).c_str()), TORISCOPE_OK)
        << toriscope_error();
    ASSERT_EQ(toriscope_inject(of.get(), 0, 3, 2, 0, nullptr), TORISCOPE_OK) << toriscope_error();
    ASSERT_EQ(toriscope_step(of.get(), 20), TORISCOPE_OK);
    ASSERT_EQ(toriscope_wave_off(of.get()), TORISCOPE_OK) << toriscope_error();
  };
  wave_of_packet(net, "first.vcd");
  wave_of_packet(net, "second.vcd");
  ASSERT_EQ(toriscope_inject(other.get(), 0, 3, 2, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_step(other.get(), 20), TORISCOPE_OK);
  wave_of_packet(other, "only.vcd");
  EXPECT_EQ(d.read("second.vcd"), d.read("only.vcd"));
  EXPECT_THAT(d.read("first.vcd"), HasSubstr("#10000\n"));
  EXPECT_THAT(d.read("second.vcd"), HasSubstr("#30000\n"));
}

struct ending_watch {
  toriscope_network* net;
  std::uint64_t from;  ///< the cycle from which it ends all watches
  unsigned calls;
};

/// Of the signals queue, sending and sending_vc, which all change when a packet is created, the first is told.
TEST(stepped_network, a_watcher_may_end_all_watches) {
  const toriscope_watcher ends = [](void* user, std::uint64_t cycle, const char*, std::uint64_t) {
    auto& watch = *static_cast<ending_watch*>(user);
    ++watch.calls;
    if (cycle >= watch.from) toriscope_unwatch(watch.net);
  };
  for (const std::uint64_t from : {0, 1}) {
    const owned net = made({{"topology", "mesh:2x2"}});
    ending_watch watch{net.get(), from, 0};
    ASSERT_EQ(toriscope_watch(net.get(), "mesh.node_0_0.ni.*", ends, &watch), TORISCOPE_OK)
        << toriscope_error();
    EXPECT_EQ(watch.calls, from == 0 ? 1u : 3u);
    ASSERT_EQ(toriscope_inject(net.get(), 0, 3, 2, 0, nullptr), TORISCOPE_OK) << toriscope_error();
    ASSERT_EQ(toriscope_step(net.get(), 20), TORISCOPE_OK);
    EXPECT_EQ(watch.calls, from == 0 ? 1u : 4u);
  }
}

/// The first call of the first watch ends it and begins another one; the three signals of that are told once.
TEST(stepped_network, a_watch_that_is_ended_in_its_first_call_calls_no_more) {
  const owned net = made({{"topology", "mesh:2x2"}});
  struct watches {
    toriscope_network* net;
    unsigned outer = 0, inner = 0;
  } calls{net.get()};
  const toriscope_watcher begins_another = [](void* user, std::uint64_t, const char*, std::uint64_t) {
    auto& all = *static_cast<watches*>(user);
    ++all.outer;
    toriscope_unwatch(all.net);
    const toriscope_watcher counts = [](void* of, std::uint64_t, const char*, std::uint64_t) {
      ++static_cast<watches*>(of)->inner;
    };
    EXPECT_EQ(toriscope_watch(all.net, "mesh.node_0_0.ni.*", counts, user), TORISCOPE_OK) << toriscope_error();
  };
  ASSERT_EQ(toriscope_watch(net.get(), "mesh.node_1_1.ni.*", begins_another, &calls), TORISCOPE_OK);
  EXPECT_EQ(calls.outer, 1u);
  EXPECT_EQ(calls.inner, 3u);
}

}  // namespace
}  // namespace toriscope::stepped_network_test
