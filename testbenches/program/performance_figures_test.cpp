// SPDX-License-Identifier: Apache-2.0
// "performance" of a run's results: against what the run did, and what the system says of the process.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::performance_figures_test {
namespace {

using json = nlohmann::json;

TEST(performance_figures, count_what_the_run_did) {
  const program_directory dir;
  dir.write("packets.txt", "0 0 3 4\n0 1 2 2\n5 2 2 3\n");  // over 3 links, 1 link, none
  const json all = json_of(dir, {"run", "--topology", "mesh:4x1", "--traffic-file", "packets.txt", "--json", "-"});
  const json& p = all["performance"];
  ASSERT_EQ(all["results"]["packets_arrived"], 3);
  EXPECT_EQ(p["flit_hops"], 4 * (3 + 1) + 2 * (1 + 1) + 3 * 1);
  EXPECT_EQ(p["router_cycles"], 4 * all["results"]["cycles"].get<unsigned>());
  EXPECT_EQ(p["bytes_per_node"], nullptr) << "too little to tell";
}

TEST(performance_figures, are_in_their_units) {
  const program_directory dir;
  const json all = json_of(dir, {"run", "--topology", "torus:64x64", "--rate", "0.02", "--warmup", "0", "--cycles",
                                 "400", "--drain", "0", "--json", "-"});
  const json& p = all["performance"];
  const auto cpu = p["simulate_cpu_s"].get<double>();
  EXPECT_GT(cpu, 1e-3);
  for (const std::string what : {"router_cycles", "flit_hops"})
    EXPECT_NEAR(p[what + "_per_s"].get<double>() * cpu, p[what].get<double>(), 1e-3 * p[what].get<double>()) << what;
  rusage children{};  // the largest of all processes that have ended
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &children), 0);
  EXPECT_LE(cpu + p["elaborate_s"].get<double>(),
            static_cast<double>(children.ru_utime.tv_sec + children.ru_stime.tv_sec) + 2);
  EXPECT_LE(p["max_rss_mb"].get<double>(), static_cast<double>(children.ru_maxrss) * 1024 / 1e6 + 0.01);
  // A node of degree 4 with buffers of 8 flits for 4 VCs has a few thousand bytes.
  EXPECT_GT(p["bytes_per_node"], 2000);
  EXPECT_LT(p["bytes_per_node"], 20'000);
  EXPECT_GT(p["max_rss_mb"].get<double>(), 4096 * p["bytes_per_node"].get<double>() / 1e6);
}

}  // namespace
}  // namespace toriscope::performance_figures_test
