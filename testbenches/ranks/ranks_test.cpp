// SPDX-License-Identifier: Apache-2.0
// One network simulated by 1, 2, 3 and 4 processes: the same results to the last byte; what is refused; and
// what happens when a process dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// mpirun as it may be started on any machine; processes that wait leave the processor to others.
std::string mpirun(unsigned ranks) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "
         "--mca mpi_yield_when_idle 1 --mca btl self,vader -n " +
         std::to_string(ranks) + " ";
}

struct shared_run {
  std::string name;
  std::string arguments;
  std::vector<unsigned> ranks;
};
std::ostream& operator<<(std::ostream& out, const shared_run& r) { return out << r.name; }

class ranks_test : public testing::TestWithParam<shared_run> {};

/// The results without what differs from run to run.
json results(const program_directory& dir, const std::string& file) {
  json all = json::parse(dir.read(file));
  all.erase("performance");
  for (auto unit = all["units"].begin(); unit != all["units"].end();)
    unit = unit.key().rfind("performance.", 0) == 0 ? all["units"].erase(unit) : std::next(unit);
  return all;
}

TEST_P(ranks_test, same_results_to_the_last_byte) {
  const program_directory dir;
  const std::string run =
      "$T run --quiet " + GetParam().arguments +
      (GetParam().arguments.find("batch") == std::string::npos ? " --warmup 100 --cycles 300" : "");
  const process_result alone = dir.shell(run + " --json 1.json --link-csv 1.csv");
  ASSERT_EQ(alone.status, 0) << alone.err;
  const json expected = results(dir, "1.json");
  ASSERT_GT(expected["results"]["packets_arrived"].get<int>(), 10);
  for (const unsigned ranks : GetParam().ranks) {
    const process_result together = dir.shell(mpirun(ranks) + run + " --json n.json --link-csv n.csv");
    ASSERT_EQ(together.status, 0) << together.err;
    EXPECT_EQ(together.out, "");
    EXPECT_EQ(results(dir, "n.json").dump(1), expected.dump(1)) << ranks << " ranks";
    EXPECT_EQ(dir.read("n.csv"), dir.read("1.csv")) << ranks << " ranks";
    EXPECT_EQ(json::parse(dir.read("n.json"))["performance"]["ranks"], ranks);
  }
}

const shared_run short_runs[] = {
    {"ttn", "--topology ttn:2,2,0 --rate 0.01 --link-delay 1,4 --wire-hash", {2, 3, 4}},
    {"torus", "--topology torus:8x8 --rate 0.2 --pipeline four_stage --depth 8 --wire-hash", {3}},
    {"adaptive", "--topology mesh:8x8 --routing adaptive --rate 0.1 --traffic transpose", {4}},
    {"htn", "--topology htn:4,4,2,1 --rate 0.01 --link-delay 1,4 --pipeline paper2009", {2}},
    {"batch", "--topology torus:4x4 --traffic-mode batch --batch 20 --link-delay 4 --wire-hash", {3}},
    {"saturated", "--topology mesh:6x6 --rate 0.8 --drain 100 --arbiter age", {2}},
};
INSTANTIATE_TEST_SUITE_P(short, ranks_test, testing::ValuesIn(short_runs),
                         [](const auto& i) { return i.param.name; });

void expect_refused(const std::string& arguments, const std::string& said) {
  const program_directory dir;
  const process_result r = dir.shell(mpirun(3) + "--quiet $T " + arguments);
  EXPECT_EQ(r.status, 2) << arguments;
  EXPECT_THAT(r.err, testing::HasSubstr(said));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(r.out, "");
}

TEST(ranks, what_needs_the_whole_network_is_refused_in_one_line) {
  expect_refused("run --observe", "--observe is not to be had of a network that several ranks simulate");
  expect_refused("run --rat 0.1", "unknown option '--rat'");
  expect_refused("list", "without it");
  expect_refused("run --topology mesh:2x1", "a network of 2 nodes cannot be cut into 3 parts");
}

TEST(ranks, a_killed_rank_ends_the_job_with_one_clear_line) {
  const program_directory dir;
  const process_result r = dir.shell(
      mpirun(2) +
      "sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec \"$@\"' sh $T run --quiet --cycles 1000000000 & "
      "job=$!; while ! [ -s pid.1 ]; do sleep 0.1; done; sleep 1; kill -9 $(cat pid.1); wait $job");
  EXPECT_EQ(r.status, 128 + 9);
  EXPECT_THAT(r.err, testing::ContainsRegex("rank 1 .*exited on signal 9"));
  // The other process is gone as well, or a zombie that nobody has waited for.
  EXPECT_THAT(dir.shell("ps -o stat= -p $(cat pid.0)").out, testing::Not(testing::ContainsRegex("[RSD]")));
}

}  // namespace
}  // namespace toriscope
