// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/terminal_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace toriscope {
namespace {

struct extremes {
  unsigned least, most;
};

/// Of the numbers of terminals that send into a router.
extremes terminals_of_routers(const netlist& wiring) {
  std::vector<unsigned> count(wiring.node_count());
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) ++count[wiring.terminal(t).node];
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  return {*least, *most};
}

}  // namespace

unsigned terminals_at_each(const netlist& wiring) {
  if (wiring.has_plain_terminals()) return 1;
  const extremes found = terminals_of_routers(wiring);
  return found.least == found.most ? found.least : 0;
}

unsigned require_equal_terminals(const netlist& wiring, const std::string& what) {
  if (const unsigned each = terminals_at_each(wiring)) return each;
  const extremes found = terminals_of_routers(wiring);
  throw std::invalid_argument(
      fmt::format("{} needs the same number of terminals at every router; {} has from {} to {}", what,
                  wiring.name(), found.least, found.most));
}

}  // namespace toriscope
