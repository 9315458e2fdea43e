// SPDX-License-Identifier: Apache-2.0
// Outputs of `toriscope run`: whatever is asked for beside one of them, it is what it is alone, to the byte, and the
// results are those of a run without any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <string>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::outputs_together_test {
namespace {

using json = nlohmann::json;

struct output {
  const char* name;  ///< outputs of one name exclude each other
  strings options;
  strings files = {};
  bool observes = false;
};

const std::vector<output> outputs{
    {"json-links", {"--json-links"}},
    {"observe", {"--observe"}, {}, true},
    {"link-stats", {"--link-stats", "l.csv"}, {"l.csv"}},
    {"link-stats", {"--link-stats", "l.json", "--observe"}, {"l.json"}, true},
    {"packet-stats", {"--packet-stats", "p.csv"}, {"p.csv"}},
    {"transactions", {"--transactions", "t.ftr"}, {"t.ftr"}},
    {"transactions", {"--transactions", "t.ftr", "--transaction-detail", "packets"}, {"t.ftr"}},
    {"time-series", {"--time-series", "s.csv", "--time-step", "37"}, {"s.csv"}},
    {"stalls", {"--stalls", "st.csv"}, {"st.csv"}, true},
    {"events", {"--events", "e.json"}, {"e.json"}, true},
    {"events", {"--events", "e.csv"}, {"e.csv"}, true},
    {"wave", {"--wave", "*@50:120", "--wave-file", "w.vcd"}, {"w.vcd", "w.gtkw"}},
    {"wave", {"--wave", "*@50:120", "--wave-file", "w.fst"}, {"w.fst", "w.gtkw"}},
    {"observe-links", {"--observe-links"}},
    {"threads", {"--threads", "3"}},
    {"no-cache", {"--no-cache"}},
    {"failure-wave", {"--failure-wave", "f.vcd"}, {"f.vcd"}},
    {"state", {"--save-state", "130:x.state"}},
    {"state", {"--save-state", "every:90:x.state"}},
};

struct workload {
  const char* name;
  strings options;
};

const strings short_run{"--warmup", "60", "--cycles", "240", "--drain", "400"};
strings window_of(const strings& options) { return with(options, short_run); }

const std::vector<workload> workloads{
    {"torus", window_of({"--topology", "torus:4x4", "--rate", "0.3", "--packet", "4"})},
    {"overloaded", window_of({"--topology", "torus:4x4", "--rate", "1", "--packet", "1", "--include-self"})},
    {"slow_links", window_of({"--rate", "0.05", "--link-delay", "1,3"})},
    {"narrow_links", window_of({"--topology", "torus:4x4", "--rate", "0.1", "--link-width", "16", "--packet",
                                "4:0.5,9:0.5", "--pipeline", "single_cycle"})},
    {"adaptive", window_of({"--topology", "mesh:4x4", "--rate", "0.3", "--routing", "adaptive",
                            "--vc-reallocation", "atomic"})},
    {"terminals", window_of({"--topology", "cmesh:2x2,4", "--rate", "0.1", "--limited-reception"})},
    {"one_direction", window_of({"--topology", "butterfly:2,3", "--rate", "0.3", "--packet", "5"})},
    {"request_reply", window_of({"--topology", "torus:4x4", "--rate", "0.4", "--traffic-mode",
                                 "request_reply", "--reply-queue", "2", "--packet", "3"})},
    {"batch", {"--topology", "torus:4x4", "--traffic-mode", "batch", "--batch", "5"}},
    {"file", {"--topology", "torus:4x4", "--traffic-file", "t.txt"}},
    {"flows", window_of({"--topology", "torus:4x4", "--flows", "f.csv", "--packet", "4"})},
    {"dead_links", window_of({"--topology", "torus:4x4", "--rate", "0.3", "--fail-link", "5.x+@150,9.y-"})},
    {"deadlock", window_of({"--rate", "0.5", "--vc-rule", "paper", "--vcs", "2", "--allow-deadlock",
                            "--watchdog", "50"})},
    {"precision", {"--topology", "torus:4x4", "--rate", "0.2", "--precision", "5%", "--max-cycles", "20000",
                   "--warmup", "100", "--cycles", "500"}},
    {"transactions", window_of({"--topology", "torus:4x4", "--rate", "0.3", "--packet", "4", "--fidelity",
                                "transaction"})},
};

void PrintTo(const workload& w, std::ostream* out) { *out << w.name; }

struct outcome_of_run {
  process_result process;
  json result;
  std::map<std::string, std::string> files;
};

class outputs_together : public testing::TestWithParam<workload> {
 protected:
  outcome_of_run run(const std::vector<const output*>& chosen) const {
    dir_.shell("rm -f *");  // wave files name themselves: all are of one directory
    dir_.write("t.txt", "0 0 1 16\n0 15 2 16\n3 5 10 8\n40 1 2 16\n60 4 4 3\n300 10 13 16\n");
    dir_.write("f.csv", ",1,2\n0,0.3,0.1\n5,0.05,0.1\n");
    strings arguments = with({"run", "--quiet", "--json", "r.json"}, GetParam().options);
    for (const output* o : chosen) arguments = with(arguments, o->options);
    outcome_of_run all{dir_.run(arguments), {}, {}};
    const strings there = dir_.files();
    const auto exists = [&](const std::string& f) { return std::count(there.begin(), there.end(), f) > 0; };
    if (exists("r.json")) {
      all.result = json::parse(dir_.read("r.json"));
      all.result.erase("performance");
    }
    for (const output* o : chosen)
      for (const std::string& f : o->files) all.files[f] = exists(f) ? dir_.read(f) : "none";
    return all;
  }

  /// Packets are listed with what they waited for, and links with their VCs, where routers are observed.
  const outcome_of_run& alone(const output& o, bool observed) {
    const auto [at, is_new] = alone_.try_emplace({&o, observed});
    if (is_new) at->second = observed && !o.observes ? run({&o, &outputs[1]}) : run({&o});
    return at->second;
  }

 private:
  program_directory dir_;
  std::map<std::pair<const output*, bool>, outcome_of_run> alone_;
};

TEST_P(outputs_together, are_what_each_is_alone) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // threads share small networks, too
  const outcome_of_run plain = run({});
  ASSERT_TRUE(plain.result.contains("results")) << plain.process.err;
  std::mt19937 random(17);
  std::size_t files = 0;
  for (int draw = 0; draw < 8; ++draw) {
    std::vector<const output*> chosen;
    std::string what;
    bool observed = false;
    std::set<std::string> names;
    for (const output& o : outputs) {
      if (random() % 2 || !names.insert(o.name).second || alone(o, false).process.status == 2) continue;
      chosen.push_back(&o);
      what += std::string(" ") + o.options.back();
      observed = observed || o.observes;
    }
    SCOPED_TRACE(what);
    const outcome_of_run together = run(chosen);
    EXPECT_EQ(together.process.status, plain.process.status) << together.process.err;
    ASSERT_TRUE(together.result.contains("results")) << together.process.err;
    for (const char* same : {"config", "results"}) EXPECT_EQ(together.result[same], plain.result[same]);
    json blocks = plain.result;
    for (const output* o : chosen) {
      const outcome_of_run& one = alone(*o, observed);
      blocks.update(one.result);
      for (const std::string& f : o->files) {
        EXPECT_TRUE(together.files.at(f) == one.files.at(f)) << f << " of " << o->options[0];
        ++files;
      }
    }
    blocks["units"] = together.result["units"];
    EXPECT_EQ(together.result, blocks);
  }
  EXPECT_GT(files, 10u);
}

INSTANTIATE_TEST_SUITE_P(of, outputs_together, testing::ValuesIn(workloads),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(outputs, that_write_to_the_same_place_are_rejected) {
  const program_directory dir;
  const auto expect_rejected = [&](const strings& arguments, const std::string& what) {
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << what;
    EXPECT_EQ(r.err, "toriscope: " + what + "\n");
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(dir.files(), testing::IsEmpty());
  };
  const strings run{"run", "--topology", "mesh:2x2", "--cycles", "20"};
  expect_rejected(with(run, {"--json", "a", "--wave", "*@0:1", "--wave-file", "a"}),
                  "--json and --wave-file both write to a; only one of them can");
  expect_rejected(with(run, {"--json", "a", "--failure-wave", "a"}),
                  "--json and --failure-wave both write to a; only one of them can");
  expect_rejected(with(run, {"--json", "a.gtkw", "--wave", "*@0:1", "--wave-file", "a.vcd"}),
                  "--json and the GTKWave save file both write to a.gtkw; only one of them can");
  expect_rejected(with(run, {"--json", "./toriscope-failure.vcd"}),
                  "--json and --failure-wave both write to toriscope-failure.vcd; only one of them can");
  const strings mesh{"--topology", "mesh:2x2"};
  expect_rejected(with(with({"prove"}, mesh), {"--witness", "x", "--json", "x"}),
                  "--json and --witness both write to x; only one of them can");
  expect_rejected(with(with({"explain"}, mesh), {"--packet", "0", "--json", "x", "--wave", "x"}),
                  "--json and --wave both write to x; only one of them can");
  expect_rejected(with(with({"analyze", "--traffic", "uniform"}, mesh), {"--json", "-", "--load-csv", "-"}),
                  "--json and --load-csv both write to standard output (-); only one of them can");
  // Results go to standard output, under whichever name.
  const strings recorded{"record", "--topology", "mesh:2x2", "--cycles", "20", "-o"};
  const std::string not_there = " cannot go to standard output (-); name a file";
  for (const char* name : {"-", "/dev/stdout", "/dev//stdout", "//dev/./stdout"}) {
    expect_rejected(with(recorded, {name}), "--output: a packet trace" + not_there);
    expect_rejected(with(run, {"--packet-stats", name}), "--packet-stats: a table of packets" + not_there);
    expect_rejected(with(run, {"--wave", "*@0:1", "--wave-file", name}), "--wave-file: a waveform" + not_there);
    expect_rejected(with(run, {"--failure-wave", name}), "--failure-wave: a waveform" + not_there);
    expect_rejected(with(run, {"--save-state", std::string("9:") + name}), "--save-state: a state" + not_there);
    expect_rejected({"explain", "--topology", "mesh:2x2", "--packet", "0", "--wave", name},
                    "--wave: a waveform" + not_there);
    expect_rejected({"prove", "--topology", "ring:5", "--wave", name}, "--wave: a waveform" + not_there);
  }
  // Nothing is there that one of them could spoil.
  const process_result nowhere = dir.run(with(run, {"--json", "/dev/null", "--csv", "/dev/null", "--quiet"}));
  EXPECT_EQ(nowhere.status, 0) << nowhere.err;
}

TEST(outputs, of_every_kind_are_checked_before_the_run) {
  const program_directory dir;
  for (const strings& output :
       {strings{"--csv"}, strings{"--link-stats"}, strings{"--observe", "--link-stats"}, strings{"--stalls"},
        strings{"--events"}, strings{"--packet-stats"}, strings{"--transactions"},
        strings{"--time-series"}}) {
    const process_result r = dir.run(with(
        with({"run", "--topology", "mesh:2x2", "--cycles", "20", "--json", "a.ftr"}, output), {"a.ftr"}));
    EXPECT_EQ(r.err,
              "toriscope: --json and " + output.back() + " both write to a.ftr; only one of them can\n");
    EXPECT_EQ(r.out, "");
  }
  EXPECT_THAT(dir.files(), testing::IsEmpty());
}

TEST(outputs, stand_alone_on_standard_output) {
  const program_directory dir;
  const strings run{"run", "--topology", "mesh:2x2", "--cycles", "50"};
  for (const strings& output : {strings{"--link-stats"}, strings{"--observe", "--link-stats"},
                                strings{"--stalls"}, strings{"--events"}, strings{"--time-series"}}) {
    ASSERT_EQ(dir.run(with(with(run, output), {"f.csv"})).status, 0);
    EXPECT_EQ(dir.run(with(with(run, output), {"-"})).out, dir.read("f.csv")) << output.back();
  }
  const std::string csv = dir.run(with(run, {"--csv", "-"})).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2) << csv;
}

/// Each command would read from `in` and write its results there.
TEST(outputs, replace_no_input) {
  const program_directory dir;
  const std::string network = R"({"nodes": ["a", "b"], "links": [{"from": 0, "to": 1}]})";
  const std::string flows = R"({"flows": [{"from": 0, "to": 1, "rate": 0.1}]})";
  const std::string config = R"({"topology": "mesh:2x2"})", trace = "0 0 1 4\n";
  dir.shell("$T prove --topology mesh:2x2 --certificate certificate; $T run --topology mesh:2x2 --cycles 50 --quiet "
            "--json result --json-links --save-state 9:state");
  const std::string run = "run --warmup 0 --cycles 50 --quiet ";
  std::vector<std::pair<std::string, std::string>> cases{
      {run + "--config in --json in", config},
      {run + "--config in --csv ./in", config},
      {run + "--topology mesh:2x2 --traffic-file in --json in", trace},
      {run + "--topology mesh:2x2 --traffic-file in --packet-stats ../*/in", trace},
      {run + "--topology mesh:2x2 --flows in --json in", flows},
      {run + "--topology file:in --json in", network},
      {"run --topology mesh:2x2 --cycles 50 --quiet --from-state in --json in", dir.read("state")},
      {"record --warmup 0 --cycles 50 --quiet --topology mesh:2x2 --traffic-file in --output in", trace},
      {"replay in --json in", "# toriscope packet trace 1\n" + trace},
      {"explain --topology mesh:2x2 --packet 0 --traffic-file in --json in", trace},
      {"analyze --topology file:in --json in", network},
      {"prove --topology file:in --certificate in", network},
      {"prove --check in --json in", dir.read("certificate")},
      {"draw --topology file:in --output in", network},
      {"draw --use in --output in", dir.read("result")}};
  if (TORISCOPE_HAS_REPORT_PAGE) cases.push_back({"report in -o in", dir.read("result")});
  for (const auto& [command, content] : cases) {
    dir.write("in", content);
    const process_result r = dir.shell("timeout 60 $T " + command);
    EXPECT_EQ(r.status, 2) << command;
    EXPECT_THAT(r.err, testing::MatchesRegex("toriscope: cannot write [^\n]*in: it is an input of this command; name "
                                             "another file\n"))
        << command;
    EXPECT_TRUE(dir.read("in") == content) << command;
  }
  const process_result again =
      dir.shell("$T run --topology mesh:2x2 --cycles 50 --quiet --from-state state --save-state 20:state");
  EXPECT_EQ(again.status, 0) << again.err;
}

TEST(outputs, are_there_beside_one_that_cannot_be_written) {
  const program_directory dir;
  const std::string run = "$T run --topology mesh:2x2 --cycles 50 --quiet --wave '*@0:5' --wave-file w.vcd ";
  const process_result full = dir.shell(run + "--json /dev/full --csv c.csv");
  EXPECT_EQ(full.status, 2);
  EXPECT_EQ(full.err, "toriscope: cannot write /dev/full: No space left on device\n");
  EXPECT_THAT(dir.read("c.csv"), testing::HasSubstr("packet_hash"));
  const process_result two = dir.shell(
      "ulimit -f 1; $T run --topology mesh:4x4 --cycles 50 --quiet --json /dev/full "
      "--time-series t.csv --time-step 1");
  EXPECT_EQ(two.err, "toriscope: cannot write t.csv: File too large\n") << "of two the first in writing";
  const process_result early = dir.shell("mkdir v.gtkw; " + run + "--wave-file v.vcd");
  EXPECT_EQ(early.err, "toriscope: cannot write v.gtkw: Is a directory\n");
}

/// Messages do not stand in the file that was opened in the place of standard error.
TEST(outputs, have_no_messages_where_standard_error_is_closed) {
  const program_directory dir;
  const std::string record = "$T record --vc-rule paper --vcs 2 --allow-deadlock --rate 0.3 --warmup 0 --cycles 2000 "
                             "--watchdog 100 --quiet --output t.txt ";
  EXPECT_EQ(dir.shell(record).status, 1);
  const std::string trace = dir.read("t.txt");
  EXPECT_EQ(dir.shell("rm t.txt; " + record + "2>&-").status, 1);
  EXPECT_TRUE(dir.read("t.txt") == trace);
}

TEST(outputs, have_no_results_where_standard_output_is_closed) {
  const program_directory dir;
  const std::string record = "$T record --topology mesh:2x2 --cycles 50 --output t.txt ";
  EXPECT_EQ(dir.shell(record).status, 0);
  const std::string trace = dir.read("t.txt");
  const process_result closed = dir.shell("rm t.txt; " + record + ">&-");
  EXPECT_EQ(closed.status, 2);
  EXPECT_EQ(closed.err, "toriscope: cannot write to standard output: Bad file descriptor\n");
  EXPECT_TRUE(dir.read("t.txt") == trace);
}

TEST(outputs, go_to_standard_error_by_its_name) {
  const program_directory dir;
  const process_result r =
      dir.shell("\"$T\" run --topology mesh:2x2 --cycles 100 --quiet --json /dev/stderr 2> e.json");
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(json::accept(dir.read("e.json"))) << dir.read("e.json");
}

TEST(outputs, over_time_have_a_step_of_at_least_one_cycle) {
  const program_directory dir;
  const std::string series = "timeout --signal=KILL 60 $T run --quiet --topology mesh:2x2 --rate 0.3 --warmup 10 "
                             "--cycles 40 --json r.json --time-series t.csv --time-step ";
  EXPECT_EQ(dir.shell(series + "0").err,
            "toriscope: --time-step: '0' is not a number of cycles; expected a whole number from 1 on\n");
  EXPECT_THAT(dir.files(), testing::IsEmpty());
  const process_result r = dir.shell(series + "1");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string lines = dir.read("t.csv");
  const int cycles = json::parse(dir.read("r.json"))["results"]["cycles"];
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1 + cycles) << "names, then a line for each cycle";
  const process_result alone = dir.run({"run", "--time-step", "9"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.err,
            "toriscope: --time-step has no effect without --time-series FILE; add that or leave it out\n");
}

TEST(outputs_of_waveforms, have_save_files_of_their_own) {
  const program_directory dir;
  const process_result r = dir.run({"run", "--topology", "mesh:2x2", "--wave", "*", "--wave-file", "a.fst",
                                    "--failure-wave", "a.vcd"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: the GTKWave save file and the GTKWave save file of --failure-wave both write to a.gtkw; "
                   "only one of them can\n");
  const process_result alone =
      dir.run({"run", "--topology", "mesh:2x2", "--failure-wave", "a.vcd", "--json", "a.gtkw"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.err, "toriscope: --json and the GTKWave save file of --failure-wave both write to a.gtkw; "
                       "only one of them can\n");
  EXPECT_EQ(dir.files(), strings{});
}

TEST(outputs_of_waveforms, have_words_of_their_own) {
  const program_directory dir;
  const auto expect_rejected = [&](const strings& arguments, const std::string& what) {
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << what;
    EXPECT_EQ(r.err, "toriscope: " + what + "; only one of them can\n");
    EXPECT_EQ(dir.files(), strings{});
  };
  const strings run{"run", "--topology", "mesh:2x2", "--cycles", "20", "--quiet"};
  for (const std::string words : {"vc_state", "flit_kind", "vcs_1", "vcs_12"}) {
    const std::string name = "a." + words + ".txt", written = " both write to ./" + name;
    expect_rejected(with(run, {"--save-state", "5:./" + name, "--wave", "*", "--wave-file", "a.fst"}),
                    "--save-state and the words of the GTKWave save file" + written);
    expect_rejected(with(run, {"--csv", "./" + name, "--failure-wave", "a.vcd"}),
                    "--csv and the words of the GTKWave save file of --failure-wave" + written);
  }
  expect_rejected(
      {"explain", "--topology", "mesh:2x2", "--packet", "0", "--wave", "w", "--json", "w.vc_state.txt"},
      "--json and the words of the GTKWave save file both write to w.vc_state.txt");
  expect_rejected({"prove", "--topology", "ring:5", "--wave", "w.vcd", "--witness", "w.vcs_1.txt"},
                  "--witness and the words of the GTKWave save file both write to w.vcs_1.txt");
  EXPECT_EQ(dir.run(with(run, {"--csv", "a.vcs_.txt.csv", "--json", "a.vc_state.txt", "--wave", "*",
                               "--wave-file", "b.vcd"}))
                .status,
            0);
}

}  // namespace
}  // namespace toriscope::outputs_together_test
