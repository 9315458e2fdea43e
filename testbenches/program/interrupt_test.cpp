// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, the SIGTERM of a batch system, a terminal that is lost: the run ends in good order, with what it has. Out of
// memory: in a line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <utility>

#include "testbenches/program/program_process.h"

namespace toriscope::interrupt_test {
namespace {

/// Runs the program, and sends it a signal once it catches SIGINT, that is, simulates. A shell catches it, too, before
/// it becomes the program.
/// @param before  a command of the shell that comes before the signal
process_result interrupted(const program_directory& dir, const std::string& arguments, const std::string& signal,
                           const std::string& before = ":") {
  std::signal(SIGINT, SIG_DFL);  // tests in the background of a shell ignore it, and so would the program
  return dir.shell("pid=$$; while kill -0 $pid; do grep -q '^toriscope' /proc/$pid/comm &&"
                   " [ $((0x0$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$pid/status) & 2)) = 2 ] && " +
                   before + " && kill -" + signal + " $pid && break; done 2>/dev/null & exec $T " + arguments);
}

// More cycles than any test could wait for.
constexpr const char* endless = "run --topology torus:4x4 --rate 0.1 --warmup 100 --cycles 1000000000000 ";

TEST(interrupt, leaves_the_results_so_far) {
  for (const auto& [name, number] : {std::pair("INT", SIGINT), {"TERM", SIGTERM}, {"HUP", SIGHUP}}) {
    const program_directory dir;
    const process_result r = interrupted(dir, endless + std::string("--json r.json --csv r.csv"), name);
    EXPECT_EQ(r.status, 128 + number);
    EXPECT_THAT(r.err, testing::MatchesRegex(
                           "toriscope: interrupted in cycle [0-9]+; the figures are of the cycles until "
                           "then\n"));
    const auto result = nlohmann::json::parse(dir.read("r.json"));
    EXPECT_EQ(result["failure"]["kind"], "interrupted");
    EXPECT_EQ(result["failure"]["since"], result["results"]["cycles"]);
    EXPECT_TRUE(result["results"]["stable"].is_null()) << "it is unknown";
    EXPECT_TRUE(result["results"]["keeps_up_95"].is_null());
    EXPECT_LT(result["results"]["cycles"], 1000000000000);
    EXPECT_THAT(dir.read("r.csv"), testing::HasSubstr("failure"));
    EXPECT_THAT(r.out, testing::Not(testing::HasSubstr("Not stable")));
  }
}

TEST(interrupt, closes_waves_and_records) {
  const program_directory dir;
  const process_result r = interrupted(
      dir,
      "record --output p.zst --wave '*node_0_0*' --wave-file w.vcd --quiet " + std::string(endless).substr(4),
      "INT");
  EXPECT_EQ(r.status, 128 + SIGINT) << r.err;
  EXPECT_THAT(dir.read("w.vcd"), testing::HasSubstr("$enddefinitions"));
  const process_result again = dir.run({"replay", "p.zst", "--warmup", "0", "--cycles", "100", "--quiet"});
  EXPECT_EQ(again.status, 0) << again.err;
  // Its replay has the cycles that it had, and their load.
  const process_result whole = dir.run({"replay", "p.zst", "--quiet", "--json", "-"});
  EXPECT_EQ(whole.status, 0) << whole.err;
  const auto results = nlohmann::json::parse(whole.out)["results"];
  EXPECT_THAT(r.err, testing::HasSubstr("interrupted in cycle " + results["cycles"].dump() + ";"));
  EXPECT_NEAR(results["offered"], .1, .05);
}

TEST(interrupt, says_what_was_asked_for_and_is_not_there) {
  const program_directory dir;
  const std::string late = "--quiet --wave '*@90000000000:' --wave-file w.vcd --save-state 90000000000:s";
  const process_result r = interrupted(dir, endless + late, "INT");
  EXPECT_EQ(r.status, 128 + SIGINT);
  EXPECT_THAT(r.err, testing::ContainsRegex(
                         "toriscope: interrupted in cycle [0-9]+; the figures are of the cycles until then\n"
                         "toriscope: --wave: the run ended in cycle [0-9]+, before the window began .*\n"
                         "toriscope: --save-state: the run ended in cycle [0-9]+, before; no state was saved\n"));
}

/// What is done to the process $pid, in the background; `killed` is the end of one that does not end.
const std::string in_background = "mkfifo p p.vcd; pid=$$; { ";
const std::string killed =
    "for n in $(seq 600); do kill -0 $pid || exit; sleep 0.1; done; kill -KILL $pid; } >/dev/null "
    "2>&1 & exec $T ";

/// The first one ends the run, whose results wait for a reader.
TEST(interrupt, twice_ends_the_process) {
  std::signal(SIGINT, SIG_DFL);
  const program_directory dir;
  const process_result r = dir.shell(
      in_background +
      "caught() { grep -q '^toriscope' /proc/$pid/comm && [ $((0x0$(sed -n 's/^SigCgt:[[:space:]]*//p' "
      "/proc/$pid/status) & 2)) = $1 ]; }; until caught 2; do kill -0 $pid || exit; done; kill -INT $pid; "
      "for n in $(seq 600); do caught 0 && break; sleep 0.1; done; kill -INT $pid; " +
      killed + endless + "--json p");
  EXPECT_EQ(r.status, 128 + SIGINT);
  EXPECT_EQ(r.err, "") << "it ends in no order";
}

/// Their parent says what became of them.
TEST(interrupt, is_not_for_runs_for_the_sake_of_a_waveform) {
  std::signal(SIGINT, SIG_DFL);
  const program_directory dir;
  const process_result once = dir.shell(in_background + "exec 3<p.vcd; read -r line <&3; kill -INT $pid; " +
                                        killed + endless + "--wave '*' --wave-only --wave-file p.vcd");
  EXPECT_EQ(once.status, 128 + SIGINT);
  const process_result second = dir.shell(
      "mkfifo f.vcd; $T run --vc-rule paper --vcs 2 --allow-deadlock --rate 0.3 --watchdog 300 --quiet "
      "--failure-wave "
      "f.vcd & p=$!; while kill -0 $p 2>/dev/null; do pkill -HUP -P $p; sleep 0.02; done; wait $p");
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.err, testing::EndsWith("\n  no waveform: the second run was killed\n"));
}

TEST(progress, is_shown_on_a_terminal_unless_it_is_not_wanted) {
  const program_directory dir;
  const std::string run = "run --topology mesh:2x2 --cycles 2000 ",
                    explain = "explain --topology mesh:2x2 --packet 9 ";
  const std::string wave = "--wave '*@0:5' --wave-only ",
                    item = "reproduce ttn2009 --item 'Table 1: TTN(2,2,0)' ";
  for (const auto& [command, shown] : {std::pair(run, "flits in flight"),
                                       {run + "--quiet", ""},
                                       {run + wave, ""},
                                       {explain, "flits in flight"},
                                       {explain + "--quiet", ""},
                                       {item, "\x1b[Kttn2009, Table 1: TTN(2,2,0)"}}) {
    const std::optional<std::string> text = shown_on_a_terminal(dir, command);
    if (!text) GTEST_SKIP() << "no terminal can be made";
    if (*shown)
      EXPECT_THAT(*text, testing::HasSubstr(shown)) << command;
    else
      EXPECT_EQ(*text, "") << command;
  }
}

TEST(interrupt, is_not_for_a_run_whose_parent_ignores_it) {
  const program_directory dir;
  const process_result r = dir.shell(
      "trap '' INT; pid=$$; while kill -INT $pid 2>/dev/null; do sleep 0.01; done &"
      " exec $T run --topology torus:4x4 --rate 0.1 --cycles 200000 --json r.json --quiet");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_FALSE(nlohmann::json::parse(dir.read("r.json")).contains("failure"));
}

TEST(out_of_memory, in_the_cycles) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve more than any limit";
#endif
  const program_directory dir;
  for (const char* const fidelity : {"cycle", "transaction"}) {
    const process_result r = dir.shell("ulimit -v 80000; \"$T\" run --topology torus:8x8 --rate 1 --packet 1 "
                                       "--warmup 0 --cycles 100000000 --quiet --no-cache --fidelity " +
                                       std::string(fidelity));
    EXPECT_EQ(r.status, 2) << fidelity;
    EXPECT_EQ(r.err, "toriscope: out of memory: what was asked for needs more than this machine gives\n");
  }
}

TEST(out_of_memory, comes_before_the_machine_has_none_left) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve more than any machine has";
#endif
  const program_directory dir;
  interrupted(dir, endless, "TERM", "cp /proc/$pid/limits limits && cp /proc/meminfo memory");
  const auto number_behind = [&](const char* file, const std::string& key) {
    const std::string text = dir.read(file);
    const std::size_t at = text.find(key);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
  };
  const auto most = 1024 * (number_behind("memory", "MemTotal:") + number_behind("memory", "SwapTotal:"));
  EXPECT_GT(number_behind("limits", "Max data size"), most / 1000);
  EXPECT_LE(number_behind("limits", "Max data size"), most);
}

}  // namespace
}  // namespace toriscope::interrupt_test
