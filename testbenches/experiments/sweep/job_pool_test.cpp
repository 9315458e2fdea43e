// SPDX-License-Identifier: Apache-2.0
// The pool with a shell script in the place of the program: children that work, crash, hang and talk nonsense.
#include "base/json.h"
#include "testbenches/experiments/sweep/job_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/experiments/sweep/scripted_network.h"

namespace toriscope::job_pool_test {
namespace {

using ::testing::HasSubstr;

class job_pool_ : public ::testing::Test {
 protected:
  job_pool_() {
    // Prints the file named by rate and seed; what else happens to it stands in another file.
    std::ofstream(program()) << "#!/bin/bash\n"
                                "cd '" +
                                    scratch_.path() +
                                    "'\n"
                                    "read -r config\n"
                                    "of() { grep -oP \"\\\"$1\\\":\\K[0-9.]+\" <<<\"$config\"; }\n"
                                    "name=$(of rate_flits_per_node_cycle)_$(of seed)\n"
                                    "echo $name >> started\n"
                                    "if [[ -e $name.once ]]; then source ./$name.once; fi\n"
                                    "if [[ -e $name.always ]]; then source ./$name.always; fi\n"
                                    "cat $name.json\n";
    std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    settings_.jobs = 2;
    settings_.progress = false;
    settings_.program = program();
  }

  std::string program() const { return scratch_.path() + "/program"; }

  /// The points of the loads, with their outputs laid out.
  std::vector<point> points_at(const std::vector<double>& rates) {
    curve_search search(scripted_curve(), {});
    std::vector<point> list;
    for (const double rate : rates) {
      list.push_back(*search.point_at(rate, 1));
      put(rate, "json", scripted_output(list.back(), [](double, std::uint64_t) { return true; }));
    }
    return list;
  }

  void put(double rate, const char* ending, const std::string& text) const {
    std::ostringstream name;
    name << scratch_.path() << "/" << rate << "_1." << ending;
    std::ofstream(name.str()) << text;
  }

  std::vector<std::string> started_in_turn() const {
    std::ifstream in(scratch_.path() + "/started");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  std::vector<std::string> started() const {
    std::vector<std::string> lines = started_in_turn();
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  /// Whether the end of a child is kept for a later wait.
  static bool is_blocked() {
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, nullptr, &blocked);
    return sigismember(&blocked, SIGCHLD) == 1;
  }

  /// Time goes on, by 1000 s, when a child says that it hangs; so nothing else takes long on a busy machine.
  void let_children_hang() {
    hangs() = scratch_.path() + "/hangs";
    settings_.jobs = 1;
    settings_.timeout_seconds = 4;
    settings_.now = [] {
      std::error_code none;
      const std::uintmax_t said = std::filesystem::file_size(hangs(), none);
      return none ? 0. : 1000. * static_cast<double>(said);
    };
  }
  static std::string& hangs() {
    static std::string file;
    return file;
  }
  static constexpr const char* hang = "printf . >> hangs; exec sleep 1000";

  std::vector<failed_point> run(point_search& search) {
    return job_pool(settings_).run({&search}, result_store(scratch_.path() + "/results"));
  }

  scratch_directory scratch_;
  job_settings settings_;
};

TEST_F(job_pool_, runs_every_point_once_and_not_again) {
  point_list list(points_at({0.1, 0.2, 0.3}));
  EXPECT_EQ(list.status_text(), "0 of 3 points");
  EXPECT_TRUE(run(list).empty());
  EXPECT_EQ(list.status_text(), "3 of 3 points");
  for (const auto& result : list.results()) ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(list.results()[1]->figure("offered"), 0.2);
  point_list again(points_at({0.2, 0.1, 0.4}));
  EXPECT_TRUE(run(again).empty());
  EXPECT_DOUBLE_EQ(again.results()[0]->figure("offered"), 0.2);
  EXPECT_THAT(started(), ::testing::ElementsAre("0.1_1", "0.2_1", "0.3_1", "0.4_1"));
}

TEST_F(job_pool_, runs_first_what_decides_next_and_then_the_dearest) {
  settings_.jobs = 1;
  point_list equal(points_at({0.1, 0.3, 0.2}));
  run(equal);
  EXPECT_THAT(started_in_turn(), ::testing::ElementsAre("0.3_1", "0.2_1", "0.1_1")) << "a high load takes longer";
  search_settings fixed;
  fixed.rates = {0.4, 0.5, 0.6};
  fixed.seeds = {1};
  points_at(fixed.rates);
  curve_search search(scripted_curve(), fixed);
  run(search);
  EXPECT_THAT(started_in_turn(), ::testing::ElementsAre("0.3_1", "0.2_1", "0.1_1", "0.4_1", "0.5_1", "0.6_1"));
  curve_search seeds(scripted_curve(), {});
  std::vector<point> equally_dear;
  for (const std::uint64_t seed : {2, 3}) {
    equally_dear.push_back(*seeds.point_at(0.7, seed));
    std::ofstream(scratch_.path() + "/0.7_" + std::to_string(seed) + ".json")
        << scripted_output(equally_dear.back(), [](double, std::uint64_t) { return true; });
  }
  point_list in_turn(equally_dear);
  run(in_turn);
  const std::vector<std::string> last = started_in_turn();
  EXPECT_THAT(std::vector<std::string>(last.end() - 2, last.end()), ::testing::ElementsAre("0.7_2", "0.7_3"));
}

TEST_F(job_pool_, tells_once_of_each_file_that_is_corrupt) {
  std::vector<point> points = points_at({0.1, 0.2});
  const std::string results = scratch_.path() + "/results";
  std::filesystem::create_directories(results + "/points");
  std::ofstream(results + "/" + result_store::file_name(points[0])) << "{";
  point_list list(points);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(run(list).empty());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "toriscope: " + results + "/" + result_store::file_name(points[0]) +
                " is corrupt: the point is run again\n");
  EXPECT_TRUE(list.done());
}

/// Each of two children waits until the other one has started.
TEST_F(job_pool_, runs_as_many_as_there_are_processors_unless_told) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
  settings_.jobs = job_settings().jobs;
  settings_.tries = 1;
  settings_.timeout_seconds = 60;
  put(0.1, "always", "touch first; until [[ -e second ]]; do sleep 0.02; done");
  put(0.2, "always", "touch second; until [[ -e first ]]; do sleep 0.02; done");
  point_list list(points_at({0.1, 0.2}));
  EXPECT_TRUE(run(list).empty());
  EXPECT_TRUE(list.done());
}

TEST_F(job_pool_, runs_no_more_at_a_time_than_told) {
  settings_.jobs = 1;
  for (const double rate : {0.1, 0.2, 0.3})
    put(rate, "always", "mkdir alone || touch together; sleep 0.1; rmdir alone");
  point_list list(points_at({0.1, 0.2, 0.3}));
  EXPECT_TRUE(run(list).empty());
  EXPECT_EQ(started().size(), 3U);
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("together")));
}

/// The help of `toriscope sweep` says so, too.
TEST(job_settings, let_a_child_run_for_a_day_and_try_it_twice) {
  EXPECT_EQ(job_settings().timeout_seconds, 86400);
  EXPECT_EQ(job_settings().tries, 2U);
}

TEST_F(job_pool_, leaves_signals_as_they_were) {
  ASSERT_FALSE(is_blocked());
  point_list list(points_at({0.1}));
  run(list);
  EXPECT_FALSE(is_blocked());
}

/// A signal that is not blocked is lost; its child is noticed when the second is over.
TEST_F(job_pool_, sleeps_until_a_child_ends) {
  struct watching_list final : point_list {
    using point_list::point_list;
    std::size_t expected() const override {
      blocked = blocked && is_blocked();
      return point_list::expected();
    }
    mutable bool blocked = true;  ///< whenever the pool has waited
  } list(points_at({0.1}));
  put(0.1, "always", "sleep 0.3");
  const auto cpu_seconds = [] {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  };
  const double before = cpu_seconds();
  EXPECT_TRUE(run(list).empty());
  EXPECT_LT(cpu_seconds() - before, 0.2) << "who asks again and again needs a processor for .3 s";
  EXPECT_TRUE(list.blocked);
}

TEST_F(job_pool_, says_how_many_points_are_still_to_come) {
  settings_.jobs = 1;
  settings_.progress = true;
  point_list list(points_at({0.1, 0.2}));
  put(0.2, "always", "sleep 1.05");  // a line a second at most
  testing::internal::CaptureStderr();
  EXPECT_TRUE(run(list).empty());
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_THAT(lines, testing::ContainsRegex("toriscope: 1 of about 2 points, [0-9:]+ left; 1 of 2 points\n"));
  EXPECT_THAT(lines, HasSubstr("toriscope: 2 points, 2 of them simulated now"));
}

TEST_F(job_pool_, tries_a_crashed_and_a_hung_child_once_more) {
  point_list list(points_at({0.1, 0.2, 0.3}));
  put(0.1, "once", "rm $name.once; kill -KILL $$");
  put(0.3, "once", std::string("rm $name.once; ") + hang);
  let_children_hang();
  testing::internal::CaptureStderr();
  EXPECT_TRUE(run(list).empty());
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_THAT(lines, testing::ContainsRegex("toriscope: point [0-9a-f]+: killed by signal 9; it is run again\n"));
  EXPECT_THAT(lines, testing::ContainsRegex("toriscope: point [0-9a-f]+: not done after 4 s .*; it is run again\n"));
  EXPECT_TRUE(list.done());
  EXPECT_THAT(started(), ::testing::ElementsAre("0.1_1", "0.1_1", "0.2_1", "0.3_1", "0.3_1"));
}

TEST_F(job_pool_, gives_up_what_always_fails_and_does_the_rest) {
  point_list list(points_at({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}));
  put(0.1, "always", "kill -SEGV $$");
  put(0.2, "always", hang);
  put(0.3, "always", "echo nonsense; exit 0");
  put(0.5, "always", "cat $name.json; echo 'no more memory' >&2; exit 3");
  put(0.6, "always", "echo 'toriscope: a broken pipe' >&2; exit 1");
  put(0.7, "always", "echo 'toriscope: " + std::string(out_of_memory) + "' >&2; exit 2");
  put(0.8, "always", "exit 128");
  put(0.9, "always", "kill -HUP $$");
  let_children_hang();
  const std::vector<failed_point> failed = run(list);
  ASSERT_EQ(failed.size(), 8U);
  std::string all;
  for (const failed_point& f : failed) all += f.command + ": " + f.reason + "\n";
  EXPECT_THAT(all, HasSubstr("--rate 0.1 --seed 1: killed by signal 11"));
  EXPECT_THAT(all, HasSubstr("--rate 0.2 --seed 1: not done after"));
  EXPECT_THAT(all, HasSubstr("--rate 0.3 --seed 1: exit status 0: its output is not a result"));
  EXPECT_THAT(all, HasSubstr("--rate 0.5 --seed 1: exit status 3: no more memory"));
  EXPECT_THAT(all, HasSubstr("--rate 0.6 --seed 1: exit status 1: its output is not a result: a broken pipe"));
  EXPECT_THAT(all, HasSubstr("--rate 0.7 --seed 1: exit status 2: out of memory: "));
  EXPECT_THAT(all, HasSubstr("--rate 0.8 --seed 1: exit status 128: ")) << "no signal is 0";
  EXPECT_THAT(all, HasSubstr("--rate 0.9 --seed 1: killed by signal 1, after 2 tries\n"));
  EXPECT_FALSE(list.done());
  EXPECT_TRUE(list.results()[3]);
  const std::vector<std::string> runs = started();
  for (const char* failing : {"0.1_1", "0.2_1", "0.3_1", "0.5_1", "0.6_1", "0.7_1", "0.8_1", "0.9_1"})
    EXPECT_EQ(std::count(runs.begin(), runs.end(), failing), 2) << failing;
}

/// A deadlock is a property of the network; a broken invariant voids the figures.
TEST_F(job_pool_, takes_a_deadlock_for_a_result_and_a_broken_invariant_for_none) {
  std::vector<point> points = points_at({0.1, 0.2, 0.3});
  const auto failed_output = [&](std::size_t i, const char* kind) {
    auto document = nlohmann::ordered_json::parse(
        scripted_output(points[i], [](double, std::uint64_t) { return false; }));
    document["results"]["failure"] = std::string(kind) + " in cycle 7";
    document["failure"] = {{"kind", kind}, {"since", 7}, {"detail", nlohmann::ordered_json::array()}};
    return document.dump();
  };
  const std::string broken = failed_output(1, "invariant");
  put(0.1, "json", failed_output(0, "deadlock"));
  put(0.2, "json", broken);
  for (const double rate : {0.1, 0.2}) put(rate, "always", "cat $name.json; exit 1");
  point_list list(points);
  const std::vector<failed_point> failed = run(list);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].reason, "invariant in cycle 7");
  EXPECT_EQ(failed[0].command, points[1].command());
  EXPECT_TRUE(list.results()[0]->failed());
  EXPECT_FALSE(list.results()[1]);
  EXPECT_TRUE(list.results()[2]);
  EXPECT_THAT(started(), ::testing::ElementsAre("0.1_1", "0.2_1", "0.3_1"))
      << "a second try may hide a defect";
  // The same command tries it again, and one that was stored is not a result either.
  auto stored = nlohmann::ordered_json::parse(broken);
  stored["checksum"] = hex_text(mix_text(stored.dump()));
  std::ofstream(scratch_.path() + "/results/" + result_store::file_name(points[1])) << stored.dump();
  point_list again(points);
  EXPECT_FALSE(take_from_store({&again}, result_store(scratch_.path() + "/results")));
  EXPECT_EQ(run(again).size(), 1U);
  EXPECT_THAT(started(), ::testing::ElementsAre("0.1_1", "0.2_1", "0.2_1", "0.3_1"));
}

TEST_F(job_pool_, stops_at_once_when_a_point_is_refused) {
  point_list list(points_at({0.1, 0.2}));
  put(0.2, "always", "echo 'toriscope: the rule is cyclic' >&2; exit 2");
  put(0.1, "always", "exec sleep 1000");
  try {
    run(list);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                ::testing::StartsWith("the rule is cyclic (toriscope run --topology torus:4x4"));
  }
}

TEST_F(job_pool_, stops_children_that_are_no_longer_wanted) {
  // Speculation beyond saturation hangs: no search waits for it.
  search_settings fixed;
  fixed.rates = {0.1, 0.2, 0.3};
  fixed.seeds = {1};
  curve_search search(scripted_curve(), fixed);
  for (const double rate : fixed.rates)
    put(rate, "json",
        scripted_output(*search.point_at(rate, 1), [](double, std::uint64_t) { return false; }));
  put(0.1, "always", "sleep 0.2");
  put(0.2, "always", "exec sleep 1000");
  EXPECT_TRUE(run(search).empty());
  EXPECT_EQ(search.loads().size(), 1U);
  // All that the search needs is stored; what it perhaps wanted is not.
  curve_search again(scripted_curve(), fixed);
  EXPECT_TRUE(take_from_store({&again}, result_store(scratch_.path() + "/results")));
  EXPECT_EQ(again.loads().size(), 1U);
}

/// Which crashes twice while the load before it is simulated.
TEST_F(job_pool_, does_without_a_point_that_fails_and_is_not_needed) {
  search_settings fixed;
  fixed.rates = {0.1, 0.2};
  fixed.seeds = {1};
  curve_search search(scripted_curve(), fixed);
  put(0.1, "json", scripted_output(*search.point_at(0.1, 1), [](double, std::uint64_t) { return false; }));
  put(0.1, "always", "until [[ $(grep -c 0.2_1 started) = 2 ]]; do sleep 0.02; done; sleep 0.3");
  put(0.2, "always", "exit 3");
  const std::vector<failed_point> failures = run(search);
  EXPECT_THAT(started(), ::testing::ElementsAre("0.1_1", "0.2_1", "0.2_1"));
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(search.loads().size(), 1U);
}

/// Both crash. Whether the second load is needed, the first one would tell.
TEST_F(job_pool_, tells_of_points_that_fail_and_are_needed) {
  search_settings fixed;
  fixed.rates = {0.1, 0.2};
  fixed.seeds = {1};
  curve_search search(scripted_curve(), fixed);
  for (const double rate : fixed.rates) put(rate, "always", "exit 3");
  const std::vector<failed_point> failures = run(search);
  EXPECT_THAT(started(), ::testing::ElementsAre("0.1_1", "0.1_1", "0.2_1", "0.2_1"));
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].command, search.point_at(0.1, 1)->command());
}

TEST_F(job_pool_, takes_no_result_of_a_file_that_has_changed) {
  curve with_file = scripted_curve();
  with_file.config.traffic.flows = scratch_.file("flows");
  std::ofstream(scratch_.file("flows")) << "as it was";
  curve_search search(with_file, {});
  const point p = *search.point_at(0.1, 1);
  put(0.1, "json", scripted_output(p, [](double, std::uint64_t) { return true; }));
  put(0.1, "always", "echo other > flows");
  point_list list({p});
  EXPECT_THAT(error_of<std::invalid_argument>([&] { run(list); }),
              ::testing::StartsWith("a file that the configuration names has changed since the sweep began: its result "
                                    "does not count; start the sweep again (toriscope run "));
  EXPECT_FALSE(result_store(scratch_.path() + "/results").has_file(p));
  std::ofstream(scratch_.file("flows")) << "as it was";
  put(0.1, "always", "");
  EXPECT_TRUE(run(list).empty());
  EXPECT_TRUE(list.done());
}

/// The third seed tells that the load is not stable, which makes others needed than those before.
TEST_F(job_pool_, reads_from_the_store_whatever_a_result_changes) {
  scripted_network network;
  network.is_stable = [](double rate, std::uint64_t seed) { return rate < 0.4 || seed < 3; };
  network.growth = [](double rate, std::uint64_t seed) { return rate < 0.4 || seed < 3 ? 0.0 : 100.0; };
  search_settings fixed;
  fixed.rates = {0.3, 0.4, 0.45};
  for (const auto& rates : {fixed.rates, std::vector<double>()}) {
    fixed.rates = rates;
    curve_search search(scripted_curve(), fixed);
    const result_store store(scratch_.path() + "/results" + std::to_string(rates.size()));
    while (!search.done()) {
      const auto p = search.wanted().front().what;
      search.take(*p, store.save(*p, scripted_output(*p, network)));
    }
    curve_search again(scripted_curve(), fixed);
    ASSERT_TRUE(take_from_store({&again}, store));
    EXPECT_EQ(again.loads().size(), search.loads().size());
  }
}

TEST_F(job_pool_, reads_from_the_store_alone) {
  point_list first(points_at({0.1, 0.2}));
  run(first);
  const result_store store(scratch_.path() + "/results");
  point_list same(points_at({0.2, 0.1}));
  EXPECT_TRUE(take_from_store({&same}, store));
  EXPECT_TRUE(same.done());
  point_list more(points_at({0.1, 0.9}));
  EXPECT_FALSE(take_from_store({&more}, store));
  struct first_one_perhaps final : point_list {
    using point_list::point_list;
    std::vector<wanted_point> wanted() const override {
      std::vector<wanted_point> list = point_list::wanted();
      list.front().priority = 2;  // it has no result, and stays there
      return list;
    }
  } search(points_at({0.9, 0.1}));
  EXPECT_TRUE(take_from_store({&search}, store)) << "what is only perhaps needed may be missing";
  EXPECT_TRUE(search.results()[1]);
}

}  // namespace
}  // namespace toriscope::job_pool_test
