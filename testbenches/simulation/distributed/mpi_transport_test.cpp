// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(mpi_transport, a_patience_of_0_has_no_end) {
  const program_directory dir;
  const process_result r = dir.shell("TORISCOPE_RANK_PATIENCE=0 " + mpirun(2) +
                                     "--quiet $T run --quiet --topology torus:4x4 --warmup 0 --cycles 200");
  EXPECT_EQ(r.status, 0) << r.err;
}

TEST(ranks, name_the_one_that_does_not_find_a_file) {
  const program_directory dir;
  dir.shell("mkdir other; echo '0 0 5 1' > packets.txt");
  const std::string run = "$T run --topology torus:4x4 --traffic-file packets.txt";
  const process_result r = dir.shell(mpirun(1) + "--quiet " + run + " : -n 1 -wdir other " + run);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::MatchesRegex("toriscope: rank 1: [^\n]*packets\\.txt[^\n]*\n"));
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

}  // namespace
}  // namespace toriscope
