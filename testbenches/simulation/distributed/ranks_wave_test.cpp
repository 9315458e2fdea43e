// SPDX-License-Identifier: Apache-2.0
// The waveform of a network that several processes simulate is that of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <sstream>
#include <string>

#include "testbenches/program/program_process.h"
#include "testbenches/simulation/distributed/mpirun.h"

namespace toriscope {
namespace {

/// The file of a waveform and those beside it.
std::map<std::string, std::string> files_of(const program_directory& dir) {
  std::map<std::string, std::string> files;
  std::istringstream names(dir.shell("ls w.*").out);
  for (std::string name; names >> name;) files[name] = dir.read(name);
  dir.shell("rm -f w.*");
  return files;
}

struct waved_run {
  std::string name;
  std::string arguments;
  int status = 0;
};
std::ostream& operator<<(std::ostream& out, const waved_run& r) { return out << r.name; }

class ranks_wave : public testing::TestWithParam<waved_run> {};

TEST_P(ranks_wave, is_that_of_one_process_to_the_last_byte) {
  const program_directory dir;
  const std::string run = "$T run --quiet --failure-wave none " + in_window(GetParam().arguments, " --warmup 50");
  const process_result alone = dir.shell(run);
  ASSERT_EQ(alone.status, GetParam().status) << alone.err;
  const auto expected = files_of(dir);
  EXPECT_EQ(expected.empty(), GetParam().status == 2);
  for (const unsigned ranks : {2, 3}) {
    const process_result together = dir.shell(mpirun(ranks) + "--quiet " + run);
    EXPECT_EQ(together.status, alone.status);
    EXPECT_EQ(together.err, alone.err);
    EXPECT_TRUE(files_of(dir) == expected) << ranks << " ranks";
  }
}

// The drains end in the midst of the ranks' windows.
const waved_run waved_runs[] = {
    {"whole", "--topology torus:4x4 --rate 0.3 --cycles 100 --wave '*' --wave-file w.vcd"},
    {"fst", "--topology mesh:4x4 --traffic-mode batch --batch 4 --link-delay 5 --pipeline paper2009 --wave '*' "
            "--wave-file w.fst"},
    {"without_a_drain", "--topology fattree:2,3 --packet 1 --arrivals on_off --rate 0.02 --link-delay 5 --seed 562 "
                        "--pipeline single_cycle --cycles 80 --wave '*@0:150' --wave-file w.vcd"},
    {"window", "--topology torus:4x4 --rate 0.3 --cycles 100 --link-delay 7 --link-width 64 --wave '*@30:117' "
               "--wave-file w.vcd"},
    {"of_one_rank", "--topology ttn:2,2,0 --rate 0.01 --cycles 100 --link-delay 1,4 --wave '*.bm_3_0.*@60:9999' "
                    "--wave-groups links,ni --wave-file w.vcd"},
    {"never_begun", "--topology mesh:4x4 --rate 0.3 --cycles 100 --link-delay 5 --wave '*@900:1000' --wave-file w.vcd",
     2},
    {"begins_after_the_end",
     "--topology mesh:4x4 --rate 0.3 --cycles 100 --link-delay 5 --wave '*@227:1000' --wave-file w.vcd", 2},
    {"no_such_signal", "--topology mesh:4x4 --cycles 100 --wave 'mesh.node_9*' --wave-file w.vcd", 2},
    {"frozen", "--vc-rule paper --allow-deadlock --rate 0.8 --link-delay 1,3 --watchdog 100 --cycles 2000 "
               "--wave '*.bm_1_*.*@200:9999' --wave-file w.fst", 1},
};
INSTANTIATE_TEST_SUITE_P(short, ranks_wave, testing::ValuesIn(waved_runs),
                         [](const auto& i) { return i.param.name; });

TEST(ranks, a_waveform_begins_with_a_state) {
  const program_directory dir;
  const std::string run = "$T run --quiet --topology torus:4x4 --rate 0.3 --warmup 50 --cycles 100 --link-delay 3 ";
  ASSERT_EQ(dir.shell(run + "--save-state 77:state").status, 0);
  const std::string more = run + "--from-state state --wave '*@77:200' --wave-file w.vcd";
  ASSERT_EQ(dir.shell(more).status, 0);
  const auto expected = files_of(dir);
  ASSERT_EQ(dir.shell(mpirun(3) + more).status, 0);
  EXPECT_TRUE(files_of(dir) == expected);
}

TEST(ranks, a_waveform_that_cannot_be_written_ends_all) {
  const program_directory dir;
  const process_result r =
      dir.shell("timeout 60 env " + mpirun(2) + "--quiet $T run --quiet --topology torus:8x8 --rate 0.2 "
                                                "--cycles 100000 --wave '*' --wave-file /dev/full");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::EndsWith("\ntoriscope: rank 0: cannot write /dev/full: No space left on device\n"));
}

}  // namespace
}  // namespace toriscope
