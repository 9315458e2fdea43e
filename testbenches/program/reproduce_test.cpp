// SPDX-License-Identifier: Apache-2.0
// `toriscope reproduce` as scripts see it: the list of verdicts of a paper without simulations, the same twice,
// one line for bad
// input, and that the commands of the table print its figures. Oracle of the verdicts: docs/papers_table.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"

namespace toriscope::reproduce_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A row of the table in a document, cell by cell.
using row = std::vector<std::string>;
enum column : std::size_t { item, printed, ours, tolerance, verdict, from, reading, others, reason, command };

/// Rows of a paper.
std::vector<row> documented(const std::string& paper) {
  std::ifstream file(TORISCOPE_ROOT "/docs/papers_table.md");
  std::vector<row> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (begins_with(line, "## ")) inside = line == "## " + paper;
    if (!inside || !begins_with(line, "| ")) continue;
    row cells;
    for (std::size_t at = 2, bar; (bar = line.find(" |", at)) != std::string::npos;
         at = std::min(bar + 3, line.size()))
      cells.push_back(line.substr(at, bar - at));
    if (cells.size() == command + 1 && cells[command].front() == '`') rows.push_back(cells);
  }
  return rows;
}

TEST(reproduce, rdt_is_what_the_documents_say) {
  const program_directory dir;
  const process_result r = dir.run({"reproduce", "rdt", "--quick", "--out", "found"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("all: "));
  std::map<std::string, row> known;
  for (const row& d : documented("rdt")) known[d[item] + d[printed]] = d;
  std::size_t compared = 0;
  for (const json& v : json::parse(dir.read("found/verdicts.json"))) {
    EXPECT_EQ(v["paper"], "rdt");
    EXPECT_THAT(v["command"].get<std::string>(), HasSubstr("toriscope "));
    EXPECT_TRUE(v["verdict"] == "reproduced" || v["reason"] != "") << v;
    EXPECT_EQ(v.size(), 12u) << v;
    if (v["verdict"] == "not run" || !v["printed"].is_number()) continue;
    const auto found =
        known.find(v["item"].get<std::string>() + fmt::format("{:.7g}", v["printed"].get<double>()));
    ASSERT_NE(found, known.end()) << v;
    EXPECT_EQ(found->second[verdict], v["verdict"]) << v;
    EXPECT_EQ(found->second[reading], v["reading"]) << v;
    ++compared;
  }
  EXPECT_GT(compared, 40u);
  EXPECT_THAT(dir.read("found/verdicts.md"), HasSubstr("`toriscope reproduce rdt --quick --out DIR`"));
}

/// Numbers of a cell, those with two digits or more: "0.0152", "12.6", "44".
std::vector<std::string> figures_in(const std::string& cell) {
  std::vector<std::string> figures;
  static const RE2 number("(?:^|[ (:])([0-9]+\\.[0-9]+|[0-9][0-9]+)(?:[ ,;)]|$)");
  re2::StringPiece found[2];
  for (std::size_t at = 0; number.Match(cell, at, cell.size(), RE2::UNANCHORED, found, 2);
       at = static_cast<std::size_t>(found[1].end() - cell.data()))  // what follows may also stand before the next one
    figures.emplace_back(found[1]);
  return figures;
}

/// What a command line of the table prints, each of its commands in turn.
std::string output_of(const program_directory& dir, const std::string& line, unsigned number) {
  std::string text = "; " + line.substr(1, line.size() - 2);
  const auto replace_all = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace_all("; toriscope ", "; $T ");
  replace_all("--out DIR", "--out dir_" + std::to_string(number));
  const process_result r = dir.shell(text.substr(2));
  EXPECT_EQ(r.status, 0) << line << "\n" << r.err;
  return r.out;
}

/// The printed figures are reproduced, digit for digit, by commands chosen at random.
void repeat_commands(std::size_t count, bool simulated) {
  std::vector<row> rows;
  for (const char* const paper : {"ttn2009", "sttn2009", "rdt", "htn2012", "dally1990"})
    for (const row& r : documented(paper)) {
      const bool cheap = r[from] != "simulated" && r[ours].find("2,5,0") == std::string::npos &&
                         r[item].find("65536") == std::string::npos;
      if (r[verdict] != "not run" && r[ours] != "-" && (simulated ? r[from] == "simulated" : cheap))
        rows.push_back(r);
    }
  if (rows.empty()) GTEST_SKIP() << "the table has no such rows";
  const char* const seed = std::getenv("TORISCOPE_SEED");
  std::mt19937 random(seed ? std::strtoul(seed, nullptr, 10) : 1);
  std::shuffle(rows.begin(), rows.end(), random);
  rows.resize(std::min(count, rows.size()));
  const program_directory dir;
  unsigned number = 0;
  for (const row& r : rows) {
    const std::string text = output_of(dir, r[command], number++);
    for (const std::string& figure : figures_in(r[ours]))
      EXPECT_THAT(text, HasSubstr(figure)) << r[item] << "\n" << r[command];
  }
}

TEST(reproduce, commands_of_the_table_print_its_figures) { repeat_commands(12, false); }

/// Minutes. TORISCOPE_SEED=N for other rows.
TEST(reproduce, commands_of_the_table_print_simulated_figures) { repeat_commands(10, true); }

TEST(reproduce, an_item_with_all_there_is_to_say) {
  const program_directory dir;
  const process_result r = dir.run({"reproduce", "ttn2009", "--item", "Table 1: TTN(2,2,0), diameter"});
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* const line : {"ours            14\n", "verdict         undetermined\n", "as routed: 15"})
    EXPECT_THAT(r.out, HasSubstr(line));
  EXPECT_EQ(r.out.find("  verdict "), r.out.rfind("  verdict ")) << "of this row alone";
  EXPECT_TRUE(dir.files().empty());
}

TEST(reproduce, tries_to_write_before_it_simulates) {
  const program_directory dir;
  const process_result r = dir.shell(
      "mkdir -p d/verdicts.json; $T reproduce ttn2009 --item 'Theorem 1, simulated' --out d; s=$?; ls d; "
      "exit $s");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: cannot write d/verdicts.json: Is a directory\n");
  EXPECT_EQ(r.out, "verdicts.json\n");
}

TEST(reproduce, says_which_simulations_failed) {
  const program_directory dir;
  const process_result r = dir.shell(
      "$T reproduce ttn2009 --item 'Theorem 1, simulated' & p=$!; "
      "while kill -0 $p 2>/dev/null; do pkill -KILL -P $p; sleep 0.02; done; wait $p");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("verdict         not run\n"));
  EXPECT_THAT(r.out, HasSubstr("killed by signal 9, after 2 tries: toriscope run "));
  EXPECT_THAT(r.err,
              HasSubstr("toriscope: items not run because simulations failed: 1; the same command tries"));
}

TEST(reproduce, an_item_is_added_to_the_table_in_its_directory) {
  const program_directory dir;
  const auto rows_after = [&](const char* paper, const char* item) {
    EXPECT_EQ(dir.run({"reproduce", paper, "--item", item, "--out", "found"}).status, 0) << item;
    return json::parse(dir.read("found/verdicts.json"));
  };
  const json one = rows_after("rdt", "Table 1: star, 4096");
  const json both = rows_after("ttn2009", "Table 1: TTN(2,2,0)");
  EXPECT_GT(both.size(), one.size() + 1);
  EXPECT_EQ(both[0]["paper"], "ttn2009") << "in the order of the papers";
  EXPECT_EQ(both.back(), one.back());
  EXPECT_THAT(dir.read("found/verdicts.md"), testing::AllOf(HasSubstr("## ttn2009"), HasSubstr("## rdt"),
                                                           HasSubstr("and earlier ones with the same `DIR`.")));
  EXPECT_EQ(rows_after("ttn2009", "Table 1: TTN(2,2,0), diameter"), both) << "a row that is there";
  dir.write("found/verdicts.json", "[1]");
  const process_result r = dir.run({"reproduce", "rdt", "--quick", "--out", "found"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "toriscope: found/verdicts.json: expected the verdicts of toriscope reproduce, to add to them; name "
            "another directory\n");
}

TEST(reproduce, lists_its_items) {
  const program_directory dir;
  const process_result r = dir.run({"reproduce", "rdt", "--list", "--jobs", "4096"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("Table 2"));
  EXPECT_TRUE(dir.files().empty());
}

TEST(reproduce, bad_input_is_one_line) {
  const program_directory dir;
  for (const auto& [arguments, words] : std::map<std::vector<std::string>, std::string>{
           {{"reproduce", "ttn209", "--out", "x"}, "did you mean 'ttn2009'"},
           {{"reproduce", "rdt"}, "--out DIR"},
           {{"reproduce", "rdt", "--item", "Tabel 1: star, 4096"}, "did you mean 'Table 1: star, 4096'"},
           {{"reproduce", "rdt", "--out", "x", "--jobs", "0"},
            "--jobs: '0' must be a whole number from 1 to 4096"},
           {{"reproduce", "rdt", "--out", "/dev/null/x"}, "/dev/null/x"}}) {
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << words;
    EXPECT_THAT(r.err, HasSubstr(words));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

}  // namespace
}  // namespace toriscope::reproduce_test
