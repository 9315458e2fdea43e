// SPDX-License-Identifier: Apache-2.0
#include "topologies/link_models/link_width.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "topologies/link_models/link_delay.h"

namespace toriscope {

std::uint8_t flit_cycles(unsigned flit_bits, std::uint64_t link_bits) {
  const std::uint64_t cycles = link_bits == 0           ? 0
                               : link_bits >= flit_bits ? 1
                                                        : (flit_bits + link_bits - 1) / link_bits;
  if (cycles < 1 || cycles > 255)
    throw std::invalid_argument("a link of " + std::to_string(link_bits) + " bits for flits of " +
                                std::to_string(flit_bits) +
                                "; a link has at least a bit, and passes a flit in at most 255 cycles");
  return static_cast<std::uint8_t>(cycles);
}

void set_width(netlist_link& link, unsigned flit_bits, std::uint64_t link_bits) {
  link.flit_cycles = flit_cycles(flit_bits, link_bits);
  link.width_bits = static_cast<std::uint16_t>(std::min<std::uint64_t>(link_bits, 0xffff));
}

unsigned least_width(unsigned flit_bits, double load) {
  constexpr double rounding = 1e-9;
  if (load > 1 + rounding) return 0;
  const double most = load > 0 ? std::floor(1 / load + rounding) : 255;
  const unsigned cycles = std::min({static_cast<unsigned>(std::clamp(most, 1.0, 255.0)), flit_bits});
  return (flit_bits + cycles - 1) / cycles;
}

void set_link_widths(netlist& net, unsigned flit_bits, const std::vector<std::uint64_t>& by_level) {
  if (by_level.empty() && !net.has_own_values()) return;
  if (!by_level.empty()) check_one_per_level(net, by_level.size(), "link widths");
  for (link_id l = 0; l < net.links().size(); ++l) {
    netlist_link& link = net.link(l);
    std::uint64_t width = net.own_values(l).width_bits;
    if (width == 0 && !by_level.empty()) width = by_level[by_level.size() == 1 ? 0 : link.level - 1u];
    if (width != 0 || !by_level.empty()) set_width(link, flit_bits, width);
  }
}

}  // namespace toriscope
