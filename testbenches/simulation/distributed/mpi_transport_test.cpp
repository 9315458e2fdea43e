// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "testbenches/program/program_process.h"
#include "testbenches/simulation/distributed/mpirun.h"

namespace toriscope {
namespace {

TEST(mpi_transport, brings_each_rank_the_words_meant_for_it) {
  const program_directory dir;
  for (const unsigned ranks : {1, 2, 4}) {
    const process_result r =
        dir.shell(mpirun(ranks) + "--quiet '" TORISCOPE_MPI_EXCHANGE "' '" TORISCOPE_MPI_MODULE "' | sort");
    std::string all;
    for (unsigned i = 0; i < ranks; ++i) all += "rank " + std::to_string(i) + " of " + std::to_string(ranks) + "\n";
    EXPECT_EQ(r.out + r.err, all);
  }
}

// Open MPI makes the connection again, or a rank dies of the cut one, or nothing comes any more: never other words.
TEST(mpi_transport, a_lost_connection_is_made_again_or_a_rank_is_named) {
  const program_directory dir;
  std::string command = mpirun(3);
  const std::string shared_memory = "--mca btl self,vader ";
  command.replace(command.find(shared_memory), shared_memory.size(), "--mca btl self,tcp --mca btl_tcp_if_include lo ");
  const process_result r =
      dir.shell("timeout 60 env " + command + "'" TORISCOPE_MPI_EXCHANGE "' '" TORISCOPE_MPI_MODULE "' cut");
  EXPECT_NE(r.status, 124) << "the ranks wait for ever";
  EXPECT_THAT(r.err, testing::Not(testing::HasSubstr("other words")));
  EXPECT_THAT(r.err, testing::Not(testing::HasSubstr("nothing to cut")));
  if (r.status != 0) {
    EXPECT_THAT(r.err, testing::ContainsRegex("no word from rank [012]|process rank [012] with PID|"
                                              "Process name: [^\n]*,[012]\\]"));
  }
}

TEST(ranks, a_slow_rank_is_waited_for) {
  const program_directory dir;
  const std::string run = "$T run --quiet --json - --wire-hash --topology torus:4x4 --warmup 100 --cycles 60000 ";
  const std::string hashes = dir.shell(run + "| grep '_hash\": \"'").out;
  ASSERT_EQ(std::count(hashes.begin(), hashes.end(), '\n'), 2) << hashes;
  const process_result r = dir.shell(
      mpirun(2) + "sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec \"$@\"' sh " + run +
      "--save-state 10:begun > out & job=$!; while kill -0 $job && ! [ -e begun ]; do sleep 0.01; done; "
      "for i in 1 2 3; do kill -STOP $(cat pid.1) && sleep 1; kill -CONT $(cat pid.1); done; wait $job");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "") << "or it had ended before it was slow";
  EXPECT_EQ(dir.shell("grep '_hash\": \"' out").out, hashes);
}

/// One reads a pipe into which nothing is written for longer than a rank may be silent later.
TEST(ranks, what_a_rank_does_before_the_simulation_may_take_long) {
  const program_directory dir;
  dir.shell("mkdir other; echo '{}' > config; mkfifo other/config");
  const std::string run = "$T run --quiet --topology torus:4x4 --cycles 100 --config config";
  const process_result r =
      dir.shell("(sleep 5; timeout 20 sh -c 'cat config > other/config') & TORISCOPE_RANK_PATIENCE=3 timeout 60 env " +
                mpirun(1) + "--quiet " + run + " : -n 1 -wdir other " + run);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
}

TEST(mpi_transport, a_patience_of_0_has_no_end) {
  const program_directory dir;
  const process_result r = dir.shell("TORISCOPE_RANK_PATIENCE=0 " + mpirun(2) +
                                     "--quiet $T run --quiet --topology torus:4x4 --warmup 0 --cycles 200");
  EXPECT_EQ(r.status, 0) << r.err;
}

TEST(ranks, what_they_say_is_one_line) {
  const program_directory dir;
  const process_result r = dir.shell(mpirun(2) + "--quiet $T run --packet '4\x1b[31m\n'");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::MatchesRegex("toriscope: packet length '4.x1b.31m.n': [^\n]*\n"));
}

TEST(ranks, name_the_one_that_does_not_find_a_file) {
  const program_directory dir;
  dir.shell("mkdir other; echo '0 0 5 1' > packets.txt");
  const std::string run = "$T run --topology torus:4x4 --traffic-file packets.txt";
  const process_result r = dir.shell(mpirun(1) + "--quiet " + run + " : -n 1 -wdir other " + run);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::MatchesRegex("toriscope: rank 1: [^\n]*packets\\.txt[^\n]*\n"));
}

TEST(ranks, another_state_to_save_is_refused) {
  const program_directory dir;
  const std::string run = "$T run --quiet --topology torus:4x4 --cycles 200 --save-state ";
  const process_result r =
      dir.shell("timeout 60 env " + mpirun(1) + "--quiet " + run + "50:state : -n 1 " + run + "90:state");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: rank 1 has another configuration than rank 0; expected equal options, and equal "
                   "contents of the files that they name\n");
}

TEST(mpi_transport, a_patience_that_is_not_a_number_is_refused) {
  const program_directory dir;
  for (const std::string text : {"2m", "", "-1", "99999999999"}) {
    const process_result r =
        dir.shell("TORISCOPE_RANK_PATIENCE=" + text + " " + mpirun(2) + "--quiet $T run --cycles 9");
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.err, "toriscope: TORISCOPE_RANK_PATIENCE is '" + text +
                         "'; expected whole seconds, or 0: no limit to how long a rank waits for another\n");
  }
}

TEST(mpi_transport, a_patience_of_one_rank_that_is_not_a_number_is_told_by_it) {
  const program_directory dir;
  const process_result r = dir.shell("timeout 60 env " + mpirun(1) + "--quiet $T run --cycles 9 : -n 1 "
                                     "-x TORISCOPE_RANK_PATIENCE=2m $T run --cycles 9");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: rank 1: TORISCOPE_RANK_PATIENCE is '2m'; expected whole seconds, or 0: no limit to how "
                   "long a rank waits for another\n");
}

/// As mpirun sets it for the eleventh of twelve; where it is not set, the process is taken for the first.
TEST(ranks, have_the_number_that_mpirun_gave_them) {
  const program_directory dir;
  const std::string run = "TORISCOPE_RANK_PATIENCE=2m $T run --cycles 9";
  const auto said = [&](const std::string& environment) { return dir.shell(environment + run).err; };
  EXPECT_THAT(said("OMPI_COMM_WORLD_SIZE=12 OMPI_COMM_WORLD_RANK=10 "),
              testing::StartsWith("toriscope: rank 10: TORISCOPE_RANK_PATIENCE is '2m'; "));
  EXPECT_THAT(said("OMPI_COMM_WORLD_SIZE=12 "), testing::StartsWith("toriscope: TORISCOPE_RANK_PATIENCE is '2m'; "));
}

}  // namespace
}  // namespace toriscope
