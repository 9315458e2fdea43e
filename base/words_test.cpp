// SPDX-License-Identifier: Apache-2.0
#include "base/words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error_of_test.h"
#include "base/hash.h"
#include "base/measured_process.h"
#include "base/state_archive.h"
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

TEST(words, begin_and_end) {
  EXPECT_TRUE(begins_with("abc", "ab") && begins_with("abc", "abc") && begins_with("", ""));
  EXPECT_FALSE(begins_with("abc", "b") || begins_with("ab", "abc"));
  EXPECT_TRUE(ends_in("abc", "bc") && ends_in("abc", "abc") && ends_in("", ""));
  EXPECT_FALSE(ends_in("abc", "b") || ends_in("bc", "abc"));
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
  for (const char* plain :
       {"\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a", "\ufefe", "\ufbbf", "\u203f"})
    EXPECT_EQ(one_line(plain), plain);
  EXPECT_EQ(one_line("\xff\xc3"), "\\xff\\xc3") << "no UTF-8";
  EXPECT_EQ(one_line("\x80x"), "\\x80x") << "continues nothing";
  EXPECT_EQ(one_line("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "beyond U+10FFFF";
  EXPECT_EQ(one_line("\xf4\x80\x80\x80"), "\xf4\x80\x80\x80") << "U+100000";
  EXPECT_EQ(one_line("\xc3\x1b[31m"), "\\xc3\\x1b[31m") << "what follows does not continue the character";
  EXPECT_EQ(one_line("\xe2\x82\xac \xf0\x9f\x98\x80"), "\xe2\x82\xac \xf0\x9f\x98\x80");
  // c2 and e0 are the lowest first bytes of characters of two and three: U+00B5, U+0915. U+009F is the last control
  // character of eight bits.
  for (const char* plain : {"\xc2\xb5m", "\xc2\xa0", "\xe0\xa4\x95"}) EXPECT_EQ(one_line(plain), plain);
  EXPECT_EQ(one_line("\xc2\x9f"), "\\xc2\\x9f");
  const std::string cut = one_line("begin" + std::string(100000, 'x') + "end", 2000);
  EXPECT_EQ(one_line(std::string(40, 'x'), 40), std::string(40, 'x'));
  const std::string from_4001 = one_line(std::string(4001, 'x'));
  EXPECT_EQ(std::count(from_4001.begin(), from_4001.end(), 'x'), 4000);
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
  EXPECT_EQ(one_line(std::string(100, '\x80'), 40), " ... ") << "no character begins anywhere";
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
  std::vector<std::uint64_t> last;
  append_text(last, "123456789");
  EXPECT_EQ(word_reader(last).text(), "123456789") << "with nothing behind it";
  last.pop_back();
  EXPECT_THROW(word_reader(last).text(), std::out_of_range);
}

/// What an archive writes, as bytes.
template <class Write>
std::string written(Write write) {
  state_archive a;
  write(a);
  return a.bytes();
}
/// What is wrong with bytes that are read like this, to their end.
template <class Read>
std::string wrong(const std::string& bytes, Read read) {
  return error_of<damaged_state>([&] {
    state_archive a(bytes);
    read(a);
    a.end();
  });
}

TEST(state_archive, numbers_take_a_byte_for_each_seven_bits) {
  const auto number = [](std::uint64_t value) {
    return [value](state_archive& a) mutable { a.number(value); };
  };
  const std::string most = std::string(9, '\xff') + '\1';
  for (const auto& [value, bytes] : {std::pair<std::uint64_t, std::string>{0, std::string(1, '\0')},
                                     {127, "\x7f"},
                                     {128, "\x80\x01"},
                                     {300, "\xac\x02"},
                                     {~std::uint64_t{0}, most}}) {
    EXPECT_EQ(written(number(value)), bytes) << value;
    std::uint64_t read = 5;
    EXPECT_EQ(wrong(bytes, [&read = read](state_archive& a) { a.number(read); }), "none") << value;
    EXPECT_EQ(read, value);
  }
  EXPECT_EQ(wrong("", number(0)), "it ends too soon");
  EXPECT_EQ(wrong("\x80", number(0)), "it ends too soon");
  EXPECT_EQ(wrong(std::string(9, '\xff') + '\2', number(0)), "a number has more than 64 bits");
  EXPECT_EQ(wrong(std::string(10, '\xff') + '\1', number(0)), "a number has more than 64 bits");
  EXPECT_EQ(wrong("\1\1", number(0)), "there is more than a state has");
  std::uint8_t small = 0;
  EXPECT_EQ(wrong("\xff\x01", [&](state_archive& a) { a.number(small); }), "none");
  EXPECT_EQ(small, 255);
  EXPECT_EQ(wrong("\x80\x02", [&](state_archive& a) { a.number(small); }), "a number is too large");
}

TEST(state_archive, keeps_what_is_read_within_its_bounds) {
  unsigned value = 0;
  EXPECT_EQ(wrong("\6", [&](state_archive& a) { a.below(value, 7); }), "none");
  EXPECT_EQ(value, 6u);
  EXPECT_EQ(wrong("\7", [&](state_archive& a) { a.below(value, 7); }), "a number is out of its range");
  bits_of set(5);
  EXPECT_EQ(written([&](state_archive& a) { a.subset(set, bits_of(7)); }), "\5");
  EXPECT_EQ(wrong("\6", [&](state_archive& a) { a.subset(set, bits_of(7)); }), "none");
  EXPECT_EQ(set.mask(), 6u);
  EXPECT_EQ(wrong("\6", [&](state_archive& a) { a.subset(set, bits_of(5)); }),
            "a set has a member that does not exist");
}

TEST(state_archive, words_texts_and_lists) {
  std::uint64_t word = 0x0123456789abcdef;
  std::string text = "abc";
  std::vector<unsigned> list = {1, 2, 200};
  const auto all = [&](state_archive& a) {
    a.word(word);
    a.text(text);
    a.numbers(list);
  };
  const std::string bytes = written(all);
  EXPECT_EQ(bytes,
            "\xef\xcd\xab\x89\x67\x45\x23\x01\x03"
            "abc\x03\x01\x02\xc8\x01");
  word = 3, text = "other", list = {7};
  EXPECT_EQ(wrong(bytes, all), "none");
  EXPECT_EQ(word, 0x0123456789abcdef);
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(list, (std::vector<unsigned>{1, 2, 200}));
  EXPECT_EQ(wrong(bytes.substr(0, 8), [&](state_archive& a) { a.word(word); }), "none") << "at the end";
  EXPECT_EQ(wrong(bytes.substr(0, 7), [&](state_archive& a) { a.word(word); }), "it ends too soon");
  EXPECT_EQ(wrong("\3abc", [&](state_archive& a) { a.text(text); }), "none") << "at the end";
  EXPECT_EQ(wrong("\3ab", [&](state_archive& a) { a.text(text); }), "a list is longer than the state");
}

TEST(state_archive, parts_have_their_length) {
  std::uint64_t inner = 300, behind = 9;
  const auto all = [&](state_archive& a) {
    a.part([&] { a.number(inner); });
    a.number(behind);
  };
  const std::string bytes = written(all);
  EXPECT_EQ(bytes, "\x02\xac\x02\x09");
  inner = behind = 0;
  EXPECT_EQ(wrong(bytes, all), "none");
  EXPECT_EQ(inner, 300u);
  EXPECT_EQ(behind, 9u);
  EXPECT_EQ(wrong("\3\1\1\1", all), "a part does not have its length");
  state_archive reader(bytes);
  EXPECT_EQ(reader.skip_part(), "\xac\x02");
  reader.number(behind);
  reader.end();
  EXPECT_EQ(behind, 9u);
  EXPECT_EQ(written([&](state_archive& a) { a.append("xy"); }), "xy");
}

/// Words of eight bytes, the first byte lowest; what is missing of the last is 0.
TEST(state_archive, checksums) {
  EXPECT_EQ(checksum_of(""), mix(0));
  EXPECT_EQ(checksum_of("abc"), mix(mix(3) ^ 0x636261));
  EXPECT_EQ(checksum_of("12345678"), mix(mix(8) ^ 0x3837363534333231));
  EXPECT_EQ(checksum_of(std::string_view("12345678a9", 9)), mix(mix(mix(9) ^ 0x3837363534333231) ^ 0x61));
}

}  // namespace
}  // namespace toriscope::words_test
