// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/printed_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"

namespace toriscope {
namespace {

const char* to_string(distance_kind kind) {
  return kind == distance_kind::shortest ? "shortest paths" : "as routed";
}

std::string words_of(const definition& by, const network_measure& what) {
  const char* const pairs = by.distinct ? ", distinct pairs" : ", all pairs";
  return std::string(to_string(by.kind)) + (what == quantity::mean ? pairs : "");
}

std::string analyze_command(const analysed_network& network) {
  std::string text = "toriscope analyze --topology " + network.spec;
  if (network.links != "U") text += " --inter-module-links duplex";  // the default, where there is a choice
  if (!network.routing.empty()) text += " --routing " + network.routing;
  return text;
}

/// What definitions and networks other than the text's give.
struct other_values {
  std::string all;
  std::string giving;  ///< those that agree with what is printed
  std::size_t count = 0;
  double least = 1e300;
  double most = -1e300;

  /// Why ours differs from what is printed, as far as these tell.
  std::string reason() const {
    if (giving.empty()) return "";
    return "printed is what another reading gives, not the text's definition: " + giving;
  }

  /// A few in full, of more those that agree, or the range.
  std::string words() const {
    if (count <= 3) return all;
    if (!giving.empty()) return fmt::format("of {} others: {}", count, giving);
    return fmt::format("none of {} others: {} to {}", count, to_text(least, provenance::built),
                       to_text(most, provenance::built));
  }
};

other_values other_readings(const printed_row& row, const printed_value& value, const tolerance& allowed,
                            analysis_store& store) {
  other_values others;
  const auto look_at = [&](const analysed_network& network, const std::string& words) {
    const network_analysis& a = store.of(network);
    for (const distance_kind kind : {distance_kind::shortest, distance_kind::routed})
      for (const bool distinct : {true, false}) {
        const definition by{kind, distinct};
        if (!distinct && !(value.what == quantity::mean)) continue;
        if (words.empty() && kind == row.distances && distinct) continue;
        // Another routing of the same network does not change its shortest paths.
        if (!words.empty() && kind == distance_kind::shortest && network.spec == row.built.spec &&
            network.links == row.built.links)
          continue;
        const std::optional<double> found = value.what.of(a, by);
        if (!found) continue;
        ++others.count;
        others.least = std::min(others.least, *found);
        others.most = std::max(others.most, *found);
        std::string text = words;
        append(text, words_of(by, value.what) + ": " + to_text(*found, provenance::built), ", ");
        append(others.all, text);
        if (allowed.holds(value.printed, *found)) append(others.giving, text);
      }
  };
  look_at(row.built, "");
  for (const auto& [network, words] : row.others) look_at(network, words);
  return others;
}

verdict judge_value(const printed_row& row, const printed_value& value, const std::string& name,
                    bool with_cuts, analysis_store& store) {
  const std::string item = name + ", " + value.what.name;
  if (row.built.spec.empty()) {
    verdict v = undetermined(item, value.printed, value.open);
    v.source = provenance::none;
    return v;
  }
  const network_analysis& a = store.of(row.built, with_cuts);
  const definition by{row.distances};
  const std::optional<double> ours = value.what.of(a, by);
  if (!ours) return not_run(item, value.printed, "it takes too long to work out");
  const tolerance allowed = tolerance::as_printed(value.decimals);
  const provenance source = value.what == quantity::cost ? provenance::arithmetic : provenance::built;
  verdict v = judge_number(item, source, value.printed, *ours, allowed, value.reason);
  v.reading = row.reading;
  if (value.what.kind == network_measure::distance) {
    v.reading = words_of(by, value.what);
    for (const std::string& more : {row.reading, row.distance_reading})
      if (!more.empty()) append(v.reading, more);
    const other_values others = other_readings(row, value, allowed, store);
    v.others = others.words();
    if (v.result == ruling::differs && v.reason.empty()) v.reason = others.reason();
  }
  if (!value.reading.empty()) append(v.reading, value.reading);
  if (row.printed_nodes != 0 && a.nodes != row.printed_nodes)
    append(v.reading, fmt::format("the nearest size: {} has {} nodes", row.built.spec, a.nodes));
  // Where the gates are open, so is what depends on them, whether our gates give it or not.
  if (!value.open.empty() && source == provenance::built) v = undetermined(std::move(v), value.open);
  if (!value.open.empty() && source == provenance::arithmetic) v.reason = value.open;
  if (source == provenance::built) v.command = analyze_command(row.built);
  return v;
}

}  // namespace

namespace quantity {
using measure = network_measure;
const measure degree{"degree", [](auto& a, auto&, bool) -> double { return a.wiring.degree_max; }};
const measure diameter{"diameter", [](auto&, auto& d, bool) -> double { return d.diameter; },
                       measure::distance};
const measure cost{"cost", [](auto& a, auto& d, bool) { return double(d.diameter) * a.wiring.degree_max; },
                   measure::distance};
const measure mean{"average distance",
                   [](auto&, auto& d, bool distinct) { return distinct ? d.mean_distinct : d.mean_all; },
                   measure::distance};
const measure arc_connectivity{
    "arc connectivity", [](auto& a, auto&, bool) -> double { return *a.arc_connectivity; }, measure::cut};
const measure bisection{"bisection width", [](auto& a, auto&, bool) { return double(a.cut.links); }};
const measure wiring{"wiring complexity", [](auto& a, auto&, bool) { return double(a.wiring.links); }};
const measure nodes{"nodes", [](auto& a, auto&, bool) -> double { return a.nodes; }};
const measure longest_link{"longest link", [](auto& a, auto&, bool) -> double { return a.wiring.longest; }};
const measure fault_tolerance{
    "fault tolerance", [](auto& a, auto&, bool) { return double(*a.arc_connectivity) / a.wiring.degree_max; },
    measure::cut};
}  // namespace quantity

std::optional<double> network_measure::of(const network_analysis& network, const definition& by) const {
  const auto& distances = by.kind == distance_kind::routed ? network.routed : network.shortest;
  if ((kind == distance && !distances) || (kind == cut && !network.arc_connectivity)) return std::nullopt;
  return value(network, distances ? *distances : distance_summary{}, by.distinct);
}

paper_item row_item(const std::string& table, const printed_row& row, bool with_cuts) {
  const std::string name = table + ": " + row.network;
  const auto judge = [=](evidence& seen) {
    std::vector<verdict> verdicts;
    for (const printed_value& value : row.values)
      verdicts.push_back(judge_value(row, value, name, with_cuts, seen.analyses));
    return verdicts;
  };
  return {name, judge, {}, row.costly};
}

analysed_network choice_of(const std::string& spec) {
  analysed_network choice{spec};
  choice.routed = !begins_with(spec, "mesh:") && !begins_with(spec, "torus:");
  return choice;
}

}  // namespace toriscope
