// SPDX-License-Identifier: Apache-2.0
// The rule of verdicts, and their forms. Oracle: worked out by hand.
#include "base/json.h"
#include "testbenches/experiments/papers/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testbenches/experiments/papers/reproduction.h"
#include "testbenches/experiments/papers/verdict_table.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

TEST(tolerance, as_printed_rounds) {
  const tolerance two = tolerance::as_printed(2);
  EXPECT_TRUE(two.holds(12.60, 12.5968));
  EXPECT_TRUE(two.holds(7.44, 7.4375));
  EXPECT_FALSE(two.holds(6.34, 6.4375));
  EXPECT_FALSE(two.holds(12.60, 12.594));
  EXPECT_TRUE(two.holds(12.60, 12.5951));
  EXPECT_TRUE(tolerance::as_printed(400).holds(1, 1)) << "more decimals than a number has";
  EXPECT_EQ(two.words(), "as printed");
}

TEST(tolerance, relative_is_a_share_of_what_is_printed) {
  const tolerance five = tolerance::relative(.05);
  EXPECT_TRUE(five.holds(200, 210));
  EXPECT_TRUE(five.holds(200, 190));
  EXPECT_FALSE(five.holds(200, 210.1));
  EXPECT_FALSE(five.holds(200, 189.9));
  EXPECT_FALSE(five.holds(0, .001));
  EXPECT_TRUE(five.holds(0, 0));
  EXPECT_EQ(five.words(), "5 %");
}

TEST(tolerance, absolute_has_a_unit) {
  const tolerance half = tolerance::absolute(.5, "cycles");
  EXPECT_TRUE(half.holds(58.4, 58.9));
  EXPECT_FALSE(half.holds(58.4, 58.95));
  EXPECT_EQ(half.words(), "0.5 cycles");
  EXPECT_TRUE(tolerance::absolute(0).holds(58.4, 58.4));
}

TEST(tolerance, what_is_no_number_is_not_within) {
  EXPECT_FALSE(tolerance::relative(.05).holds(1, std::nan("")));
  EXPECT_FALSE(tolerance::as_printed(0).holds(1, HUGE_VAL));
}

TEST(verdict, of_a_number) {
  const tolerance five = tolerance::relative(.05);
  const verdict good = judge_number("latency", provenance::simulated, 100, 103, five, "because");
  EXPECT_EQ(good.result, ruling::reproduced);
  EXPECT_EQ(good.reason, "") << "a reason is one of a difference";
  const verdict bad = completed(judge_number("latency", provenance::simulated, 100, 110, five), "p");
  EXPECT_EQ(bad.result, ruling::differs);
  EXPECT_NE(bad.reason, "") << "a difference is never without a word";
}

TEST(verdict, of_a_claim) {
  const verdict good =
      judge_claim("order", provenance::built, "a is below b", true, "1 and 2", "only for two");
  EXPECT_EQ(good.result, ruling::reproduced);
  EXPECT_EQ(good.reason, "");
  const verdict bad = judge_claim("order", provenance::built, "a is below b", false, "2 and 1");
  EXPECT_EQ(bad.result, ruling::differs);
  EXPECT_NE(bad.reason, "");
}

TEST(verdict, of_readings) {
  const tolerance five = tolerance::relative(.05);
  const auto judge = [&](std::optional<double> a, std::optional<double> b,
                         left_open what = left_open::choice) {
    return judge_readings("x", provenance::simulated, 100, {{"one", a}, {"two", b}}, five, "because", what);
  };
  EXPECT_EQ(judge(99, 101).result, ruling::reproduced);
  EXPECT_EQ(judge(150, 160).result, ruling::differs);
  EXPECT_EQ(judge(50, 60).result, ruling::differs);
  EXPECT_EQ(judge(50, 150).result, ruling::differs) << "no choice gives it";
  EXPECT_EQ(judge(50, 150).reason, all_miss("because"));
  EXPECT_EQ(judge(50, 150).others, "two: 150");
  EXPECT_EQ(judge(50, 150, left_open::quantity).result, ruling::undetermined);
  EXPECT_EQ(judge(50, 150, left_open::quantity).reason, between_readings);
  EXPECT_EQ(judge(150, 160, left_open::quantity).result, ruling::differs);
  EXPECT_EQ(judge(50, 60, left_open::quantity).result, ruling::differs);
  const verdict open = judge(99, 150);
  EXPECT_EQ(open.result, ruling::undetermined);
  EXPECT_THAT(open.reason, HasSubstr("one"));
  EXPECT_EQ(open.reading, "one");
  EXPECT_EQ(open.others, "two: 150");
  EXPECT_EQ(judge(99, std::nullopt).result, ruling::reproduced);
  EXPECT_EQ(judge(std::nullopt, 99).result, ruling::undetermined);
  EXPECT_EQ(judge(std::nullopt, 99).source, provenance::simulated);
}

TEST(verdict, arithmetic_does_not_count) {
  const verdict v =
      completed(judge_number("cost", provenance::arithmetic, 84, 84, tolerance::as_printed(0)), "p");
  EXPECT_EQ(v.result, ruling::not_evidence);
  EXPECT_EQ(v.reason, "agrees");
}

TEST(verdict, a_command_without_its_own_is_that_of_the_item) {
  EXPECT_EQ(completed(undetermined("Fig. 7 (a): x", {}, "why"), "p").command,
            "toriscope reproduce p --item 'Fig. 7 (a): x'");
}

/// A paper of which one item gives one verdict of each kind.
paper all_verdicts() {
  const auto judge = [](evidence&) -> std::vector<verdict> {
    return {judge_number("Table 1: a|b", provenance::built, 1, 1, tolerance::as_printed(0)),
            judge_number("Table 1: c", provenance::built, 2, 3, tolerance::as_printed(0), "a \"reason\""),
            undetermined("Table 1: d", "a claim", "the figure is lost"),
            not_run("Table 1: e", 4., "too long"),
            judge_number("Table 1: f", provenance::arithmetic, 1, 1, tolerance::as_printed(0))};
  };
  paper p{"p", "Title", "Author"};
  p.add({"Table 1", judge});
  p.unjudged = {{"it is cheap", "no number"}};
  return p;
}

TEST(verdict_table, json_is_what_scripts_rely_on) {
  const std::string text = verdicts_as_json(reproduce({all_verdicts()}, {}));
  const auto found = nlohmann::json::parse(text);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0]["paper"], "p");
  EXPECT_EQ(found[0]["item"], "Table 1: a|b");
  EXPECT_EQ(found[0]["printed"], 1);
  EXPECT_EQ(found[0]["verdict"], "reproduced");
  EXPECT_EQ(found[0]["provenance"], "built");
  EXPECT_EQ(found[1]["ours"], 3);
  EXPECT_EQ(found[1]["verdict"], "differs");
  EXPECT_EQ(found[1]["reason"], "a \"reason\"");
  EXPECT_TRUE(found[2]["ours"].is_null());
  EXPECT_EQ(found[2]["verdict"], "undetermined");
  EXPECT_EQ(found[3]["verdict"], "not run");
  EXPECT_EQ(found[4]["verdict"], "not evidence");
  for (const auto& v : found)
    for (const char* key : {"tolerance", "reading", "other_readings", "command"})
      EXPECT_TRUE(v[key].is_string()) << key;
  EXPECT_EQ(verdicts_as_json({}), "[\n]\n");
  EXPECT_EQ(verdicts_as_json(verdicts_from_json(text)), text) << "what a later call takes up";
}

TEST(verdict_table, json_that_is_something_else) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      verdicts_from_json(text);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("{}"), "verdicts: expected a list, [...]");
  EXPECT_EQ(message("[[]]"), "verdicts: [0]: expected an object, {...}");
  const nlohmann::json sound = nlohmann::json::parse(verdicts_as_json(reproduce({all_verdicts()}, {})));
  for (const auto& [key, value] : sound[0].items()) {
    nlohmann::json changed = sound;
    changed[1][key] = {{"a", 1}};
    EXPECT_THAT(message(changed.dump()), HasSubstr("[1]." + key)) << key;
  }
  for (const char* const key : {"verdict", "provenance"}) {
    nlohmann::json changed = sound;
    changed[0][key] = "guessed";
    EXPECT_EQ(message(changed.dump()), "unknown word 'guessed' in a verdict");
  }
}

TEST(verdict_table, markdown_and_summary_count) {
  const std::vector<paper> papers{all_verdicts()};
  const std::vector<verdict> verdicts = reproduce(papers, {});
  const std::string counts = "1 reproduced, 1 differ, 1 undetermined, 1 not run, 1 not evidence";
  const std::string text = verdicts_as_markdown(papers, verdicts, "toriscope reproduce p");
  EXPECT_THAT(text, HasSubstr("`toriscope reproduce p`"));
  EXPECT_THAT(text, HasSubstr(counts));
  EXPECT_THAT(text, HasSubstr("| Table 1: a\\|b | 1 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| it is cheap | no number |"));
  EXPECT_THAT(text, HasSubstr("| built | 1 | 1 | 1 | 1 | 0 |"));
  EXPECT_THAT(verdict_summary(papers, verdicts), HasSubstr("all: " + counts));
  EXPECT_THAT(verdict_summary(papers, verdicts), ::testing::ContainsRegex("p +Table 1 +1 +1 +1 +1 +1\n"));
}

TEST(verdict_table, counts_stand_by_provenance_and_by_paper) {
  const std::vector<paper> papers{all_verdicts()};
  EXPECT_EQ(counts_as_markdown(papers, reproduce(papers, {})),
            "| | reproduced | differs | undetermined | not run | not evidence |\n"
            "|---|---|---|---|---|---|\n"
            "| simulated | 0 | 0 | 0 | 0 | 0 |\n"
            "| built | 1 | 1 | 1 | 1 | 0 |\n"
            "| proven | 0 | 0 | 0 | 0 | 0 |\n"
            "| equation | 0 | 0 | 0 | 0 | 0 |\n"
            "| arithmetic | 0 | 0 | 0 | 0 | 1 |\n"
            "| none | 0 | 0 | 0 | 0 | 0 |\n"
            "| p | 1 | 1 | 1 | 1 | 1 |\n"
            "| **all** | **1** | **1** | **1** | **1** | **1** |\n");
}

TEST(verdict_table, markdown_tables_have_heads) {
  const std::vector<paper> papers{all_verdicts()};
  const std::string text = verdicts_as_markdown(papers, reproduce(papers, {}), "toriscope reproduce p");
  EXPECT_THAT(text,
              HasSubstr("\n\n| item | printed | ours | tolerance | verdict | from | reading | other readings "
                        "| reason | command |\n"
                        "|---|---|---|---|---|---|---|---|---|---|\n"
                        "| Table 1: a\\|b | 1 | 1 | as printed | reproduced | built |  |  |  | `"));
  EXPECT_THAT(text, HasSubstr("\n\n| not judged | why |\n|---|---|\n| it is cheap | no number |\n"));
}

TEST(verdict_table, details_are_all_there_is_to_say) {
  verdict v = judge_number("Table 1: c", provenance::built, 2, 3, tolerance::as_printed(0), "a reason");
  EXPECT_EQ(verdict_details({v}),
            "Table 1: c\n"
            "  printed         2\n"
            "  ours            3\n"
            "  tolerance       as printed\n"
            "  verdict         differs\n"
            "  from            built\n"
            "  reason          a reason\n");
  v.reading = "by hand";
  v.others = "by foot: 4";
  v.beneath = {"run 1", "run 2"};
  EXPECT_THAT(verdict_details({v}), HasSubstr("built\n"
                                              "  reading         by hand\n"
                                              "  other readings  by foot: 4\n"
                                              "  reason          a reason\n"
                                              "  beneath         run 1\n"
                                              "  beneath         run 2\n"));
}

TEST(verdict_table, list_of_items) {
  paper p{"p", "Title", "Author"};
  const auto judge = [](evidence&) { return std::vector<verdict>(); };
  p.items = {{"Table 1", judge}, {"Fig. 1", judge, {"a"}}, {"Fig. 2", judge, {"a", "b"}}};
  p.unjudged = {{"it is cheap", "no number"}};
  EXPECT_EQ(item_list({p}),
            "p          static    Table 1\n"
            "p          1 curve   Fig. 1\n"
            "p          2 curves  Fig. 2\n"
            "p          unjudged  it is cheap (no number)\n");
}

}  // namespace
}  // namespace toriscope
