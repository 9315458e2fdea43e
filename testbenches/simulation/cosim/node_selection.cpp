// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/cosim/node_selection.h"

#include <set>
#include <stdexcept>

#include "base/nearest_name.h"
#include "testbenches/simulation/traffic/node_address.h"
#include "traces/wave_selection.h"

namespace toriscope {
namespace {

bool is_address(const std::string& pattern) {
  return pattern.find_first_not_of("0123456789.") == std::string::npos;
}

[[noreturn]] void refuse(const netlist& wiring, const std::string& pattern) {
  std::vector<std::string> names;
  for (node_id n = 0; n < wiring.node_count(); ++n) names.push_back(wiring.name() + "." + wiring.path(n));
  throw std::invalid_argument("no node of " + wiring.name() + " matches '" + pattern +
                              "'; the nearest names are " + joined(nearest_names(pattern, names)));
}

/// Adds the nodes that a pattern means. @returns whether there are any
bool add(const netlist& wiring, const std::string& pattern, std::set<node_id>& chosen) {
  bool found = false;
  for (node_id n = 0; n < wiring.node_count(); ++n)
    if (glob_selects(pattern, wiring.name() + "." + wiring.path(n))) found = true, chosen.insert(n);
  return found;
}

}  // namespace

std::vector<node_id> select_nodes(const netlist& wiring, const std::string& patterns) {
  std::set<node_id> chosen;
  for (const std::string& pattern : split(patterns, ',')) {
    if (pattern.empty()) continue;
    if (is_address(pattern))
      chosen.insert(parse_node(pattern, wiring));
    else if (!add(wiring, pattern, chosen))
      refuse(wiring, pattern);
  }
  if (chosen.empty())
    throw std::invalid_argument("no node is named: patterns are like '" + wiring.name() + "." +
                                wiring.path(0) + "' or '*'");
  return {chosen.begin(), chosen.end()};
}

}  // namespace toriscope
