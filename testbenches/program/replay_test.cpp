// SPDX-License-Identifier: Apache-2.0
// `record` and `replay` as users see them: a recorded run replayed is the same run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::replay_test {
namespace {

using json = nlohmann::json;
using testing::HasSubstr;

json results_of(const program_directory& dir, const strings& arguments) {
  return json_of(dir, with(arguments, {"--json", "-", "--no-cache"}))["results"];
}

struct recorded_run {
  const char* name;
  strings options;
  const char* file;
};
void PrintTo(const recorded_run& run, std::ostream* out) { *out << run.name; }

class round_trip : public testing::TestWithParam<recorded_run> {};

/// What a run leaves behind but for what only its own traffic source knows. Sources that wait for what they sent are
/// judged by the drain alone, a file by the growth of its queues.
json comparable(json results, bool waits) {
  for (const char* key : {"requests", "replies", "round_trip", "batch"}) results.erase(key);
  if (waits)
    for (const char* key : {"stable", "backlog", "unstable_sources", "worst_source", "limited_by"})
      results.erase(key);
  return results;
}

TEST_P(round_trip, a_recorded_run_replayed_is_the_same_run) {
  const program_directory dir;
  const recorded_run& run = GetParam();
  strings record = with({"record", "--output", run.file}, run.options);
  const json recorded = results_of(dir, record);
  record[0] = "run";
  record.erase(record.begin() + 1, record.begin() + 3);
  EXPECT_EQ(results_of(dir, record), recorded) << "recording changes nothing";
  const json replayed = results_of(dir, {"replay", run.file});
  EXPECT_GT(recorded.at("packets").get<std::uint64_t>(), 100u);
  EXPECT_EQ(replayed.at("packet_hash"), recorded.at("packet_hash"));
  const bool cut = recorded.at("packets_arrived") < recorded.at("packets");
  const bool waits = recorded.contains("requests") || (cut && recorded.contains("batch"));
  EXPECT_EQ(comparable(replayed, waits), comparable(recorded, waits));
}

const strings window = {"--warmup", "100", "--cycles", "400"};

INSTANTIATE_TEST_SUITE_P(
    program, round_trip,
    testing::Values(
        recorded_run{"ttn", with(window, {"--topology", "ttn:2,2,0", "--rate", "0.02"}), "t.txt"},
        recorded_run{"torus_single_cycle",
                     with(window, {"--topology", "torus:6x6", "--rate", "0.2", "--pipeline", "single_cycle"}),
                     "t.gz"},
        recorded_run{"htn_paper2009",
                     with(window, {"--topology", "htn:4,4,2,1", "--rate", "0.05", "--pipeline", "paper2009"}),
                     "t.zst"},
        recorded_run{"adaptive",
                     with(window, {"--topology", "mesh:5x5", "--routing", "adaptive", "--rate", "0.2"}),
                     "t.zst"},
        recorded_run{
            "classes",
            with(window, {"--topology", "mesh:5x5", "--message-classes", "3", "--vcs", "6", "--packet",
                          "2:0.5,7:0.5", "--rate", "0.2", "--stages", "rc=1,va=2,sa=1,st=1"}),
            "t.txt.gz"},
        recorded_run{
            "request_reply",
            with(window, {"--topology", "torus:5x5", "--traffic-mode", "request_reply", "--rate", "0.2"}),
            "t.zst"},
        recorded_run{"reply_queue",
                     with(window, {"--topology", "torus:5x5", "--traffic-mode", "request_reply", "--rate",
                                   "0.5", "--reply-queue", "1", "--outstanding", "8"}),
                     "t.zst"},
        recorded_run{"transaction",
                     with(window, {"--topology", "torus:5x5", "--fidelity", "transaction", "--rate", "0.3"}),
                     "t.zst"},
        recorded_run{"fewer_terminals_than_nodes",
                     with(window, {"--topology", "fattree:2,3", "--packet", "4", "--rate", "0.4"}), "t.zst"},
        recorded_run{"more_terminals_than_nodes",
                     with(window, {"--topology", "cmesh:2x2,2", "--packet", "4", "--rate", "0.4"}), "t.txt"},
        recorded_run{
            "batch",
            {"--topology", "torus:4x4", "--traffic-mode", "batch", "--batch", "30", "--cycles", "3000"},
            "t.txt"},
        recorded_run{"batch_that_its_cycles_ended",
                     {"--topology", "torus:4x4", "--packet", "4", "--traffic-mode", "batch", "--batch", "20",
                      "--cycles", "60"},
                     "t.zst"}),
    [](const auto& run) { return std::string(run.param.name); });

/// A reply without a way is never sent: its slot is free again.
TEST(replay, of_reply_queues_beside_failed_links) {
  const program_directory dir;
  const json recorded = results_of(
      dir, {"record", "--output", "t.zst", "--topology", "torus:4x4", "--packet", "4", "--reply-packet", "4",
            "--traffic-mode", "request_reply", "--reply-queue", "1", "--rate", "0.2", "--fail-link", "5.x+@300",
            "--cycles", "3000"});
  EXPECT_GT(recorded["lost"]["packets_refused"], 0);
  EXPECT_EQ(results_of(dir, {"replay", "t.zst"})["packet_hash"], recorded["packet_hash"]);
}

TEST(replay, of_packets_that_came_by_their_dependencies) {
  const program_directory dir;
  dir.write("t.txt", "0 0 1 2\n0 0 2 2\n50 1 0 3 after=0 delay=4\n");
  const process_result recorded = dir.run({"record", "--topology", "torus:4x4", "--traffic-file", "t.txt",
                                           "--file-timing", "dependencies", "--output", "u.txt", "--json", "-"});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_EQ(results_of(dir, {"replay", "u.txt"})["packet_hash"],
            json::parse(recorded.out)["results"]["packet_hash"]);
}

/// Their numbers would be those of another trace.
TEST(replay, what_packets_of_a_trace_are_after_is_not_recorded_again_without_a_word) {
  const program_directory dir;
  dir.write("t.txt", "0 0 1 2\n50 1 0 3 after=0 delay=4\n");
  dir.write("free.txt", "0 0 1 2\n50 1 0 3\n");
  const std::string record = "$T record --topology torus:4x4 --quiet --output u.txt --traffic-file ";
  for (const char* const timing : {"", " --file-timing dependencies"}) {
    const process_result r = dir.shell(record + "t.txt" + timing);
    EXPECT_EQ(r.status, 0);
    EXPECT_EQ(r.err,
              "toriscope: --output: what the packets of the trace are after is not recorded, only their cycles\n");
    EXPECT_EQ(dir.shell(record + "free.txt" + timing).err, "");
  }
}

/// It ended in its first cycle (program_test.cpp).
TEST(replay, of_a_batch_that_was_refused) {
  const program_directory dir;
  const json recorded =
      results_of(dir, {"record", "--topology", "mesh:2", "--traffic-mode", "batch", "--batch", "2",
                       "--fail-link", "0.x+", "--fail-link", "1.x-", "--output", "t.txt"});
  EXPECT_EQ(recorded["cycles"], 1);
  EXPECT_EQ(results_of(dir, {"replay", "t.txt"})["cycles"], 1);
}

/// Whose configuration says that its window has no end.
TEST(replay, the_result_of_a_batch_is_no_run_of_open_traffic) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"run", "--topology", "mesh:2x2", "--traffic-mode", "batch", "--batch", "1", "--json", "b.json"})
                .status, 0);
  const process_result r = dir.run({"run", "--config", "b.json", "--traffic-mode", "open"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("cycles: 140737488355328 stands in the results of runs that end with their packets, and "
                               "this one would not; expected the number of measured cycles"));
  EXPECT_EQ(dir.run({"run", "--config", "b.json", "--quiet"}).status, 0);
}

TEST(replay, says_what_of_a_configuration_it_does_not_take) {
  const program_directory dir;
  dir.write("t.txt", "0 0 1 2\n");
  dir.write("c.json", R"({"topology": "torus:4x4", "vcs": 2, "rate": 0.3, "traffic_mode": "batch"})");
  const process_result r = dir.run({"replay", "t.txt", "--config", "c.json", "--quiet"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "toriscope: warning: c.json: traffic_mode, rate has no effect: packets come from the trace\n");
  dir.write("taken.json", R"({"topology": "torus:4x4", "outstanding": 4})");
  EXPECT_EQ(dir.run({"replay", "t.txt", "--dependencies", "--config", "taken.json", "--quiet"}).err, "");
}

TEST(replay, traces_without_packets_are_errors) {
  const program_directory dir;
  for (const char* file : {"e.txt", "e.zst"}) dir.write(file, "");
  for (const char* file : {"e.txt", "e.zst", "/dev/null"})
    for (const strings& command : {strings{"replay", file}, strings{"replay", file, "--dependencies"},
                                   strings{"run", "--traffic-file", file}}) {
      const process_result r = dir.run(command);
      EXPECT_EQ(r.status, 2) << command[0] << " " << file;
      EXPECT_EQ(r.err, "toriscope: traffic file " + std::string(file) +
                           " is empty: 0 bytes; a packet trace has a line, or a record, for each packet\n");
      EXPECT_EQ(r.out, "");
    }
  for (const char* file : {"none.txt", "none.zst"}) {
    ASSERT_EQ(dir.run({"record", "-o", file, "--topology", "mesh:3x3", "--rate", "0", "--quiet"}).status, 0);
    const process_result r = dir.run({"replay", file});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.err,
              "toriscope: " + std::string(file) + ": the trace has no packets: there is nothing to run\n");
  }
}

TEST(replay, goes_to_other_networks_and_routers) {
  const program_directory dir;
  const strings record = with(window, {"--topology", "ttn:2,2,0", "--rate", "0.01"});
  const json recorded = results_of(dir, with({"record", "-o", "t.zst"}, record));
  const json router = results_of(dir, {"replay", "t.zst", "--pipeline", "single_cycle", "--depth", "4"});
  EXPECT_EQ(router.at("packets"), recorded.at("packets"));
  EXPECT_LT(router.at("latency").at("mean"), recorded.at("latency").at("mean"));
  const json torus = results_of(dir, {"replay", "t.zst", "--topology", "torus:16x16"});
  EXPECT_EQ(torus.at("packets"), recorded.at("packets"));
  EXPECT_NE(torus.at("packet_hash"), recorded.at("packet_hash"));
  const process_result few = dir.run({"replay", "t.zst", "--topology", "torus:4x4"});
  EXPECT_EQ(few.status, 2);
  EXPECT_EQ(
      few.err,
      "toriscope: t.zst: the trace is of 256 nodes (ttn:2,2,0), the network has 16: choose a --topology "
      "with as many\n");
}

/// What goes with the pipeline or the width of links of the recorded run does not stay with others.
TEST(replay, options_override_what_they_exclude) {
  const program_directory dir;
  const strings recording{"record", "--topology", "mesh:2x2", "--warmup", "0",      "--cycles", "20",
                          "--rate", "0.2",        "--output", "t.zst",    "--json", "r.json",   "--quiet"};
  const auto config = [&](const strings& recorded, const strings& more) {
    EXPECT_EQ(dir.run(with(recording, recorded)).status, 0);
    const json again = json_of(dir, with({"run", "--config", "r.json", "--json", "-"}, more))["config"];
    const json replayed = json_of(dir, with({"replay", "t.zst", "--json", "-"}, more))["config"];
    for (const char* section : {"router", "topology"})
      EXPECT_EQ(replayed[section], again[section]) << section;
    return again;
  };
  const auto router = [&](const strings& recorded, const strings& more) {
    const json all = config(recorded, more)["router"];
    return json{all["pipeline"], all["stages"], all["depth_flits"]};
  };
  const strings staged{"--stages", "rc=1,va=1,sa=1,st=2"}, four{"--pipeline", "four_stage"},
      paper{"--pipeline", "paper2009"};
  const json depth = router({}, {})[2];
  EXPECT_NE(depth, 1);
  EXPECT_EQ(router(staged, {}), (json{"staged", staged[1], depth}));
  EXPECT_EQ(router(staged, four), (json{"four_stage", "", depth}));
  EXPECT_EQ(router(four, staged), (json{"staged", staged[1], depth}));
  EXPECT_EQ(router(paper, {}), (json{"paper2009", "", 1}));
  EXPECT_EQ(router(paper, four), (json{"four_stage", "", depth}));
  EXPECT_EQ(router(paper, staged), (json{"staged", staged[1], depth}));
  EXPECT_EQ(router(paper, with(four, {"--depth", "1"})), (json{"four_stage", "", 1}));
  EXPECT_EQ(router(four, paper), (json{"paper2009", "", 1}));
  const strings equal{"--equal", "bisection:256"}, width{"--link-width", "32"};
  EXPECT_EQ(config(equal, width)["topology"]["equal"], "");
  EXPECT_EQ(config(width, equal)["topology"]["link_width_bits"], json::array());
  EXPECT_THAT(dir.run(with(with(recording, staged), four)).err, testing::StartsWith("toriscope: stages: "))
      << "on one level";
}

/// Adaptive routing, which has escape VCs, has them granted again when they have drained; others need not.
TEST(replay, with_another_routing_grants_vcs_as_that_needs_it) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"record", "--topology", "mesh:3x3", "--routing", "adaptive", "--rate", "0.1", "--warmup", "0",
                     "--cycles", "50", "--output", "t.zst", "--quiet"})
                .status,
            0);
  const auto regrant = [&](const strings& more) {
    return json_of(dir, with({"replay", "t.zst", "--json", "-"}, more))["config"]["router"]["regrant"];
  };
  EXPECT_EQ(regrant({}), "drained");
  EXPECT_EQ(regrant({"--routing", "dor", "--vc-rule", "safe"}), "tail");
  EXPECT_EQ(regrant({"--routing", "dor"}), "tail") << "the rule of VCs of the other routing is not taken";
  EXPECT_EQ(regrant({"--routing", "adaptive"}), "drained");
}

/// What was asked for, though dor does not need it.
TEST(replay, grants_vcs_as_the_recorded_run_did) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"record", "--topology", "torus:4x4", "--regrant", "drained", "--rate", "0.1", "--warmup",
                     "0", "--cycles", "50", "--output", "t.zst", "--quiet"})
                .status,
            0);
  const auto regrant = [&](const strings& more) {
    return json_of(dir, with({"replay", "t.zst", "--json", "-"}, more))["config"]["router"]["regrant"];
  };
  EXPECT_EQ(regrant({}), "drained");
  EXPECT_EQ(regrant({"--topology", "mesh:4x4"}), "tail");
}

/// In the window that was recorded, too.
TEST(replay, of_packets_of_a_file_that_were_created_in_their_cycles) {
  const program_directory dir;
  std::string packets;
  for (int i = 0; i < 60; ++i)
    packets += std::to_string(i) + ' ' + std::to_string(i % 9) + ' ' + std::to_string(i * 4 % 9) + " 4\n";
  dir.write("t.txt", packets);
  const json recorded = results_of(dir, {"record", "--topology", "mesh:3x3", "--traffic-file", "t.txt",
                                         "--warmup", "10", "--cycles", "30", "--output", "u.txt"});
  EXPECT_EQ(recorded["packets"], 30);
  EXPECT_EQ(results_of(dir, {"replay", "u.txt"}), recorded);
}

TEST(replay, with_dependencies_the_trace_takes_as_long_as_the_network_does) {
  const program_directory dir;
  dir.write("t.txt", "5000 0 3 4\n6000 3 0 4 after=0 delay=50\n7000 0 3 4 after=0,1 delay=9\n");
  const strings replay = {"replay", "t.txt", "--topology", "mesh:4x1", "--dependencies"};
  const json slow = results_of(dir, replay);
  EXPECT_EQ(slow.at("packets_arrived"), 3);
  EXPECT_EQ(slow.at("replay").at("packets"), 3);
  const json fast = results_of(dir, with(replay, {"--pipeline", "single_cycle"}));
  // Three packets, each as far and as long, one after the other; the last cycle is counted, too.
  const auto latency = [](const json& r) { return r.at("latency").at("max").get<int>(); };
  EXPECT_LT(latency(fast), latency(slow));
  for (const json& r : {slow, fast})
    EXPECT_EQ(r.at("replay").at("cycles").get<int>(), latency(r) + 50 + latency(r) + 9 + latency(r) + 1);
  const json timed = results_of(dir, {"replay", "t.txt", "--topology", "mesh:4x1"});
  EXPECT_GT(timed.at("cycles").get<int>(), 7000);
}

TEST(replay, of_request_reply_answers_requests_and_nothing_waits_for_its_cycle) {
  const program_directory dir;
  const json recorded = results_of(
      dir, with({"record"},
                with(window, {"-o", "t.zst", "--topology", "torus:4x4", "--traffic-mode", "request_reply",
                              "--rate", "0.05", "--drain", "5000", "--outstanding", "1"})));
  const json by_default = results_of(dir, {"replay", "t.zst", "--dependencies"});
  EXPECT_EQ(by_default, results_of(dir, {"replay", "t.zst", "--dependencies", "--outstanding", "4"}))
      << "that of the recorded run was of requests";
  const json replayed = results_of(dir, {"replay", "t.zst", "--dependencies", "--outstanding", "8"});
  EXPECT_EQ(replayed.at("packets"), replayed.at("replay").at("packets"));
  EXPECT_EQ(replayed.at("packets"), replayed.at("packets_arrived"));
  EXPECT_LT(replayed.at("cycles").get<int>(), recorded.at("cycles").get<int>());
  const json one_by_one = results_of(dir, {"replay", "t.zst", "--dependencies", "--outstanding", "1"});
  EXPECT_LT(replayed.at("cycles").get<int>(), one_by_one.at("cycles").get<int>());
  EXPECT_LT(by_default.at("cycles").get<int>(), one_by_one.at("cycles").get<int>());
}

/// The first lines are those of docs/packet_traces.md.
TEST(replay, a_trace_says_what_it_was_recorded_by) {
  const program_directory dir;
  ASSERT_EQ(
      dir.run({"record", "--topology", "cmesh:2x2,2", "--cycles", "50", "--quiet", "-o", "my t.txt"}).status,
      0);
  EXPECT_THAT(dir.read("my t.txt"),
              testing::StartsWith(
                  "# toriscope packets 1\n# topology cmesh:2x2,2\n# nodes 8\n# command toriscope record "
                  "--topology cmesh:2x2,2 --cycles 50 --quiet -o 'my t.txt'\n# config {"));
}

/// What is at its default is not told, and the rest once.
TEST(replay, keys_of_a_file_that_mean_nothing_are_told_once) {
  const program_directory dir;
  dir.write("t.txt", "0 0 3 4\n");
  dir.write("default.json", R"({"topology": "mesh:4x1", "traffic_file": "", "rate": 0.01})");
  dir.write("outstanding.json", R"({"topology": "mesh:4x1", "outstanding": 3})");
  EXPECT_EQ(dir.run({"replay", "t.txt", "--config", "default.json", "--quiet"}).err, "");
  const std::string said = dir.run({"replay", "t.txt", "--config", "outstanding.json", "--quiet"}).err;
  EXPECT_THAT(said, HasSubstr("outstanding has no effect without --traffic-mode request_reply or"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(replay, run_reads_the_same_files) {
  const program_directory dir;
  dir.write("t.txt", "7 0 3 4 class=1\n2 3 0 8\n");
  const strings options = {"--topology", "mesh:4x1", "--message-classes", "2", "--vcs", "2"};
  const json run = results_of(dir, with({"run", "--traffic-file", "t.txt"}, options));
  EXPECT_EQ(run.at("packets"), 2);
  EXPECT_EQ(results_of(dir, with({"replay", "t.txt"}, options)).at("packet_hash"), run.at("packet_hash"));
  dir.shell("gzip -k t.txt");
  EXPECT_EQ(results_of(dir, with({"run", "--traffic-file", "t.txt.gz"}, options)), run);
}

TEST(replay, bad_files_are_one_line) {
  const program_directory dir;
  ASSERT_EQ(dir.run(with({"record"},
                         with(window, {"-o", "t.zst", "--topology", "mesh:4x4", "--rate", "0.2", "--quiet"})))
                .status,
            0);
  ASSERT_EQ(dir.run(with({"record"},
                         with(window, {"-o", "t.txt", "--topology", "mesh:4x4", "--rate", "0.2", "--quiet"})))
                .status,
            0);
  dir.shell(
      "head -c 700 t.zst > cut.zst; head -n 20 t.txt > cut.txt; sed '/^[0-9]/s/ 16$/ 15/' t.txt > "
      "edited.txt");
  dir.shell("sed 's/\"vcs\":/\"vsc\":/' t.txt > config.txt; printf UTJH > n.tra");
  for (const auto& [arguments, words] : std::vector<std::pair<strings, strings>>{
           {{"cut.zst"}, {"cut.zst: byte "}},
           {{"cut.txt"}, {"cut.txt:20: ", "cut off?"}},
           {{"edited.txt"}, {"edited.txt:", "checksum"}},
           {{"config.txt"}, {"config.txt"}},
           {{"n.tra"}, {"n.tra: byte 0: ", "within the header"}},
           {{"nowhere"}, {"traffic file nowhere cannot be opened: "}},
           {{"."}, {"traffic file . cannot be read: Is a directory"}},
           {{"t.txt", "--rate", "1"}, {"unknown option '--rate'"}},
           {{"t.txt", "--as-timed", "--dependencies"}, {"exclude each other"}},
           {{}, {"FILE"}}}) {
    const process_result r = dir.run(with({"replay"}, arguments));
    EXPECT_EQ(r.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    for (const std::string& word : words) EXPECT_THAT(r.err, HasSubstr(word));
  }
  EXPECT_THAT(dir.run({"record"}).err, HasSubstr("record needs --output FILE"));
  EXPECT_EQ(dir.run({"record", "-o", "nowhere/t.txt"}).status, 2);
}

/// What is read first, to tell whether the file is compressed, would be gone: "0 0 3 4" is a packet, too.
TEST(replay, pipes_are_rejected) {
  const program_directory dir;
  const process_result r = dir.shell(
      "mkfifo p; (echo '10000 0 3 4' > p) & timeout 60 \"$T\" run --topology mesh:4x1 --quiet --traffic-file p");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: traffic file p cannot be read twice: it must be a file, not a pipe\n");
}

/// It would end some steps later, how many depended on the speed of the machine.
TEST(replay, a_run_to_the_end_ends_with_the_last_flit_that_is_given_up) {
  const program_directory dir;
  dir.write("trace", "0 0 3 64\n");
  const nlohmann::ordered_json r =
      json_of(dir, {"run", "--topology", "mesh:4x4", "--traffic-file", "trace", "--file-timing", "dependencies",
                    "--fail-link", "2.x+@3", "--json", "-"});
  const int discarded = r["lost"]["discarded_packets"][0]["cycle"];
  EXPECT_EQ(r["results"]["replay"]["cycles"], discarded + 64);
  EXPECT_EQ(r["results"]["lost"]["flits_discarded"], 64);
  const json cut = results_of(dir, {"run", "--topology", "mesh:4x4", "--traffic-file", "trace", "--file-timing",
                                    "dependencies", "--fail-link", "2.x+@3", "--cycles", "30"});
  EXPECT_TRUE(cut["replay"]["cycles"].is_null());
  EXPECT_EQ(r["results"]["cycles"], discarded + 64);
}

TEST(replay, a_large_waveform_of_packets_from_a_file_is_warned_of) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"prove", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--witness", "t.txt"}).status,
            1);
  // The network freezes at once, long before the last packet.
  dir.write("late.txt", dir.read("t.txt") + "20000000 0 1 16\n");
  const auto said = [&](const char* file, const char* wave) {
    return dir
        .run({"run", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--allow-deadlock", "--traffic-file",
              file, "--watchdog", "50", "--quiet", "--failure-wave", "none", "--wave", wave})
        .err;
  };
  EXPECT_THAT(said("late.txt", "*"),
              testing::ContainsRegex("^toriscope: warning: the waveform will have about [0-9]+ MB; "));
  EXPECT_THAT(said("late.txt", "*@0:1000"), testing::StartsWith("toriscope: deadlock since"));
  EXPECT_THAT(said("t.txt", "*"), testing::StartsWith("toriscope: deadlock since"));
}

}  // namespace
}  // namespace toriscope::replay_test
