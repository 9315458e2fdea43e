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
  protocol_cycle best{0, net.terminal_count() > 1 ? terminal_id{1} : 0};
  const auto look_at = [&](terminal_id other) {
    protocol_cycle found{0, other, channels_of(walk(net, routing, 0, other, vcs)),
                         channels_of(walk(net, routing, other, 0, vcs))};
    const std::size_t length = found.forth.size() + found.back.size();
    if (found.forth.empty() || found.back.empty()) return;
    if (best.forth.empty() || length < best.forth.size() + best.back.size()) best = std::move(found);
  };
  if (net.has_plain_terminals()) {
    for (const netlist_link& wire : net.links())
      if (wire.from == 0 && wire.to != 0) look_at(wire.to);
  } else {
    for (terminal_id other = 1; other < net.terminal_count(); ++other) look_at(other);
  }
  return best;
}

}  // namespace toriscope
