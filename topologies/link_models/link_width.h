// SPDX-License-Identifier: Apache-2.0
// Widths of the links of a netlist, to be set before it is elaborated (docs/model.md, "Narrow links"). Links
// with a width of their own (own_link_values) keep it.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// F = ceil(flit / link), both in bits. @throws std::invalid_argument unless 1 .. 255
std::uint8_t flit_cycles(unsigned flit_bits, std::uint64_t link_bits);

/// Sets F and the width. @throws std::invalid_argument as flit_cycles()
void set_width(netlist_link& link, unsigned flit_bits, std::uint64_t link_bits);

/// The smallest width, in bits, of a link that is offered `load` flits per cycle: with it the link is at most full.
/// @returns 0: no width suffices, the load is above 1
unsigned least_width(unsigned flit_bits, double load);

/// One width for all links, or one per level, the lowest first; none: as wide as a flit.
/// @throws std::invalid_argument
void set_link_widths(netlist& net, unsigned flit_bits, const std::vector<std::uint64_t>& by_level);

}  // namespace toriscope
