// SPDX-License-Identifier: Apache-2.0
// The rule of verdicts, and their forms. Oracle: worked out by hand.
#include "testbenches/papers/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "testbenches/papers/reproduction.h"
#include "testbenches/papers/verdict_table.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

TEST(tolerance, as_printed_rounds) {
  const tolerance two = tolerance::as_printed(2);
  EXPECT_TRUE(two.holds(12.60, 12.5968));
  EXPECT_TRUE(two.holds(7.44, 7.4375));
  EXPECT_FALSE(two.holds(6.34, 6.4375));
  EXPECT_FALSE(two.holds(12.60, 12.594));
  EXPECT_EQ(two.words(), "as printed");
}

TEST(tolerance, relative_is_a_share_of_what_is_printed) {
  const tolerance five = tolerance::relative(.05);
  EXPECT_TRUE(five.holds(200, 210));
  EXPECT_TRUE(five.holds(200, 190));
  EXPECT_FALSE(five.holds(200, 210.1));
  EXPECT_FALSE(five.holds(200, 189.9));
  EXPECT_FALSE(five.holds(0, .001));
  EXPECT_EQ(five.words(), "5 %");
}

TEST(tolerance, absolute_has_a_unit) {
  const tolerance half = tolerance::absolute(.5, "cycles");
  EXPECT_TRUE(half.holds(58.4, 58.9));
  EXPECT_FALSE(half.holds(58.4, 58.95));
  EXPECT_EQ(half.words(), "0.5 cycles");
}

TEST(tolerance, what_is_no_number_is_not_within) {
  EXPECT_FALSE(tolerance::relative(.05).holds(1, std::nan("")));
  EXPECT_FALSE(tolerance::as_printed(0).holds(1, HUGE_VAL));
}

TEST(verdict, of_a_number) {
  const tolerance five = tolerance::relative(.05);
  const verdict good = judge_number("latency", 100, 103, five, "", "toriscope run");
  EXPECT_EQ(good.result, ruling::reproduced);
  EXPECT_EQ(good.reason, "");
  const verdict bad = judge_number("latency", 100, 110, five, "", "toriscope run");
  EXPECT_EQ(bad.result, ruling::differs);
  EXPECT_NE(bad.reason, "") << "a difference is never without a word";
  const verdict none = judge_number("latency", 100, std::nullopt, five, "not defined", "toriscope run");
  EXPECT_EQ(none.result, ruling::undecided);
  EXPECT_EQ(none.reason, "not defined");
}

TEST(verdict, of_a_claim) {
  const verdict good = judge_claim("order", "a is below b", true, "1 and 2", "only for two", "");
  EXPECT_EQ(good.result, ruling::reproduced);
  EXPECT_EQ(good.reason, "");
  const verdict bad = judge_claim("order", "a is below b", false, "2 and 1", "", "");
  EXPECT_EQ(bad.result, ruling::differs);
  EXPECT_NE(bad.reason, "");
}

/// A paper of which one item gives one verdict of each kind.
paper three_verdicts() {
  const auto judge = [](evidence&) -> std::vector<verdict> {
    return {judge_number("Table 1: a|b", 1, 1, tolerance::as_printed(0), "", "toriscope run"),
            judge_number("Table 1: c", 2, 3, tolerance::as_printed(0), "a \"reason\"", "toriscope run"),
            undecided("Theorem 1", "a claim", "the figure is lost", "")};
  };
  return {"p", "Title", "Author", {{"Table 1", "all of it", {}, judge}}};
}

TEST(verdict_table, json_is_what_scripts_rely_on) {
  const auto found = nlohmann::json::parse(verdicts_as_json(reproduce({three_verdicts()}, {})));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0]["paper"], "p");
  EXPECT_EQ(found[0]["item"], "Table 1: a|b");
  EXPECT_EQ(found[0]["printed"], 1);
  EXPECT_EQ(found[0]["verdict"], "reproduced");
  EXPECT_EQ(found[1]["ours"], 3);
  EXPECT_EQ(found[1]["verdict"], "differs");
  EXPECT_EQ(found[1]["reason"], "a \"reason\"");
  EXPECT_TRUE(found[2]["ours"].is_null());
  EXPECT_EQ(found[2]["verdict"], "cannot be decided");
  for (const auto& v : found)
    for (const char* key : {"tolerance", "command"}) EXPECT_TRUE(v[key].is_string()) << key;
  EXPECT_EQ(verdicts_as_json({}), "[\n]\n");
}

TEST(verdict_table, markdown_and_summary_count) {
  const std::vector<paper> papers{three_verdicts()};
  const std::vector<verdict> verdicts = reproduce(papers, {});
  const std::string text = verdicts_as_markdown(papers, verdicts, "toriscope reproduce p");
  EXPECT_THAT(text, HasSubstr("`toriscope reproduce p`"));
  EXPECT_THAT(text, HasSubstr("1 reproduced, 1 differ, 1 cannot be decided"));
  EXPECT_THAT(text, HasSubstr("| Table 1: a\\|b | 1 | 1 |"));
  EXPECT_THAT(verdict_summary(papers, verdicts),
              HasSubstr("all: 1 reproduced, 1 differ, 1 cannot be decided"));
  // Whatever a row is called, it counts for its item.
  EXPECT_THAT(verdict_summary(papers, verdicts), ::testing::ContainsRegex("p +Table 1 +1 +1 +1\n"));
}

}  // namespace
}  // namespace toriscope
