// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/channel.h"

namespace toriscope {

std::string to_string(const netlist& net, const channel& c) {
  const netlist_link& wire = net.link(c.link);
  return net.address(wire.from) + " " + net.port_name(wire.from, wire.from_port) + " vc" +
         std::to_string(c.vc);
}

std::vector<channel> channels_numbered(const std::vector<std::uint32_t>& numbers, unsigned vcs) {
  std::vector<channel> channels;
  for (const std::uint32_t n : numbers) channels.push_back({n / vcs, static_cast<std::uint8_t>(n % vcs)});
  return channels;
}

std::string cycle_in_words(const netlist& net, const std::vector<channel>& cycle) {
  if (cycle.empty()) return {};
  std::string words;
  for (const channel& c : cycle) words += to_string(net, c) + " -> ";
  return words + to_string(net, cycle.front());
}

}  // namespace toriscope
