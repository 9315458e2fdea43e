// SPDX-License-Identifier: Apache-2.0
// `toriscope run --save-state` and `--from-state`: the rest of a run is what it would have been, to the byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/state_archive.h"
#include "base/text_hash.h"
#include "testbenches/program/program_process.h"

namespace toriscope::checkpoint_test {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

const strings window{"--warmup", "100", "--cycles", "200", "--drain", "2000", "--wire-hash", "--quiet",
                     "--allow-deadlock"};

json result_of(const program_directory& dir, const std::string& name) {
  json result = json::parse(dir.read(name));
  result.erase("performance");
  return result;
}

/// What follows the first line.
std::string rows(const std::string& csv) { return csv.substr(csv.find('\n') + 1); }

struct saved_run {
  const char* name;
  strings options;
};

void PrintTo(const saved_run& r, std::ostream* out) { *out << r.name; }

/// A trace of 300 cycles, "t.txt": requests, and replies that are after them.
void record_trace(const program_directory& dir) {
  const process_result r = dir.run({"record", "--topology", "torus:4x4", "--traffic-mode", "request_reply", "--rate",
                                    "0.2", "--message-classes", "2", "--warmup", "0", "--cycles", "300", "--drain",
                                    "2000", "--quiet", "--output", "t.txt"});
  ASSERT_EQ(r.status, 0) << r.err;
}

class checkpoint : public testing::TestWithParam<saved_run> {};

TEST_P(checkpoint, goes_on_as_if_the_run_had_not_stopped) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too, have parts
  const program_directory dir;
  dir.write("own.json", R"({"name": "own", "nodes": [
    {"name": "a", "depth": 4}, {"name": "b", "vcs": 3, "pipeline": "single_cycle"}, {"name": "c", "terminals": 2}],
    "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "delay": 3, "width": 16}, {"from": "c", "to": "a"}]})");
  dir.write("flows.json", R"({"flows": [
    {"name": "many", "from": ["0", "1", "2", "3"], "to": "*", "rate": 0.2, "packet": "4:1,16:1", "latency_bound": 60},
    {"name": "one", "from": "5", "to": "9", "rate": 0.5, "packet": 5, "arrivals": "on_off", "burst": 4},
    {"name": "seldom", "from": "6", "to": "1", "rate": 0.001, "packet": 2}, {"name": "even", "from": "7", "to": "0",
    "rate": 0.3, "packet": 8, "arrivals": "constant"}]})");
  if (testing::Matches(testing::Contains("t.txt"))(GetParam().options)) record_trace(dir);
  const strings run = with(with({"run"}, GetParam().options), window);
  const process_result r = dir.run(with(run, {"--json", "whole.json", "--packet-stats", "whole.csv"}));
  ASSERT_EQ(r.status, 0) << r.err;
  const json whole = result_of(dir, "whole.json");
  ASSERT_GT(whole["results"]["packets"], 0);
  const std::string packets = dir.read("whole.csv");
  // In the warm-up, at its end, in the window, at its end, in the drain, at its end; saved and gone on with by one
  // thread or by several.
  const std::uint64_t cycles = whole["results"]["cycles"];
  std::vector<std::uint64_t> saved_in{37, 100, 257, 300, (300 + cycles) / 2, cycles};
  if (whole["results"].contains("precision")) saved_in.push_back(whole["results"]["precision"]["warmup_cycles"]);
  unsigned turn = 0;
  for (const std::uint64_t cycle : saved_in) {
    const std::string at = std::to_string(cycle);
    const char* const before = turn % 3 == 2 ? "3" : "1";
    const char* const after = turn++ % 3 == 1 ? "3" : "1";
    const process_result saving =
        dir.run(with(run, {"--json", "saving.json", "--threads", before, "--save-state", at + ":state"}));
    ASSERT_EQ(saving.status, 0) << saving.err;
    EXPECT_EQ(result_of(dir, "saving.json"), whole) << "saved in cycle " << at;
    const process_result rest = dir.run(with(run, {"--json", "rest.json", "--threads", after, "--packet-stats",
                                                   "rest.csv", "--from-state", "state"}));
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_EQ(result_of(dir, "rest.json"), whole) << "gone on from cycle " << at;
    EXPECT_TRUE(packets.size() >= rows(dir.read("rest.csv")).size() &&
                packets.substr(packets.size() - rows(dir.read("rest.csv")).size()) == rows(dir.read("rest.csv")))
        << "packets from cycle " << at;
  }
}

strings torus(const strings& more) { return with({"--topology", "torus:4x4"}, more); }

INSTANTIATE_TEST_SUITE_P(
    runs, checkpoint,
    testing::Values(
        saved_run{"four_stage", torus({"--rate", "0.4"})},
        saved_run{"single_cycle", torus({"--rate", "0.4", "--pipeline", "single_cycle"})},
        saved_run{"paper2009", torus({"--rate", "0.3", "--pipeline", "paper2009"})},
        saved_run{"staged", torus({"--rate", "0.4", "--stages", "rc=2,va=1,sa=1,st=2"})},
        saved_run{"speculative", torus({"--rate", "0.9", "--packet", "2", "--vcs", "2", "--stages",
                                        "rc=1,va=1,sa=1,st=1", "--speculative"})},
        saved_run{"policies", torus({"--rate", "0.4", "--va-allocator", "islip", "--sa-allocator", "islip",
                                     "--iterations", "2", "--arbiter", "age", "--speculative"})},
        saved_run{"matrix", torus({"--rate", "0.4", "--arbiter", "matrix", "--va-allocator", "output_first",
                                   "--sa-allocator", "output_first"})},
        saved_run{"islip_matrix", torus({"--rate", "0.5", "--arbiter", "matrix", "--sa-allocator", "islip"})},
        saved_run{"narrow_and_slow", torus({"--rate", "0.2", "--link-width", "16", "--link-delay", "4",
                                            "--vc-reallocation", "atomic", "--injection-delay", "3", "--credit-delay",
                                            "2"})},
        saved_run{"limited", {"--topology", "mesh:4x4", "--rate", "0.4", "--routing", "adaptive",
                              "--limited-reception"}},
        saved_run{"lookahead", torus({"--rate", "0.4", "--lookahead", "--adaptive-delay", "2", "--routing",
                                      "adaptive", "--vc-reallocation", "atomic"})},
        saved_run{"classes", torus({"--rate", "0.4", "--message-classes", "2"})},
        saved_run{"shared_classes", torus({"--rate", "0.4", "--message-classes", "2", "--shared-classes"})},
        saved_run{"dead_links", {"--topology", "torus:8x8", "--rate", "0.3", "--fail-link",
                                 "9.x+@50,20.y-,35.x-@251"}},
        saved_run{"dead_paper2009", {"--topology", "mesh:4x4", "--rate", "0.3", "--pipeline", "paper2009",
                                     "--fail-link", "5.x+@150"}},
        saved_run{"hierarchy", {"--topology", "ttn:2,2,0", "--rate", "0.03", "--link-delay", "1,3"}},
        saved_run{"terminals", {"--topology", "cmesh:3x3,2", "--rate", "0.2"}},
        saved_run{"one_direction", {"--topology", "butterfly:2,3", "--rate", "0.3", "--limited-reception"}},
        saved_run{"in_turn", {"--topology", "fattree:4,2", "--rate", "0.3"}},
        saved_run{"queues_compared", {"--topology", "dragonfly:2,2,1", "--rate", "0.3", "--routing", "ugal"}},
        saved_run{"own_routers", {"--topology", "file:own.json", "--rate", "0.2"}},
        saved_run{"many_vcs", torus({"--rate", "0.4", "--vcs", "16"})},
        saved_run{"poisson", torus({"--rate", "0.3", "--arrivals", "poisson", "--traffic", "hotspot"})},
        saved_run{"constant", torus({"--rate", "0.3", "--arrivals", "constant", "--packet", "4:1,16:3"})},
        saved_run{"on_off", torus({"--rate", "0.2", "--arrivals", "on_off"})},
        saved_run{"requests", torus({"--rate", "0.4", "--traffic-mode", "request_reply", "--message-classes", "2",
                                     "--reply-queue", "2", "--reply-packet", "4:1,16:1"})},
        saved_run{"requests_lost", torus({"--rate", "0.3", "--traffic-mode", "request_reply", "--message-classes", "2",
                                          "--fail-link", "5.x+@150", "--service-cycles", "0"})},
        saved_run{"flows", torus({"--flows", "flows.json"})},
        saved_run{"trace", torus({"--traffic-file", "t.txt", "--message-classes", "2", "--reply-queue", "3"})},
        saved_run{"precise", torus({"--rate", "0.45", "--packet", "2:1,9:1", "--precision", "2%"})},
        saved_run{"seldom", torus({"--rate", "0.02"})}),
    [](const auto& p) { return std::string(p.param.name); });

/// One line that says it.
void expect_rejected(const process_result& r, const std::string& what) {
  EXPECT_EQ(r.status, 2) << what;
  EXPECT_THAT(r.err, HasSubstr(what));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

const strings small = with(with({"run", "--topology", "torus:4x4", "--rate", "0.3"}, window), {"--json", "r.json"});

TEST(saved_state, has_the_same_waves_from_there_on) {
  const program_directory dir;
  for (const char* const from : {"150", "151", "200"}) {
    const std::string wave = "*@" + std::string(from) + ":260";
    ASSERT_EQ(dir.run(with(small, {"--save-state", "150:state", "--wave", wave, "--wave-file", "w.vcd"})).status, 0);
    const std::string whole = dir.read("w.vcd"), beside = dir.read("w.gtkw");
    ASSERT_EQ(dir.run(with(small, {"--from-state", "state", "--wave", wave, "--wave-file", "w.vcd"})).status, 0);
    EXPECT_TRUE(dir.read("w.vcd") == whole) << "from " << from;
    EXPECT_EQ(dir.read("w.gtkw"), beside);
  }
}

TEST(saved_state, counts_the_cycles_and_hops_that_are_simulated) {
  const program_directory dir;
  const auto performance = [&](const strings& more) {
    EXPECT_EQ(dir.run(with(small, more)).status, 0);
    return json::parse(dir.read("r.json"))["performance"];
  };
  const json whole = performance({"--save-state", "150:state"}), rest = performance({"--from-state", "state"});
  strings loud = with(small, {"--from-state", "state"});
  loud.erase(std::find(loud.begin(), loud.end(), "--quiet"));
  EXPECT_THAT(dir.run(loud).out, HasSubstr("\ngoes on after cycle 150, from state\n"));
  EXPECT_EQ(rest["router_cycles"], whole["router_cycles"].get<double>() - 150 * 16);
  const json end = performance({"--from-state", "state", "--save-state", "250:state"});
  EXPECT_EQ(end["flit_hops"], rest["flit_hops"]);
  const json last = performance({"--from-state", "state"});
  EXPECT_LT(last["flit_hops"], rest["flit_hops"]);
  EXPECT_LT(rest["flit_hops"], whole["flit_hops"]);
  EXPECT_GT(last["flit_hops"], 0);
}

TEST(saved_state, has_the_rows_of_a_time_series) {
  const program_directory dir;
  const strings run = with(small, {"--time-series", "t.csv", "--time-step", "40"});
  ASSERT_EQ(dir.run(with(run, {"--save-state", "150:state"})).status, 0);
  const std::string whole = dir.read("t.csv");
  ASSERT_EQ(dir.run(with(run, {"--from-state", "state"})).status, 0);
  EXPECT_EQ(dir.read("t.csv"), whole);
  EXPECT_THAT(dir.run(with(small, {"--time-series", "t.csv", "--from-state", "state"})).err, HasSubstr("--time-step"));
  const process_result without = dir.run(with(small, {"--from-state", "state"}));
  EXPECT_EQ(without.status, 0) << without.err;
  ASSERT_EQ(dir.run(with(small, {"--save-state", "150:state"})).status, 0);
  expect_rejected(dir.run(with(run, {"--from-state", "state"})), "saved without --time-series; leave it out");
}

class run_to_the_end : public testing::TestWithParam<saved_run> {};

TEST_P(run_to_the_end, goes_on) {
  const program_directory dir;
  record_trace(dir);
  const strings run = with({"run", "--topology", "torus:4x4", "--quiet", "--wire-hash", "--json", "r.json"},
                           GetParam().options);
  ASSERT_EQ(dir.run(run).status, 0);
  const json whole = result_of(dir, "r.json");
  const std::uint64_t cycles = whole["results"]["cycles"];
  ASSERT_GT(cycles, 250);
  for (const std::uint64_t cycle : {std::uint64_t{1}, std::uint64_t{40}, std::uint64_t{133}, cycles / 2, cycles - 1}) {
    ASSERT_EQ(dir.run(with(run, {"--save-state", std::to_string(cycle) + ":state"})).status, 0);
    EXPECT_EQ(result_of(dir, "r.json"), whole);
    ASSERT_EQ(dir.run(with(run, {"--from-state", "state"})).status, 0);
    EXPECT_EQ(result_of(dir, "r.json"), whole) << "gone on from cycle " << cycle;
  }
}

INSTANTIATE_TEST_SUITE_P(
    runs, run_to_the_end,
    testing::Values(
        saved_run{"batch", {"--traffic-mode", "batch", "--batch", "12"}},
        saved_run{"dependencies", {"--traffic-file", "t.txt", "--message-classes", "2", "--file-timing",
                                   "dependencies"}},
        saved_run{"one_at_a_time", {"--traffic-file", "t.txt", "--message-classes", "2", "--file-timing",
                                    "dependencies", "--outstanding", "1", "--fail-link", "5.x+@50"}}),
    [](const auto& p) { return std::string(p.param.name); });

/// What is saved while flits of a packet are given up: the replay ended, and flows lost what was there.
TEST(saved_state, has_packets_that_are_being_given_up) {
  const program_directory dir;
  dir.write("f.json", R"({"flows": [{"name": "all", "from": "*", "to": "*", "rate": 0.9, "packet": 16}]})");
  std::string trace;
  for (unsigned i = 0; i < 300; ++i)
    trace += std::to_string(i) + ' ' + std::to_string(i % 16) + ' ' +
             std::to_string((i * 7 + i / 16 + 1) % 16) + " 16\n";
  dir.write("t.txt", trace);
  for (const strings& traffic :
       {strings{"--flows", "f.json", "--warmup", "100", "--cycles", "200", "--fail-link", "10.y-@150"},
        strings{"--traffic-file", "t.txt", "--file-timing", "dependencies", "--fail-link", "5.x+@150"}}) {
    const strings run = with({"run", "--topology", "torus:4x4", "--quiet", "--json", "r.json", "--wire-hash"}, traffic);
    ASSERT_EQ(dir.run(run).status, 0);
    const json whole = result_of(dir, "r.json");
    const auto is_given_up = [](const json& packet, unsigned cycle) {
      const unsigned discarded = packet["cycle"];
      return discarded < cycle && cycle < discarded + 15;
    };
    unsigned given_up = 0;
    for (unsigned cycle = 155; cycle < 210; cycle += 6) {
      for (const json& packet : whole["lost"]["discarded_packets"]) given_up += is_given_up(packet, cycle);
      const process_result r = dir.run(with(run, {"--save-state", std::to_string(cycle) + ":state"}));
      ASSERT_EQ(r.status, 0) << r.err;
      ASSERT_EQ(dir.run(with(run, {"--from-state", "state"})).status, 0) << cycle;
      EXPECT_EQ(result_of(dir, "r.json"), whole) << "gone on from cycle " << cycle;
    }
    EXPECT_GT(given_up, 0u);
  }
}

TEST(saved_state, is_replaced_again_and_again) {
  const program_directory dir;
  ASSERT_EQ(dir.run(with(small, {"--save-state", "every:70:state"})).status, 0);
  const json whole = result_of(dir, "r.json");
  EXPECT_TRUE(dir.read("state").find("\"cycle\":280,") != std::string::npos);
  EXPECT_THAT(dir.files(), testing::ElementsAre("r.json", "state"));
  ASSERT_EQ(dir.run(with(small, {"--from-state", "state", "--save-state", "every:25:state"})).status, 0);
  EXPECT_EQ(result_of(dir, "r.json"), whole);
  const auto last = static_cast<std::uint64_t>(whole["results"]["cycles"]) / 25 * 25;
  EXPECT_TRUE(dir.read("state").find("\"cycle\":" + std::to_string(last) + ",") != std::string::npos);
}

TEST(saved_state, leaves_the_waveform_of_a_deadlock_after_it) {
  const strings frozen{"run",    "--vc-rule", "paper",    "--vcs", "2",      "--allow-deadlock", "--rate",   "0.1",
                       "--warmup", "200",     "--cycles", "50000", "--quiet", "--no-cache",      "--watchdog", "400"};
  const program_directory dir;
  const auto goes_on_from = [&](const std::string& cycle) {
    EXPECT_EQ(dir.run(with(frozen, {"--save-state", cycle + ":s.state", "--failure-wave", "none"})).status, 1);
    return dir.run(with(frozen, {"--from-state", "s.state", "--failure-wave", "f.vcd"})).err;
  };
  EXPECT_THAT(goes_on_from("300"), HasSubstr("waveform of cycles 300:370 of the nodes concerned"));
  EXPECT_THAT(dir.read("f.vcd"), HasSubstr("$enddefinitions"));
  EXPECT_THAT(goes_on_from("320"), HasSubstr("waveform of cycles 320:370 of the nodes concerned"))
      << "that very cycle";
  EXPECT_THAT(goes_on_from("350"),
              HasSubstr("no waveform: the run goes on from cycle 350, after cycle 320; use an earlier state"));
}

/// A checkpoint of the second run takes the name of the state that it went on from.
TEST(saved_state, that_was_replaced_leaves_the_same_waveform) {
  const strings frozen{"run",     "--vc-rule",  "paper",      "--vcs", "2",        "--allow-deadlock",
                       "--rate",  "0.5",        "--warmup",   "0",     "--cycles", "5000",
                       "--quiet", "--no-cache", "--watchdog", "200"};
  const program_directory dir;
  ASSERT_EQ(dir.run(with(frozen, {"--save-state", "20:s.state", "--failure-wave", "none"})).status, 1);
  dir.write("first.state", dir.read("s.state"));
  dir.run(with(frozen, {"--from-state", "first.state", "--failure-wave", "first.vcd"}));
  const process_result r = dir.run(with(
      frozen, {"--from-state", "s.state", "--save-state", "every:50:./s.state", "--failure-wave", "f.vcd"}));
  EXPECT_THAT(r.err, HasSubstr("waveform of cycles 20:"));
  EXPECT_NE(dir.read("s.state"), dir.read("first.state"));
  EXPECT_TRUE(dir.read("f.vcd") == dir.read("first.vcd"));
}

TEST(saved_state, that_does_not_fit_is_rejected) {
  const program_directory dir;
  ASSERT_EQ(dir.run(with(small, {"--save-state", "150:state"})).status, 0);
  const std::string state = dir.read("state");
  const strings again = with(small, {"--from-state", "state"});
  expect_rejected(dir.run(with(again, {"--seed", "2"})), "saved by a run with traffic.seed 1, not 2");
  expect_rejected(dir.run(with(again, {"--depth", "4"})), "router.depth_flits 8, not 4");
  expect_rejected(dir.run(with(again, {"--wave", "*@20:200"})), "--wave: begins in cycle 20; the run goes on from");
  expect_rejected(dir.run(with(again, {"--save-state", "150:x"})), "150 is over");
  for (const strings& output : {strings{"--observe"}, strings{"--stalls", "s.csv"}, strings{"--events", "e.csv"},
                                strings{"--transactions", "t.ftr"}})
    expect_rejected(dir.run(with(again, output)), output[0] + " counts from cycle 0 on");
  expect_rejected(dir.run(with(again, {"--link-usage", "l.json"})),  // a former name
                  "--link-stats with --observe counts from cycle 0 on");
  EXPECT_EQ(dir.run(with(again, {"--check", "full", "--drain", "3000", "--watchdog", "700"})).status, 0);
  const auto altered = [&](const std::string& text, const std::string& what) {
    dir.write("state", text);
    expect_rejected(dir.run(again), what);
  };
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{30}, std::size_t{500}, state.size() / 2, state.size() - 1})
    altered(state.substr(0, length), "state state: ");
  for (const std::size_t place : {std::size_t{25}, std::size_t{60}, state.size() / 2, state.size() - 3}) {
    std::string text = state;
    text[place] = static_cast<char>(text[place] ^ 1);
    altered(text, "state state: ");
  }
  altered(state + "x", "checksum");
  altered("toriscope state 9\n" + state.substr(18), "its format is version 9; this program reads 4");
  altered("{}", "not a state of a run");
}

TEST(saved_state, of_another_version_of_the_program_is_rejected) {
  const program_directory dir;
  ASSERT_EQ(dir.run(with(small, {"--save-state", "150:state"})).status, 0);
  std::string state = dir.read("state");
  const std::string key = "\"version\":\"";
  const std::size_t version = state.find(key) + key.size();
  ASSERT_LT(version, 40u);
  state.replace(version, state.find('"', version) - version, "0.0.7");
  const std::size_t head = state.find('\n', state.find('\n') + 1) + 1;
  const std::string begin = state.substr(0, head), body = state.substr(head, state.size() - head - 16);
  dir.write("state", begin + body + hex_text(mix(checksum_of(begin), checksum_of(body))));
  expect_rejected(dir.run(with(small, {"--from-state", "state"})), "state state: saved by version \"0.0.7\"; this is ");
}

TEST(saved_state, whose_bytes_were_altered_together_with_the_checksum_is_rejected_or_simulated) {
  const program_directory dir;
  ASSERT_EQ(dir.run(with(small, {"--save-state", "150:state"})).status, 0);
  const std::string state = dir.read("state");
  const std::size_t head = state.find('\n', state.find('\n') + 1) + 1;
  std::uint64_t draw = 1;
  unsigned rejected = 0;
  for (unsigned i = 0; i < 60; ++i) {
    std::string body = state.substr(head, state.size() - head - 16);
    draw = mix(draw + i);
    body[draw % body.size()] = static_cast<char>(body[draw % body.size()] ^ (1u << (draw >> 32) % 8));
    const std::string begin = state.substr(0, head);
    dir.write("altered", begin + body + hex_text(mix(checksum_of(begin), checksum_of(body))));
    const int status = dir.run(with(small, {"--from-state", "altered", "--failure-wave", "none"})).status;
    EXPECT_LT(status, 3) << "bit " << (draw >> 32) % 8 << " of byte " << draw % body.size();
    rejected += status != 0;
  }
  EXPECT_GT(rejected, 20u);
}

TEST(what_has_no_state, says_so) {
  const program_directory dir;
  const strings run{"run", "--topology", "torus:4x4", "--quiet", "--save-state", "10:state"};
  expect_rejected(dir.run(with(run, {"--fidelity", "transaction"})), "the state of the transaction level cannot");
  expect_rejected(dir.run(with(run, {"--rtl", "5"})),
                  "--save-state: the state of routers in RTL cannot be saved");
  // As in packet traces, cycles are below 2^48.
  for (const char* const neither : {"x", "0:x", "10:", "every:10:", "281474976710656:x", "every:281474976710656:x"})
    expect_rejected(dir.run({"run", "--save-state", neither}), "is not CYCLE:FILE or every:CYCLES:FILE");
  for (const char* const late : {"100000:x", "281474976710655:x"})
    expect_rejected(dir.run(with(small, {"--save-state", late})), "no state was saved");
  expect_rejected(dir.run(with(small, {"--from-state", "none"})), "state none cannot be read: No such file");
}

}  // namespace
}  // namespace toriscope::checkpoint_test
