// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "testbenches/experiments/sweep/answered_search.h"
#include "testbenches/experiments/sweep/sweep_plan.h"

namespace toriscope::sweep_directory_test {
namespace {

const sweep_plan& plan() {
  static const sweep_plan torus = sweep_plan::from({}, R"({"topology": "torus:4x4"})", "plan.json");
  return torus;
}

std::string refusal_of(const std::string& path, const sweep_plan& its_plan, sweep_directory::share how) {
  try {
    sweep_directory(path, its_plan, how);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(sweep_directory, has_one_sweep_or_several_that_share_it) {
  using share = sweep_directory::share;
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  const auto refusal = [&](share how) { return refusal_of(path, plan(), how); };
  const std::string taken =
      path + ": another sweep is at work there; wait for it, or give another directory by --out";
  {
    const sweep_directory alone(path, plan(), share::alone);
    EXPECT_EQ(refusal(share::alone), taken);
    EXPECT_EQ(refusal(share::some), taken);
  }
  {
    const sweep_directory some(path, plan(), share::some);
    EXPECT_EQ(refusal(share::some), "");
    EXPECT_EQ(refusal(share::alone), taken);
  }
  EXPECT_EQ(refusal(share::alone), "") << "they have ended";
}

TEST(sweep_directory, keeps_the_results_of_one_plan) {
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  const auto refusal = [&](const sweep_plan& its_plan) {
    return refusal_of(path, its_plan, sweep_directory::share::alone);
  };
  const auto kept = [&] { return text_if_there(path + "/plan.json").value_or(""); };
  const sweep_plan other = sweep_plan::from({}, R"({"topology": "mesh:4x4", "rates": 0.1})", "plan.json");
  EXPECT_EQ(refusal(plan()), "");
  EXPECT_EQ(kept(), plan().text());
  EXPECT_EQ(refusal(other), "") << "there is no result so far";
  EXPECT_EQ(kept(), other.text());
  std::ofstream(path + "/points/0123456789abcdef.json") << "a result";
  EXPECT_EQ(refusal(plan()), path +
                                 " holds the results of another plan (plan.json there); give another directory by "
                                 "--out, or remove that one");
  EXPECT_EQ(kept(), other.text());
  // An older version, which had fewer parameters.
  std::ofstream(path + "/plan.json") << R"({"topology": "mesh:4x4", "rates": [0.1]})";
  EXPECT_EQ(refusal(other), "");
  EXPECT_EQ(kept(), other.text());
  std::ofstream(path + "/plan.json") << "{";
  EXPECT_NE(refusal(other), "");
}

/// Its first result is still to come.
TEST(sweep_directory, is_not_taken_from_a_sweep_at_work) {
  using share = sweep_directory::share;
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  const sweep_plan other = sweep_plan::from({}, R"({"topology": "mesh:4x4", "rates": 0.1})", "plan.json");
  {
    const sweep_directory at_work(path, plan(), share::some);
    EXPECT_EQ(refusal_of(path, other, share::some),
              path + ": another sweep is at work there; wait for it, or give another directory by --out");
    EXPECT_EQ(text_if_there(path + "/plan.json"), plan().text());
  }
  const sweep_directory next(path, other, share::some);
  EXPECT_EQ(text_if_there(path + "/plan.json"), other.text());
  EXPECT_EQ(refusal_of(path, other, share::some), "") << "it is shared again";
}

TEST(sweep_directory, is_left_with_tables_and_what_they_are_made_of) {
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  scripted_network network;
  network.is_stable = saturates_at(0.23);
  network.is_stable_for_long = saturates_at(0.2);
  search_settings settings = plan().settings();
  settings.observe = true;
  curve_searches searches;
  curve_search& search = *searches.emplace_back(std::make_unique<curve_search>(plan().curves()[0], settings));
  const sweep_directory directory(path, plan(), sweep_directory::share::alone);
  const auto save = [&](const point& p) { return directory.store().save(p, scripted_output(p, network)); };
  while (!search.done()) {
    const std::shared_ptr<const point> p = search.wanted().front().what;
    search.take(*p, save(*p));
  }
  const auto beyond = search.point_at(0.9, 1);
  save(*beyond);
  for (const char* name : {"curves.csv.host.1.tmp.part", "points.csv.host.1.tmp.part", "notes.txt"})
    std::ofstream(path + "/" + name) << "x";
  directory.finish(searches);
  EXPECT_FALSE(directory.store().has_file(*beyond)) << "no table has it";
  std::size_t files = 0, confirmed = 0;
  for (const load_figures& load : search.loads()) {
    for (const auto& p : load.points) EXPECT_TRUE(directory.store().has_file(*p)) << p->command();
    files += load.points.size();
    if (!load.confirmation) continue;
    EXPECT_TRUE(directory.store().has_file(*load.confirmation->what));
    ++confirmed;
  }
  EXPECT_GT(confirmed, 0U);
  ASSERT_TRUE(search.observed());
  EXPECT_TRUE(directory.store().has_file(*search.observed()->what));
  files += confirmed + 1;
  const auto there = std::distance(std::filesystem::directory_iterator(path + "/points"), {});
  EXPECT_EQ(static_cast<std::size_t>(there), files);
  EXPECT_EQ(text_if_there(path + "/points.csv"), points_csv(plan(), searches));
  EXPECT_EQ(text_if_there(path + "/curves.csv"), curves_csv(plan(), searches));
  EXPECT_EQ(text_if_there(path + "/sweep.json"), sweep_json(plan(), searches));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path)) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"curves.csv", "notes.txt", "plan.json", "points", "points.csv",
                                          "sweep.json"}));
}

/// 0 is the next one of a program that was started without a standard input.
TEST(sweep_directory, is_locked_whatever_its_descriptor_is_and_not_by_children) {
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  const auto is_free = [&] {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return locked;
  };
  const int standard_input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  {
    const sweep_directory alone(path, plan(), sweep_directory::share::alone);
    EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), FD_CLOEXEC);
    EXPECT_FALSE(is_free());
  }
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1) << "closed";
  EXPECT_TRUE(is_free());
  dup2(standard_input, STDIN_FILENO);
  close(standard_input);
}

/// Only what the lock itself says counts, not what went wrong before.
TEST(sweep_directory, takes_a_free_directory_after_an_error_elsewhere) {
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  std::filesystem::create_directories(path + "/points");  // to make it would change errno
  errno = EWOULDBLOCK;
  EXPECT_NO_THROW(sweep_directory(path, plan(), sweep_directory::share::alone));
}

}  // namespace
}  // namespace toriscope::sweep_directory_test
