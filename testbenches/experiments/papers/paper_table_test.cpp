// SPDX-License-Identifier: Apache-2.0
// What papers print and ask for, as data. Oracle: docs/papers_table.md, whose rows people have read against the papers;
// of what stands in no row, a digest, which changes with any figure, option or word.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/experiments/papers/judged_items.h"
#include "testbenches/experiments/papers/rdt_area.h"
#include "testbenches/experiments/papers/verdict_table.h"
#include "topologies/vc_classes.h"

namespace toriscope::paper_table_test {
namespace {

/// The rows of the tables in a text, below the names of their columns.
std::vector<std::string> rows_of(std::istream& text) {
  std::vector<std::string> rows;
  for (std::string line; std::getline(text, line);)
    if (begins_with(line, "| ") && line.find(" | `toriscope ") != std::string::npos) rows.push_back(line);
  return rows;
}

/// Items with networks of a million nodes - but for those of STTN alone.
bool takes_long(const std::string& item) {
  for (const char* const words :
       {"at most 1 million", "with 2^20", "at every size", "very large", "Fig. 4: the diameter",
        "Fig. 5: the cost", "Fig. 6: the average distance", "Fig. 7: the bisection", "Fig. 7: beyond"})
    if (item.find(words) != std::string::npos) return true;
  return false;
}

/// Whether a row of a table belongs to the item. Its first two cells are the name, or what follows a colon in it is
/// shown in the second alone.
bool belongs_to(const std::string& row, const std::string& item) {
  const std::vector<std::string> cells = split(row, '|');
  const auto inner = [](const std::string& cell) { return cell.substr(1, cell.size() - 2); };  // " a " -> "a"
  const std::string name = inner(cells.at(1));
  return begins_with(name, item) || name + ": " + inner(cells.at(2)) == item;
}

/// Judges what needs no simulation. @returns how many rows
std::size_t compare_with_the_document(bool also_long) {
  std::ifstream file(TORISCOPE_ROOT "/docs/papers_table.md");
  const std::vector<std::string> rows = rows_of(file);
  const std::set<std::string> documented(rows.begin(), rows.end());
  const auto is_left_out = [&](const paper_item& item) {
    return item.costly || !item.curves.empty() || (!also_long && takes_long(item.name));
  };
  std::vector<paper> papers;
  std::vector<std::string> left_out;
  for (const known_paper& known : known_papers()) {
    papers.push_back(known.make());
    std::vector<paper_item>& items = papers.back().items;
    for (const paper_item& item : items)
      if (is_left_out(item)) left_out.push_back(item.name);
    items.erase(std::remove_if(items.begin(), items.end(), is_left_out), items.end());
  }
  reproduction_settings settings;
  settings.quick = true;
  std::istringstream found(verdicts_as_markdown(papers, reproduce(papers, settings), "toriscope"));
  const std::vector<std::string> judged = rows_of(found);
  for (const std::string& row : judged) EXPECT_EQ(documented.count(row), 1u) << row;
  for (const std::string& row : rows)
    EXPECT_TRUE(std::count(judged.begin(), judged.end(), row) == 1 ||
                std::any_of(left_out.begin(), left_out.end(),
                            [&](const std::string& item) { return belongs_to(row, item); }))
        << "no item gives the row " << row;
  return judged.size();
}

TEST(papers_table, rows_without_simulation_are_those_of_the_document) {
  EXPECT_GT(compare_with_the_document(false), 250u);
}

TEST(papers_table, rows_that_take_long_are_those_of_the_document) {
  EXPECT_GT(compare_with_the_document(true), 280u);
}

TEST(papers_table, curves_are_asked_for_as_ever) {
  for (const auto& [name, digest] : std::map<std::string, std::string>{
           {"ttn2009", "4feff29671a79560"}, {"htn2012", "c16e6f8292dab256"}, {"dally1990", "1673765a6c0f34bc"}}) {
    std::string text;
    const paper p = papers_named({name}).front();
    for (const wanted_curve& curve : p.curves) {
      text += curve.name;
      for (const auto& [option, value] : curve.options) text += " --" + option + " " + value;
      text += fmt::format(" {} {} {}\n", fmt::join(curve.loads, " "), curve.saturation_tolerance, curve.may_deadlock);
    }
    EXPECT_EQ(hex_text(mix_text(text)), digest) << "of the curves of " << name << ", now:\n" << text;
  }
}

TEST(rdt_area, mean_over_all_places_of_a_square) {
  const rdt_area area("alpha", distance_kind::shortest);
  const topology rdt = make_for_analysis("rdt:alpha,256", {});
  const node_id source = 100 * 256 + 100;
  const std::vector<unsigned> distances = distances_from(*rdt.wiring, source);
  double sum = 0;
  for (int at_y = 0; at_y < 3; ++at_y)
    for (int at_x = 0; at_x < 3; ++at_x)  // the source in the square
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) sum += distances[source + (y - at_y) * 256 + x - at_x];
  EXPECT_NEAR(area.mean(rdt_class(100, 100), 3), sum / 81, 1e-12);
}

}  // namespace
}  // namespace toriscope::paper_table_test
