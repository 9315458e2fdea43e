// SPDX-License-Identifier: Apache-2.0
// docs/your_own_rtl.md as a newcomer follows it: its commands are run, its description is the one that stands
// beside the router. And what is said when something is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

std::string contents(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// All blocks of the guide that begin with ```KIND.
std::string blocks(const std::string& kind) {
  const std::string guide = contents(TORISCOPE_ROOT "/docs/your_own_rtl.md");
  const std::string fence = "```" + kind + "\n";
  std::string all;
  for (std::size_t at = 0; (at = guide.find(fence, at)) != std::string::npos;) {
    at += fence.size();
    all += guide.substr(at, guide.find("```", at) - at);
  }
  return all;
}

const char* const description = TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole.json";

class your_own_rtl : public testing::Test {
 protected:
  your_own_rtl() {
    setenv("TORISCOPE_RTL_CACHE", TORISCOPE_TEST_RTL_CACHE, 1);
    setenv("TORISCOPE_RTL_CXXFLAGS", "-O0", 1);  // what is cheapest, building and running
    setenv("TORISCOPE", TORISCOPE_ROOT, 1);
  }
  process_result run(const std::string& options, const std::string& router = description) {
    return dir_.shell("\"$T\" run --topology mesh:4x4 --cycles 500 --failure-wave none --rtl mesh.node_1_1 " +
                      options + " --rtl-router '" + router + "'");
  }
  program_directory dir_;
};

TEST_F(your_own_rtl, guide_from_nothing_to_a_wave) {
  const std::string shown = blocks("json wormhole.json");
  EXPECT_EQ(nlohmann::json::parse(shown), nlohmann::json::parse(contents(description)));
  dir_.write("wormhole.json", shown);
  std::string commands = blocks("sh");
  const std::size_t first = commands.find("\ntoriscope");
  ASSERT_NE(first, std::string::npos);
  commands.insert(first, "\ncp ../wormhole.json .");
  const process_result r = dir_.shell("set -e; toriscope() { \"$T\" \"$@\"; }\n" + commands);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  for (const char* line :
       {"RTL in 1 of 16 nodes: wormhole_router of wormhole.json", "RTL in 8 of 16", "RTL in 16 of 16"})
    EXPECT_THAT(r.out, HasSubstr(line));
  EXPECT_THAT(dir_.read("my_router/mine.vcd"), HasSubstr("$enddefinitions"));
}

TEST_F(your_own_rtl, another_routing_order_is_told) {
  const process_result r = run("--packet 4 --rate 0.2");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("mesh.node_1_1: packet "));
  EXPECT_THAT(r.err, HasSubstr("and the network's routing has it go by "));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

TEST_F(your_own_rtl, what_is_wrong_before_the_run) {
  std::string text = contents(description);
  text.replace(text.find("\"reset\""), 7, "\"rest\"");
  dir_.write("wrong.json", text);
  const auto expect_line = [](const process_result& r, const char* said) {
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, testing::StartsWith("toriscope: "));
    EXPECT_THAT(r.err, HasSubstr(said));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  };
  expect_line(run("", "wrong.json"), "wrong.json: sources: there is no file wormhole_router.sv");
  expect_line(run("", "none.json"), "router description none.json cannot be opened");
  expect_line(run("--dead-link 0.x+"), "does not know of dead links");
  expect_line(dir_.shell(std::string("\"$T\" run --rtl-router ") + description),
              "--rtl-router needs --rtl GLOB");
}

}  // namespace
}  // namespace toriscope
