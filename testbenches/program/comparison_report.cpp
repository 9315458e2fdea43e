// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// Breaks a text into lines of at most `width`, the others indented.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column > 0 && column + 1 + (end - at) > width) {
      result += "\n" + indent;
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result.append(text, at, end - at);
    column += end - at;
    at = end + 1;
  }
  return result;
}

std::string with_decimals(double value, unsigned decimals) { return fmt::format("{:.{}f}", value, decimals); }

/// Ours, with two digits more than printed where it is no whole number.
std::string our_text(const number_verdict& v) {
  if (!v.ours) return "-";
  return *v.ours == static_cast<double>(static_cast<long long>(*v.ours)) ? fmt::format("{:.0f}", *v.ours)
                                                                         : with_decimals(*v.ours, 4);
}

std::string verdict_word(const number_verdict& v) {
  return v.equal ? "equal" : v.ours ? "differs" : "not compared";
}

std::string number_line(const number_verdict& v, const std::string& network) {
  const std::string words = v.words.empty() ? "" : (v.equal ? ", " : ": ") + v.words;
  return fmt::format("  {:<31}{:<18}{:>9}{:>11}   {}\n", network, to_string(v.what),
                     with_decimals(v.printed, v.decimals), our_text(v),
                     wrapped(verdict_word(v) + words, 84, std::string(74, ' ')));
}

std::string numbers_text(const std::vector<number_verdict>& numbers) {
  std::string text =
      fmt::format("  {:<31}{:<18}{:>9}{:>11}   {}\n", "network", "quantity", "printed", "ours", "verdict");
  std::string before;
  for (const number_verdict& v : numbers) {
    text += number_line(v, v.network == before ? "" : v.network);
    before = v.network;
  }
  return text;
}

std::string six_digits(double value) { return fmt::format("{:.6g}", value); }

}  // namespace

const published_table* published_table_named(const std::string& name) {
  for (const published_table& table : published_tables())
    if (table.name == name) return &table;
  return nullptr;
}

std::string published_table_names() {
  std::string names;
  for (const published_table& table : published_tables()) names += (names.empty() ? "" : ", ") + table.name;
  return names;
}

std::vector<std::string> split_comparison(const std::vector<std::string>& arguments) {
  std::vector<std::string> items;
  for (const std::string& argument : arguments) {
    bool first = true;
    for (std::size_t at = 0; at <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', at), argument.size());
      const std::string piece = argument.substr(at, end - at);
      if (first || piece.find(':') != std::string::npos || published_table_named(piece) != nullptr)
        items.push_back(piece);
      else
        items.back() += "," + piece;
      first = false;
      at = end + 1;
    }
  }
  return items;
}

std::string comparison_text(const comparison& c) {
  std::string text = c.table->name + ": " + c.table->title + " (" + c.table->source + ")\n";
  if (!c.numbers.empty()) text += numbers_text(c.numbers);
  for (const claim_result& claim : c.claims)
    text += "  " + wrapped(claim.words, 100, "  ") + "\n    " +
            wrapped((claim.holds ? "holds: " : "does not hold: ") + claim.ours, 100, "    ") + "\n";
  const auto equal = std::count_if(c.numbers.begin(), c.numbers.end(), [](const auto& v) { return v.equal; });
  const auto hold = std::count_if(c.claims.begin(), c.claims.end(), [](const auto& v) { return v.holds; });
  if (!c.numbers.empty()) text += fmt::format("  {} of {} numbers are equal\n", equal, c.numbers.size());
  if (!c.claims.empty()) text += fmt::format("  {} of {} claims hold\n", hold, c.claims.size());
  return text;
}

nlohmann::ordered_json verdicts_json(const std::vector<number_verdict>& verdicts) {
  json all = json::array();
  for (const number_verdict& v : verdicts)
    all.push_back({{"network", v.network},
                   {"quantity", to_string(v.what)},
                   {"printed", v.printed},
                   {"ours", v.ours ? json(*v.ours) : json(nullptr)},
                   {"verdict", verdict_word(v)},
                   {"reason", v.words}});
  return all;
}

nlohmann::ordered_json comparison_json(const comparison& c) {
  json claims = json::array();
  for (const claim_result& claim : c.claims)
    claims.push_back(
        {{"claim", claim.words}, {"verdict", claim.holds ? "holds" : "does not hold"}, {"ours", claim.ours}});
  return {{"table", c.table->name},
          {"title", c.table->title},
          {"source", c.table->source},
          {"numbers", verdicts_json(c.numbers)},
          {"claims", claims}};
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

std::vector<published_verdicts> verdicts_on(const std::string& spec, const std::string& links,
                                            analysis_store& store) {
  std::vector<published_verdicts> all;
  for (const published_table& table : published_tables())
    for (const published_row& row : table.rows) {
      if (row.readings.empty()) continue;
      const network_choice& network = row.readings.front().network;
      const bool flat = network.routed == false;  // links are no choice there
      if (network.spec == spec && (flat || network.links == links))
        all.push_back({&table, compare_row(row, table.with_cuts, store)});
    }
  return all;
}

std::string verdicts_text(const published_verdicts& verdicts) {
  return "\n" + verdicts.table->source + "\n" + numbers_text(verdicts.numbers);
}

}  // namespace toriscope
