// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/folded_layout.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "topologies/analysis/planar_layout.h"

namespace toriscope {
namespace {

/// The digit that is 0 at one end and the highest at the other, all others being the same; as many as there are
/// digits: none.
std::size_t wrapped_digit(const netlist& net, const netlist_link& l) {
  const std::vector<unsigned> from = net.digits(l.from), to = net.digits(l.to);
  std::size_t found = from.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    const unsigned highest = net.radices()[i] - 1;
    if (found != from.size() || highest < 2 || std::min(from[i], to[i]) != 0 ||
        std::max(from[i], to[i]) != highest)
      return from.size();
    found = i;
  }
  return found;
}

}  // namespace

void fold_layout(netlist& net) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("--layout folded: " + net.name() + " " + why + "; leave it out");
  };
  if (net.has_node_names() || !net.positions().empty()) refuse("has places of its own");
  const planar_layout planar(net);
  std::vector<bool> folded(net.radices().size());
  for (const netlist_link& l : net.links()) {
    if (l.length != planar.length(l)) refuse("has wires of other lengths than its places are apart");
    if (const std::size_t digit = wrapped_digit(net, l); digit < folded.size()) folded[digit] = true;
  }
  if (std::find(folded.begin(), folded.end(), true) == folded.end()) refuse("has no ring to fold");
  net.set_folded_digits(std::move(folded));
  set_planar_lengths(net);
}

}  // namespace toriscope
