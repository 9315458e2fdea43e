// SPDX-License-Identifier: Apache-2.0
// Networks of several terminals at a router, from the command line: packets one by one, and names of a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"

namespace toriscope::terminals_test {
namespace {

using json = nlohmann::json;

TEST(terminals, packet_stats_give_the_latencies_that_the_results_sum_up) {
  const program_directory dir;
  const process_result r =
      dir.run({"run", "--quiet", "--topology", "cmesh:2x2,2", "--rate", "0.2", "--packet", "4", "--warmup",
               "500", "--cycles", "1000", "--json", "r.json", "--packet-stats", "packets.csv"});
  ASSERT_EQ(r.status, 0) << r.err;
  std::istringstream lines(dir.read("packets.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "packet,source,destination,class,flits,created,sent,received,hops");
  double sum = 0, hops = 0;
  unsigned measured = 0, last = 0;
  while (std::getline(lines, line)) {
    const strings fields = split(line, ',');
    ASSERT_EQ(fields.size(), 9u) << line;
    EXPECT_THAT(fields[1], testing::MatchesRegex("[01][01]\\.t[01]")) << line;
    EXPECT_EQ(fields[3] + fields[4], "04");
    const unsigned created = std::stoul(fields[5]), sent = std::stoul(fields[6]),
                   received = std::stoul(fields[7]);
    EXPECT_TRUE(created <= sent && sent < received && last <= received) << line;
    last = received;
    if (created < 500 || created >= 1500) continue;
    ++measured;
    sum += received - created;
    hops += std::stoul(fields[8]);
  }
  const json results = json::parse(dir.read("r.json"))["results"];
  EXPECT_EQ(results["packets_arrived"], measured);
  EXPECT_NEAR(results["latency"]["mean"].get<double>(), sum / measured, 1e-9);
  EXPECT_NEAR(results["hops"]["mean"].get<double>(), hops / measured, 1e-9);
  EXPECT_EQ(dir.run({"run", "--packet-stats", "-"}).status, 2);
}

/// By interval, from the packets themselves; the run is the same with and without. Runs of more than 64 intervals did
/// not end.
TEST(terminals, a_time_series_sums_up_to_the_packets_received) {
  const program_directory dir;
  const strings run{
      "run",      "--quiet", "--topology", "cmesh:2x2,2", "--rate",         "0.2",   "--packet", "4",
      "--warmup", "90",      "--cycles",   "1000",        "--packet-stats", "p.csv", "--json"};
  ASSERT_EQ(dir.run(with(run, {"plain.json"})).status, 0);
  ASSERT_EQ(dir.run(with(run, {"r.json", "--time-series", "t.csv", "--time-step", "7"})).status, 0);
  const json results = json::parse(dir.read("r.json"))["results"];
  EXPECT_EQ(results["packet_hash"], json::parse(dir.read("plain.json"))["results"]["packet_hash"]);

  std::map<unsigned, std::pair<unsigned, double>> received;  // by interval: packets, sum of latencies
  std::istringstream packets(dir.read("p.csv"));
  std::string line;
  for (std::getline(packets, line); std::getline(packets, line);) {
    const strings fields = split(line, ',');
    auto& [number, latencies] = received[std::stoul(fields[7]) / 7];
    ++number;
    latencies += static_cast<double>(std::stoul(fields[7]) - std::stoul(fields[5]));
  }
  std::istringstream rows(dir.read("t.csv"));
  unsigned next = 0;
  double created = 0, ejected = 0;
  for (std::getline(rows, line); std::getline(rows, line);) {
    const strings fields = split(line, ',');
    ASSERT_EQ(fields.size(), 7u) << line;
    EXPECT_EQ(std::stoul(fields[0]), next);
    const auto& [number, latencies] = received[next / 7];
    EXPECT_EQ(std::stoul(fields[5]), number) << line;
    if (number > 0) {
      EXPECT_NEAR(std::stod(fields[6]), latencies / number, 1e-9) << line;
    }
    created += std::stod(fields[2]) * std::stod(fields[1]) * 8;
    ejected += std::stod(fields[3]) * std::stod(fields[1]) * 8;
    EXPECT_NEAR(std::stod(fields[4]), created - ejected, 1e-6) << line;
    next += static_cast<unsigned>(std::stoul(fields[1]));
  }
  EXPECT_EQ(next, results["cycles"]);
  EXPECT_GT(ejected, 1000);
}

/// With and without --observe the ends of links and ports have the same names.
TEST(terminals, have_one_name_in_both_tables_of_links) {
  const program_directory dir;
  const strings run{"run", "--topology", "cmesh:2x2,2", "--cycles", "100", "--quiet", "--link-stats"};
  ASSERT_EQ(dir.run(with(run, {"plain.csv"})).status, 0);
  ASSERT_EQ(dir.run(with(run, {"seen.csv", "--observe"})).status, 0);
  std::istringstream plain(dir.read("plain.csv")), seen(dir.read("seen.csv"));
  std::string a, b;
  unsigned lines = 0;
  while (std::getline(plain, a) && std::getline(seen, b)) {
    const strings one = split(a, ','), other = split(b, ',');
    ASSERT_GT(std::min(one.size(), other.size()), 4u);
    EXPECT_EQ(strings(one.begin(), one.begin() + 4), strings(other.begin(), other.begin() + 4));
    ++lines;
  }
  EXPECT_EQ(lines, 1u + 8 + 2 * 8);
}

/// Names that cannot all be modules, a group, comments, a link with two ends.
TEST(terminals, names_and_comments_of_a_network_file_are_everywhere) {
  const program_directory dir;
  dir.write("n.json", R"({"comment": "draft <2>",
    "nodes": [{"name": "cpu-0", "group": "die0", "comment": "hard macro"}, {"name": "hub", "group": "die0", "terminals": 2}, "mem.ddr0"],
    "links": [{"from": "cpu-0", "to": "hub", "from_port": "E", "to_port": "W", "from_end": {"vcs": 4}, "to_end": {"vcs": 4}},
              {"from": "hub", "to": "mem.ddr0", "comment": "off chip"}]})");
  const auto output = [&](const std::string& command) {
    const process_result r = dir.shell("$T " + command);
    EXPECT_EQ(r.status, 0) << command << '\n' << r.err;
    return r.out;
  };
  const std::string network = " --topology file:n.json ";
  const std::string picture = output("draw" + network + "--output -");
  for (const char* part :
       {">file:n.json: draft &lt;2&gt;</text>", "<title>die0.cpu-0\nhard macro</title>", ">cpu-0</text>",
        "<title>die0.hub p1 -&gt; mem.ddr0\nmem.ddr0 p0 -&gt; die0.hub\noff chip</title>"})
    EXPECT_THAT(picture, testing::HasSubstr(part));
  output("run" + network +
         "--quiet --rate 0.3 --cycles 300 --warmup 0 --packet 4 --wave '*' --wave-file w.vcd "
         "--packet-stats p.csv --fail-link cpu-0.E@250");
  EXPECT_THAT(dir.read("w.vcd"), testing::HasSubstr("$scope module cpu_0 $end"));
  EXPECT_THAT(dir.read("w.gtkw"), testing::HasSubstr("\n-hard macro\n"));
  EXPECT_THAT(dir.read("p.csv"), testing::HasSubstr(",die0.cpu-0,die0.hub.t1,"));
  output("export" + network + "--sv rtl");
  EXPECT_THAT(dir.read("rtl/rtl/custom.sv"), testing::HasSubstr("// Note: draft <2>\n"));
  EXPECT_THAT(dir.read("rtl/rtl/custom.sv"),
              testing::HasSubstr("// Note: hard macro\n    `ROUTER(\"die0.cpu_0.hex\") cpu_0"));
  dir.write("f.json", R"({"flows": [{"from": "die0.cpu-0", "to": ["die0.hub.t?", "mem"], "rate": 0.2}]})");
  EXPECT_THAT(output("run" + network + "--flows f.json"), testing::HasSubstr("cpu-0"));
  const process_result twice = dir.shell("$T run" + network + "--flows f.json --fail-link die0.cpu-1.E");
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err,
              testing::HasSubstr("node 'die0.cpu-1' does not exist; expected a number from 0 to 2 or a name, "
                                 "such as die0.cpu-0, "));
}

/// Half way round a ring of four: d + 1 in both digits, the same index.
TEST(terminals, tornado_moves_the_digits_of_addresses) {
  const program_directory dir;
  const process_result r = dir.run({"run", "--quiet", "--topology", "ctorus:4x4,2", "--traffic", "tornado",
                                    "--rate", "0.2", "--cycles", "1000", "--packet-stats", "packets.csv"});
  ASSERT_EQ(r.status, 0) << r.err;
  std::istringstream lines(dir.read("packets.csv"));
  std::string line;
  std::getline(lines, line);
  std::set<std::string> sources;
  while (std::getline(lines, line)) {
    const strings fields = split(line, ',');
    std::string next = fields.at(1);  // "03.t1"
    for (const std::size_t i : {0, 1}) next[i] = next[i] == '3' ? '0' : static_cast<char>(next[i] + 1);
    EXPECT_EQ(fields.at(2), next) << line;
    EXPECT_EQ(fields.at(8), "2") << line;  // hops
    sources.insert(fields.at(1));
  }
  EXPECT_EQ(sources.size(), 32u);
}

TEST(terminals, of_dies_are_named_and_take_the_options_of_their_die) {
  const program_directory dir;
  const auto run = [&](const std::string& topology, const strings& options) {
    strings words{"run", "--quiet", "--topology", topology, "--rate", "0.01", "--cycles", "1000"};
    words.insert(words.end(), options.begin(), options.end());
    return dir.run(words);
  };
  const process_result r = run("chiplets:mesh:1x2+torus:4x4", {"--tie-break", "nowrap", "--flit-bits", "128",
                                                               "--packet-stats", "packets.csv"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(dir.read("packets.csv"), testing::ContainsRegex("\n[0-9]+,die[01]\\.[0-3][0-3],die[01]\\."));
  EXPECT_THAT(run("chiplets:torus:4x4+mesh:4x4", {"--tie-break", "nowrap"}).err,
              testing::HasSubstr("--tie-break has no effect with --topology mesh:4x4"));
}

TEST(terminals, keeps_the_names_of_a_file) {
  const program_directory dir;
  dir.write("soc.json", R"({"name": "soc", "nodes": [
      {"name": "cpu", "group": "die_0", "terminals": 2}, {"name": "mem", "group": "die_0"},
      {"name": "io", "group": "die_1.north"}, {"name": "hub", "terminals": 0}],
      "links": [{"from": "cpu", "to": "hub", "from_port": "E"}, {"from": "mem", "to": "hub"},
                {"from": "io", "to": "hub"}]})");
  const process_result r =
      dir.run({"run", "--quiet", "--topology", "file:soc.json", "--traffic", "hotspot", "--hot-node",
               "die_0.cpu.t1", "--fail-link", "die_0.cpu.E@100000", "--cycles", "200", "--wave",
               "soc.die_1.*@0:50", "--link-stats", "l.csv", "--json", "r.json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(dir.read("l.csv"), testing::HasSubstr("0,die_0.cpu,E,hub,"));
  EXPECT_THAT(dir.read("l.csv"), testing::HasSubstr("die_0.cpu.t1,local1,die_0.cpu,,1,"));
  const std::string wave = dir.read("toriscope.vcd");
  for (const char* scope :
       {"module soc ", "module die_1 ", "module north ", "module io ", "module in_local "})
    EXPECT_THAT(wave, testing::HasSubstr(scope));
  EXPECT_THAT(wave, testing::Not(testing::HasSubstr("die_0")));
  const process_result wrong =
      dir.run({"run", "--topology", "file:soc.json", "--traffic", "hotspot", "--hot-node", "gpu"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(
      wrong.err,
      testing::HasSubstr("terminal 'gpu' does not exist; expected a number from 0 to 3 or a name, such as "));
}

TEST(packet_stats, have_the_waits_of_observed_packets) {
  const program_directory dir;
  const process_result r =
      dir.run({"run", "--quiet", "--topology", "mesh:3x3", "--rate", "0.3", "--packet", "4", "--warmup", "0",
               "--cycles", "1000", "--observe", "--json", "r.json", "--packet-stats", "packets.csv"});
  ASSERT_EQ(r.status, 0) << r.err;
  std::istringstream lines(dir.read("packets.csv"));
  std::string line;
  std::getline(lines, line);
  const strings names = split(line, ',');
  ASSERT_EQ(names.size(), 15u) << line;
  std::map<std::string, std::uint64_t> sums;
  while (std::getline(lines, line)) {
    const strings fields = split(line, ',');
    ASSERT_EQ(fields.size(), names.size()) << line;
    for (std::size_t i = 9; i < names.size(); ++i) sums[names[i]] += std::stoul(fields[i]);
  }
  // The window of the sums of the run ends before the last packets do.
  const json fronts = json::parse(dir.read("r.json"))["observation"]["fronts"];
  for (const auto& [name, sum] : sums) {
    const auto all = fronts[name.substr(5)].get<std::uint64_t>();
    EXPECT_TRUE(all <= sum && sum <= all + all / 20 + 20) << name << " " << sum << " " << all;
  }
  EXPECT_GT(sums["wait_lost_switch"], 100u);
  EXPECT_GT(sums["wait_no_output_vc"] + sums["wait_no_credit"], 10u);
}

TEST(own_values, are_refused_beside_paper2009) {
  const program_directory dir;
  const auto refusal = [&](strings more, const std::string& own) {
    dir.write("n.json",
              R"({"nodes": ["a", {"name": "b", )" + own + R"(}], "links": [{"from": "a", "to": "b"}]})");
    more.insert(more.begin(), {"run", "--topology", "file:n.json"});
    const process_result r = dir.run(more);
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_EQ(refusal({"--pipeline", "paper2009"}, R"("pipeline": "four_stage")"),
            "toriscope: b: pipeline: the routers of a network are all paper2009, or none is\n");
}

}  // namespace
}  // namespace toriscope::terminals_test
