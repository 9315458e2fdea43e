// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/cosim/node_selection.h"

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

/// Marks the nodes that a pattern means. @returns whether there are any
bool mark(const netlist& wiring, const std::string& pattern, std::vector<bool>& chosen) {
  bool found = false;
  for (node_id n = 0; n < wiring.node_count(); ++n)
    if (glob_selects(pattern, wiring.name() + "." + wiring.path(n))) chosen[n] = found = true;
  return found;
}

}  // namespace

std::vector<node_id> select_nodes(const netlist& wiring, const std::string& patterns) {
  std::vector<bool> chosen(wiring.node_count());
  bool any = false;
  for (const std::string& pattern : split(patterns, ',')) {
    if (pattern.empty()) continue;
    any = true;
    if (is_address(pattern))
      chosen[parse_node(pattern, wiring)] = true;
    else if (!mark(wiring, pattern, chosen))
      refuse(wiring, pattern);
  }
  if (!any)
    throw std::invalid_argument("no node is named: patterns are like '" + wiring.name() + "." +
                                wiring.path(0) + "' or '*'");
  std::vector<node_id> nodes;
  for (node_id n = 0; n < wiring.node_count(); ++n)
    if (chosen[n]) nodes.push_back(n);
  return nodes;
}

}  // namespace toriscope
