// SPDX-License-Identifier: Apache-2.0
// docs/hangs.md as it is written: what hangs is found, what is repaired is proven.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "testbenches/program/program_process.h"

namespace toriscope::hangs_test {
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

/// With slow links the last flits of the circle are under way when a watchdog without patience looks.
TEST(hangs, begin_in_one_cycle_whenever_they_are_found) {
  const program_directory dir;
  std::string both;
  for (unsigned cycle = 0; cycle <= 100; cycle += 20) {
    const std::string at = std::to_string(cycle);
    both += at + " mesh_a.a13 mesh_b.b10 32\n" + at + " mesh_b.b00 mesh_a.a03 32\n";
  }
  dir.write("both.txt", both);
  const strings run{"run",
                    "--quiet",
                    "--topology",
                    network("two_meshes"),
                    "--vc-rule",
                    "given",
                    "--allow-deadlock",
                    "--vcs",
                    "1",
                    "--depth",
                    "4",
                    "--failure-wave",
                    "none",
                    "--traffic-file",
                    "both.txt",
                    "--warmup",
                    "0",
                    "--cycles",
                    "3000",
                    "--link-delay",
                    "8",
                    "--watchdog"};
  for (const char* patience : {"2", "8", "13", "20", "200"})
    EXPECT_THAT(dir.run(with(run, {patience})).err,
                testing::StartsWith("toriscope: deadlock since cycle 34: "))
        << patience;
}

/// Two flows of the report, each with its class.
std::string flows(unsigned class_of_data, bool with_acknowledgements, unsigned class_of_acknowledgements) {
  std::string text =
      "{\"flows\": [{\"from\": \"mesh_a.a13\", \"to\": \"mesh_b.b10\", \"rate\": 0.5, \"class\": " +
      std::to_string(class_of_data) + "}";
  if (with_acknowledgements)
    text += ", {\"from\": \"mesh_b.b00\", \"to\": \"mesh_a.a03\", \"rate\": 0.5, \"class\": " +
            std::to_string(class_of_acknowledgements) + "}";
  return text + "]}";
}

TEST(hangs, of_two_meshes_follow_from_two_flows) {
  const program_directory dir;
  dir.write("data.json", flows(0, false, 0));
  dir.write("both.json", flows(0, true, 0));
  dir.write("classes.json", flows(0, true, 1));
  const auto prove = [&](const strings& more) {
    return dir.run(with({"prove", "--topology", network("two_meshes"), "--vc-rule", "given"}, more));
  };
  const process_result data = prove({"--flows", "data.json"});
  EXPECT_EQ(data.status, 0);
  EXPECT_THAT(data.out, HasSubstr("4 VCs; only packets of data.json (flows: 1, pairs of terminals: 1)\n"
                                  "routing proven free of deadlock\n"));
  const process_result both = prove({"--flows", "both.json", "--vcs", "1", "--witness", "packets.txt"});
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.out, HasSubstr("  cycle    of 4 channels; a packet that holds one may ask for the next\n"
                                  "    mesh_a.a13 N vc0\n    mesh_a.a03 X vc0\n    mesh_b.b00 S vc0\n"
                                  "    mesh_b.b10 X vc0\n"));
  EXPECT_THAT(both.out, HasSubstr("  witness  4 packets froze the simulated network"));
  // Of the pairs that talk only: numbers of a13 and b10, of b00 and a03.
  std::istringstream lines(dir.read("packets.txt"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) EXPECT_THAT(line, testing::ContainsRegex("^[0-9]+ (7 12|8 3) "));
  // Acknowledgements in VCs of their own.
  const strings classes{"--flows", "classes.json", "--vcs", "2", "--message-classes", "2"};
  EXPECT_EQ(prove(classes).status, 0);
  EXPECT_EQ(prove(with(classes, {"--shared-classes", "--no-witness"})).status, 1);
  // A run of these flows is free of deadlock, too.
  const strings run{"run", "--topology", network("two_meshes"), "--vc-rule", "given", "--cycles",
                    "500", "--flows"};
  EXPECT_THAT(
      dir.run(with(run, {"data.json"})).out,
      HasSubstr(
          "\nrouting proven free of deadlock (exhaustive: 176 channels, 32 dependencies), for packets of "
          "the flows only; for all pairs it is cyclic\n"));
  EXPECT_THAT(dir.run(with(run, {"both.json"})).err, HasSubstr("is not free of deadlock: "));
  // What a verdict on some pairs is not.
  EXPECT_EQ(prove({"--flows", "data.json", "--certificate", "c.txt"}).err,
            "toriscope: --certificate has no effect with --flows, because a certificate is of all pairs; "
            "leave it out\n");
  EXPECT_EQ(prove({"--flows", "data.json", "--method", "exhaustive"}).err,
            "toriscope: --method has no effect with --flows, whose packets are all followed; leave it out\n");
  EXPECT_EQ(prove({"--no-witness"}).status, 1) << "and is not remembered for all pairs";
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

/// A packet of another class has the only VC at its source; it moves, and so will the queue behind it.
TEST(hangs, a_source_queue_behind_a_long_packet_of_another_class_is_none) {
  const program_directory dir;
  dir.write("long.txt", "0 0 2 400 class=1\n5 0 2 1\n10 1 2 1\n");
  const process_result r = dir.shell(
      "$T run --quiet --topology mesh:3x1 --vcs 1 --message-classes 2 --shared-classes --limited-reception "
      "--traffic-file long.txt --watchdog 50");
  EXPECT_EQ(r.status, 0) << r.err;
}

}  // namespace
}  // namespace toriscope::hangs_test
