// SPDX-License-Identifier: Apache-2.0
// docs/your_own_rtl.md as a newcomer follows it: its commands are run, its description is the one that stands
// beside the router. And what is said when something is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <string>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/your_own_rtl_bench.h"

namespace toriscope::your_own_rtl_test {
namespace {

using testing::HasSubstr;

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

TEST_F(your_own_rtl, routers_without_vcs_in_networks_with_several) {
  for (const char* router : {"credit_wormhole.json", "on_off_wormhole.json"})
    for (const char* vcs : {"1", "2", "4"}) {
      const process_result r =
          run(std::string("--rtl '*' --routing xy --rate 1 --check full --json - --vcs ") + vcs, test_rtl + router);
      ASSERT_EQ(r.status, 0) << router << ' ' << vcs << " VCs: " << r.err;
      EXPECT_GT(nlohmann::json::parse(r.out)["results"]["accepted"], 0.4) << router << ' ' << vcs;
    }
}

/// What leaves the router waits in front of the link; a link of a quarter of the width carries a quarter at most.
void expect_a_quarter(const process_result& r) {
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json results = nlohmann::json::parse(r.out)["results"];
  EXPECT_GT(results["accepted"], 0.1);
  const double most = results["links"]["utilisation_max"];
  EXPECT_GT(most, 0.15);
  EXPECT_LE(most, 0.2501);
}
TEST_F(your_own_rtl, narrow_links) {
  for (const char* router : {"credit_wormhole.json", "table_wormhole.json", "on_off_wormhole.json"}) {
    SCOPED_TRACE(router);
    expect_a_quarter(
        run("--rtl '*' --routing xy --rate 1 --check full --json - --link-width 16", test_rtl + router));
  }
}
TEST_F(your_own_rtl, narrow_links_of_one_router) {
  expect_a_quarter(
      run("--routing xy --rate 1 --check full --json - --link-width 16", test_rtl + "table_wormhole.json"));
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
  EXPECT_THAT(r.out, HasSubstr("packets were inside RTL routers when the run ended, the oldest, packet "));
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
      "mesh.node_1_1: it has not given back a credit for VC 0 of its input port e (x+) although";
  // Of 4 slots: its own count for the neighbours, or the adapter has 8 in front of it.
  for (const char* depth : {"4", "8"}) {
    const std::string options = std::string("--routing xy --rate 0.2 --packet 4 --vcs 1 --depth ") + depth;
    const process_result one = run(options, "one.json");
    EXPECT_EQ(one.status, 1) << depth;
    EXPECT_THAT(one.err, testing::StartsWith("toriscope: broken invariant in cycle ")) << depth;
    EXPECT_THAT(one.err, HasSubstr(", at the end of the run: " + lost)) << depth;
    const process_result all = run(options + " --drain 5000", "all.json");
    EXPECT_EQ(all.status, 1) << depth;
    EXPECT_THAT(all.err, testing::ContainsRegex("broken invariant in cycle [12][0-9]+: mesh.node_1_1: it has "
                                                "not given back .* of its input port e .x"))
        << depth;
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
    std::string example, file;
    ASSERT_TRUE(RE2::PartialMatch(loud.out, "for example ([^\n]*); all are in ([^\n]*)\n", &example, &file));
    const std::string all = contents(file), kind = "%Warning-WIDTH: ";
    EXPECT_EQ(all.find(kind + example), all.find(kind)) << "the first of several of a kind";
  }
  const process_result quiet = run("--routing xy", "quiet.json");
  EXPECT_EQ(quiet.status, 0) << quiet.err;
  EXPECT_THAT(quiet.out, testing::Not(HasSubstr("Verilator warns")));
}

/// Two inputs always have a packet for the same output.
TEST_F(your_own_rtl, outputs_serve_their_inputs_in_turn) {
  std::string packets;
  for (unsigned i = 0; i < 150; ++i) packets += "0 0 1 4\n0 2 1 4\n";
  dir_.write("packets.txt", packets);
  const process_result r = run("--topology mesh:2x3 --rtl 1 --routing xy --traffic-file packets.txt --warmup 0 "
                               "--drain 0 --packet-stats p.csv");
  ASSERT_EQ(r.status, 0) << r.err;
  const auto received_from = [&](const std::string& node) {
    return std::stod(dir_.shell("grep -c '," + node + ",01,' p.csv").out);
  };
  const double west = received_from("00"), east = received_from("02");
  EXPECT_GT(west + east, 100);
  EXPECT_NEAR(west, east, 0.1 * west);
}

TEST_F(your_own_rtl, a_credit_too_many_names_port_node_and_cycle) {
  dir_.write("extra.json", credit_wormhole("\"EXTRA\": 1"));
  const std::string options = "--routing xy --rate 0.2 --packet 4 --vcs 1 --depth ";
  const process_result counted = run(options + "8", "extra.json");  // the adapter has 8 in front of it
  EXPECT_EQ(counted.status, 1);
  EXPECT_THAT(counted.err,
              testing::ContainsRegex("in cycle [0-9]+: mesh.node_1_1: it gave back more credits for VC 0 of "
                                     "its input port e .x.. than the 4 slots that it has .depth.: 4 flits "
                                     "have entered, and 5 credits came back"));
  const process_result straight = run(options + "4", "extra.json");  // its buffers are the neighbours'
  EXPECT_EQ(straight.status, 1);
  EXPECT_THAT(straight.err,
              testing::ContainsRegex("in cycle [0-9]+: mesh.node_1_1: port x.: a credit for VC 0 of an input "
                                     "buffer that is empty: every flit that came in has had its credit"));
}

TEST_F(your_own_rtl, waveform_of_pins_and_inside) {
  const process_result r =
      run("--routing xy --packet 4 --rate 0.2 --wave 'mesh.node_1_1@0:300' --wave-file w.vcd");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const vcd_contents shown = wave("w.vcd");
  const std::string module = "rtl.node_1_1.toriscope_pins.rtl.";
  const std::string west = "pins.node_1_1.in_west.";
  constexpr unsigned port = 4, width = 34;
  unsigned heads = 0;
  EXPECT_EQ(shown.variables.count(module + "gen_input[0].fifo.count"), 1u);
  for (std::uint64_t now = 1000; now < 300000; now += 1000) {
    const std::string pins = shown.at(module + "in_valid_i", now);  // "b01000", port 0 is the last
    ASSERT_EQ(pins.size(), 6u);
    EXPECT_EQ(shown.at(west + "valid", now).back(), pins[pins.size() - 1 - port]) << now;
    if (shown.at(west + "valid", now) != "1" || shown.at(west + "type", now) != "b1") continue;
    ++heads;
    const std::string flits = shown.at(module + "in_flit_i", now);
    // Verilator writes leading zeros.
    const std::string field = flits.substr(flits.size() - port * width - 32, 4);
    const std::string x = shown.at(west + "dest_x", now).substr(1);
    EXPECT_EQ(field, std::string(4 - x.size(), '0') + x) << now;
  }
  EXPECT_GT(heads, 5u);
  const std::string names[] = {"local", "north", "east", "south", "west"};
  for (std::uint64_t now = 1000; now < 300000; now += 1000)
    for (unsigned p = 0; p < 5; ++p) {
      const std::string in = "pins.node_1_1.in_" + names[p] + '.';
      const auto pin = [&](const char* name) { return shown.at(module + name, now)[5 - p]; };
      EXPECT_EQ(shown.at(in + "valid", now)[0], pin("in_valid_i")) << in << now;
      EXPECT_EQ(shown.at(in + "ready", now).back(), pin("in_ready_o")) << in << now;
      const bool flit = shown.at(in + "valid", now) == "1", head = shown.at(in + "type", now) == "b1";
      EXPECT_EQ(shown.at(in + "dest_x", now) != "bz", flit && head) << in << now;
      EXPECT_EQ(shown.at(in + "payload", now) != "bz", flit && !head) << in << now;
    }
  EXPECT_EQ(shown.variables.count(west + "ready"), 1u) << "not a credit";
  const std::string save_file = dir_.read("w.gtkw");
  EXPECT_EQ(unended_groups(save_file), "");
  const std::size_t fields = save_file.find("+{in_west dest_x} pins.node_1_1.in_west.dest_x[3:0]");
  ASSERT_NE(fields, std::string::npos) << save_file.substr(0, 2000);
  EXPECT_LT(fields, save_file.find("mesh.node_1_1."));
  // Into a pipe goes what the model shows.
  const process_result pipe = dir_.shell(
      "mkfifo p.vcd; timeout 60 cat p.vcd > got & timeout 60 \"$T\" run --topology mesh:4x4 --routing xy "
      "--cycles 300 "
      "--rtl 5 --rtl-router '" +
      std::string(description) +
      "' --packet 4 --wave '*' --wave-file p.vcd --quiet; "
      "s=$?; wait; grep -c enddefinitions got; exit $s");
  EXPECT_EQ(pipe.status, 0) << pipe.err;
  EXPECT_EQ(pipe.out, "1\n");
  // Without an end, it ends with the run: not with what the router does then to return its credits.
  ASSERT_EQ(run("--routing xy --packet 4 --rate 0.2 --wave mesh.node_1_1 --wave-file e.vcd").status, 0);
  const vcd_contents all = wave("e.vcd");
  EXPECT_LE(all.times.back(), all.variables.at("mesh.cycle").changes.back().first);
  for (const char* const row : {"in_flit_i[169:0]", "gen_input[0].fifo.count[2:0]"})
    EXPECT_NE(save_file.find("} " + module + row), std::string::npos) << row;
  const std::size_t its_inside = save_file.find("-its inside\n");
  EXPECT_LT(save_file.find("-its pins\n"), save_file.find("} " + module + "in_flit_i[169:0]"));
  EXPECT_LT(save_file.find("} " + module + "in_flit_i[169:0]"), its_inside);
  EXPECT_LT(its_inside, save_file.find("} " + module + "gen_input[0].fifo.count[2:0]"));
  EXPECT_THAT(r.out, testing::Not(testing::ContainsRegex("signals inside the RTL|more were chosen")));
}

/// Of 18 routers 16 are shown.
TEST_F(your_own_rtl, waveform_of_more_routers_than_are_shown) {
  const process_result r =
      run("--topology mesh:3x6 --rtl '*' --routing xy --packet 4 --wave '*@0:1' --wave-file w.vcd");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("\nThe waveform shows the inside of 16 RTL routers; 2 more were chosen.\n"));
  unsigned inside = 0;
  for (const auto& [name, variable] : wave("w.vcd").variables)
    inside += begins_with(name, "rtl.") && name.find(".toriscope_pins.rtl.clk_i") != std::string::npos;
  EXPECT_EQ(inside, 16u);
}

/// More signals than are shown; a pin wider than Verilator shows by default is there.
TEST_F(your_own_rtl, waveform_of_a_router_with_thousands_of_signals_inside) {
  std::string source = contents(test_rtl + "credit_wormhole.sv"), text = credit_wormhole("");
  source.insert(source.find("  for (genvar p"),
                "  for (genvar b = 0; b < 9; b++) begin : gen_big\n    logic [3:0] words[250];\n"
                "    always_ff @(posedge clk) words[in_flit[0][7:0] % 250] <= x;\n  end\n"
                "  logic [299:0] wide;\n  always_ff @(posedge clk) wide <= {wide[298:0], in_valid[0]};\n");
  dir_.write("big.sv", source);
  replace_all(text, test_rtl + "credit_wormhole.sv", "big.sv");
  dir_.write("big.json", text);
  const process_result r =
      run("--routing xy --packet 4 --vcs 1 --wave mesh.node_1_1@0:50 --wave-file w.vcd", "big.json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, testing::ContainsRegex(
                         "\nThe waveform shows 2000 of the 2[0-9]+ signals inside the RTL of node_1_1, "
                         "those of the upper levels.\n"));
  const vcd_contents shown = wave("w.vcd");
  unsigned inside = 0;
  for (const auto& [name, variable] : shown.variables) inside += begins_with(name, "rtl.");
  EXPECT_EQ(inside, 2000u);
  EXPECT_EQ(shown.variables.count("rtl.node_1_1.toriscope_pins.rtl.wide"), 1u);
}

/// As FST, with the vcd2fst of GTKWave.
TEST_F(your_own_rtl, waveform_of_pins_and_inside_as_fst) {
  const std::string options =
      "--routing xy --packet 4 --rate 0.2 --wave 'mesh.node_1_1@0:300' --wave-file w.fst";
  const process_result without = dir_.shell(
      "mkdir none; for t in verilator c++ sh; do ln -s $(command -v $t) none; done; "
      "PATH=$PWD/none \"$T\" run --topology mesh:4x4 --rtl 5 --rtl-router '" +
      std::string(description) + "' --wave '*' --wave-file w.fst");
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err,
              HasSubstr("vcd2fst, which would make an FST of it, cannot be run; install gtkwave"));
  const process_result cosim = dir_.shell(
      "PATH=$PWD/none \"$T\" cosim --topology torus:4x4 --rtl 5 --cycles 20 --difference-wave d.fst --quiet");
  EXPECT_THAT(cosim.err, HasSubstr("cannot write d.fst: waves from inside RTL routers are VCD"));
  if (dir_.shell("command -v vcd2fst").status != 0) GTEST_SKIP() << "no vcd2fst";
  const process_result r = run(options);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(dir_.shell("fst2vcd w.fst -o back.vcd && grep -q ' in_flit_i \\[169:0\\]' back.vcd && "
                       "grep -q ' dest_x ' back.vcd && grep -q ' cycle ' back.vcd")
                .status,
            0);
  const std::string directory = dir_.shell("pwd").out, save_file = dir_.read("w.gtkw");
  EXPECT_THAT(save_file.substr(0, 600),
              HasSubstr("[dumpfile] \"" + directory.substr(0, directory.find('\n')) + "/w.fst\""));
  EXPECT_THAT(save_file,
              HasSubstr("[savefile] \"" + directory.substr(0, directory.find('\n')) + "/w.gtkw\""));
  EXPECT_THAT(dir_.files(), testing::IsSupersetOf({"w.flit_kind.txt", "w.fst", "w.gtkw"}));
}

/// A bug in the user's router is found, and the waveform that is left shows it where its marker is.
TEST_F(your_own_rtl, a_seeded_bug_is_in_the_failure_wave) {
  dir_.write("change.json", credit_wormhole("\"CHANGE\": 1"));
  const process_result r = dir_.shell(
      "\"$T\" run --topology mesh:4x4 --routing xy --rate 0.2 --packet 4 --vcs 1 --depth 4 --cycles 1000 "
      "--rtl mesh.node_1_1 --rtl-router change.json --failure-wave f.vcd --quiet");
  ASSERT_EQ(r.status, 1) << r.err;
  std::uint64_t cycle = 0, entered = 0, left = 0;
  ASSERT_TRUE(RE2::PartialMatch(r.err,
                                "in cycle ([0-9]+): mesh.node_1_1: packet [0-9]+ [^\n]*out of port e \\(x\\+\\): "
                                "bits 31:0 \\(payload\\) entered as ([0-9]+) and left as ([0-9]+)",
                                &cycle, &entered, &left))
      << r.err;
  EXPECT_THAT(r.err, HasSubstr("with a marker on cycle " + std::to_string(cycle) + ": f.vcd"));
  EXPECT_EQ(entered ^ left, 8u);
  const vcd_contents shown = wave("f.vcd");
  const auto number = [](const std::string& bits) { return std::stoull(bits.substr(1), nullptr, 2); };
  EXPECT_EQ(number(shown.at("pins.node_1_1.out_e.payload", cycle * 1000 - 1)), left);
  bool went_in = false;
  for (const char* const port : {"l", "n", "s", "w"})
    for (const vcd_contents::change& c :
         shown.variables.at(std::string("pins.node_1_1.in_") + port + ".payload").changes)
      went_in |= c.first < cycle * 1000 && c.second != "bz" && number(c.second) == entered;
  EXPECT_TRUE(went_in);
  const std::string save_file = dir_.read("f.gtkw");
  EXPECT_NE(save_file.find(" " + std::to_string(cycle * 1000) + " -1"), std::string::npos)
      << save_file.substr(0, 300);
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
  EXPECT_THAT(patient.err, testing::ContainsRegex(
                               "mesh.node_1_1: packet [0-9]+ .from node 5 to node 5, 4 flits. entered "
                               "[0-9]+ cycles ago by port l .local. and is never served: its output "
                               "port l .local. was open in 1[0-9]+ cycles since, and [0-9]+ other packets "
                               "have left"));
  // Too short for the patience of 1000 cycles: told all the same.
  const process_result brief = run(self + "--drain 100", "starve.json");
  EXPECT_EQ(brief.status, 0) << brief.err;
  EXPECT_THAT(brief.out,
              testing::ContainsRegex(
                  "2 packets were inside RTL routers when the run ended, the oldest, packet [0-9]+, in "
                  "node 11 since cycle 8"));
  const auto results =
      nlohmann::json::parse(run(self + "--drain 100 --json -", "starve.json").out)["results"];
  EXPECT_EQ(results["rtl"]["packets_inside"], 2);
  EXPECT_EQ(results["rtl"]["flits_inside"], 5);
  EXPECT_EQ(results["rtl"]["oldest_node"], 5);
  EXPECT_EQ(results["rtl"]["oldest_since"], 8);
}

/// A run in good order, too.
TEST_F(your_own_rtl, packets_inside_when_the_run_ends) {
  const process_result r = run("--routing xy --packet 4 --rate 0.4 --rtl '*'");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, testing::ContainsRegex(
                         "\n[0-9]+ packets were inside RTL routers when the run ended, the oldest, "
                         "packet [0-9]+, in node [0-3][0-3] since cycle [0-9]+\\.\n"));
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

TEST_F(your_own_rtl, groups_of_the_first_router_alone_are_open) {
  ASSERT_EQ(run("--rtl '*' --routing xy --packet 4 --rate 0.2 --wave 'mesh.node_1_*@0:100' --wave-file g.vcd").status,
            0);
  const std::string rows = dir_.read("g.gtkw");
  const auto count = [&](const std::string& text) {
    unsigned found = 0;
    for (std::size_t at = 0; (at = rows.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("@800200\n-its pins\n"), 1u);
  EXPECT_EQ(count("@c00200\n-its pins\n"), 3u);
  EXPECT_EQ(count("@c00200\n-its inside\n"), 4u);
  std::string second = rows.substr(rows.find("-node_1_1 RTL\n"));
  second.resize(second.find("-its pins\n"));
  EXPECT_EQ(second.find("@800200\n-port "), std::string::npos);
}

/// The project's own RTL, changed: it is built again with what shows its inside.
TEST_F(your_own_rtl, a_difference_of_the_projects_own_sources_has_a_waveform) {
  const std::string change = "s/if (sa_won_i) sa_pointer_q/if (pick != '0) sa_pointer_q/";
  ASSERT_EQ(dir_.shell("cp -r " TORISCOPE_SV_DIRECTORY " sv && sed -i \"" + change + "\" sv/input_unit.sv").status, 0);
  const std::string cosim =
      "TORISCOPE_RTL=$PWD/sv $T cosim --topology torus:4x4 --vcs 2 --depth 4 --pipeline four_stage --rate "
      "0.6 --rtl 5 --warmup 0 --drain 0 --cycles 3000 --quiet";
  const process_result r = dir_.shell(cosim);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("model and RTL: toriscope-difference.vcd"));
  EXPECT_THAT(dir_.read("toriscope-difference.vcd"), HasSubstr("$scope module rtl"));
  if (dir_.shell("command -v vcd2fst").status != 0) return;
  EXPECT_EQ(dir_.shell(cosim + " --difference-wave d.fst").status, 1);
  EXPECT_THAT(dir_.files(), testing::Contains("d.fst"));
}

}  // namespace
}  // namespace toriscope::your_own_rtl_test
