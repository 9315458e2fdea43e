// SPDX-License-Identifier: Apache-2.0
#include "base/checked_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "base/error_of_test.h"

namespace toriscope::checked_json_test {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  return error_of<std::invalid_argument>([&] { parse_json(text, "f.json"); });
}

TEST(parse_json, makes_what_the_library_makes) {
  const std::string text =
      R"({"b": [1, -2, 3.5, 1e3, true, null, "x\u00e4\n", [], {}], "a": {"b": {"c": 18446744073709551615}}})";
  EXPECT_EQ(parse_json(text, "f"), json::parse(text));
  EXPECT_EQ(parse_json(text, "f").dump(), json::parse(text).dump());
  for (const char* single : {"1", "\"a\"", "null", "[]", "{}", "[[[]]]"})
    EXPECT_EQ(parse_json(single, "f"), json::parse(single));
  EXPECT_EQ(parse_json("// why\n{/* what */}", "f"), json::object());
  EXPECT_EQ(json_or_null("[1]"), json::parse("[1]"));
  EXPECT_EQ(json_or_null("[1"), nullptr);
}

TEST(parse_json, names_the_line) {
  EXPECT_THAT(refusal("{\n \"a\": }"),
              testing::StartsWith("f.json:2: this is not JSON: column 7: syntax error while "
                                  "parsing value - unexpected '}'"));
  EXPECT_THAT(refusal("{\n]"), testing::StartsWith("f.json:2: this is not JSON: column 1: "));
  EXPECT_THAT(refusal("latency 20"), HasSubstr("f.json:1: this is not JSON"));
  EXPECT_THAT(refusal("[1] 2"), HasSubstr("f.json:1: this is not JSON"));
  EXPECT_EQ(refusal("{\n\"a\": [\n1,"), "f.json:3: the JSON ends too early");
  EXPECT_EQ(refusal(""), "f.json:1: the JSON ends too early");
  EXPECT_EQ(refusal("{\"a\":\n1e999}"), "f.json:2: number overflow parsing '1e999'");
  EXPECT_THAT(refusal("\n]"), testing::StartsWith("f.json:2: this is not JSON: column 1: "));
  const std::string bytes = refusal("{\x1b[31m" + std::string(100000, 'x'));
  EXPECT_LT(bytes.size(), 500u);
  EXPECT_EQ(bytes.find('\x1b'), std::string::npos);
}

/// Of a text that is one character too long three quarters are shown, and one quarter from its end.
TEST(parse_json, shows_long_texts_in_part) {
  const std::string text101 = std::string(75, 'x') + 'y' + std::string(25, 'z');
  const std::string shown101 = std::string(75, 'x') + " ... " + std::string(25, 'z');
  EXPECT_EQ(refusal("{\"" + text101 + "\": 1, \"" + text101 + "\": 2}"),
            "f.json: the key '" + shown101 + "' is given twice");
  // A character U+0000, which is shown as \x00.
  EXPECT_EQ(refusal("[\"" + text101.substr(0, 100) + "\\u0000\"]"),
            "f.json: the text '" + shown101.substr(0, 104) + "\\x00' has a character U+0000");
  const std::string key201 = std::string(150, 'x') + 'y' + std::string(50, 'z');
  EXPECT_EQ(
      refusal("{\"" + key201 + "\": {\"a\": 1, \"a\": 2}}"),
      "f.json: " + std::string(150, 'x') + " ... " + std::string(50, 'z') + ": the key 'a' is given twice");
  // "number overflow parsing '" has 25 characters.
  EXPECT_EQ(
      refusal("1e" + std::string(123, '8') + '7' + std::string(49, '9')),
      "f.json:1: number overflow parsing '1e" + std::string(123, '8') + " ... " + std::string(49, '9') + "'");
  // What the library says of a line break within a text, 301 characters.
  std::string why =
      "syntax error while parsing value - invalid string: control character U+000A (LF) must be escaped to "
      "\\u000A or \\n; last read: '\"";
  const std::size_t letters = 301 - why.size() - std::string("<U+000A>'").size();
  why += std::string(letters, 'x') + "<U+000A>'";
  EXPECT_EQ(refusal('"' + std::string(letters, 'x') + '\n'),
            "f.json:1: this is not JSON: column " + std::to_string(letters + 2) + ": " + why.substr(0, 225) +
                " ... " + why.substr(226));
  // A value with its quotes, and a place.
  const json value = std::string(59, 'x') + 'y' + std::string(19, 'z');
  EXPECT_EQ(error_of<std::invalid_argument>([&] { checked_json(value, "f", "n").whole(1, 2); }),
            "f: n: expected a whole number from 1 to 2, not \"" + std::string(59, 'x') + " ... " +
                std::string(19, 'z') + "\"");
  const json empty = json::object();
  EXPECT_EQ(error_of<std::invalid_argument>(
                [&] { checked_json(empty, "f").text(std::string(225, 'x') + 'y' + std::string(75, 'z')); }),
            "f: " + std::string(225, 'x') + " ... " + std::string(75, 'z') + ": expected a text");
}

TEST(parse_json, refuses_keys_given_twice) {
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2, "a": 3})"), "f.json: the key 'a' is given twice");
  EXPECT_EQ(refusal(R"({"links": [{}, {"to": {"x": 1, "x": 1}}]})"),
            "f.json: links[1].to: the key 'x' is given twice");
  EXPECT_EQ(refusal(R"({"a": {"b": 1}, "b": {"b": 1}})"), "none");
  std::string many = "{";
  for (int i = 0; i < 200000; ++i) many += "\"k" + std::to_string(i) + "\": 0, ";
  const std::clock_t start = std::clock();
  for (const std::string key : {"k7", "k199999"})
    EXPECT_EQ(refusal(many + '"' + key + "\": 0}"), "f.json: the key '" + key + "' is given twice");
  EXPECT_EQ(parse_json(many + "\"k\": 0}", "f").size(), 200001u);
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 30) << "no quadratic time";
}

TEST(parse_json, refuses_to_nest_without_end) {
  for (const auto& [open, close] : {std::pair<std::string, std::string>{"[", "]"}, {"{\"a\":", "}"}}) {
    const auto nested = [&open = open, &close = close](unsigned levels) {
      std::string text;
      for (unsigned i = 0; i < levels; ++i) text += open;
      text += "1";
      for (unsigned i = 0; i < levels; ++i) text += close;
      return text;
    };
    EXPECT_EQ(refusal(nested(100)), "none");
    for (const unsigned levels : {101u, 100000u})
      EXPECT_EQ(refusal(nested(levels)),
                "f.json: it nests more than 100 levels deep, which no such file needs");
  }
}

TEST(parse_json, refuses_what_would_end_a_name_or_fill_the_memory) {
  EXPECT_EQ(refusal(R"({"topology": "torus:4x4\u0000x"})"),
            "f.json: the text 'torus:4x4\\x00x' has a character U+0000");
  EXPECT_THAT(refusal(R"({"a\u0000b": 1})"), HasSubstr("'a\\x00b' has a character U+0000"));
  EXPECT_EQ(refusal(std::string("{\"rate\": 0.1}\n\0{\"rate\": 0.9}", 28)),
            "f.json:2: this is not JSON: byte 15 is a character U+0000; expected a text file");
  EXPECT_THAT(refusal(std::string("{} // \0", 7)), HasSubstr("byte 7 is a character U+0000")) << "in a comment";
  std::string many(19999996, ',');
  for (std::size_t i = 0; i < many.size(); i += 2) many[i] = '0';
  EXPECT_EQ(refusal("[" + many + "0]"), "none") << "9,999,999 zeros, and their list";
  EXPECT_EQ(refusal("[" + many + "0,0]"),
            "f.json: it has more than 10000000 values, which no such file needs");
}

TEST(read_json, says_what_is_wrong_with_the_file) {
  EXPECT_EQ(error_of([] { read_json("/no/such.json", "plan /no/such.json"); }),
            "plan /no/such.json cannot be read: No such file or directory");
  EXPECT_EQ(error_of([] { read_json("/", "plan /"); }), "/ is a directory; a file is expected");
}

class checked : public testing::Test {
 protected:
  template <class Function>
  std::string says(Function f) const {
    return error_of<std::invalid_argument>([&] { f(top_); });
  }

  const json tree_ =
      parse_json(R"({"a": {"list": [{"n": 0}, 5]}, "s": "x", "n": 7, "none": null, "flag": true,
                                    "texts": ["p", "q"], "pairs": {"y": 1, "x": "2"}, "deep": [[]]})",
                 "f.json");
  const checked_json top_{tree_, "f.json"};
};

TEST_F(checked, values) {
  EXPECT_EQ(top_.object("a").array("list").entry(0).at("n").whole(0, 9), 0u);
  EXPECT_EQ(top_.text("s"), "x");
  EXPECT_EQ(top_.text("n", ""), "7");
  EXPECT_EQ(top_.text("missing", "m"), "m");
  EXPECT_EQ(top_.whole("missing", 4, 5, 6), 4u);
  EXPECT_EQ(top_.whole("n", 0, 7, 9), 7u) << "the least that may be";
  EXPECT_EQ(top_.whole("n", 0, 1, 7), 7u) << "and the most";
  EXPECT_EQ(top_.number_or_null("n"), 7);
  EXPECT_EQ(top_.number_or_null("none"), nullptr);
  EXPECT_EQ(shortened(1234567), 1234567) << "whole";
  EXPECT_EQ(shortened(0.1234567), 0.12346);
  EXPECT_TRUE(top_.flag("flag"));
  EXPECT_TRUE(top_.flag("missing", true));
  EXPECT_EQ(top_.texts("texts"), (checked_json::strings{"p", "q"}));
  EXPECT_EQ(top_.texts("s"), (checked_json::strings{"x"}));
  EXPECT_EQ(top_.pairs("pairs").front(), (std::pair<std::string, std::string>("y", "1")));
  EXPECT_EQ(top_.choice("missing", {"a", "b"}), "a");
  EXPECT_EQ(top_.choice("s", {"a", "x"}), "x");
  EXPECT_FALSE(top_.has("none"));
  EXPECT_EQ(top_.object_or_empty("missing").size(), 0u);
}

TEST_F(checked, places_of_errors) {
  EXPECT_EQ(says([](const auto& t) { t.object("a").array("list").entry(0).at("n").whole(1, 1000); }),
            "f.json: a.list[0].n: expected a whole number from 1 to 1000, not 0");
  EXPECT_EQ(says([](const auto& t) { t.object("a").array("list").entry(1); }),
            "f.json: a.list[1]: expected an object, {...}");
  EXPECT_EQ(says([](const auto& t) { t.whole("s", 0, 1, 2); }),
            "f.json: s: expected a whole number from 1 to 2, not \"x\"");
  EXPECT_EQ(says([](const auto& t) { t.at("none"); }), "f.json: 'none' is missing");
  EXPECT_EQ(says([](const auto& t) { t.object("a").needed_text("x"); }), "f.json: a.x: is missing");
  EXPECT_EQ(says([](const auto& t) {
              t.object("pairs").only({"x", "yyy"});
            }),
            "f.json: pairs: unknown key 'y'; did you mean 'x'?");
  EXPECT_EQ(says([](const auto& t) { t.at("n").only({"x"}); }),
            "f.json: n: expected an object {...} with: x");
  EXPECT_EQ(says([](const auto& t) {
              t.choice("s", {"xx", "b"});
            }),
            "f.json: s: unknown value 'x'; did you mean 'xx'?");
  EXPECT_EQ(says([](const auto& t) { t.number("s"); }), "f.json: s: expected a number");
  EXPECT_EQ(says([](const auto& t) { t.array("deep").item(0).name(); }),
            "f.json: deep[0]: expected a name in quotes, not []");
  EXPECT_EQ(says([](const auto& t) { t.number_or_null("s"); }), "f.json: s: expected a number, or null");
}

TEST_F(checked, what_has_another_type_is_refused_with_its_place) {
  EXPECT_EQ(says([](const auto& t) { t.object_or_empty("missing").text("x"); }),
            "f.json: missing.x: expected a text");
  EXPECT_EQ(says([](const auto& t) { t.text("flag", ""); }), "f.json: flag: expected a text");
  EXPECT_EQ(says([](const auto& t) { t.flag("n"); }), "f.json: n: expected true or false");
  EXPECT_EQ(says([](const auto& t) { t.object("s"); }), "f.json: s: expected an object, {...}");
  EXPECT_EQ(says([](const auto& t) { t.array("s"); }), "f.json: s: expected a list, [...]");
  EXPECT_EQ(says([](const auto& t) { t.texts("a"); }), "f.json: a: expected a text or a list of texts");
  EXPECT_EQ(says([](const auto& t) { t.pairs("texts"); }),
            "f.json: texts: expected an object, {\"NAME\": VALUE, ...}");
  const json mixed = json::parse(R"({"texts": ["p", 5], "pairs": {"x": 1, "y": [2]}, "names": [""]})");
  const checked_json wrong(mixed, "f");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { wrong.texts("texts"); }),
            "f: texts: expected a list of texts");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { wrong.pairs("pairs"); }),
            "f: pairs.y: expected a text or a number");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { wrong.array("names").item(0).name(); }),
            "f: names[0]: expected a name in quotes, not \"\"");
}

TEST_F(checked, numbers_have_five_digits) {
  const json numbers = json::parse(R"({"n": 0.1234567})");
  const checked_json all(numbers, "f");
  EXPECT_EQ(all.number("n"), 0.12346);
  EXPECT_EQ(all.number_or_null("n"), 0.12346);
}

}  // namespace
}  // namespace toriscope::checked_json_test
