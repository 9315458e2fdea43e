// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/published_items.h"

#include <algorithm>
#include <stdexcept>

#include "topologies/analysis/comparison.h"

namespace toriscope {
namespace {

const published_table& table_of(const std::string& name) {
  const auto& tables = published_tables();
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.name == name; });
  if (found == tables.end()) throw std::logic_error("no published table '" + name + "'");
  return *found;
}

verdict verdict_on(const number_verdict& n, const std::string& name, const std::string& command) {
  return judge_number(name + ": " + n.network + ", " + to_string(n.what), n.printed, n.ours,
                      tolerance::as_printed(n.decimals), n.words, command);
}

verdict verdict_on(const claim_result& c, const std::string& name, const std::string& command) {
  // What is known of a claim that does not hold follows its figures.
  const std::size_t dash = c.holds ? std::string::npos : c.ours.find(" - ");
  const std::string reason = dash == std::string::npos ? "" : c.ours.substr(dash + 3);
  return judge_claim(name + ": " + c.words, c.words, c.holds, c.ours.substr(0, dash), reason, command);
}

/// Rows that --quick leaves out: networks of that size whose distances have to be searched for. Those of tori
/// and hypercubes add up dimension by dimension.
bool is_left_out(const published_row& row, const std::string& left_out) {
  if (left_out.empty() || row.readings.empty() || row.network.find(left_out) == std::string::npos)
    return false;
  const std::string& spec = row.readings.front().network.spec;
  return spec.rfind("torus:", 0) != 0 && spec.rfind("hypercube:", 0) != 0;
}

std::vector<verdict> judge_table(const std::string& table, const std::string& name,
                                 const std::string& left_out, evidence& seen) {
  const std::string command = "toriscope analyze --compare " + table;
  published_table part = table_of(table);
  std::vector<verdict> verdicts;
  for (const published_row& row : part.rows)
    for (const published_value& value : row.values)
      if (is_left_out(row, left_out))
        verdicts.push_back(undecided(name + ": " + row.network + ", " + to_string(value.what), value.printed,
                                     "--quick leaves it out: its distances take minutes", command));
  const auto gone = [&](const published_row& row) { return is_left_out(row, left_out); };
  part.rows.erase(std::remove_if(part.rows.begin(), part.rows.end(), gone), part.rows.end());
  const comparison compared = compare_with_published(part, seen.analyses);
  for (const number_verdict& n : compared.numbers) verdicts.push_back(verdict_on(n, name, command));
  for (const claim_result& c : compared.claims) verdicts.push_back(verdict_on(c, name, command));
  return verdicts;
}

}  // namespace

paper_item published_item(const std::string& table, const std::string& name, const std::string& left_out) {
  return {name, table_of(table).title, {}, [=](evidence& seen) {
            return judge_table(table, name, left_out, seen);
          }};
}

}  // namespace toriscope
