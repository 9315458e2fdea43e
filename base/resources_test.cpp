// SPDX-License-Identifier: Apache-2.0
#include "base/resources.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/arena.h"

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
  EXPECT_NEAR(cpu_seconds(), static_cast<double>(std::clock()) / CLOCKS_PER_SEC, 1);
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
  EXPECT_GT(resident_bytes(), 1000000u);
  EXPECT_LT(resident_bytes(), max_resident_bytes() + 1000000);
}

TEST(resources, arrays_in_used_memory_begin_with_zeros) {
  alignas(16) unsigned char used[64];
  std::memset(used, 0xff, sizeof used);
  arena memory(used, sizeof used, std::pmr::null_memory_resource());
  const auto* const five = make_array<std::uint32_t>(memory, 5);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(five[i], 0u) << i;
  EXPECT_EQ(used[20], 0xff) << "behind them";
  EXPECT_EQ(*make_one<std::uint32_t>(memory, 7u), 7u);
}

TEST(resources, pieces_of_two_megabytes_and_more_are_of_huge_pages) {
  std::pmr::memory_resource& memory = *huge_pages();
  for (const std::size_t bytes : {std::size_t{1} << 21, std::size_t{9} << 20}) {
    void* const piece = memory.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % (1 << 21), 0u) << bytes;
    EXPECT_GE(malloc_usable_size(piece), bytes);
    memory.deallocate(piece, bytes);
  }
  EXPECT_TRUE(memory.is_equal(*huge_pages()));
  EXPECT_FALSE(memory.is_equal(*std::pmr::new_delete_resource()));
}

}  // namespace
}  // namespace toriscope::resources_test
