// SPDX-License-Identifier: Apache-2.0
// The fuzz targets without a fuzzer: sound inputs, and some hundred of each that are not.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "testbenches/fuzz/parser_targets.h"

namespace toriscope {

/// For messages.
void PrintTo(const parser_target& target, std::ostream* out) { *out << target.name; }

namespace {

class parser : public testing::TestWithParam<parser_target> {};

/// One change as a fuzzer would make it.
std::string changed(std::string text, const std::vector<std::string>& words, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % (n + 1)); };
  const std::size_t at = below(text.size()), length = std::min(below(8), text.size() - at);
  switch (random() % 6) {
    case 0: return text.erase(at, length);
    case 1: return text.insert(at, words[random() % words.size()]);
    case 2: return text.replace(at, length, words[random() % words.size()]);
    case 3: return text.insert(at, text.substr(below(text.size()), 16));
    case 4: return text.substr(0, at);
    default: return text.insert(at, 1, static_cast<char>(random() % 256));
  }
}

TEST_P(parser, reads_or_rejects_in_one_line) {
  std::mt19937 random(1);
  for (const std::string& seed : GetParam().seeds) {
    ASSERT_NO_THROW(check_parser(GetParam(), seed)) << seed;
    for (unsigned number = 0; number < 400; ++number) {
      std::string text = seed;
      for (unsigned changes = 1 + number % 4; changes > 0; --changes) text = changed(text, GetParam().words, random);
      ASSERT_NO_THROW(check_parser(GetParam(), text)) << text;
    }
  }
}

/// A target whose seeds are rejected would fuzz its first check alone.
TEST_P(parser, takes_a_seed) {
  unsigned taken = 0;
  for (const std::string& seed : GetParam().seeds) try {
      GetParam().read(seed);
      ++taken;
    } catch (const std::invalid_argument& e) {
      std::cout << seed << ": " << e.what() << '\n';
    }
  EXPECT_GT(taken, 0u);
}

INSTANTIATE_TEST_SUITE_P(each, parser, testing::ValuesIn(parser_targets()),
                         [](const auto& of) { return std::string(of.param.name); });

/// Found by the fuzzer: 28 bytes of zstd, and an option of 1 kB, were echoed as messages of 66 and 4 kB.
TEST(parser_check, long_words_are_cut_in_messages) {
  for (const parser_target& target : parser_targets()) {
    if (target.name == std::string("packets")) {
      EXPECT_NO_THROW(check_parser(target, std::string(60000, 'T') + " 1 2 3\n"));
      EXPECT_NO_THROW(check_parser(target, "0 0 1 4 " + std::string(60000, 'T') + "\n"));
    }
    if (target.name == std::string("option"))
      for (const char* const option : {"link-width ", "link-delay ", "rate ", "pipeline "})
        EXPECT_NO_THROW(check_parser(target, option + std::string(5000, '\x01'))) << option;
  }
}

TEST(parser_check, notices_what_is_not_an_error_of_the_input) {
  EXPECT_THROW(check_parser({"a", [](const std::string&) { throw std::runtime_error("full"); }, {}, {}}, ""),
               std::logic_error);
  EXPECT_THROW(check_parser({"a", [](const std::string&) { throw std::invalid_argument("two\nlines"); }, {}, {}}, ""),
               std::logic_error);
  EXPECT_THROW(check_parser({"a", [](const std::string&) { throw std::out_of_range("stoul"); }, {}, {}}, ""),
               std::logic_error);
  EXPECT_NO_THROW(check_parser({"a", [](const std::string&) { throw std::invalid_argument("one line"); }, {}, {}}, ""));
}

}  // namespace
}  // namespace toriscope
