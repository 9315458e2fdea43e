// SPDX-License-Identifier: Apache-2.0
// The table of measured rules: what is found in it, and its rows against the figures that were measured.
#include "topologies/measured_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text_file.h"
#include "base/words.h"

namespace toriscope::measured_rules_test {
namespace {

TEST(measured_rules, are_the_first_of_their_rows) {
  EXPECT_EQ(measured_rule({"ttn:2,2,0", "U", "nowrap", "", "dor", 4}), "K");
  EXPECT_EQ(measured_rule({"ttn:2,2,1", "B", "nowrap", "", "dor", 2}), "A");
  EXPECT_EQ(measured_rule({"ttn:2,2,0", "U", "nowrap", "", "dor", 5}), "") << "not measured";
}

struct measured_row {
  const char *topology, *links, *ties, *gates, *routing;
  unsigned vcs;
  const char* rules;
};
constexpr measured_row measured_rows[] = {
#include "topologies/measured_rules.inc"
};

TEST(measured_rules, are_known_where_all_of_its_row_fits) {
  for (const measured_row& r : measured_rows) {
    const measured_network n{r.topology, r.links, r.ties, r.gates, r.routing, r.vcs};
    const std::string rules = r.rules;
    EXPECT_EQ(measured_rule(n), rules.substr(0, rules.find(' ')));
    for (std::string measured_network::*const member :
         {&measured_network::topology, &measured_network::links, &measured_network::ties, &measured_network::gates,
          &measured_network::routing}) {
      measured_network other = n;
      other.*member = "?";
      EXPECT_EQ(measured_rule(other), "") << r.topology;
    }
    measured_network other = n;
    other.vcs = 99;
    EXPECT_EQ(measured_rule(other), "") << r.topology;
  }
}

/// In the order in which they are taken where they are equal: scripts/safe_rules.py.
std::vector<std::string> rules_of(const std::string& topology) {
  for (const auto& [family, rules] :
       std::vector<std::pair<std::string, std::string>>{{"ttn:2,2,0", "K A C D3 E G"},
                                                        {"tesh:2,2,0", "K A C D3 E G"},
                                                        {"ttn:", "E G A C D3"},
                                                        {"tesh:", "G E A C D3"},
                                                        {"sttn:", "S G E D3"},
                                                        {"htn:", "PY PXd P3 P4 P3w"},
                                                        {"mh3dt:", "M3 M5"},
                                                        {"h3dt:", "M3 M5"},
                                                        {"torus:", "balanced dateline wrapping"},
                                                        {"ucube:", "balanced dateline wrapping"}})
    if (topology.rfind(family, 0) == 0) return split(rules, ' ');
  ADD_FAILURE() << topology;
  return {};
}

/// The first rule that is within 1.5 %, the resolution of the measurement, of the best; then the others from the best
/// on, in the order of the file where they are equal.
std::string row_of(const nlohmann::ordered_json& point) {
  std::vector<std::pair<std::string, double>> figures;
  double best = 0;
  for (const auto& [rule, figure] : point.at("saturation").items()) {
    figures.emplace_back(rule, figure.get<double>());
    best = std::max(best, figures.back().second);
  }
  std::string chosen;
  for (const std::string& rule : rules_of(point.at("topology").get<std::string>()))
    for (const auto& [name, figure] : figures)
      if (chosen.empty() && name == rule && figure >= .985 * best) chosen = rule;
  std::stable_sort(figures.begin(), figures.end(), [&](const auto& a, const auto& b) {
    if ((a.first == chosen) != (b.first == chosen)) return a.first == chosen;
    return a.second > b.second;
  });
  std::string words;
  for (const auto& [rule, figure] : figures) {
    char text[32];
    std::snprintf(text, sizeof text, " %.4f", figure);
    words += (words.empty() ? "" : ", ") + rule + text;
  }
  return words;
}

TEST(measured_rules, are_those_of_the_measured_figures) {
  std::map<std::string, std::string> expected, found;
  std::istringstream lines(text_of_file(TORISCOPE_MEASURED_RULES, "figures"));
  for (std::string line; std::getline(lines, line);) {
    const auto point = nlohmann::ordered_json::parse(line);
    std::string network;
    for (const char* key : {"topology", "links", "ties", "gates", "routing"})
      network += point.at(key).get<std::string>() + "; ";
    expected[network + std::to_string(point.at("vcs").get<unsigned>())] = row_of(point);
  }
  for (const measured_row& r : measured_rows)
    found[joined(std::vector<std::string>{r.topology, r.links, r.ties, r.gates, r.routing, std::to_string(r.vcs)},
                 "; ")] = r.rules;
  EXPECT_EQ(found.size(), std::size(measured_rows)) << "each network once";
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace toriscope::measured_rules_test
