// SPDX-License-Identifier: Apache-2.0
// Teams of threads: every job once a round, what was done is seen, and what was thrown.
#include "base/thread_team.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace toriscope::thread_team_test {
namespace {

TEST(thread_team, does_every_job_once_a_round_and_sees_what_others_did_in_the_round_before) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    thread_team team(threads);
    std::vector<std::uint64_t> before(threads, 1), after(threads);
    std::uint64_t expected = 1;
    for (unsigned round = 0; round < 300; ++round) {
      team.run([&](unsigned i) {
        after[i] += before[i];  // jobs of the same round touch other elements
        for (const std::uint64_t b : before) after[i] += b;
      });
      expected *= threads + 1;
      EXPECT_THAT(after, testing::Each(expected)) << threads << " threads, round " << round;
      before.swap(after);
      after.assign(threads, 0);
    }
  }
}

/// No job of a team's first round ends before all have begun. The time is only a limit for a test that fails.
TEST(thread_team, does_jobs_at_the_same_time) {
  for (const unsigned threads : {2u, 3u, 8u}) {
    thread_team team(threads);
    std::mutex mutex;
    std::condition_variable changed;
    unsigned begun = 0, met = 0;
    team.run([&](unsigned) {
      std::unique_lock lock(mutex);
      ++begun;
      changed.notify_all();
      met += changed.wait_for(lock, std::chrono::seconds(60), [&] { return begun == threads; });
    });
    ASSERT_EQ(met, threads);
  }
}

TEST(thread_team, sleeps_and_wakes) {
  thread_team team(3);
  std::vector<unsigned> done(3);
  for (unsigned round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // longer than threads yield
    team.run([&](unsigned i) {
      if (i == round % 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++done[i];
    });
  }
  EXPECT_THAT(done, testing::Each(20u));
}

TEST(thread_team, throws_what_the_first_job_threw_when_all_are_done_and_goes_on) {
  thread_team team(4);
  std::vector<unsigned> done(4);
  const auto failing = [&](unsigned i) {
    ++done[i];
    if (i % 2 == 1) throw std::runtime_error("job " + std::to_string(i));
  };
  for (unsigned round = 1; round <= 10; ++round) {
    try {
      team.run(failing);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "job 1");
    }
    EXPECT_THAT(done, testing::Each(round));
  }
  team.run([&](unsigned i) { done[i] = 0; });
  EXPECT_THAT(done, testing::Each(0u));
}

TEST(thread_team, throws_what_job_0_threw_of_one_or_of_many) {
  for (const unsigned threads : {1u, 3u}) {
    thread_team team(threads);
    for (unsigned round = 0; round < 3; ++round) try {
        team.run([](unsigned i) { throw std::runtime_error("job " + std::to_string(i)); });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "job 0");
      }
  }
}

}  // namespace
}  // namespace toriscope::thread_team_test
