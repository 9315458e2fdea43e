// SPDX-License-Identifier: Apache-2.0
#include "base/words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/measured_process.h"
#include "base/word_reader.h"

namespace toriscope::words_test {
namespace {

using texts = std::vector<std::string>;

TEST(words, split_and_joined) {
  EXPECT_EQ(split("a,b,c", ','), (texts{"a", "b", "c"}));
  EXPECT_EQ(split("a,,b", ','), (texts{"a", "", "b"}));
  EXPECT_EQ(split("a,", ','), (texts{"a", ""}));
  EXPECT_EQ(split("", ','), (texts{""}));
  EXPECT_EQ(joined(texts{"a", "", "b"}), "a, , b");
  EXPECT_EQ(joined(texts{"a", "b"}, " "), "a b");
  EXPECT_EQ(joined(texts{}), "");
}

TEST(words, names_of) {
  struct kind {
    const char* name;
  };
  EXPECT_EQ(names_of(std::vector<kind>{{"mesh"}, {"torus"}}), (texts{"mesh", "torus"}));
}

TEST(words, quoted_only_where_needed) {
  EXPECT_EQ(quoted_for_shell("--rate=0.5"), "--rate=0.5");
  EXPECT_EQ(quoted_for_shell(""), "''");
  EXPECT_EQ(quoted_for_shell("a b"), "'a b'");
  EXPECT_EQ(quoted_for_shell("a\n#"), "$'a\\n#'");
  EXPECT_EQ(shell_line({"a b", "", "c"}), "'a b' '' c");
}

TEST(words, quoted_as_a_shell_takes_it) {
  for (const char* word :
       {"a b", "it's", "$(rm x)", "`x`", "a\nb", "a\n'b'\\c", "\x1b[31m", "*", "\\", "\xc3\xa4", ";"})
    EXPECT_EQ(run_measured({"/bin/bash", "-c", "printf %s " + quoted_for_shell(word)}).out, word);
}

TEST(words, one_line_for_a_message) {
  EXPECT_EQ(one_line("plain \xc3\xa4"), "plain \xc3\xa4");
  EXPECT_EQ(one_line("a\nb\x1b[31m\t"), "a\\nb\\x1b[31m\\t");
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31m"),
            "\\xc2\\x9b31m")
      << "a control character of eight bits";
  EXPECT_EQ(one_line("a\xe2\x80\xae"
                     "b"),
            "a\\xe2\\x80\\xae"
            "b")
      << "turns the direction of writing";
  for (const char* layout : {"\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"})
    EXPECT_EQ(one_line(layout).substr(0, 4), "\\xe2");
  EXPECT_EQ(one_line("\ufeff12"), "\\xef\\xbb\\xbf12") << "is not seen";
  for (const char* plain : {"\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a", "\ufefe"})
    EXPECT_EQ(one_line(plain), plain);
  EXPECT_EQ(one_line("\xff\xc3"), "\\xff\\xc3") << "no UTF-8";
  EXPECT_EQ(one_line("\xc3\x1b[31m"), "\\xc3\\x1b[31m") << "what follows does not continue the character";
  EXPECT_EQ(one_line("\xe2\x82\xac \xf0\x9f\x98\x80"), "\xe2\x82\xac \xf0\x9f\x98\x80");
  // c2 and e0 are the lowest first bytes of characters of two and three: U+00B5, U+0915. U+009F is the last control
  // character of eight bits.
  for (const char* plain : {"\xc2\xb5m", "\xc2\xa0", "\xe0\xa4\x95"}) EXPECT_EQ(one_line(plain), plain);
  EXPECT_EQ(one_line("\xc2\x9f"), "\\xc2\\x9f");
  const std::string cut = one_line("begin" + std::string(100000, 'x') + "end", 2000);
  EXPECT_LT(cut.size(), 2100u);
  EXPECT_EQ(cut.substr(0, 6), "beginx");
  EXPECT_EQ(cut.substr(cut.size() - 4), "xend");
}

TEST(words, one_line_is_cut_between_characters) {
  const auto umlauts = [](unsigned count) {
    std::string text;
    for (; count > 0; --count) text += "\xc3\xa4";
    return text;
  };
  // Three quarters of the bytes from the beginning, one from the end, and no half of a character.
  EXPECT_EQ(one_line(umlauts(100), 44), umlauts(16) + " ... " + umlauts(5)) << "33 bytes, and 11";
  EXPECT_EQ(one_line("x" + umlauts(100), 40), "x" + umlauts(14) + " ... " + umlauts(5)) << "30 bytes, and 10";
  EXPECT_EQ(one_line("x" + umlauts(100), 44), "x" + umlauts(16) + " ... " + umlauts(5)) << "33 bytes, and 11";
}

TEST(words, told_on_a_line) {
  testing::internal::CaptureStderr();
  tell("a\nb\x1b[31m");
  tell_more("c\n");
  tell(std::string(5000, 'x'), std::string::npos);
  tell(std::string(4001, 'x'));
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines.substr(0, lines.find("toriscope: x")), "toriscope: a\\nb\\x1b[31m\n  c\\n\n");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 'x'), 9001) << "4000 of the second, unless told otherwise";
}

TEST(words, of_environment) {
  setenv("TORISCOPE_WORDS_TEST", " c++  -g ", 1);
  EXPECT_EQ(words_of_environment("TORISCOPE_WORDS_TEST", "x"), (texts{"c++", "-g"}));
  setenv("TORISCOPE_WORDS_TEST", "", 1);
  EXPECT_EQ(words_of_environment("TORISCOPE_WORDS_TEST", "x y"), (texts{"x", "y"}));
}

TEST(word_reader, stands_behind_a_text_of_any_length) {
  std::vector<std::uint64_t> words;
  for (std::size_t n = 0; n < 18; ++n) {
    append_text(words, std::string(n, 'x'));
    words.push_back(1000 + n);
  }
  word_reader reader(words);
  for (std::size_t n = 0; n < 18; ++n) {
    EXPECT_EQ(reader.text(), std::string(n, 'x'));
    EXPECT_EQ(reader.next(), 1000 + n);
  }
  EXPECT_FALSE(reader.more());
}

}  // namespace
}  // namespace toriscope::words_test
