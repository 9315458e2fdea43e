// SPDX-License-Identifier: Apache-2.0
// `toriscope sweep` as a user runs it: the same files whichever way, whatever was killed, corrupted or full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"

namespace toriscope::sweep_command_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string cycles(unsigned measured) {
  return " --warmup 100 --drain 400 --quiet --cycles " + std::to_string(measured) + " ";
}
const std::string quick = cycles(1000);

std::string fixed_loads(unsigned measured) {
  return "--topology torus:4x4,mesh:4x4 --rates 0.1:0.9:0.2 --seeds 1:2" + cycles(measured);
}
std::string sought_loads(unsigned measured) {
  return "--topology torus:4x4,mesh:4x4 --seeds 1 --tolerance 0.2 --observe" + cycles(measured);
}
const std::string fixed = fixed_loads(1000);
const std::string sought = sought_loads(1000);

/// A script for bash, in which $T is the program.
process_result in_bash(const program_directory& directory, const std::string& script) {
  return directory.shell("export T; bash -s <<'END_OF_SCRIPT'\n" + script + "\nEND_OF_SCRIPT");
}

/// Every unit in a process of its own, several at a time, in no order.
std::string in_units(const std::string& options, const std::string& out) {
  return "n=$($T sweep " + options +
         " --list 2>/dev/null) && seq 0 $((n-1)) | shuf --random-source=$T | "
         "xargs -P 3 -I{} $T sweep " +
         options + " --jobs 1 --out " + out + " --point {}";
}

/// And when it runs again, no point is simulated again.
TEST(sweep, leaves_the_same_files_whichever_way_it_is_run) {
  for (const std::string& options : {fixed, sought}) {
    const program_directory directory;
    const process_result done = in_bash(
        directory, "$T sweep " + options + "--jobs 1 --out one && $T sweep " + options +
                       "--jobs 4 --out all && " + in_units(options, "units") +
                       " && diff -r one all && diff -r one units && "
                       "$T sweep --plan one/plan.json --out one 2>&1 | grep -q ' 0 of them simulated now' && "
                       "diff -r one all && ls -A one");
    ASSERT_EQ(done.status, 0) << done.err << done.out;
    EXPECT_EQ(done.out, "curves.csv\nplan.json\npoints\npoints.csv\nsweep.json\n");
    EXPECT_EQ(done.err, "");
  }
}

TEST(sweep, tables_agree_with_single_runs) {
  const program_directory directory;
  ASSERT_EQ(in_bash(directory, "$T sweep " + sought + "--out out").status, 0);
  const process_result report = in_bash(directory, "$T report out");
  const bool has_page = TORISCOPE_HAS_REPORT_PAGE;
  EXPECT_THAT(report.out, StartsWith(has_page ? "report.html: 2 curves, 0 verdicts, " : ""));
  if (has_page) {
    std::ostringstream size;
    size << std::fixed << std::setprecision(1)
         << static_cast<double>(directory.read("report.html").size()) / 1e6;
    EXPECT_THAT(report.out, HasSubstr(" " + size.str() + " MB\n"));
  }
  EXPECT_THAT(report.err, HasSubstr(has_page ? "" : "built without its report page"));
  const json sweep = json::parse(directory.read("out/sweep.json"));
  ASSERT_EQ(sweep["curves"].size(), 2U);
  const json& curve = sweep["curves"][0];
  const json& point = curve["points"].back();
  const std::string command = point["command"];
  ASSERT_THAT(command, StartsWith("toriscope run --topology torus:4x4 "));
  const process_result run = in_bash(directory, "$T " + command.substr(10) + " --json - --quiet");
  ASSERT_EQ(run.status, 0) << run.err;
  const json alone = json::parse(run.out);
  EXPECT_EQ(alone["results"]["latency"]["mean"], point["latency"]["mean"]);
  EXPECT_EQ(alone["results"]["accepted"], point["accepted"]);
  EXPECT_EQ(alone["results"]["latency"]["histogram"]["counts"], point["latency"]["histogram"]["counts"]);
  EXPECT_FALSE(point["stable"]) << "the last load of the table is beyond saturation";
  // Observed: as many links as a torus of 16 nodes has, and fronts of flits.
  EXPECT_EQ(curve["observed"]["links"].size(), 64U);
  EXPECT_EQ(curve["observed"]["links_busy"].size(), 64U);
  EXPECT_EQ(curve["observed"]["ejection_ports"].size(), 16U);
  EXPECT_GE(curve["points"][0]["bottleneck"]["busy"], curve["points"][0]["links"]["busy_max"]);
  EXPECT_GT(curve["observed"]["stalls"]["front_cycles"], 0);
  // The command of a curve gives the curve.
  const std::string again = curve["command"];
  ASSERT_EQ(in_bash(directory, "$T " + again.substr(10) + " --quiet").status, 0);
  EXPECT_EQ(json::parse(directory.read("curve/sweep.json"))["curves"][0]["points"], curve["points"]);
  // The longer run that confirms the saturation throughput is kept, and its command gives what it found.
  for (const json& load : curve["points"]) {
    EXPECT_TRUE(load["confirmed"] == true || load["rate"] != curve["summary"]["saturation_throughput"]);
    ASSERT_EQ(load.contains("confirmation"), !load["confirmed"].is_null());
    if (load["confirmed"].is_null()) continue;
    const std::string longer = load["confirmation"]["command"];
    EXPECT_THAT(longer, HasSubstr("--cycles 8000 "));
    EXPECT_NE(directory.read("out/" + std::string(load["confirmation"]["file"])), "");
    const process_result run = in_bash(directory, "$T " + longer.substr(10) + " --json - --quiet");
    EXPECT_EQ(json::parse(run.out)["results"]["stable"], load["confirmed"]);
  }
  EXPECT_THAT(directory.read("out/points.csv"), HasSubstr(",stable_runs,confirmed,"));
  // Only figures have columns.
  std::string columns = directory.read("out/points.csv");
  columns.resize(columns.find('\n'));
  for (const char* other : {"histogram", "seeds", "files", "failure", "command", "confirmation"})
    EXPECT_THAT(columns, testing::Not(testing::ContainsRegex("[,_]" + std::string(other) + "(,|_|$)")));
  // A histogram of both seeds is as fine as 64 bins allow.
  for (const json& load : curve["points"]) {
    const json& bins = load["latency"]["histogram"];
    EXPECT_LE(bins["counts"].size(), 64U);
    EXPECT_TRUE(bins["bin_width"] == 1 || bins["counts"].size() > 31) << bins;
  }
  // The bracket is within the tolerance, and a row of the table.
  const double stable = curve["summary"]["saturation_throughput"];
  const double unstable = curve["summary"]["saturation_upper"];
  EXPECT_LE(unstable - stable, 0.2 * unstable);
  EXPECT_THAT(directory.read("out/curves.csv"),
              HasSubstr("\n0,torus:4x4 uniform,torus:4x4,dor,balanced,uniform,"));
}

/// Whose links are full duplex: each point is the configuration that it was asked for.
TEST(sweep, one_way_rings_of_two_nodes) {
  const program_directory directory;
  const process_result done =
      in_bash(directory,
              "$T sweep --topology ucube:2,3 --seeds 1 --rates 0.1 --out out --warmup 10 "
              "--drain 100 --cycles 100 2>/dev/null");
  EXPECT_EQ(done.status, 0) << done.out;
}

TEST(sweep, prints_and_describes_the_figures_of_a_curve) {
  const program_directory directory;
  const process_result done =
      in_bash(directory,
              "$T sweep --topology mesh:4x4 --seeds 1 --tolerance 0.1 --out out --warmup 100 "
              "--drain 400 --cycles 1000 2>/dev/null");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr(" knee "));
  EXPECT_THAT(done.out, HasSubstr("latencies in cycles, with 95 % intervals"));
  EXPECT_THAT(directory.read("out/points.csv"), HasSubstr(",latency_interval_low,latency_interval_high,"));
  EXPECT_THAT(directory.read("out/curves.csv"), HasSubstr(",knee,"));
  const json curve = json::parse(directory.read("out/sweep.json"))["curves"][0];
  for (const auto& [name, value] : curve["summary"].items()) {
    const process_result said = directory.run({"describe", "figure", name});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("of a curve")) << name;
  }
  for (const json& point : curve["points"]) EXPECT_TRUE(point["latency"].contains("interval_95"));
}

TEST(sweep, takes_up_a_directory_of_an_older_program) {
  const program_directory directory;
  const std::string sweep = "$T sweep " + fixed + "--out out";
  const process_result done = in_bash(directory, sweep +
                                                     " && cp -r out whole && "
                                                     "sed -i '/\"flit_bits\"/d' out/plan.json && "
                                                     "! diff -q out whole > /dev/null && " +
                                                     sweep + " && diff -r out whole && echo same");
  EXPECT_EQ(done.out, "same\n") << done.err;
}

/// A terminal would obey them.
TEST(sweep, shows_control_characters_of_a_name_as_text) {
  const program_directory directory;
  directory.write("\x1b[31m.json", R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})");
  const std::string sweep =
      "$T sweep --topology $'file:\\e[31m.json' --rates 0.1 --seeds 1 --warmup 10 --cycles 100 ";
  const process_result done = in_bash(directory, sweep + "--list && " + sweep + "--out out");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("0: file:\\x1b[31m.json uniform rate 0.1 seed 1\n"));
  EXPECT_THAT(done.out, HasSubstr("\nfile:\\x1b[31m.json uniform "));
  EXPECT_EQ((done.out + done.err).find('\x1b'), std::string::npos);
}

// --- what docs/ shows ---

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The text between ```KIND and ``` lines of a page.
std::vector<std::string> blocks_of(const std::string& page, const std::string& kind) {
  std::vector<std::string> list;
  const std::string fence = "\n```";
  for (std::size_t at = page.find(fence + kind + "\n"); at != std::string::npos;
       at = page.find(fence + kind + "\n", at + 1)) {
    const std::size_t begin = at + fence.size() + kind.size() + 1;
    list.push_back(page.substr(begin, page.find(fence, begin) - begin));
  }
  return list;
}

TEST(sweep, takes_every_plan_in_the_documentation) {
  const std::filesystem::path docs = TORISCOPE_ROOT "/docs";
  const program_directory directory;
  const auto expect_taken = [&](const std::string& options, const std::string& what) {
    const process_result done =
        in_bash(directory, "$T sweep " + options + " --list 2>&1 >/dev/null | grep -v '^[0-9]*: '");
    EXPECT_EQ(done.out, "") << what;
  };
  std::size_t plans = 0;
  for (const auto& entry : std::filesystem::directory_iterator(docs / "plans"))
    expect_taken("--plan '" + entry.path().string() + "'", entry.path().string());
  const std::string page = contents_of(docs / "sweeps.md");
  for (const std::string& plan : blocks_of(page, "json")) {
    directory.write("plan.json", plan);
    expect_taken("--plan plan.json", plan);
    ++plans;
  }
  EXPECT_GE(plans, 1U);
  std::size_t commands = 0;
  for (const std::string& block : blocks_of(page, "sh")) {
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) {
      if (!begins_with(line, "toriscope sweep ")) continue;
      std::string options = line.substr(16, line.find(" #") - 16);
      if (const std::size_t at = options.find(" --slurm"); at != std::string::npos) options.erase(at, 8);
      expect_taken(options, line);
      ++commands;
    }
  }
  EXPECT_GE(commands, 3U);
}

TEST(sweep, goes_on_where_it_was_killed) {
  const program_directory directory;
  const process_result done = in_bash(
      directory, "$T sweep " + fixed +
                     "--out whole || exit 1\n"
                     "$T sweep " +
                     fixed +
                     "--jobs 2 --out killed & p=$!\n"
                     "until [[ $(ls killed/points 2>/dev/null | wc -l) -ge 5 ]]; do sleep 0.01; done\n"
                     "kill -KILL $p; wait $p; echo $?\n"
                     "stat -c '%n %Y %i' killed/points/*.json > before\n"
                     "$T sweep " +
                     fixed +
                     "--jobs 2 --out killed && diff -r whole killed || exit 1\n"
                     "stat -c '%n %Y %i' killed/points/*.json > after\n"
                     "grep -cFxf before after");
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  ASSERT_THAT(done.out, StartsWith("137\n"));
  EXPECT_GE(std::stoi(done.out.substr(4)), 5) << "what was there is not simulated again";
}

TEST(sweep, notices_a_corrupt_result_and_runs_it_again) {
  const program_directory directory;
  const process_result done = in_bash(
      directory, "$T sweep " + fixed +
                     "--out whole && cp -r whole hurt && f=$(ls hurt/points/* | head -3 | tail -1) && "
                     "sed -i 's/\"accepted\": 0/\"accepted\": 1/' $f && g=$(ls hurt/points/* | head -1) && "
                     "truncate -s 100 $g && "
                     "$T sweep " +
                     fixed + "--out hurt; diff -r whole hurt && echo same");
  EXPECT_EQ(done.out, "same\n");
  EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 2) << done.err;
  EXPECT_THAT(done.err, HasSubstr(".json is corrupt: the point is run again\n"));
}

TEST(sweep, survives_a_disk_that_takes_no_more) {
  // A limit of the size of files is a full disk that needs no root: results fit, the document of them all does not.
  const program_directory directory;
  const process_result done =
      in_bash(directory, "$T sweep " + sought +
                             "--out whole || exit 1\n"
                             "trap '' XFSZ; (ulimit -f 24; $T sweep " +
                             sought +
                             "--out full; echo $?); ls -A full | grep -c tmp\n"
                             "$T sweep " +
                             sought + "--out full && diff -r whole full && echo same");
  EXPECT_EQ(done.out, "2\n0\nsame\n");
  EXPECT_EQ(done.err, "toriscope: cannot write full/sweep.json: File too large\n");
}

TEST(sweep, needs_no_parent_that_waits_for_children) {
  const program_directory directory;
  const process_result done = in_bash(
      directory, "trap '' CHLD; $T sweep --topology mesh:2x2 --rates 0.1 --seeds 1" + quick + "--out out && echo done");
  EXPECT_EQ(done.out + done.err, "done\n");
}

TEST(sweep, refuses_a_directory_of_others_in_a_line) {
  const program_directory directory;
  const std::string point = "$T sweep --topology torus:4x4 --rates 0.1 --seeds 1" + quick;
  process_result done = in_bash(directory, point + "--out out && " + point + "--out out --rates 0.2");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, StartsWith("toriscope: out holds the results of another plan"));
  done = in_bash(directory,
                 "(exec 9<out; flock 9; exec sleep 1000) & p=$!; while flock -n out true; do sleep 0.05; done; " +
                     point + "--out out; s=$?; kill $p; exit $s");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, StartsWith("toriscope: out: another sweep is at work there"));
  for (const char* const no_name_of_sbatch : {"'a\"b'", "'a\\b'", "a%b"}) {
    done = in_bash(directory, point + "--slurm --out " + no_name_of_sbatch);
    EXPECT_EQ(done.status, 2) << no_name_of_sbatch;
    EXPECT_THAT(done.err, HasSubstr("with --slurm, expected a directory without control characters"));
  }
  done = in_bash(directory, "touch file; " + point + "--out file/out");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, StartsWith("toriscope: cannot make directory file/out: "));
}

TEST(sweep, joins_lists_that_are_given_in_pieces) {
  const program_directory directory;
  const auto units = [&](const std::string& options) {
    const process_result listed = in_bash(directory, "$T sweep --topology torus:4x4 --list" + options);
    return listed.out + listed.err;
  };
  EXPECT_EQ(units(" --rates 0.1 --rate 0.2,0.3 --seeds 1 --seed 2"), units(" --rates 0.1,0.2,0.3 --seeds 1,2"));
  EXPECT_NE(units(" --rates 0.1 --rates 0.2 --seeds 1"), units(" --rates 0.2 --seeds 1"));
}

TEST(sweep, refuses_bad_plans_in_a_line) {
  const program_directory directory;
  directory.write("bad.json", R"({"topologie": ["torus:4x4"]})");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "sweep needs --out DIR"},
      {"--plan none.json --out o", "plan none.json cannot be read: No such file"},
      {"--plan bad.json --out o", "bad.json: unknown key 'topologie'; did you mean 'topology'?"},
      {"--topologie torus:4x4 --out o", "did you mean '--topology'?"},
      {"--topology torsu:4x4 --out o", "torsu"},
      {"--topology torus:4x4 --rates 0.5:0.1:0.1 --out o", "--rates: '0.5:0.1:0.1' is not a range"},
      {"--topology torus:4x4 --tolerance x --out o", "--tolerance: 'x' is not a number or a list of numbers"},
      {"--topology torus:4x4 --confirm 1.5 --out o", "--confirm: a whole number is expected"},
      {"--topology torus:4x4 --confirm 0 --out o", "confirm: it must be from 1 to 1000 times the window"},
      {"--topology torus:4x4 --jobs 0 --out o", "--jobs: '0' must be a whole number from 1 to 4096"},
      {"--topology torus:4x4 --jobs 2x --out o --slurm", "--jobs: '2x' must be a whole number"},
      {"--topology torus:4x4 --timeout inf --out o",
       "--timeout: 'inf' must be a whole number from 1 to 1000000000"},
      {"--topology torus:4x4 --timeout nan --out o --slurm", "--timeout: 'nan' must be a whole number"},
      {"--topology torus:4x4 --point 1 --out o", "--point: '1' must be a whole number from 0 to 0"},
      {"--topology torus:4x4 --point 0 --out o --slurm",
       "--point has no effect with --slurm; leave one of them"},
      {"--topology torus:4x4 --point 99 --list", "--point has no effect with --list; leave one of them out"},
      {"--topology torus:4x4 --list --slurm --out o",
       "--slurm has no effect with --list; leave one of them out"},
      {"--topology torus:4x4 --slurm --out 'a%b'", "a%b': with --slurm, expected a directory without"},
      {"--topology torus:4x4 --slurm --out 'a\"b'", "a\"b': with --slurm, expected a directory without"},
      {"--topology torus:4x4 --slurm --out 'a\\b'", "a\\b': with --slurm, expected a directory without"},
      {"--topology ttn:2,2,0 --vc-rule paper --vcs 2 --rates 0.01 --out p", "--allow-deadlock"}};
  for (const auto& [options, error] : wrong) {
    const process_result done = in_bash(directory, "$T sweep --quiet " + options);
    EXPECT_EQ(done.status, 2) << options;
    EXPECT_THAT(done.err, AllOf(StartsWith("toriscope: "), HasSubstr(error))) << options;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    EXPECT_EQ(done.out, "");
  }
  EXPECT_EQ(directory.files(), (strings{"bad.json", "p"}))
      << "only a point that is rejected leaves its directory";
}

/// Its points run what is rejected without (above).
TEST(sweep, allows_deadlock_where_it_is_asked_to) {
  const program_directory directory;
  const process_result done =
      in_bash(directory, "$T sweep --topology ttn:2,2,0 --vc-rule paper --vcs 2 --allow-deadlock --rates 0.001 "
                         "--seeds 1 --warmup 0 --cycles 50 --quiet --out out");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(json::parse(directory.read("out/plan.json"))["configurations"][0]["allow_deadlock"], true);
}

TEST(sweep, the_command_of_a_curve_of_given_loads_runs) {
  const program_directory directory;
  ASSERT_EQ(in_bash(directory, "$T sweep --rates 0.01 --seeds 1 --cycles 50 --quiet --out out").status, 0);
  const std::string again = json::parse(directory.read("out/sweep.json"))["curves"][0]["command"];
  EXPECT_EQ(in_bash(directory, "$T " + again.substr(10) + " --list").status, 0) << again;
}

TEST(sweep, writes_a_job_array_that_does_the_same) {
  const program_directory directory;
  const process_result done =
      in_bash(directory,
              "$T sweep " + fixed + "--out whole && $T sweep " + fixed +
                  "--out array/ --slurm >&2 && "
                  "n=$(sed -n 's/^#SBATCH --array=0-//p' array.sbatch) && "
                  "for k in $(seq $n -1 0); do SLURM_ARRAY_TASK_ID=$k bash array.sbatch || exit 1; done && "
                  "diff -r whole array && ls -A");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "array\narray.logs\narray.plan.json\narray.sbatch\nwhole\n");
  EXPECT_THAT(done.err, HasSubstr("20 units; submit them by\n  sbatch "));
  EXPECT_EQ(in_bash(directory, "$T sweep " + fixed + "--timeout 77 --out a --slurm >&2 && "
                               "grep -c -- ' --timeout 77' a.sbatch")
                .out,
            "1\n");
  EXPECT_EQ(in_bash(directory, "$T sweep " + fixed +
                                   "--jobs 3 --out b --slurm >&2 && "
                                   "grep -c -e ' --jobs 3' -e 'cpus-per-task=3$' b.sbatch")
                .out,
            "2\n");
}

/// In seconds, of each of two tries.
TEST(sweep, gives_up_what_takes_longer_than_it_may) {
  const program_directory directory;
  const process_result done =
      in_bash(directory,
              "$T sweep --topology mesh:2x2,mesh:2x3 --rates 0.1 --seeds 1 --jobs 2 --timeout 1 --out out" +
                  cycles(1000000000));
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.err, HasSubstr("not done after 1 s (--timeout), after 2 tries: "));
  EXPECT_THAT(done.err, HasSubstr("\ntoriscope: out: no tables; missing points: 2; "));
}

// --- the long tier ---

/// Kills what `victims` prints at random moments while the sweep is run, up to 10 times in each directory, and
/// then lets it be done; in as many directories as 50 kills take, whatever the speed of the machine.
std::string killed_often(const std::string& options, const std::string& victims) {
  return "$T sweep " + options + "--jobs 2 --out whole || exit 1\nvictims() { " + victims + R"(; }
    RANDOM=7
    for round in {1..100}; do
      [[ $total -ge 50 ]] && break
      rm -rf hurt
      kills=0
      while :; do
        $T sweep )" +
         options + R"(--jobs 2 --out hurt 2>>log & p=$!
        while [[ $kills -lt 10 ]] && sleep 0.$((RANDOM%4))$((RANDOM%9+1)) && kill -0 $p 2>/dev/null; do
          v=$(victims) && [[ $v ]] && kill -KILL $v 2>/dev/null && kills=$((kills+1))
        done
        wait $p 2>/dev/null
        s=$?
        case $s in 0) break ;; 1|137) ;; *) echo status $s; cat log; exit 1 ;; esac
      done
      diff -r whole hurt || exit 1
      total=$((total+kills))
    done
    [[ $total -ge 50 ]] && echo done || echo $total kills)";
}

TEST(sweep_long, does_not_mind_50_workers_killed) {
  const program_directory directory;
  const process_result done = in_bash(directory, killed_often(sought_loads(4000), "pgrep -P $p | shuf -n 1"));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "done\n");
}

TEST(sweep_long, does_not_mind_50_coordinators_killed) {
  const program_directory directory;
  const process_result done = in_bash(directory, killed_often(fixed_loads(20000), "echo $p"));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "done\n");
}

TEST(sweep_long, runs_hung_workers_again) {
  const program_directory directory;
  const std::string slow = fixed_loads(20000);
  const process_result done =
      in_bash(directory,
              "$T sweep " + slow +
                  "--jobs 2 --out whole || exit 1\n"
                  "$T sweep " +
                  slow +
                  "--jobs 2 --timeout 3 --out hurt & p=$!\n"
                  // Until a worker stands still: one that has ended takes the signal, too.
                  "until v=$(pgrep -P $p | head -1) && kill -STOP $v && grep -q '^State:.T' /proc/$v/status\n"
                  "do kill -0 $p || exit 1; sleep 0.01; done 2>/dev/null\n"
                  "wait $p && diff -r whole hurt && echo same");
  EXPECT_EQ(done.out, "same\n") << done.err;
  EXPECT_THAT(done.err, HasSubstr("not done after 3 s (--timeout); it is run again"));
}

TEST(sweep_long, survives_a_full_disk) {
  const program_directory directory;
  const process_result done = in_bash(
      directory,
      "mkdir small && mount -t tmpfs -o size=40k tmpfs small 2>/dev/null || { echo no mount; exit 0; }\n"
      "$T sweep " +
          fixed +
          "--out whole\n"
          "$T sweep " +
          fixed + "--out small/out; echo $?; $T sweep " + fixed +
          "--out small/out; echo $?\n"
          "ls -AR small/out | grep -c tmp; mount -o remount,size=10m small\n"
          "$T sweep " +
          fixed + "--out small/out && diff -r whole small/out && echo same; umount small");
  if (done.out == "no mount\n") GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(done.out, "2\n2\n0\nsame\n");
  EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 2) << done.err;
  EXPECT_THAT(done.err, AllOf(StartsWith("toriscope: cannot write small/out/"),
                              HasSubstr(": No space left on device\n")));
}

}  // namespace
}  // namespace toriscope::sweep_command_test
