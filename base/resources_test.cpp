// SPDX-License-Identifier: Apache-2.0
#include "base/resources.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ctime>
#include <thread>

namespace toriscope::resources_test {
namespace {

double seconds_of_this_thread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

TEST(resources, cpu_time_is_that_of_all_threads) {
  const double before = cpu_seconds();
  double used = 0;
  std::thread other([&used] {
    while (used < 0.05) used = seconds_of_this_thread();
  });
  other.join();
  EXPECT_GE(cpu_seconds() - before, used);
}

TEST(resources, memory_is_told_in_bytes) {
  const auto most = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
  };
  const std::uint64_t before = most(), found = max_resident_bytes();
  EXPECT_GE(found, before);
  EXPECT_LE(found, most());
}

}  // namespace
}  // namespace toriscope::resources_test
