// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/comparison.h"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace toriscope {

namespace {

const distance_summary& distances_of(const network_analysis& a, distance_kind kind) {
  const auto& wanted = kind == distance_kind::routed && a.routed ? a.routed : a.shortest;
  if (!wanted) throw std::invalid_argument("its distances are too many to be worked out");
  return *wanted;
}

/// Our value, and by which definition.
struct measured {
  double value;
  const char* by;
};

/// In order of preference.
std::vector<measured> values_of(const network_analysis& a, const published_reading& reading, quantity what) {
  const auto distances = [&]() -> const distance_summary& { return distances_of(a, reading.distances); };
  switch (what) {
    case quantity::degree:
      return {{double(a.wiring.degree_max), ""}};
    case quantity::diameter:
      return {{double(distances().diameter), ""}};
    case quantity::cost:
      return {{double(distances().diameter) * a.wiring.degree_max, ""}};
    case quantity::mean:
      return {{distances().mean_all, "over all pairs"}, {distances().mean_distinct, "over distinct pairs"}};
    case quantity::arc_connectivity:
      return {{double(a.arc_connectivity.value_or(0)), ""}};
    case quantity::bisection:
      return {{double(a.cut.links), ""}};
    case quantity::wiring:
      return {{double(a.wiring.links), ""}};
  }
  return {};
}

std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// Another reading that gives what is printed; empty when there is none.
std::string equal_reading(const published_row& row, const published_value& value, bool with_cuts,
                          analysis_store& store) {
  for (std::size_t i = 1; i < row.readings.size(); ++i) {
    const network_analysis& a = store.of(row.readings[i].network, with_cuts);
    for (const measured& m : values_of(a, row.readings[i], value.what))
      if (equals_printed(m.value, value.printed, value.decimals))
        return row.readings[i].words + " has " + text_of(m.value);
  }
  return "";
}

std::string reason_of(const published_row& row, const published_value& value, bool with_cuts,
                      analysis_store& store) {
  const std::string other = equal_reading(row, value, with_cuts, store);
  if (other.empty()) return value.reason.empty() ? "no explanation is known" : value.reason;
  return value.reason.empty() ? other : other + "; " + value.reason;
}

number_verdict verdict_of(const published_row& row, const published_value& value, bool with_cuts,
                          analysis_store& store) {
  number_verdict verdict{row.network, value.what, value.printed, value.decimals, std::nullopt, false, ""};
  if (row.readings.empty()) {
    verdict.words = value.reason;
    return verdict;
  }
  try {
    const network_analysis& a = store.of(row.readings.front().network, with_cuts);
    for (const measured& m : values_of(a, row.readings.front(), value.what)) {
      if (!verdict.ours) verdict.ours = m.value;
      if (!equals_printed(m.value, value.printed, value.decimals)) continue;
      verdict.ours = m.value;
      verdict.equal = true;
      verdict.words = m.by;
      return verdict;
    }
    verdict.words = reason_of(row, value, with_cuts, store);
  } catch (const std::invalid_argument& error) {
    verdict.words = error.what();
  }
  return verdict;
}

}  // namespace

bool equals_printed(double ours, double printed, unsigned decimals) {
  return std::abs(ours - printed) <= 0.5 * std::pow(10, -static_cast<double>(decimals)) * (1 + 1e-9);
}

std::vector<number_verdict> compare_row(const published_row& row, bool with_cuts, analysis_store& store) {
  std::vector<number_verdict> verdicts;
  for (const published_value& value : row.values)
    verdicts.push_back(verdict_of(row, value, with_cuts, store));
  return verdicts;
}

comparison compare_with_published(const published_table& table, analysis_store& store) {
  comparison result{&table, {}, {}};
  for (const published_row& row : table.rows)
    for (number_verdict& verdict : compare_row(row, table.with_cuts, store))
      result.numbers.push_back(std::move(verdict));
  for (const published_claim& claim : table.claims) {
    const claim_verdict verdict = claim.check(store);
    result.claims.push_back({claim.words, verdict.holds, verdict.ours});
  }
  return result;
}

}  // namespace toriscope
