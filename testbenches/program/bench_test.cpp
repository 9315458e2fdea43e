// SPDX-License-Identifier: Apache-2.0
// `toriscope bench`: its figures hang together, its table and its JSON say the same, and bad input is one
// line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::bench_test {
namespace {

using json = nlohmann::json;
using testing::HasSubstr;

TEST(bench, figures_by_size_and_load) {
  const program_directory dir;
  const process_result r = dir.run(
      {"bench", "--quick", "--no-observation", "--sizes", "4,8", "--loads", "0.1,saturated", "--json", "b.json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out, HasSubstr("torus:4x4"));
  EXPECT_THAT(r.out, HasSubstr("saturated"));
  const json told = json::parse(dir.read("b.json")), &rows = told["bench"];
  EXPECT_TRUE(told["looking"].empty());
  EXPECT_EQ(dir.read("b.json"), nlohmann::ordered_json::parse(dir.read("b.json")).dump(2) + "\n");
  ASSERT_EQ(rows.size(), 4u);
  for (const json& row : rows) {
    EXPECT_TRUE(row["spread_percent"].is_null()) << "of one run";
    EXPECT_EQ(row["nodes"], row["topology"] == "torus:4x4" ? 16 : 64);
    // Flit-hops per router-cycle = accepted * (mean links + 1); mean links among the N-1 others: 32/15 and
    // 256/63.
    const double per_cycle = row["flit_hops_per_s"].get<double>() / row["router_cycles_per_s"].get<double>();
    const double routers = (row["topology"] == "torus:4x4" ? 32.0 / 15 : 256.0 / 63) + 1;
    EXPECT_NEAR(per_cycle, row["accepted_flits_per_node_cycle"].get<double>() * routers, 0.1 * per_cycle)
        << row;
  }
  EXPECT_FALSE(rows[3].contains("bytes_per_node")) << "the queues of the sources";
  EXPECT_FALSE(rows[2].contains("bytes_per_node")) << "64 nodes take less than what differs from run to run";
  EXPECT_NEAR(rows[2]["accepted_flits_per_node_cycle"].get<double>(), 0.1, 0.02);
  EXPECT_GT(rows[3]["accepted_flits_per_node_cycle"].get<double>(), 0.3);
}

/// Of an odd number of runs and of an even one.
class bench_repeats : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(all, bench_repeats, testing::Values("5", "2"));

TEST_P(bench_repeats, spread_and_table_are_those_of_the_times_measured) {
  const program_directory dir;
  const process_result r = dir.run({"bench", "--quick", "--no-observation", "--sizes", "4", "--loads", "0.1",
                                    "--repeats", GetParam(), "--json", "b.json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const json row = json::parse(dir.read("b.json"))["bench"][0];
  auto cpu = row["cpu_s"].get<std::vector<double>>();
  ASSERT_EQ(std::to_string(cpu.size()), GetParam());
  std::sort(cpu.begin(), cpu.end());
  const double median = cpu.size() == 5 ? cpu[2] : (cpu[0] + cpu[1]) / 2;
  const double spread = 100 * (cpu.back() - cpu.front()) / median;
  // 0.1 flits over 3 links are guessed to cost a router 20 + 30 ns in a cycle: 62,500 cycles in 50 ms, and a
  // fifth more before them.
  EXPECT_NEAR(row["router_cycles_per_s"].get<double>() * median, 16 * (62'500 + 12'500), 0.5);
  EXPECT_NEAR(row["spread_percent"].get<double>(), spread, 1e-9 * spread);
  std::istringstream line(r.out.substr(r.out.find("\ntorus:4x4 ")));
  std::string topology, load;
  double accepted = 0, router_cycles = 0, flit_hops = 0, percent = 0;
  line >> topology >> load >> accepted >> router_cycles >> flit_hops >> percent;
  EXPECT_NEAR(router_cycles, row["router_cycles_per_s"].get<double>() / 1e6, 0.006) << r.out;
  EXPECT_NEAR(flit_hops, row["flit_hops_per_s"].get<double>() / 1e6, 0.006) << r.out;
  EXPECT_NEAR(percent, spread, 0.51) << r.out;
}

/// Two million cycles take longer than the elaboration of four nodes. The memory is that of a process of the bench:
/// the system knows the most that any child of this one had.
TEST(bench, three_times_by_default_and_what_a_process_takes) {
  const program_directory dir;
  const process_result r = dir.run({"bench", "--no-observation", "--sizes", "2", "--loads", "0.02", "--json", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  const json row = json::parse(r.out)["bench"][0];
  const auto cpu = row["cpu_s"].get<std::vector<double>>();
  ASSERT_EQ(cpu.size(), 3u);
  EXPECT_LT(row["elaborate_s"].get<double>(), *std::min_element(cpu.begin(), cpu.end()));
  rusage children{};
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &children), 0);
  EXPECT_GT(row["max_rss_mb"].get<double>(), 1);
  EXPECT_LE(row["max_rss_mb"].get<double>(), 1.001 * static_cast<double>(children.ru_maxrss) * 1024 / 1e6);
}

/// As the help says.
TEST(bench, sizes_and_loads_by_default) {
  const program_directory dir;
  const auto measured = [&](const char* key, const strings& options) {
    const json told = json_of(dir, with({"bench", "--quick", "--no-observation", "--json", "-"}, options));
    strings list;
    for (const json& row : told["bench"]) list.push_back(row[key].get<std::string>());
    return list;
  };
  EXPECT_EQ(measured("topology", {"--loads", "0.02"}),
            (strings{"torus:8x8", "torus:16x16", "torus:32x32", "torus:64x64"}));
  EXPECT_EQ(measured("load", {"--sizes", "2"}), (strings{"0.02", "0.1", "0.2", "saturated"}));
}

TEST(bench, memory_per_node) {
  const program_directory dir;
  const process_result r = dir.run({"bench", "--no-observation", "--sizes", "64", "--loads", "0.02", "--repeats", "1",
                                    "--json", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  const json row = json::parse(r.out)["bench"][0];
  ASSERT_EQ(row["cpu_s"].size(), 1u);
  const double bytes = row["bytes_per_node"].get<double>();
  EXPECT_GT(bytes, 3000);
  EXPECT_LT(bytes, 8000);
  // 0.02 flits over 33 links: 86 ns for each of 4096 routers, 2838 cycles in a second.
  EXPECT_NEAR(row["router_cycles_per_s"].get<double>() * row["cpu_s"][0].get<double>(), 4096 * (2838 + 567),
              0.5);
}

/// One flit per cycle, over two links: 20 + 200 ns.
TEST(bench, cycles_of_a_saturated_network) {
  const json told = json_of(program_directory(), {"bench", "--quick", "--no-observation", "--sizes", "2",
                                                  "--loads", "saturated", "--json", "-"});
  const json& row = told["bench"][0];
  EXPECT_NEAR(row["router_cycles_per_s"].get<double>() * row["cpu_s"][0].get<double>(), 4 * (56'818 + 11'363),
              0.5);
}

/// Of 1600 nodes, four of which the smallest network has as well.
TEST(bench, memory_in_the_table_is_that_of_the_results) {
  const program_directory dir;
  const process_result r = dir.run(
      {"bench", "--quick", "--no-observation", "--sizes", "40", "--loads", "0.02", "--json", "b.json"});
  ASSERT_EQ(r.status, 0) << r.err;
  std::istringstream line(r.out.substr(r.out.find("\ntorus:40x40 ")));
  std::string words[6];
  for (std::string& word : words) line >> word;
  double bytes = 0;
  line >> bytes;
  const json row = json::parse(dir.read("b.json"))["bench"][0];
  EXPECT_NEAR(bytes, row["bytes_per_node"].get<double>(), 0.51) << r.out;
  EXPECT_GT(row["elaborate_s"].get<double>(), 0) << "1600 nodes are not built in no time";
}

TEST(bench, what_looking_costs) {
  const program_directory dir;
  const process_result r =
      dir.run({"bench", "--quick", "--sizes", "2", "--loads", "0.1", "--repeats", "1", "--json", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  const json looking = json::parse(r.out)["looking"];
  ASSERT_EQ(looking.size(), 4u);
  std::vector<double> targets;
  for (const json& line : looking) {
    EXPECT_GT(line["ratio"].get<double>(), 0.1) << "a product of two times is less: " << line;
    EXPECT_EQ(line["ratios"].size(), 1u);
    targets.push_back(line["target"]);
  }
  EXPECT_EQ(targets, (std::vector<double>{2, 2, 2, 1.1}));
  EXPECT_TRUE(dir.files().empty()) << "the waveforms of the bench are gone";
}

TEST(bench, observed_links_change_no_result) {
  const program_directory dir;
  const auto results = [&](const std::string& more) {
    const process_result r =
        dir.shell("\"$T\" run --topology torus:4x4 --rate 0.2 --cycles 500 --wire-hash --json - " + more);
    EXPECT_EQ(r.status, 0) << r.err;
    return json::parse(r.out)["results"];
  };
  EXPECT_EQ(results("--watch-links"), results(""));
}

TEST(bench, helps_and_refuses) {
  const program_directory dir;
  const std::string help = dir.run({"bench", "--help"}).out;
  for (const char* text : {"router-cycles  nodes times", "flit-hops      flits over links and flits ejected",
                           "Examples:", "--large"})
    EXPECT_THAT(help, HasSubstr(text));
  for (const auto& [option, value] : {std::pair{"--sizes", "1"},
                                      {"--loads", "full"},
                                      {"--loads", "1.5"},
                                      {"--repeats", "0"},
                                      {"--json", "nowhere/b.json"},
                                      {"--size", "8"}}) {
    const process_result r = dir.run({"bench", "--quick", option, value});
    EXPECT_EQ(r.status, 2) << option << value;
    EXPECT_EQ(r.out, "") << option << value;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
  EXPECT_THAT(dir.run({"bench", "--repeats", "1001"}).err,
              HasSubstr("'1001' must be a whole number from 1 to 1000"));
}

}  // namespace
}  // namespace toriscope::bench_test
