// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"

namespace toriscope {
namespace {

std::string six_digits(double value) { return fmt::format("{:.6g}", value); }

}  // namespace

std::vector<std::string> split_comparison(const std::vector<std::string>& arguments) {
  std::vector<std::string> items;
  for (const std::string& argument : arguments) {
    bool first = true;
    for (const std::string& piece : split(argument, ',')) {
      if (first || piece.find(':') != std::string::npos)
        items.push_back(piece);
      else
        items.back() += "," + piece;
      first = false;
    }
  }
  return items;
}

std::string side_by_side_text(const std::vector<std::pair<std::string, network_analysis>>& networks) {
  std::size_t width = 9;
  for (const auto& [name, a] : networks) width = std::max(width, name.size() + 2);
  const char* const line = "{:<{}}{:>9}{:>8}{:>10}{:>8}{:>10}{:>10}{:>7}{:>11}{:>10}{:>9}\n";
  std::string text = fmt::format(fmt::runtime(line), "network", width, "nodes", "degree", "diameter", "cost",
                                 "mean", "shortest", "arcs", "bisection", "links", "longest");
  for (const auto& [name, a] : networks) {
    const auto& d = a.routed ? a.routed : a.shortest;
    text += fmt::format(
        fmt::runtime(line), name, width, a.nodes, a.wiring.degree_max, d ? std::to_string(d->diameter) : "-",
        a.cost() ? std::to_string(*a.cost()) : "-", d ? six_digits(d->mean_all) : "-",
        a.shortest ? six_digits(a.shortest->mean_all) : "-",
        a.arc_connectivity ? std::to_string(*a.arc_connectivity) : "-", std::to_string(a.cut.links),
        std::to_string(a.wiring.links), std::to_string(a.wiring.longest));
  }
  return text +
         "diameter, cost, mean: as routed, where there is a routing; shortest: mean over shortest paths; all "
         "pairs\n";
}

}  // namespace toriscope
