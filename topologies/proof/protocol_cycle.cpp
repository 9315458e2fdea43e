// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/protocol_cycle.h"

#include "topologies/path.h"

namespace toriscope {
namespace {

std::vector<channel> channels_of(const std::vector<hop>& way) {
  std::vector<channel> channels;
  for (const hop& h : way) channels.push_back({h.link, h.vc});
  return channels;
}

}  // namespace

protocol_cycle find_protocol_cycle(const netlist& net, const routing_function& routing, unsigned vcs) {
  protocol_cycle best;
  for (const netlist_link& wire : net.links()) {
    if (wire.from != 0 || wire.to == 0) continue;
    protocol_cycle found{0, wire.to, channels_of(walk(net, routing, 0, wire.to, vcs)),
                         channels_of(walk(net, routing, wire.to, 0, vcs))};
    const std::size_t length = found.forth.size() + found.back.size();
    if (best.forth.empty() || length < best.forth.size() + best.back.size()) best = std::move(found);
  }
  return best;
}

}  // namespace toriscope
