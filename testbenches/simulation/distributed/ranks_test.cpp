// SPDX-License-Identifier: Apache-2.0
// One network simulated by 1 to 4 processes: the same bytes; what is rejected; what happens when one dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/state_archive.h"
#include "base/test_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"
#include "testbenches/simulation/distributed/mpirun.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// What cosim_test has built is not built again.
class shared_rtl_builds final : public testing::Environment {
  void SetUp() override {
    setenv("TORISCOPE_RTL_CACHE", TORISCOPE_TEST_RTL_CACHE, 1);
    setenv("TORISCOPE_RTL_CXXFLAGS", TORISCOPE_TEST_RTL_CXXFLAGS, 1);
  }
};
const testing::Environment* const rtl_builds = testing::AddGlobalTestEnvironment(new shared_rtl_builds);

struct shared_run {
  std::string name;
  std::string arguments;
  std::vector<unsigned> ranks;
};
std::ostream& operator<<(std::ostream& out, const shared_run& r) { return out << r.name; }

/// The results without what differs from run to run.
json results(const program_directory& dir, const std::string& file) {
  json all = json::parse(dir.read(file));
  all.erase("performance");
  for (auto unit = all["units"].begin(); unit != all["units"].end();)
    unit = begins_with(unit.key(), "performance.") ? all["units"].erase(unit) : std::next(unit);
  return all;
}

void expect_same_results(const std::string& arguments, const std::vector<unsigned>& numbers_of_ranks,
                         const std::string& network_file = "", const std::string& trace = "") {
  const program_directory dir;
  dir.write("network.json", network_file);
  dir.write("trace", trace);
  const std::string run = "$T run --quiet " + arguments;
  const process_result alone = dir.shell(run + " --json 1.json --link-csv 1.csv");
  ASSERT_EQ(alone.status, 0) << alone.err;
  const json expected = results(dir, "1.json");
  ASSERT_GT(expected["results"]["packets_arrived"].get<int>(), 10);
  for (const unsigned ranks : numbers_of_ranks) {
    const process_result together = dir.shell(mpirun(ranks) + run + " --json n.json --link-csv n.csv");
    ASSERT_EQ(together.status, 0) << together.err;
    EXPECT_EQ(together.out, "");
    EXPECT_EQ(results(dir, "n.json").dump(1), expected.dump(1)) << ranks << " ranks";
    EXPECT_EQ(dir.read("n.csv"), dir.read("1.csv")) << ranks << " ranks";
    const json performance = json::parse(dir.read("n.json"))["performance"];
    EXPECT_EQ(performance["ranks"], ranks);
    EXPECT_GE(performance["working_cpu_s"], 0);
    EXPECT_LE(performance["working_cpu_s"], performance["simulate_cpu_s"]);
    EXPECT_LT(performance["simulate_cpu_s"], 1000) << "seconds";
  }
}

class ranks_test : public testing::TestWithParam<shared_run> {};

TEST_P(ranks_test, same_results_to_the_last_byte) {
  expect_same_results(in_window(GetParam().arguments, " --warmup 100 --cycles 300"), GetParam().ranks);
}

const shared_run short_runs[] = {
    {"ttn", "--topology ttn:2,2,0 --rate 0.01 --link-delay 1,4 --wire-hash", {2, 3, 4}},
    {"torus", "--topology torus:8x8 --rate 0.2 --pipeline four_stage --depth 8 --wire-hash", {3}},
    {"adaptive", "--topology mesh:8x8 --routing adaptive --rate 0.1 --traffic transpose", {4}},
    {"htn", "--topology htn:4,4,2,1 --rate 0.01 --link-delay 1,4 --pipeline paper2009", {2}},
    {"batch", "--topology torus:4x4 --traffic-mode batch --batch 20 --link-delay 4 --wire-hash", {3}},
    {"narrow", "--topology torus:8x8 --rate 0.2 --link-width 32 --link-delay 3 --wire-hash", {2}},
    {"terminals", "--topology cmesh:4x4,3 --rate 0.1 --link-delay 2 --wire-hash", {2, 3}},
    {"switches", "--topology fattree:4,2 --routing random --rate 0.3 --link-delay 3 --wire-hash", {2}},
    {"saturated", "--topology mesh:6x6 --rate 0.8 --drain 100 --arbiter age", {2}},
    {"dead_links",
     "--topology torus:8x8 --rate 0.3 --packet 32 --link-delay 5 --check full --wire-hash --fail-link 9.y- "
     "--fail-link 5.x+@150 --fail-link 35.y-@200 --fail-link 31.y+@220",
     {2, 3}},
    {"dead_links_in_the_drain",
     "--topology torus:8x8 --routing adaptive --rate 0.9 --link-delay 2 --drain 100 --arbiter age "
     "--fail-link 17.x+@150 --fail-link 9.y+@210 --fail-link 28.y+@390",
     {4}},
    {"batch_over_dead_links",
     "--topology mesh:4x4 --traffic-mode batch --batch 2 --traffic complement --packet 64 --link-delay 3 --fail-link "
     "1.x+@3 --fail-link 2.x+@3 --fail-link 5.x+@3 --fail-link 6.x-@5 --fail-link 9.x-@5",
     {3}},
};
INSTANTIATE_TEST_SUITE_P(short, ranks_test, testing::ValuesIn(short_runs), [](const auto& i) { return i.param.name; });

/// Two triangles, a rank each, and three links between them. Packets from 0 go 3 4 1 2 5: worms of 64 flits in buffers
/// of 2 are in each rank twice at the same time.
const char* const triangles = R"({"nodes": 6, "links": [
  {"from": 0, "to": 1, "from_port": "p1", "to_port": "p0"}, {"from": 0, "to": 2, "from_port": "p2", "to_port": "p0"},
  {"from": 1, "to": 2, "from_port": "p2", "to_port": "p1"}, {"from": 3, "to": 4, "from_port": "p4", "to_port": "p3"},
  {"from": 3, "to": 5, "from_port": "p5", "to_port": "p3"}, {"from": 4, "to": 5, "from_port": "p5", "to_port": "p4"},
  {"from": 0, "to": 3, "from_port": "p3", "to_port": "p0"}, {"from": 1, "to": 4, "from_port": "p4", "to_port": "p1"},
  {"from": 2, "to": 5, "from_port": "p5", "to_port": "p2"}],
 "routes": {"0": {"1": "p1", "2": "p2", "3": "p3", "4": "p1", "5": "p3"},
            "1": {"0": "p0", "2": "p2", "3": "p0", "4": "p4", "5": "p2"},
            "2": {"0": "p0", "1": "p1", "3": "p0", "4": "p1", "5": "p5"},
            "3": {"0": "p0", "1": "p4", "2": "p5", "4": "p4", "5": "p4"},
            "4": {"0": "p3", "1": "p1", "2": "p5", "3": "p3", "5": "p1"},
            "5": {"0": "p3", "1": "p4", "2": "p2", "3": "p3", "4": "p4"}}})";
const std::string worms = "--topology file:network.json --packet 64 --depth 2 --rate 0.1 --link-delay 3 --wire-hash";

/// A line of nodes, which METIS cuts in its middle (worms that come back to a rank: two_ranks_test.cpp).
const char* const in_turn = R"({"nodes": 12, "links": [{"from": 0, "to": 6}, {"from": 6, "to": 7},
  {"from": 7, "to": 1}, {"from": 1, "to": 2}, {"from": 2, "to": 8}, {"from": 8, "to": 9},
  {"from": 9, "to": 3}, {"from": 3, "to": 4}, {"from": 4, "to": 10}, {"from": 10, "to": 11}, {"from": 11, "to": 5}]})";

TEST(ranks, a_packet_enters_a_rank_again_before_it_has_left) {
  for (const char* const n : {triangles, in_turn}) expect_same_results(worms + " --warmup 100 --cycles 5000", {2}, n);
}

TEST(ranks, a_packet_that_is_in_two_ranks_twice_is_discarded) {
  std::string trace;
  for (int i = 0; i < 24; ++i) trace += std::to_string(200 * i) + " 0 5 64\n";
  expect_same_results("--topology file:network.json --traffic-file trace --depth 2 --link-delay 3 --wire-hash "
                      "--fail-link 2.p5@3012 --warmup 100 --cycles 5000", {2}, triangles, trace);
}

/// RTL on one rank or on all, around links that are cut. Seed 24: its contents change in the last cycle, and behind it.
const shared_run rtl_runs[] = {
    {"everywhere", "--topology torus:4x4 --rate 0.3 --rtl '*' --wire-hash", {2, 4}},
    {"of_one_rank", "--topology mesh:4x4 --rate 0.3 --rtl 0,1,6 --link-delay 3 --wire-hash --check full", {3}},
    {"overloaded", "--topology torus:4x4 --rate 0.8 --rtl 5,6,9,10 --link-delay 5 --drain 37 --wire-hash", {3}},
    {"batch", "--topology torus:4x4 --traffic-mode batch --batch 5 --rtl '*' --link-delay 2 --wire-hash", {2}},
    {"of_a_user",
     "--topology mesh:4x4 --routing xy --vcs 1 --rate 0.2 --seed 24 --rtl 5,6,9 --link-delay 2 --wire-hash "
     "--rtl-router " TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole.json",
     {3}},
};
INSTANTIATE_TEST_SUITE_P(verilated, ranks_test, testing::ValuesIn(rtl_runs),
                         [](const auto& i) { return i.param.name; });

void expect_same_failure(const std::string& run, unsigned ranks, const std::string& said) {
  const program_directory dir;
  const process_result alone = dir.shell("$T run --quiet --json 1.json " + run);
  ASSERT_EQ(alone.status, 1) << alone.err;
  ASSERT_THAT(alone.err, testing::HasSubstr(said));
  const process_result together = dir.shell(mpirun(ranks) + "--quiet $T run --quiet --json n.json " + run);
  EXPECT_EQ(together.status, 1);
  EXPECT_EQ(together.err, alone.err);
  EXPECT_EQ(results(dir, "n.json").dump(1), results(dir, "1.json").dump(1));
}

TEST(ranks, failures_of_rtl_are_told_in_the_same_words_verilated) {
  expect_same_failure("--topology ttn:2,2,0 --vc-rule paper --allow-deadlock --rate 0.8 --rtl '*.bm_0_0.*,*.bm_2_2.*' "
                      "--link-delay 1,3 --watchdog 200 --failure-wave none --warmup 100 --cycles 2000",
                      3, "nothing moves: up to cycle ");
  expect_same_failure("--topology mesh:4x4 --vcs 1 --rate 0.3 --rtl 5,6 --link-delay 2 --failure-wave none "
                      "--rtl-router " TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole.json",
                      2, "but the network's routing sends it by ");
}

TEST(ranks, other_rtl_on_a_rank_is_refused_verilated) {
  const program_directory dir;
  const std::string run = "$T run --quiet --topology mesh:4x4 --cycles 100 --rtl ";
  const process_result r = dir.shell(mpirun(1) + run + "5 : -n 1 " + run + "6");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::HasSubstr("rank 1 has another configuration than rank 0"));
}

class long_ranks_test : public testing::TestWithParam<std::string> {};

TEST_P(long_ranks_test, every_kind_on_2_3_and_4_ranks) {
  expect_same_results(in_window(GetParam(), " --wire-hash --warmup 500 --cycles 3000"), {2, 3, 4});
}

const char* const flows = R"({"flows": [{"from": "*", "to": [3, 9], "rate": 0.1, "packet": 4, "latency_bound": 30},
                                    {"from": 3, "to": "*", "rate": 0.4, "packet": "2:1,8:1"}]})";

TEST(ranks_test, flows_have_the_same_figures) {
  expect_same_results("--topology torus:4x4 --flows network.json --wire-hash --warmup 100 --cycles 2000", {3}, flows);
}

const std::string long_runs[] = {
    "--topology ttn:2,2,0 --rate 0.01",
    "--topology ttn:2,2,1 --rate 0.01 --link-delay 2,7",
    "--topology ttn:2,3,0 --rate 0.005 --link-delay 1,1,4",
    "--topology ttn:2,2,0 --rate 0.01 --link-delay 1,2 --traffic transpose --vcs 4",
    "--topology tesh:2,2,0 --rate 0.01 --link-delay 1,4",
    "--topology sttn:2,2,0 --rate 0.01 --link-delay 1,4",
    "--topology htn:4,4,2,1 --rate 0.01 --routing ls+cs --gates nearest",
    "--topology htn:4,4,2,1 --rate 0.01 --link-delay 1,4 --pipeline paper2009",
    "--topology mh3dt:4,4,2,1 --rate 0.01 --link-delay 1,4",
    "--topology rdt:alpha,16 --rate 0.02",
    "--topology torus:8x8 --rate 0.2 --link-delay 4 --credit-delay 2 --depth 8",
    "--topology torus:8x8 --rate 0.2 --pipeline four_stage --arbiter matrix",
    "--topology torus:8x8 --rate 0.2 --stages rc=1,va=1,sa=1,st=3 --speculative --link-delay 2",
    "--topology torus:4x4x4 --rate 0.3 --arrivals on_off --packet 4:0.5,16:0.5",
    "--topology mesh:8x8 --routing adaptive --rate 0.2 --traffic transpose --link-delay 3",
    "--topology torus:8x8 --routing adaptive --rate 0.2 --traffic tornado",
    "--topology torus:8x8 --rate 0.2 --link-width 32 --link-delay 3",
    "--topology mesh:9x5 --rate 0.2 --arrivals constant --self --traffic hotspot",
    "--topology hypercube:6 --rate 0.2",
    "--topology ccc:4 --rate 0.05",
    "--topology file:" TORISCOPE_ROOT "/docs/custom_network.json --rate 0.05",
    "--topology torus:8x8 --traffic-mode batch --batch 50 --link-delay 5",
    "--topology mesh:8x8 --rate 0.9 --drain 777 --arbiter age",
    "--topology dragonfly:4,2,2 --routing ugal --rate 0.3 --wire-hash",
    "--topology flatfly:3,2,3 --routing valiant --rate 0.2 --link-delay 2 --wire-hash",
    "--topology fattree:2,4 --routing adaptive --rate 0.4 --limited-reception --wire-hash",
    "--topology ttn:2,2,0 --rate 0.03 --link-delay 1,4 --packet 32 --fail-link 17.x+@400 --fail-link 9.y+@1400",
};
INSTANTIATE_TEST_SUITE_P(long, long_ranks_test, testing::ValuesIn(long_runs));

TEST(ranks, a_deadlock_across_the_border_is_found_in_the_same_cycle_and_told_in_the_same_words) {
  expect_same_failure("--vc-rule paper --allow-deadlock --rate 0.8 --link-delay 1,3 --watchdog 200 --warmup 100 "
                      "--failure-wave none --cycles 2000", 3, "channels wait for each other in a cycle");
}

/// A ring of four that freezes, and a line of four where nothing waits, which is the other rank's.
TEST(ranks, a_deadlock_of_which_one_rank_sees_nothing_is_found_by_all) {
  const std::string network = test_file("ring.json"), traffic = test_file("ring.txt");
  std::ofstream(network) << R"({"name": "ring", "nodes": ["r0", "r1", "r2", "r3", "l0", "l1", "l2", "l3"], "links": [
    {"from": "r0", "to": "r1", "from_port": "n"}, {"from": "r1", "to": "r2", "from_port": "n"},
    {"from": "r2", "to": "r3", "from_port": "n"}, {"from": "r3", "to": "r0", "from_port": "n"},
    {"from": "r0", "to": "l0", "from_port": "x"}, {"from": "l0", "to": "l1", "from_port": "n"},
    {"from": "l1", "to": "l2", "from_port": "n"}, {"from": "l2", "to": "l3", "from_port": "n"}],
    "routes": {"r0": {"r1": "n", "r2": "n", "r3": "n", "*": "x"}, "r1": {"*": "n"}, "r2": {"*": "n"}, "r3": {"*": "n"},
    "l0": {"l1": "n", "l2": "n", "l3": "n", "*": "p0"}, "l1": {"l2": "n", "l3": "n", "*": "p0"},
    "l2": {"l3": "n", "*": "p0"}, "l3": {"*": "p0"}}})";
  std::ofstream(traffic) << "0 r0 r3 20\n0 r1 r0 20\n0 r2 r1 20\n0 r3 r2 20\n";
  expect_same_failure("--topology file:" + network + " --traffic-file " + traffic +
                          " --vc-rule given --allow-deadlock --vcs 1 --depth 2 --watchdog 200 --failure-wave none",
                      2, "4 channels wait for each other in a cycle");
}

// --- states (docs/checkpoints.md) ---

struct saved_run {
  std::string name;
  std::string arguments;
  std::string network_file;
  std::vector<std::string> cycles;  ///< after which it is saved; "end": its last one
};
std::ostream& operator<<(std::ostream& out, const saved_run& r) { return out << r.name; }

class ranks_state : public testing::TestWithParam<saved_run> {};

/// 2 or 3 ranks save in turn, go on from what the others saved, and save again.
void expect_same_states(const saved_run& saved) {
  const program_directory dir;
  dir.write("network.json", saved.network_file);
  const std::string run = "$T run --quiet --json r.json " + saved.arguments;
  const auto expect_ends = [&](const std::string& command) {
    const process_result r = dir.shell(command);
    ASSERT_EQ(r.status, 0) << command << "\n" << r.err;
  };
  expect_ends(run);
  const std::string whole = results(dir, "r.json").dump(1);
  const std::string end = results(dir, "r.json")["results"]["cycles"].dump();
  ASSERT_GT(results(dir, "r.json")["results"]["packets_arrived"].get<int>(), 10);
  unsigned ranks = 2;
  std::string from;
  for (const std::string& named : saved.cycles) {
    const std::string cycle = named == "end" ? end : named, save = " --save-state " + cycle + ":";
    expect_ends(run + save + "one");
    const std::string one = dir.read("one");
    expect_ends(mpirun(ranks) + run + from + save + "state");
    EXPECT_TRUE(dir.read("state") == one) << ranks << " ranks saved after cycle " << cycle << from;
    EXPECT_EQ(results(dir, "r.json").dump(1), whole) << ranks << " ranks saved after cycle " << cycle << from;
    from = " --from-state state";
    ranks = 5 - ranks;
    for (const std::string& after : {mpirun(ranks), std::string()}) {
      expect_ends(after + run + from);
      EXPECT_EQ(results(dir, "r.json").dump(1), whole) << after << " went on from cycle " << cycle;
    }
  }
}

TEST_P(ranks_state, is_that_of_one_process_and_goes_on_with_any_number_of_ranks) { expect_same_states(GetParam()); }

TEST_P(long_ranks_test, states_of_every_kind) {
  expect_same_states({"", in_window(GetParam(), " --wire-hash --warmup 500 --cycles 3000"), "", {"301", "end"}});
}

/// Packets go from leaf to leaf by a near spine and a far one in turn: the zero-load latency tells which.
const char* const spines = R"({"nodes": 6, "links": [
  {"from": 0, "to": 4, "delay": 2}, {"from": 1, "to": 4, "delay": 2}, {"from": 2, "to": 4, "delay": 2},
  {"from": 3, "to": 4, "delay": 2}, {"from": 0, "to": 5, "delay": 7}, {"from": 1, "to": 5, "delay": 7},
  {"from": 2, "to": 5, "delay": 7}, {"from": 3, "to": 5, "delay": 7}]})";

// In the warm-up, the window and the drain; of links of 3 cycles and more in the midst of the ranks' windows.
const saved_run saved_runs[] = {
    {"fast", "--topology torus:8x8 --rate 0.2 --warmup 100 --cycles 200 --wire-hash", "", {"37", "150", "end"}},
    {"slow", "--topology torus:4x4 --rate 0.3 --warmup 100 --cycles 200 --link-delay 5 --wire-hash --check full", "",
     {"37", "100", "256", "303"}},
    {"hierarchy", "--topology ttn:2,2,0 --rate 0.01 --warmup 100 --cycles 200 --link-delay 1,4", "", {"99", "322"}},
    {"worms", worms + " --warmup 100 --cycles 3000", triangles, {"1001", "2222"}},
    {"flows", "--topology torus:4x4 --flows network.json --warmup 100 --cycles 200 --link-delay 2", flows,
     {"151", "302"}},
    {"in_turn", "--topology file:network.json --routing in_turn --rate 0.3 --warmup 100 --cycles 200", spines,
     {"157", "280"}},
    {"batch", "--topology torus:4x4 --traffic-mode batch --batch 20 --link-delay 4 --wire-hash", "",
     {"1", "302", "end"}},
    {"dead_links",
     "--topology torus:8x8 --rate 0.4 --packet 32 --warmup 100 --cycles 200 --link-delay 3 --check full --fail-link "
     "9.y-@90 --fail-link 31.y+@140 --fail-link 22.x-@250",
     "", {"95", "150", "257", "end"}},
    {"not_drained", "--topology mesh:6x6 --rate 0.8 --warmup 100 --cycles 200 --drain 100 --arbiter age", "", {"350"}},
};
INSTANTIATE_TEST_SUITE_P(short, ranks_state, testing::ValuesIn(saved_runs),
                         [](const auto& i) { return i.param.name; });

TEST(ranks, a_deadlock_is_found_in_the_same_words_after_a_state) {
  const program_directory dir;
  const std::string run =
      "$T run --quiet --vc-rule paper --allow-deadlock --rate 0.8 --link-delay 1,3 --watchdog 200 --warmup 100 "
      "--failure-wave none --cycles 2000 ";
  const process_result alone = dir.shell(run + "--save-state every:100:state");
  ASSERT_THAT(alone.err, testing::HasSubstr("channels wait for each other in a cycle"));
  const process_result together = dir.shell(mpirun(3) + "--quiet " + run + "--from-state state");
  EXPECT_EQ(together.status, 1);
  EXPECT_EQ(together.err, alone.err);
}

void expect_refused(const std::string& arguments, const std::string& said, unsigned ranks = 2) {
  const program_directory dir;
  const process_result r = dir.shell(mpirun(ranks) + "--quiet $T " + arguments);
  EXPECT_EQ(r.status, 2) << arguments;
  EXPECT_THAT(r.err, testing::HasSubstr(said));
  EXPECT_THAT(r.err, testing::Not(testing::HasSubstr("rank 0"))) << "all ranks say it";
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(r.out, "");
}

TEST(ranks, what_needs_the_whole_network_is_refused_in_one_line) {
  const std::string packets = test_file("packets.txt");
  std::ofstream(packets) << "0 0 5 1\n";
  for (const auto& [option, value] : std::map<std::string, std::string>{
           {"--failure-wave", "f.vcd"}, {"--observe", ""}, {"--stalls", "s.csv"},
           {"--events", "e.csv"}, {"--observe-links", ""}, {"--packet-stats", "p.csv"},
           {"--transactions", "t.ftr"}, {"--time-series", "t.csv"}, {"--precision", "1%"},
           {"--traffic-mode request_reply", ""}, {"--fidelity transaction", ""}, {"--threads", "2"},
           {"--file-timing dependencies", "--traffic-file " + packets}})
    expect_refused("run " + option + " " + value, option + " is not supported under MPI; run without mpirun");
  expect_refused("run --rtl 1 --wave '*'", "--wave with --rtl is not supported under MPI; run without mpirun");
  expect_refused("run --rat 0.1", "unknown option '--rat'");
  expect_refused("list", "without it");
  expect_refused(
      "run --topology butterfly:2,3",
      "terminal 0.00.t0 sends and receives at different nodes: such a network cannot be cut into parts");
  expect_refused("run --topology mesh:2x1", "a network of 2 nodes cannot be cut into 3 parts", 3);
}

TEST(ranks, a_state_that_cannot_be_used_or_written_ends_all_in_one_line) {
  const program_directory dir;
  const std::string run = "$T run --quiet --topology torus:4x4 --rate 0.3 --cycles 200 --warmup 100 --link-delay 3 ";
  ASSERT_EQ(dir.shell(run + "--save-state 150:state").status, 0);
  const std::string state = dir.read("state");
  dir.write("cut", state.substr(0, state.size() / 2));
  const auto expect_told = [&](const std::string& options, const std::string& said) {
    const process_result r = dir.shell(mpirun(2) + "--quiet " + run + options);
    EXPECT_EQ(r.status, 2) << options;
    EXPECT_EQ(r.err, "toriscope: " + said + "\n") << options;
  };
  expect_told("--from-state none", "state none cannot be read: No such file or directory");
  expect_told("--from-state state --seed 2",
              "state state: saved by a run with traffic.seed 1, not 2; go on with the same configuration");
  expect_told("--from-state cut", "state cut: cut off: it has " + std::to_string(state.size() / 2) +
                                      " bytes, less than the " + std::to_string(state.size()) +
                                      " that its header says");
  expect_told("--save-state 50:/dev/full", "cannot write /dev/full: No space left on device");
  dir.write("trace", "0 0 5 1\n");
  const process_result queues =
      dir.shell(mpirun(2) + "--quiet $T run --topology torus:4x4 --traffic-file trace --message-classes 2 "
                            "--reply-queue 3 --save-state 10:x");
  EXPECT_EQ(queues.err, "toriscope: --save-state: the state of reply queues on several ranks cannot be saved\n");
  for (const char* const late : {"100000", "every:1000000"}) {
    const process_result alone = dir.shell(run + "--save-state " + late + ":x");
    const process_result r = dir.shell(mpirun(2) + "--quiet " + run + "--save-state " + late + ":x");
    EXPECT_EQ(r.status, alone.status);
    EXPECT_EQ(r.err, alone.err);
  }
}

/// What only one rank can see, all end with.
TEST(ranks, an_altered_state_with_the_right_checksum_is_rejected_or_simulated) {
  const program_directory dir;
  const std::string run = "$T run --quiet --topology torus:4x4 --rate 0.3 --cycles 200 --warmup 100 --link-delay 3 ";
  ASSERT_EQ(dir.shell(run + "--save-state 150:state").status, 0);
  const std::string state = dir.read("state");
  const std::size_t head = state.find('\n', state.find('\n') + 1) + 1, bytes = state.size() - head - 16;
  unsigned rejected = 0;
  for (unsigned i = 0; i < 8; ++i) {
    std::string body = state.substr(head, bytes);
    char& byte = body[bytes * (2 * i + 1) / 16];
    byte = static_cast<char>(byte ^ 2);
    const std::string begin = state.substr(0, head);
    dir.write("altered", begin + body + hex_text(mix(checksum_of(begin), checksum_of(body))));
    const process_result r = dir.shell(mpirun(2) + "--quiet " + run + "--failure-wave none --from-state altered");
    EXPECT_LT(r.status, 3) << r.err;
    if (r.status != 2) continue;
    ++rejected;
    EXPECT_THAT(r.err, testing::MatchesRegex("toriscope: state altered: damaged: [^\n]*\n"));
  }
  EXPECT_GT(rejected, 2u);
}

TEST(ranks, no_rank_waits_for_one_that_only_helps) {
  const program_directory dir;
  for (const char* const text : {"--help", "--version", "run --help"}) {
    const process_result r =
        dir.shell("timeout 60 env " + mpirun(1) + "$T run --topology torus:4x4 --cycles 10 : -n 1 $T " + text);
    EXPECT_EQ(r.status, 2) << text;
    EXPECT_THAT(r.err, testing::HasSubstr("rank 1 has another configuration than rank 0")) << text;
  }
}

TEST(ranks, other_contents_of_a_file_of_the_same_name_are_refused) {
  const program_directory dir;
  const std::string network = R"({"nodes": ["a", "b", "c"], "links": [{"from": "a", "to": "b"}, {"from": )";
  const std::string classes = R"({"class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3, "0,1": )";
  dir.shell("for c in 100 150; do $T run --quiet --topology torus:4x4 --cycles 100 --save-state $c:$c; done");
  const std::vector<std::array<std::string, 3>> cases = {
      {"--topology file:data,1", network + R"("b", "to": "c"}]})", network + R"("a", "to": "c"}]})"},
      {"--topology rdt:data,1,16", classes + R"(4, "1,1": 3, "2,1": 2, "3,1": 1}})",
       classes + R"(1, "1,1": 2, "2,1": 1, "3,1": 2}})"},
      {"--topology torus:4x4 --traffic-file data,1", "0 0 5 1\n", "0 0 6 1\n"},
      {"--topology torus:4x4 --from-state data,1", dir.read("100"), dir.read("150")}};
  for (const auto& [options, here, there] : cases) {
    const std::string run = "$T run --quiet --json - --cycles 100 " + options;
    dir.write("here", here);
    dir.write("there", there);
    dir.shell("mkdir -p other; cp here data,1; cp here other/data,1");
    const std::string command = "timeout 60 env " + mpirun(1) + run + " : -n 1 -wdir other " + run;
    const process_result same = dir.shell(command);
    EXPECT_EQ(same.status, 0) << same.err;
    dir.shell("cp there other/data,1");
    const process_result r = dir.shell(command);
    EXPECT_EQ(r.status, 2) << options;
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(
        r.err, testing::HasSubstr("rank 1 has another configuration than rank 0; expected equal options, and "
                                  "equal contents of the files that they name\n"));
  }
}

TEST(ranks, another_build_is_refused_before_anything_runs) {
  const program_directory dir;
  const process_result r =
      dir.shell("cp $T other && cp $(dirname $T)/libtoriscope_mpi.so . && printf ' ' >> other && " +
                mpirun(1) + "$T run --cycles 10 : -n 1 ./other run --cycles 10");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::HasSubstr("rank 1 runs another build of toriscope than rank 0\n"));
}

/// Ranks whose processes are in pid.RANK have begun to simulate when their state is there.
const std::string under_way =
    "sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec \"$@\"' sh $T run --quiet --cycles 1000000000 "
    "--save-state 10:begun & job=$!; while kill -0 $job && ! [ -e begun ]; do sleep 0.1; done; ";

/// Processes that end, within 10 s, or are zombies that no process has waited for.
bool are_gone(const program_directory& dir, const std::string& processes) {
  return dir.shell("for n in $(seq 100); do ps -o stat= -p " + processes +
                   " | grep -q '[RSDT]' || exit 0; sleep 0.1; done; exit 1")
             .status == 0;
}

TEST(ranks, a_killed_rank_ends_the_job_with_one_clear_line) {
  const program_directory dir;
  const process_result r = dir.shell(mpirun(2) + under_way + "kill -9 $(cat pid.1); wait $job");
  EXPECT_EQ(r.status, 128 + 9);
  EXPECT_THAT(r.err, testing::ContainsRegex("rank 1 .*exited on signal 9"));
  EXPECT_TRUE(are_gone(dir, "$(cat pid.0)"));
}

TEST(ranks, a_stopped_rank_ends_the_job_with_one_line_that_names_it) {
  const program_directory dir;
  const process_result r =
      dir.shell("TORISCOPE_RANK_PATIENCE=5 " + mpirun(3) + under_way + "kill -STOP $(cat pid.1); wait $job");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(
      r.err, testing::ContainsRegex("toriscope: rank [02]: no word from rank 1 for 5 s: stopped, overloaded, "
                                    "or its connection is lost"));
  EXPECT_TRUE(are_gone(dir, "$(cat pid.0),$(cat pid.1)"));
}

}  // namespace
}  // namespace toriscope
