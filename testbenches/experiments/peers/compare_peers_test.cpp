// SPDX-License-Identifier: Apache-2.0
// Peers that are not there: their output as they print it, stand-ins that run as they do, and all that goes
// wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "testbenches/experiments/peers/booksim.h"
#include "testbenches/experiments/peers/comparison.h"
#include "testbenches/experiments/peers/noxim.h"
#include "testbenches/experiments/peers/own_simulator.h"
#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using json = nlohmann::json;
using testing::HasSubstr;

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

const char* const booksim_output = R"(Class 0:
Packet latency average = 46.57
	minimum = 21
Accepted flit rate average= 0.0964805
Time taken is 5063 cycles
====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = 46.5878 (1 samples)
	minimum = 22 (1 samples)
	maximum = 87 (1 samples)
Network latency average = 45.7615 (1 samples)
	minimum = 7 (1 samples)
Accepted flit rate average = 0.0964805 (1 samples)
	minimum = 0.064 (1 samples)
Hops average = 5.04407 (1 samples)
Total run time 0.322722
)";

TEST(peers, reads_what_booksim_prints) {
  const outcome o = booksim::parse(booksim_output);
  EXPECT_EQ(o.cycles, 5063);
  EXPECT_EQ(o.accepted, 0.0964805);
  EXPECT_EQ(o.visits_per_flit, 5.04407);
  EXPECT_EQ(o.latency_mean, 46.5878);
  EXPECT_EQ(o.latency_min, 22);
}

TEST(peers, says_what_it_misses_in_an_output) {
  std::string text = booksim_output;
  text.erase(text.find("Hops average"));
  EXPECT_EQ(message_of([&] { booksim::parse(text); }),
            "BookSim2: its output has no line with 'Hops average = '; is it the right program?");
  EXPECT_EQ(message_of([] { booksim::parse("Time taken is long\n"); }),
            "BookSim2: no number behind 'Time taken is ' in its output");
  EXPECT_EQ(message_of([] { noxim::parse("% Total received packets: 3\n", {}); }),
            "Noxim: its output has no line with 'Total received flits: '; is it the right program?");
  EXPECT_THAT(message_of([] { own_simulator::parse("{}", {}); }), HasSubstr("not the JSON expected"));
}

TEST(peers, reads_what_noxim_prints) {
  workload w;
  w.wraps = false;
  w.k = 8;
  w.warmup_cycles = 1000;
  w.measured_cycles = 9000;
  const outcome o = noxim::parse(
      "% Total received packets: 3546\n% Total received flits: 56707\n"
      "% Global average delay (cycles): 39.172\n% Max delay (cycles): 347\n",
      w);
  EXPECT_NEAR(o.accepted, 0.0984497, 1e-7);  // as Noxim's "Average IP throughput" has it
  EXPECT_DOUBLE_EQ(o.visits_per_flit, 19.0 / 3);
  EXPECT_EQ(o.latency_mean, 39.172);
}

TEST(peers, asks_booksim_for_the_work) {
  workload w;
  w.k = 64;
  w.rate_flits_per_node_cycle = 1;
  w.warmup_cycles = 300;
  w.measured_cycles = 1100;
  w.seed = 3;
  const std::string c = booksim::configuration(w);
  for (const char* line :
       {"topology = torus;\n", "routing_function = dim_order;\n", "k = 64;\n", "num_vcs = 4;\n",
        "vc_buf_size = 8;\n", "credit_delay = 0;\n", "packet_size = 16;\n", "use_noc_latency = 0;\n",
        "injection_rate = 1.000000000;\n", "sample_period = 300;\n", "max_samples = 5;\n", "seed = 3;\n",
        "traffic = uniform;\n"})
    EXPECT_THAT(c, HasSubstr(line));
}

TEST(peers, asks_noxim_for_the_work) {
  workload w;
  w.wraps = false;
  w.rate_flits_per_node_cycle = 0.16;
  w.warmup_cycles = 100;
  w.measured_cycles = 400;
  const std::string c = noxim::configuration(w);
  for (const char* line :
       {"mesh_dim_x: 8\n", "n_virtual_channels: 4\n", "buffer_depth: 8\n", "max_packet_size: 16\n",
        "packet_injection_rate: 0.010000000\n", "probability_of_retransmission: 0.010000000\n",
        "simulation_time: 500\n", "stats_warm_up_time: 100\n", "routing_algorithm: XY\n"})
    EXPECT_THAT(c, HasSubstr(line));
}

/// Costs `start` seconds and then `per_hop` for every flit-hop.
class stand_in final : public simulator {
 public:
  stand_in(double start, double per_hop, double share = 1)
      : start_(start), per_hop_(per_hop), share_(share) {}
  std::string name() const override { return "stand-in"; }
  outcome run(const workload& w) override {
    outcome o;
    o.cycles = static_cast<double>(w.warmup_cycles + w.measured_cycles);
    o.accepted = share_ * w.rate_flits_per_node_cycle;
    o.visits_per_flit = 5;
    o.cpu_seconds = start_ + per_hop_ * o.accepted * w.nodes() * o.cycles * o.visits_per_flit;
    return o;
  }

 private:
  double start_, per_hop_, share_;
};

TEST(comparison, start_up_and_run_length_cancel) {
  stand_in peer(3, 2e-6);
  stand_in own(0.1, 1e-7);
  comparison_cell cell;
  cell.rate_flits_per_node_cycle = 0.1;
  cell.period = 20000;
  cell.target = 15;
  unsigned told = 0;
  const cell_result r = compare(peer, own, cell, 3, 1, [&](const std::string&) { ++told; });
  EXPECT_EQ(told, 3u);
  ASSERT_EQ(r.ratios.size(), 3u);
  for (const double ratio : r.ratios) EXPECT_NEAR(ratio, 20, 1e-6);
  EXPECT_NEAR(r.theirs.ns_per_flit_hop[0], 2000, 1e-3);
  EXPECT_TRUE(r.met());
  EXPECT_TRUE(r.loads_agree());
  EXPECT_THAT(table_line(r), HasSubstr("ok"));
  cell.target = 21;
  EXPECT_THAT(table_line(compare(peer, own, cell, 1, 1, [](const std::string&) {})), HasSubstr("MISSED"));
}

TEST(comparison, loads_that_differ_are_told) {
  stand_in peer(3, 2e-6, 0.97);
  stand_in own(0.1, 1e-7);
  comparison_cell cell;
  cell.rate_flits_per_node_cycle = 0.1;
  cell.period = 100000;
  const auto silent = [](const std::string&) {};
  const cell_result r = compare(peer, own, cell, 2, 1, silent);
  EXPECT_NEAR(r.load_difference, 0.03, 1e-9);
  EXPECT_EQ(r.load_tolerance, 0.02);
  EXPECT_FALSE(r.loads_agree());
  EXPECT_THAT(table_line(r), HasSubstr("loads differ by 3.0 %"));
  cell.own_at_peer_load = true;
  EXPECT_TRUE(compare(peer, own, cell, 1, 1, silent).loads_agree());
}

TEST(comparison, a_run_too_short_to_measure_is_an_error) {
  stand_in peer(3, 0);
  stand_in own(0.1, 1e-7);
  comparison_cell cell;
  cell.rate_flits_per_node_cycle = 0.1;
  EXPECT_THAT(message_of([&] { compare(peer, own, cell, 1, 1, [](const std::string&) {}); }),
              HasSubstr("too short to measure"));
}

TEST(comparison, median_of_even_and_odd) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

const char* const compare_program = R"("$(dirname "$T")/compare_peers" )";

/// Reads the configuration file, burns time for every sample and prints as BookSim does.
const char* const fake_booksim = R"fake(#!/bin/bash
get() { sed -n "s/^$1 = \(.*\);/\1/p" "$2"; }
samples=$(get max_samples "$1")
for ((i = 0; i < samples * 20000; ++i)); do :; done
least=22
[[ $(get traffic "$1") == neighbor ]] && least=32
rate=$(get injection_rate "$1")
[[ $rate == 1.* ]] && rate=0.47
echo "Time taken is $((samples * $(get sample_period "$1"))) cycles"
echo "Packet latency average = 40.5 (1 samples)"
echo "	minimum = $least (1 samples)"
echo "Accepted flit rate average = $rate (1 samples)"
echo "Hops average = 5 (1 samples)"
exit 255
)fake";

TEST(compare_peers, a_stand_in_of_booksim_from_end_to_end) {
  const program_directory dir;
  dir.write("booksim", fake_booksim);
  const process_result r = dir.shell("chmod +x booksim && " + std::string(compare_program) +
                                     "--booksim ./booksim --sizes 8 --quick --json r.json");
  EXPECT_THAT(r.status, testing::AnyOf(0, 1)) << r.err;  // slow or fast, it was measured
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out, HasSubstr("32 cycles, expected 32: the same machine"));
  const json all = json::parse(dir.read("r.json"));
  ASSERT_EQ(all["comparison"].size(), 4u);
  EXPECT_EQ(all["zero_load"][0]["agrees"], true);
  for (const json& cell : all["comparison"]) {
    EXPECT_EQ(cell["peer"], "BookSim2");
    EXPECT_EQ(cell["loads_agree"], true) << cell;
    EXPECT_GT(cell["ratio"].get<double>(), 0);
    EXPECT_NEAR(cell["toriscope"]["routers_per_flit"].get<double>(), 5, 0.25) << "8x8, the own node included";
  }
}

TEST(compare_peers, what_is_wrong_is_one_line) {
  const program_directory dir;
  const auto lines_of = [&](const std::string& arguments) {
    const process_result r = dir.shell(compare_program + arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    return r.err;
  };
  dir.write("text", "no program");
  dir.shell(
      "printf '#!/bin/sh\\necho Parse error : Unknown field: k >&2\\nexit 255\\n' > broken; "
      "printf '#!/bin/sh\\nkill -SEGV $$\\n' > crash; printf '#!/bin/sh\\necho hello\\n' > other; "
      "chmod +x broken crash other; echo Energy: > power.yaml");
  EXPECT_EQ(lines_of(""),
            "compare_peers: give --booksim PATH or --noxim PATH, or both; see compare_peers --help\n");
  EXPECT_EQ(lines_of("--booksim nowhere"), "compare_peers: cannot run 'nowhere': there is no such file\n");
  EXPECT_EQ(lines_of("--booksim ./text"), "compare_peers: cannot run './text': it is not a program\n");
  EXPECT_THAT(lines_of("--booksim ./broken"),
              HasSubstr("status 255 and no result; it said: Parse error : Unknown"));
  EXPECT_THAT(lines_of("--booksim ./crash"), HasSubstr("left with status 139"));
  EXPECT_THAT(lines_of("--noxim ./other"), HasSubstr("no line with 'Total received flits: '"));
  EXPECT_THAT(lines_of("--noxim ./crash"), HasSubstr("left with status 139"));
  EXPECT_THAT(lines_of("--sizes 9 --booksim ./other"), HasSubstr("--sizes"));
  dir.shell("rm power.yaml");
  EXPECT_THAT(lines_of("--noxim ./other"), HasSubstr("give --noxim-power FILE"));
}

TEST(compare_peers, helps) {
  const program_directory dir;
  const process_result r = dir.shell(std::string(compare_program) + "--help");
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("A flit-hop is a flit that passes a router"));
  EXPECT_THAT(r.out, HasSubstr("Examples:"));
}

}  // namespace
}  // namespace toriscope
