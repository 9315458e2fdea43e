// SPDX-License-Identifier: Apache-2.0
// `toriscope run --fidelity transaction` beside `--fidelity cycle`: the same packets, nearly the same figures,
// and clear words about what it does not do. The whole table is made by scripts/fidelity.py.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::fidelity_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json run(const program_directory& dir, const std::string& fidelity, strings arguments) {
  const bool batch = std::find(arguments.begin(), arguments.end(), "batch") != arguments.end();
  if (!batch) arguments.insert(arguments.end(), {"--warmup", "1000"});
  arguments.insert(arguments.end(), {"--quiet", "--json", "-", "--fidelity", fidelity});
  arguments.insert(arguments.begin(), "run");
  return json_of(dir, arguments)["results"];
}

struct cell {
  const char* topology;
  const char* pattern;
  const char* rate;      ///< about half of saturation
  double latency_error;  ///< at most, relative
  strings more = {};
};

void PrintTo(const cell& c, std::ostream* out) {
  *out << c.topology << " " << c.pattern;
  for (const std::string& option : c.more) *out << " " << option;
}

class fidelity_cell : public testing::TestWithParam<cell> {};

TEST_P(fidelity_cell, has_the_packets_and_nearly_the_latency_of_the_cycle_level) {
  const program_directory dir;
  const cell& c = GetParam();
  strings what = {"--topology", c.topology, "--traffic", c.pattern, "--rate", c.rate, "--cycles", "4000"};
  what.insert(what.end(), c.more.begin(), c.more.end());
  const json cycle = run(dir, "cycle", what);
  const json transaction = run(dir, "transaction", what);
  for (const char* same : {"offered", "packets", "packets_arrived", "stable"})
    EXPECT_EQ(transaction.at(same), cycle.at(same)) << same;
  EXPECT_EQ(transaction["hops"], cycle["hops"]);
  EXPECT_EQ(transaction["latency"]["min"], cycle["latency"]["min"])
      << "that of a packet that met no other one";
  EXPECT_NEAR(transaction["accepted"].get<double>(), cycle["accepted"].get<double>(),
              0.01 * c.latency_error + 5e-4);
  const double exact = cycle["latency"]["mean"];
  EXPECT_NEAR(transaction["latency"]["mean"].get<double>(), exact, c.latency_error * exact);
  for (const char* share : {"p50", "p90", "p99"}) {  // an unfair arbiter leaves the mean as it is
    const double percentile = cycle["latency"][share];
    EXPECT_NEAR(transaction["latency"][share].get<double>(), percentile, 0.09 * percentile) << share;
  }
  EXPECT_EQ(run(dir, "transaction", what)["packet_hash"], transaction["packet_hash"]) << "twice the same";
}

INSTANTIATE_TEST_SUITE_P(
    all, fidelity_cell,
    testing::Values(cell{"torus:8x8", "uniform", "0.2", 0.03}, cell{"mesh:8x8", "transpose", "0.1", 0.05},
                    cell{"torus:8x8", "tornado", "0.1", 0.05}, cell{"ttn:2,2,0", "uniform", "0.009", 0.03},
                    cell{"hypercube:5", "bit_reversal", "0.15", 0.05},
                    cell{"mesh:8x8", "uniform", "0.05", 0.02, {"--link-width", "16"}},
                    cell{"torus:8x8", "uniform", "0.3", 0.02}, cell{"cmesh:4x4,4", "uniform", "0.1", 0.03},
                    cell{"fattree:4,3", "uniform", "0.3", 0.03},
                    cell{"butterfly:4,3", "uniform", "0.2", 0.03},
                    cell{"dragonfly:4,2,2", "uniform", "0.15", 0.03, {"--routing", "valiant"}},
                    cell{"mesh:8x8", "uniform", "0.15", 0.02, {"--vcs", "1"}},
                    cell{"torus:8x8", "uniform", "0.15", 0.02, {"--regrant", "drained"}},
                    cell{"mesh:8x8",
                         "uniform",
                         "0.1",
                         0.02,
                         {"--regrant", "drained", "--link-delay", "3", "--vcs", "2"}}));

/// Three packets of one source, `gap` cycles apart; nothing else is approximated but who goes first.
class packets_in_sequence : public testing::TestWithParam<strings> {};

TEST_P(packets_in_sequence, have_the_latencies_of_the_cycle_level) {
  const program_directory dir;
  std::string packets;
  for (unsigned gap = 0; gap < 100; ++gap) {
    const unsigned begin = 1000 + 1000 * gap;
    for (const auto& [wait, destination, flits] : {std::tuple{0u, 2, 16}, {gap, 2, 16}, {2 * gap, 1, 5}})
      packets += fmt::format("{} 0 {} {}\n", begin + wait, destination, flits);
  }
  dir.write("packets.txt", packets);
  strings what = {"--topology", "mesh:1x3", "--traffic-file", "packets.txt"};
  what.insert(what.end(), GetParam().begin(), GetParam().end());
  const json cycle = run(dir, "cycle", what);
  EXPECT_EQ(cycle["packets"], 300);
  EXPECT_EQ(run(dir, "transaction", what)["packet_hash"], cycle["packet_hash"]);
}

INSTANTIATE_TEST_SUITE_P(all, packets_in_sequence,
                         testing::Values(strings{"--vcs", "1"}, strings{"--vcs", "4"},
                                         strings{"--vcs", "1", "--regrant", "drained"},
                                         strings{"--vcs", "1", "--regrant", "drained", "--link-delay", "3"},
                                         strings{"--vcs", "2", "--regrant", "drained", "--link-delay", "3"},
                                         strings{"--vcs", "1", "--link-width", "16"},
                                         strings{"--vcs", "1", "--ejection-delay", "3"},
                                         strings{"--vcs", "1", "--regrant", "drained", "--link-width", "16",
                                                 "--link-delay", "2"},
                                         strings{"--vcs", "1", "--regrant", "drained", "--pipeline",
                                                 "single_cycle", "--depth", "3"}));

/// A packet between each two terminals, long after the one before.
void expect_equal_at_zero_load(const program_directory& dir, const std::string& topology, unsigned terminals,
                               const std::string& flits, strings options) {
  std::string packets;
  for (unsigned pair = 0; pair < terminals * terminals; ++pair)
    packets += fmt::format("{} {} {} {}\n", 100 + 400 * pair, pair / terminals, pair % terminals, flits);
  dir.write("packets.txt", packets);
  options.insert(options.end(), {"--topology", topology, "--traffic-file", "packets.txt"});
  EXPECT_EQ(run(dir, "transaction", options)["packet_hash"], run(dir, "cycle", options)["packet_hash"])
      << topology << ", " << flits << " flits";
}

/// Flits come with gaps from an interface with a long link. Their credits come in time: flits are not taken to have
/// left in a row.
TEST(fidelity, gaps_between_flits_are_no_delay) {
  const program_directory dir;
  for (const strings& times : {strings{"--depth", "6", "--injection-delay", "4", "--link", "1.x+:delay=3"},
                               strings{"--depth", "5", "--injection-delay", "3", "--link", "2.x+:delay=2"},
                               strings{"--depth", "8", "--injection-delay", "5", "--link", "1.x+:delay=4"}})
    for (const char* flits : {"24", "37", "60"}) expect_equal_at_zero_load(dir, "mesh:1x5", 5, flits, times);
}

/// Leaves of three terminals below spines, and a mesh in quarters: VCs, depths and pipelines differ.
void write_networks_of_many_kinds(const program_directory& dir) {
  std::string nodes, links;
  for (unsigned leaf = 0; leaf < 6; ++leaf) {
    nodes += fmt::format(R"({{"name": "leaf{}", "terminals": 3, "vcs": {}, "depth": {}, "pipeline": "{}"}},)",
                         leaf, 2 + leaf % 3, 5 + leaf % 3 * 3, leaf % 2 ? "four_stage" : "single_cycle");
    for (unsigned spine = 0; spine < 3; ++spine)
      links += fmt::format(R"({}{{"from": "leaf{}", "to": "spine{}", "delay": {}}})",
                           links.empty() ? "" : ",", leaf, spine, 1 + spine);
  }
  dir.write("leaves.json",
            R"({"nodes": [)" + nodes +
                R"({"name": "spine0", "terminals": 0, "depth": 12}, {"name": "spine1", "terminals": 0,
                                  "pipeline": "single_cycle"}, {"name": "spine2", "terminals": 0, "depth": 3}],
                                  "links": [)" +
                links + "]}");
  nodes.clear(), links.clear();
  for (unsigned n = 0; n < 36; ++n) {
    const unsigned x = n % 6, y = n / 6;
    const char* const own[] = {R"("vcs": 2, "depth": 4)", R"("vcs": 3)", R"("pipeline": "four_stage")",
                               R"("depth": 16, "pipeline": "single_cycle")"};
    nodes += fmt::format(R"({}{{"name": "n{}", {}}})", n ? "," : "", n, own[y / 3 * 2 + x / 3]);
    if (x < 5)
      links += fmt::format(R"({}{{"from": "n{}", "to": "n{}"}})", links.empty() ? "" : ",", n, n + 1);
    if (y < 5) links += fmt::format(R"(,{{"from": "n{}", "to": "n{}"}})", n, n + 6);
  }
  dir.write("quarters.json", R"({"nodes": [)" + nodes + R"(], "links": [)" + links + "]}");
}

TEST(fidelity, routers_of_their_own) {
  const program_directory dir;
  write_networks_of_many_kinds(dir);
  for (const auto& [file, terminals, half] :
       {std::tuple{"file:leaves.json", 18u, "0.112"}, {"file:quarters.json", 36u, "0.14"}}) {
    for (const strings& options :
         {strings{}, strings{"--injection-delay", "3", "--depth", "5", "--regrant", "drained"},
          strings{"--pipeline", "single_cycle", "--depth", "3", "--limited-reception", "--credit-delay",
                  "2"}})
      for (const char* flits : {"1", "37"}) expect_equal_at_zero_load(dir, file, terminals, flits, options);
    const strings loaded = {"--topology", file, "--rate", half, "--cycles", "10000"};
    const json cycle = run(dir, "cycle", loaded), transaction = run(dir, "transaction", loaded);
    EXPECT_EQ(transaction["hops"], cycle["hops"]);
    const double exact = cycle["latency"]["mean"];
    EXPECT_NEAR(transaction["latency"]["mean"].get<double>(), exact, 0.03 * exact) << file;
  }
}

/// Where queues are compared a few heads take the other way.
TEST(fidelity, queues_are_compared) {
  const program_directory dir;
  for (const auto& [topology, pattern, half] :
       {std::tuple{"torus:8x8", "tornado", "0.073"}, {"dragonfly:4,2,2", "uniform", "0.24"}}) {
    const strings what = {"--topology", topology, "--routing", "ugal", "--traffic", pattern,
                          "--rate",     half,     "--cycles",  "5000", "--vcs",     "4"};
    const json cycle = run(dir, "cycle", what), transaction = run(dir, "transaction", what);
    EXPECT_EQ(transaction["packets_arrived"], cycle["packets_arrived"]);
    for (const char* figure : {"latency", "hops"}) {
      const double exact = cycle[figure]["mean"];
      const double tolerance = std::string(figure) == "hops" ? 0.01 : 0.03;
      EXPECT_NEAR(transaction[figure]["mean"].get<double>(), exact, tolerance * exact)
          << topology << ' ' << figure;
    }
  }
}

/// Four sources ask for more than the one link that they share carries: none of them waits longer than the others.
TEST(fidelity, inputs_share_a_link_fairly) {
  const program_directory dir;
  std::string packets;
  for (unsigned k = 0; k < 200; ++k)
    for (const unsigned source : {1, 3, 4, 7}) packets += fmt::format("{} {} 5 16\n", 60 * k, source);
  dir.write("packets.txt", packets);
  for (const char* vcs : {"1", "2"}) {
    const strings what = {"--topology", "mesh:3x3", "--vcs", vcs, "--traffic-file", "packets.txt"};
    const json cycle = run(dir, "cycle", what)["latency"];
    const json transaction = run(dir, "transaction", what)["latency"];
    for (const char* figure : {"mean", "p50", "p90", "max"}) {
      const double exact = cycle[figure];
      EXPECT_NEAR(transaction[figure].get<double>(), exact, 0.05 * exact) << figure << ", VCs: " << vcs;
    }
  }
}

TEST(fidelity, saturation_is_nearly_the_same) {
  const program_directory dir;
  const strings what = {"--topology", "mesh:8x8", "--rate", "0.9", "--cycles", "3000", "--drain", "0"};
  const double cycle = run(dir, "cycle", what).at("accepted");
  EXPECT_NEAR(run(dir, "transaction", what).at("accepted").get<double>(), cycle, 0.1 * cycle);
}

TEST(fidelity, other_traffic_modes_are_carried_as_well) {
  const program_directory dir;
  const strings batch = {"--topology", "torus:4x4", "--traffic-mode", "batch", "--batch", "20"};
  const double all = run(dir, "cycle", batch)["batch"]["cycles"];
  EXPECT_NEAR(run(dir, "transaction", batch)["batch"]["cycles"].get<double>(), all, 0.1 * all);
  const strings replies = {"--topology", "torus:4x4", "--traffic-mode", "request_reply",
                           "--rate",     "0.2",       "--reply-queue",  "1"};
  const double trip = run(dir, "cycle", replies)["latency"]["mean"];
  EXPECT_NEAR(run(dir, "transaction", replies)["latency"]["mean"].get<double>(), trip, 0.05 * trip);
}

TEST(fidelity, what_shows_flits_is_refused_in_one_line) {
  const program_directory dir;
  const std::vector<strings> refused = {{"--wave", "*@0:10"},    {"--observe"},
                                        {"--wire-hash"},         {"--observe-links"},
                                        {"--fail-link", "0.x+"}, {"--pipeline", "paper2009"}};
  for (strings arguments : refused) {
    const std::string option = arguments.front().substr(2);
    for (const char* more : {"--fidelity", "transaction", "--topology", "torus:4x4"})
      arguments.emplace_back(more);
    arguments.insert(arguments.begin(), "run");
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << option;
    EXPECT_THAT(r.err, testing::AllOf(HasSubstr(option), HasSubstr("--fidelity cycle")));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
  EXPECT_EQ(dir.run({"explain", "--packet", "1", "--fidelity", "transaction"}).status, 2);
}

TEST(fidelity, a_deadlock_is_told_unless_the_watchdog_is_off) {
  const program_directory dir;
  const auto frozen = [&](const std::string& patience) {
    return dir.run({"run", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--rate", "1",
                    "--cycles", "3000", "--allow-deadlock", "--fidelity", "transaction", "--quiet",
                    "--watchdog", patience});
  };
  const process_result found = frozen("2000");
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.err, testing::StartsWith("toriscope: deadlock"));
  const process_result off = frozen("0");
  EXPECT_THAT(off.err, testing::Not(testing::HasSubstr("deadlock since")));
}

}  // namespace
}  // namespace toriscope::fidelity_test
