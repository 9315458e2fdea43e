// SPDX-License-Identifier: Apache-2.0
// Files of the cache, and what is said of those that are none.
#include "rtl_models/on_demand/sealed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "rtl_models/on_demand/rtl_build.h"
#include "rtl_models/on_demand/rtl_library.h"

namespace toriscope::sealed_file_test {
namespace {

/// Three words of the hash and a byte; the seal.
TEST(sealed_file, each_bit_of_it_counts) {
  const std::string file = test_file("sealed");
  write_text_file(file, "0123456789abcdefghijklmno");
  seal_file(file, "sealed");
  EXPECT_TRUE(is_sealed(file));
  const std::string whole = text_of_file(file, file);
  EXPECT_GT(whole.size(), 25u);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] ^= 1;
    write_text_file(file, changed);
    EXPECT_FALSE(is_sealed(file)) << at;
  }
}

TEST(sealed_file, may_hold_nothing_else) {
  const std::string file = test_file("empty");
  write_text_file(file, std::string());
  EXPECT_FALSE(is_sealed(file));
  seal_file(file, "empty");
  EXPECT_TRUE(is_sealed(file));
}

TEST(sealed_file, is_not_sealed_without_a_word) {
  EXPECT_EQ(error_of([] { seal_file("/dev/full", "full"); }), "cannot write /dev/full");
}

TEST(rtl_library, of_something_else_is_refused) {
  EXPECT_EQ(error_of([] { rtl_library("libm.so.6"); }),
            "libm.so.6 is not an RTL model of this version of toriscope; remove it");
}

TEST(gist_of, is_the_first_error_or_the_first_line) {
  EXPECT_EQ(gist_of("%Warning: a\n%Error: b\n%Error: c\n"), "%Error: b");
  EXPECT_EQ(gist_of("a\nb\n"), "a");
  EXPECT_EQ(gist_of("\n"), "nothing");
}

}  // namespace
}  // namespace toriscope::sealed_file_test
