// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/time_batches.h"

#include <gtest/gtest.h>

#include "base/error_of_test.h"

namespace toriscope::time_batches_test {
namespace {

/// Sum and count of each batch.
std::vector<std::uint64_t> words_of(const time_batches& batches) {
  std::vector<std::uint64_t> words;
  batches.append_to(words);
  return words;
}

/// A window of 8 cycles in 4 batches.
time_batches four_batches() {
  time_batches batches(8, 4);
  batches.add(0, 10);
  batches.add(1, 11);
  batches.add(2, 5);
  batches.add(7, 3);
  return batches;
}

TEST(time_batches, a_value_belongs_to_the_batch_of_its_moment) {
  EXPECT_EQ(words_of(four_batches()), (std::vector<std::uint64_t>{21, 2, 5, 1, 0, 0, 3, 1}));
  EXPECT_EQ(time_batches(1000).size(), 256u);
  EXPECT_EQ(time_batches(1000).index(999), 255u);
  EXPECT_EQ(time_batches(1000).index(3), 0u);
  EXPECT_EQ(time_batches(1000).index(4), 1u);
}

TEST(time_batches, a_window_of_twice_the_length_has_the_old_batches_in_pairs) {
  time_batches batches = four_batches();
  batches.double_duration();
  EXPECT_EQ(batches.duration(), 16u);
  EXPECT_EQ(words_of(batches), (std::vector<std::uint64_t>{26, 3, 3, 1, 0, 0, 0, 0}));
}

TEST(time_batches, of_the_same_window_elsewhere_add_up) {
  time_batches batches = four_batches(), more(8, 4);
  more.add(3, 100);
  more.add(5, 7);
  const std::vector<std::uint64_t> words = words_of(more);
  word_reader reader(words);
  batches.add_from(reader);
  EXPECT_FALSE(reader.more());
  EXPECT_EQ(words_of(batches), (std::vector<std::uint64_t>{21, 2, 105, 2, 7, 1, 3, 1}));
}

TEST(time_batches, a_state_has_the_window_and_its_batches) {
  time_batches before = four_batches();
  before.double_duration();
  state_archive saved;
  before.archive(saved);
  time_batches after(3, 4);
  state_archive read(saved.bytes());
  after.archive(read);
  read.end();
  EXPECT_EQ(after.duration(), 16u);
  EXPECT_EQ(words_of(after), words_of(before));
  state_archive damaged(std::string_view("\0\0\0\0\0\0\0\0\0", 9));
  EXPECT_EQ(error_of<damaged_state>([&] { after.archive(damaged); }), "a window has no cycles");
}

}  // namespace
}  // namespace toriscope::time_batches_test
