// SPDX-License-Identifier: Apache-2.0
// docs/hangs.md as it is written: what hangs is found, what is repaired is proven.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

std::string network(const std::string& name) {
  return "file:" TORISCOPE_ROOT "/docs/hangs/" + name + ".json";
}

TEST(hangs, of_two_meshes_are_found_and_repaired) {
  const program_directory dir;
  const process_result hangs = dir.run({"prove", "--topology", network("two_meshes"), "--vc-rule", "given"});
  EXPECT_EQ(hangs.status, 1);
  EXPECT_THAT(hangs.out, HasSubstr("  cycle    of 4 channels; a packet that holds one may ask for the next\n"
                                   "    mesh_a.a13 N vc0\n    mesh_a.a03 X vc0\n    mesh_b.b00 S vc0\n"
                                   "    mesh_b.b10 X vc0\n"));
  EXPECT_THAT(hangs.out, HasSubstr("packets froze the simulated network"));
  const process_result repaired = dir.run({"prove", "--topology", network("two_meshes_repaired")});
  EXPECT_EQ(repaired.status, 0);
  EXPECT_THAT(repaired.out, HasSubstr("\nrouting proven free of deadlock\n"));
}

TEST(hangs, of_two_meshes_need_data_and_acknowledgements) {
  const program_directory dir;
  std::string data, both;
  for (unsigned cycle = 0; cycle < 2000; cycle += 4) {
    const std::string at = std::to_string(cycle);
    data += at + " mesh_a.a13 mesh_b.b10 32\n";
    both += at + " mesh_a.a13 mesh_b.b10 32\n" + at + " mesh_b.b00 mesh_a.a03 32\n";
  }
  dir.write("data.txt", data);
  dir.write("both.txt", both);
  const auto run = [&](const char* file) {
    return dir.run({"run", "--quiet", "--topology", network("two_meshes"), "--vc-rule", "given",
                    "--allow-deadlock", "--vcs", "1", "--depth", "2", "--failure-wave", "none",
                    "--traffic-file", file});
  };
  EXPECT_EQ(run("data.txt").status, 0);
  const process_result frozen = run("both.txt");
  EXPECT_EQ(frozen.status, 1);
  EXPECT_THAT(frozen.err,
              HasSubstr("deadlock since cycle 13: 6 VCs will never move again; 4 channels wait for each "
                        "other in a cycle"));
}

TEST(hangs, of_four_grids_are_found_and_repaired_with_three_vcs) {
  const program_directory dir;
  const process_result hangs = dir.run({"prove", "--topology", network("four_grids"), "--vc-rule", "given"});
  EXPECT_EQ(hangs.status, 1);
  EXPECT_THAT(hangs.out, HasSubstr("  cycle    of 8 channels"));
  EXPECT_THAT(hangs.out, HasSubstr("packets froze the simulated network"));
  EXPECT_EQ(dir.run({"prove", "--topology", network("four_grids_repaired"), "--vcs", "3"}).status, 0);
  const process_result fewer = dir.run({"prove", "--topology", network("four_grids_repaired"), "--vcs", "2"});
  EXPECT_EQ(fewer.status, 2);
  EXPECT_THAT(fewer.err, HasSubstr("VC rule layers needs 3 VCs"));
}

}  // namespace
}  // namespace toriscope
