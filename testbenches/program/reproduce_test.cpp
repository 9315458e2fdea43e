// SPDX-License-Identifier: Apache-2.0
// `toriscope reproduce` as scripts see it: the list of verdicts of a paper without simulations, the same twice,
// and one line for bad input. Oracle of the verdicts: the table in docs/papers.md, which a person has read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Verdicts of a paper in the table of a document, by word.
std::map<std::string, int> documented(const std::string& paper) {
  std::ifstream file(TORISCOPE_ROOT "/docs/papers_table.md");
  std::map<std::string, int> counts;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0) inside = line == "## " + paper;
    if (!inside || line.rfind("| ", 0) != 0) continue;
    for (const char* const word : {"reproduced", "differs", "cannot be decided"})
      if (line.find(std::string(" | ") + word + " | ") != std::string::npos) ++counts[word];
  }
  return counts;
}

TEST(reproduce, rdt_is_what_the_documents_say) {
  const program_directory dir;
  const process_result r = dir.run({"reproduce", "rdt", "--quick", "--out", "found"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("all: "));
  const std::string text = dir.read("found/verdicts.json");
  std::map<std::string, int> counts;
  for (const json& v : json::parse(text)) {
    ++counts[v["verdict"].get<std::string>()];
    EXPECT_EQ(v["paper"], "rdt");
    EXPECT_THAT(v["command"].get<std::string>(), HasSubstr("toriscope "));
    EXPECT_TRUE(v["verdict"] == "reproduced" || v["reason"] != "") << v;
    EXPECT_EQ(v.size(), 8u) << v;
  }
  EXPECT_EQ(counts, documented("rdt"));
  EXPECT_GT(counts["reproduced"], 20);
  EXPECT_THAT(dir.read("found/verdicts.md"), HasSubstr("`toriscope reproduce rdt --quick --out DIR`"));
}

TEST(reproduce, lists_its_items) {
  const program_directory dir;
  const process_result r = dir.run({"reproduce", "rdt", "--list"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("Table 2"));
  EXPECT_TRUE(dir.files().empty());
}

TEST(reproduce, bad_input_is_one_line) {
  const program_directory dir;
  for (const auto& [arguments, words] : std::map<std::vector<std::string>, std::string>{
           {{"reproduce", "ttn209", "--out", "x"}, "did you mean 'ttn2009'"},
           {{"reproduce", "rdt"}, "--out DIR"},
           {{"reproduce", "rdt", "--out", "x", "--jobs", "0"}, "jobs"},
           {{"reproduce", "rdt", "--out", "/dev/null/x"}, "/dev/null/x"}}) {
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << words;
    EXPECT_THAT(r.err, HasSubstr(words));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

}  // namespace
}  // namespace toriscope
