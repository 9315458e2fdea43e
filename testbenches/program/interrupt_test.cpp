// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, and the SIGTERM of a batch system: the run ends in good order, with what it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

/// Runs the program until it catches SIGINT, that is, simulates, and then sends it a signal. A shell catches
/// it, too, before it becomes the program.
process_result interrupted(const program_directory& dir, const std::string& arguments, const std::string& signal) {
  return dir.shell("$T " + arguments +
                   " & pid=$!; until grep -q '^toriscope' /proc/$pid/comm &&"
                   " [ $((0x0$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$pid/status) & 2)) = 2 ]; do"
                   " grep -q '^State:.Z' /proc/$pid/status && exit 99; done; kill -" + signal + " $pid; wait $pid");
}

// More cycles than any test could wait for.
constexpr const char* endless = "run --topology torus:4x4 --rate 0.1 --warmup 100 --cycles 1000000000000 ";

TEST(interrupt, leaves_the_results_so_far) {
  for (const auto& [name, number] : {std::pair("INT", SIGINT), std::pair("TERM", SIGTERM)}) {
    const program_directory dir;
    const process_result r = interrupted(dir, endless + std::string("--json r.json --csv r.csv"), name);
    EXPECT_EQ(r.status, 128 + number);
    EXPECT_THAT(r.err, testing::MatchesRegex(
                           "toriscope: interrupted in cycle [0-9]+; the figures are of the cycles until "
                           "then\n"));
    const auto result = nlohmann::json::parse(dir.read("r.json"));
    EXPECT_EQ(result["failure"]["kind"], "interrupted");
    EXPECT_EQ(result["failure"]["since"], result["results"]["cycles"]);
    EXPECT_TRUE(result["results"]["stable"].is_null()) << "it is unknown";
    EXPECT_TRUE(result["results"]["keeps_up_95"].is_null());
    EXPECT_LT(result["results"]["cycles"], 1000000000000);
    EXPECT_THAT(dir.read("r.csv"), testing::HasSubstr("failure"));
    EXPECT_THAT(r.out, testing::Not(testing::HasSubstr("Not stable")));
  }
}

TEST(interrupt, closes_waves_and_records) {
  const program_directory dir;
  const process_result r = interrupted(
      dir,
      "record --output p.zst --wave '*node_0_0*' --wave-file w.vcd --quiet " + std::string(endless).substr(4),
      "INT");
  EXPECT_EQ(r.status, 128 + SIGINT) << r.err;
  EXPECT_THAT(dir.read("w.vcd"), testing::HasSubstr("$enddefinitions"));
  const process_result again = dir.run({"replay", "p.zst", "--warmup", "0", "--cycles", "100", "--quiet"});
  EXPECT_EQ(again.status, 0) << again.err;
}

}  // namespace
}  // namespace toriscope
