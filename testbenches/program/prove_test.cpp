// SPDX-License-Identifier: Apache-2.0
// `toriscope prove` as scripts see it: exit status, JSON, one line for bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(prove, proven_is_status_0) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--topology", "ttn:2,2,0", "--method", "exhaustive"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("\nproven free of deadlock\n"));
  EXPECT_THAT(r.out, HasSubstr("exhaustive: 256 nodes, 4224 channels, 2208 dependencies"));
}

TEST(prove, json) {
  const program_directory dir;
  const process_result r =
      dir.run({"prove", "--topology", "torus:8x8", "--classes", "2", "--vcs", "6", "--json", "-"});
  EXPECT_EQ(r.status, 0);
  const json found = json::parse(r.out);
  EXPECT_EQ(found["verdict"], "proven");
  EXPECT_EQ(found["method"], "exhaustive");
  EXPECT_EQ(found["vcs"], 6);
  EXPECT_EQ(found["message_classes"], 2);
  EXPECT_EQ(found["channels"], 64 * 4 * 6);
  EXPECT_EQ(found["cycle"], json::array());
}

TEST(prove, cyclic_is_status_1) {
  const program_directory dir;
  const process_result r =
      dir.run({"prove", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--json", "p.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("\ncyclic"));
  const json found = json::parse(dir.read("p.json"));
  EXPECT_EQ(found["verdict"], "cyclic");
  ASSERT_GE(found["cycle"].size(), 2u);
  EXPECT_EQ(found["cycle"][0]["to"], found["cycle"][1]["node"]);
  EXPECT_THAT(r.out, HasSubstr(found["cycle"][0]["node"].get<std::string>() + " " +
                               found["cycle"][0]["port"].get<std::string>() + " vc"));
}

TEST(prove, unknown_is_status_1) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--method", "sampled"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("\nunknown"));
}

}  // namespace
}  // namespace toriscope
