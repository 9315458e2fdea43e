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
  process_result run(std::string options, const std::string& router = description) {
    if (options.find("--topology") == std::string::npos) options += " --topology mesh:4x4";
    if (options.find("--rtl ") == std::string::npos) options += " --rtl mesh.node_1_1";
    return dir_.shell("\"$T\" run --cycles 500 --failure-wave none " + options + " --rtl-router '" + router +
                      "'");
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
  EXPECT_THAT(r.err, HasSubstr("but the network's routing sends it by "));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

const std::string test_rtl = TORISCOPE_ROOT "/rtl_models/user_rtl/test_rtl/";

TEST_F(your_own_rtl, credit_router_without_vcs_in_networks_with_several) {
  for (const char* vcs : {"1", "2", "4"}) {
    const process_result r =
        run(std::string("--rtl '*' --routing xy --rate 1 --check full --json - --vcs ") + vcs,
            test_rtl + "credit_wormhole.json");
    ASSERT_EQ(r.status, 0) << vcs << " VCs: " << r.err;
    EXPECT_GT(nlohmann::json::parse(r.out)["results"]["accepted"], 0.4) << vcs;
  }
}

TEST_F(your_own_rtl, not_beside_routers_of_their_own_and_where_queues_are_compared) {
  dir_.write("n.json", R"({"nodes": ["a", "b", {"name": "c", "depth": 2}],
                           "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]})");
  const std::string router = test_rtl + "table_wormhole.json";
  const std::string file = "--topology file:n.json --vcs 2 --depth 4 --rtl custom.";
  EXPECT_EQ(run(file + "a", router).status, 0);
  const process_result beside = run(file + "b", router);
  EXPECT_EQ(beside.status, 2);
  EXPECT_THAT(beside.err, HasSubstr("and so have those behind it; c has its own"));
  const process_result ugal = run("--topology ring:5 --routing ugal --vcs 4 --depth 4 --rtl 0", router);
  EXPECT_EQ(ugal.status, 2);
  EXPECT_THAT(ugal.err, HasSubstr("does not compare queues"));
}

TEST_F(your_own_rtl, vc_that_the_routing_does_not_allow) {
  const process_result r = run("--topology torus:4x8 --rtl '*' --vcs 2 --rate .9 --traffic tornado",
                               test_rtl + "torus_planes.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(
      r.err, testing::ContainsRegex("in cycle [0-9]+: torus.node_[0-9]_[0-9]: packet [0-9]+ .from node "
                                    "[0-9]+ to node [0-9]+, 16 flits. came on VC [01] and leaves by port "
                                    "[nesw] .[xy][+-]. on VC [01]; the network's routing allows it VC [01]"));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

TEST_F(your_own_rtl, silence_is_a_failure) {
  const process_result r =
      run("--topology torus:4x8 --rtl '*' --vcs 2 --rate .9 --traffic tornado --drain 5000 "
          "--watchdog 1000",
          test_rtl + "torus_wormhole.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              testing::ContainsRegex("^toriscope: nothing moves: up to cycle [0-9]+ no flit has moved in "
                                     "1[0-9]+ cycles, and [0-9]+ flits are under way, [0-9]+ of them in RTL "
                                     "routers; the oldest packet there is in node [0-7]+ since cycle"));
  EXPECT_THAT(r.err, HasSubstr("packets in its RTL, the oldest since cycle "));
  EXPECT_THAT(r.out, HasSubstr("packets are inside RTL routers, the oldest, packet "));
}

void replace_all(std::string& text, const std::string& old, const std::string& now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
}

/// The description of the router with credits, for another directory. @param parameters  "STARVE": 1
std::string credit_wormhole(const std::string& parameters) {
  std::string text = contents(test_rtl + "credit_wormhole.json");
  replace_all(text, "../../sv_wormhole", TORISCOPE_ROOT "/rtl_models/sv_wormhole");
  replace_all(text, "\"credit_wormhole.sv", "\"" + test_rtl + "credit_wormhole.sv");
  replace_all(text, "\"ties\"", "\"parameters\": {" + parameters + "}, \"ties\"");
  return text;
}

TEST_F(your_own_rtl, credits_that_are_never_returned) {
  dir_.write("one.json", credit_wormhole("\"LOSE\": 1"));
  dir_.write("all.json", credit_wormhole("\"LOSE\": 4"));
  const std::string lost =
      "mesh.node_1_1: it has not given back a credit for VC 0 of its input port e although";
  // Of 4 slots: its own count for the neighbours, or the adapter has 8 in front of it.
  for (const char* depth : {"4", "8"}) {
    const std::string options = std::string("--routing xy --rate 0.2 --packet 4 --vcs 1 --depth ") + depth;
    const process_result one = run(options, "one.json");
    EXPECT_EQ(one.status, 1) << depth;
    EXPECT_THAT(one.err, HasSubstr("broken invariant at the end of the run: " + lost)) << depth;
    const process_result all = run(options + " --drain 5000", "all.json");
    EXPECT_EQ(all.status, 1) << depth;
    EXPECT_THAT(all.err, testing::ContainsRegex("broken invariant in cycle [12][0-9]+: " + lost)) << depth;
  }
}

TEST_F(your_own_rtl, styles_of_others) {
  for (const auto& [router, nodes] :
       {std::pair{"styled_planes.json", "'mesh.node_1_*'"}, {"flat_planes.json", "4"}}) {
    const process_result r =
        run(std::string("--topology mesh:3x3 --routing xy --vcs 2 --rate 1 --check full --json - "
                        "--rtl ") +
                nodes,
            test_rtl + router);
    ASSERT_EQ(r.status, 0) << router << ": " << r.err;
    EXPECT_GT(nlohmann::json::parse(r.out)["results"]["accepted"], 0.4) << router;
  }
}

TEST_F(your_own_rtl, warnings_of_verilator_in_one_line) {
  std::string text = contents(test_rtl + "table_wormhole.json");
  replace_all(text, "../../sv_wormhole", TORISCOPE_ROOT "/rtl_models/sv_wormhole");
  replace_all(text, "\"table_wormhole.sv", "\"" + test_rtl + "table_wormhole.sv");
  dir_.write("loud.json", text);
  replace_all(text, "\"ports\":", "\"verilator_options\": [\"-Wno-WIDTH\", \"-O1\"], \"ports\":");
  dir_.write("quiet.json", text);
  for (int built = 0; built < 2; ++built) {  // and found in the cache
    const process_result loud = run("--routing xy", "loud.json");
    EXPECT_EQ(loud.status, 0) << loud.err;
    EXPECT_THAT(loud.out,
                testing::ContainsRegex("\nVerilator warns of table_wormhole: [0-9]+ WIDTH; for example "
                                       "[^\n]*table_wormhole.sv:[0-9]+:[0-9]+: [^\n]*; all are in "
                                       "[^\n]*.warnings\n"));
  }
  const process_result quiet = run("--routing xy", "quiet.json");
  EXPECT_EQ(quiet.status, 0) << quiet.err;
  EXPECT_THAT(quiet.out, testing::Not(HasSubstr("Verilator warns")));
}

/// What is included counts, whatever way it is found.
TEST_F(your_own_rtl, changed_included_files_are_built_again) {
  std::string text = contents(description),
              top = contents(TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole_router.sv");
  replace_all(text, "\"wormhole_", "\"" TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole_");
  replace_all(text, "\"" TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole_router\"", "\"wormhole_router\"");
  replace_all(text, TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole_router.sv", "changed.sv");
  replace_all(text, "\"parameters\"", "\"include_directories\": [\"inc\"], \"parameters\"");
  dir_.write("r.json", text);
  ASSERT_EQ(dir_.shell("mkdir -p inc/sub").status, 0);
  const std::string directory = dir_.shell("pwd").out;
  const std::string elsewhere = directory.substr(0, directory.find('\n')) + "/elsewhere.svh";
  const std::string fails = "always_ff @(posedge clk_i) if (in_valid_i != 0) $fatal(1, \"version 2\");\n";
  for (const std::string& file : {std::string("sub/x.svh"), elsewhere}) {
    std::string including = top;
    const std::size_t body = including.find(");\n") + 3;
    dir_.write("changed.sv", including.insert(body, "`include \"" + file + "\"\n"));
    const std::string path = file[0] == '/' ? "elsewhere.svh" : "inc/" + file;
    dir_.write(path, "// version 1 of " + path + "\n");
    const process_result first = run("--routing xy --packet 4", "r.json");
    EXPECT_EQ(first.status, 0) << first.err;
    dir_.write(path, fails);
    const process_result second = run("--routing xy --packet 4", "r.json");
    EXPECT_EQ(second.status, 1) << path;
    EXPECT_THAT(second.err, HasSubstr("version 2"));
  }
}

TEST_F(your_own_rtl, packets_that_are_never_served) {
  dir_.write("starve.json", credit_wormhole("\"STARVE\": 1"));
  std::string packets = "7 5 5 4\n";  // and others that pass node 5
  for (int cycle = 10; cycle < 3000; cycle += 20) packets += std::to_string(cycle) + " 4 6 4\n";
  dir_.write("packets.txt", packets);
  const std::string self = "--routing xy --traffic-file packets.txt --warmup 0 ";
  const process_result patient = run(self + "--drain 3000", "starve.json");
  EXPECT_EQ(patient.status, 1);
  EXPECT_THAT(patient.err,
              testing::ContainsRegex("mesh.node_1_1: packet [0-9]+ .from node 5 to node 5, 4 flits. entered "
                                     "[0-9]+ cycles ago by port l and is never served: its output "
                                     "port l was open in 1[0-9]+ cycles since, and [0-9]+ other packets "
                                     "have left"));
  // Too short for the patience of 1000 cycles: told all the same.
  const process_result brief = run(self + "--drain 100", "starve.json");
  EXPECT_EQ(brief.status, 0) << brief.err;
  EXPECT_THAT(brief.out,
              testing::ContainsRegex("[0-9]+ packets are inside RTL routers, the oldest, packet [0-9]+, in "
                                     "node 11 since cycle 8"));
  const auto results =
      nlohmann::json::parse(run(self + "--drain 100 --json -", "starve.json").out)["results"];
  EXPECT_EQ(results["rtl"]["packets_inside"], 2);
  EXPECT_EQ(results["rtl"]["flits_inside"], 5);
  EXPECT_EQ(results["rtl"]["oldest_node"], 5);
  EXPECT_EQ(results["rtl"]["oldest_since"], 8);
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
  expect_line(run("", "none.json"), "router description none.json cannot be read");
  expect_line(run("--dead-link 0.x+"), "do not support failed links");
  expect_line(dir_.shell(std::string("\"$T\" run --rtl-router ") + description),
              "--rtl-router needs --rtl GLOB");
}

}  // namespace
}  // namespace toriscope
