// SPDX-License-Identifier: Apache-2.0
// What `toriscope analyze --compare` prints: networks side by side, and printed numbers with their verdicts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "topologies/analysis/comparison.h"

namespace toriscope {

/// The networks of "ttn:2,2,0,torus:8x8" (commas also stand within a spec) and the names of published tables.
std::vector<std::string> split_comparison(const std::vector<std::string>& arguments);

/// The table of that name; null when there is none.
const published_table* published_table_named(const std::string& name);

/// "ttn2009-table1, sttn2009, ...".
std::string published_table_names();

std::string comparison_text(const comparison& c);
nlohmann::ordered_json comparison_json(const comparison& c);

/// Several networks, a line each.
std::string side_by_side_text(const std::vector<std::pair<std::string, network_analysis>>& networks);

/// What is printed about a network, wherever that is.
struct published_verdicts {
  const published_table* table;
  std::vector<number_verdict> numbers;
};
std::vector<published_verdicts> verdicts_on(const std::string& spec, const std::string& links,
                                            analysis_store& store);
std::string verdicts_text(const published_verdicts& verdicts);
nlohmann::ordered_json verdicts_json(const std::vector<number_verdict>& verdicts);

}  // namespace toriscope
