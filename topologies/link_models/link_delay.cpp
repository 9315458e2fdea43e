// SPDX-License-Identifier: Apache-2.0
#include "topologies/link_models/link_delay.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toriscope {

unsigned link_levels(const netlist& net) {
  unsigned highest = 1;
  for (const netlist_link& wire : net.links()) highest = std::max<unsigned>(highest, wire.level);
  return highest;
}

void set_link_delay(netlist& net, link_id l, unsigned otherwise) {
  const unsigned own = net.own_values(l).delay_cycles;
  net.link(l).delay_cycles = static_cast<std::uint16_t>(own != 0 ? own : otherwise);
}

void set_link_delays(netlist& net, unsigned delay_cycles) {
  set_link_delays(net, std::vector<unsigned>(link_levels(net), delay_cycles));
}

void set_link_delays(netlist& net, const std::vector<unsigned>& by_level) {
  for (const unsigned delay : by_level)
    if (delay < 1 || delay > max_link_delay)
      throw std::invalid_argument("a link delay of " + std::to_string(delay) + " cycles; 1 to " +
                                  std::to_string(max_link_delay) + " are supported");
  const unsigned levels = link_levels(net);
  if (by_level.size() != levels)
    throw std::invalid_argument(std::to_string(by_level.size()) + " link delays for the " +
                                std::to_string(levels) + (levels == 1 ? " level" : " levels") +
                                " of links of " + net.name() + "; give one per level, the lowest first");
  for (link_id l = 0; l < net.links().size(); ++l) set_link_delay(net, l, by_level[net.link(l).level - 1u]);
}

}  // namespace toriscope
