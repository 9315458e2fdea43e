// SPDX-License-Identifier: Apache-2.0
// The delays of links, to be set before the netlist is elaborated: the same for all, by level, or by wire length. Links
// with a delay of their own (own_link_values) keep it.
//
//   3, constant:A   A cycles, whatever the length (Sect. III)
//   mm:A            A cycles for each mm of the wire: with lengths in mm, of a node pitch in mm
//   linear:A        A l: long wires, limited by the speed of light (Eq. 5: t = l sqrt(eps_r) / c)
//   log:A:K         A ln(K l): short wires, limited by their capacitance (Eq. 4: t = tau_inv e ln(K l)); without K it
//                   is e, which makes A (1 + ln l), the form of Eq. 17
//   units           length l in node pitches of the planar layout (netlist_link::length), delay in cycles
//   rounding        up to whole cycles, at least 1: a register cannot be placed in mid-wire. A billionth above a whole
//                   number counts as that number
//   source          Dally 1990. There the longest wire sets the pace of all (Eq. 16); here every link has the delay of
//                   its own length
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// Longest delay of a link, in cycles.
inline constexpr unsigned max_link_delay = 1000;

/// Cycles, not rounded, of a wire with a length of at least 1.
using delay_model = std::function<double(unsigned length)>;

/// D of a wire. May exceed max_link_delay.
double whole_cycles(const delay_model& model, unsigned length);

/// "3", "constant:A", "linear:A", "mm:A", "log:A" or "log:A:K". @throws std::invalid_argument one line
/// @param pitch_mm  of neighbouring nodes; 0: not known
delay_model make_delay_model(const std::string& text, double pitch_mm = 0);

/// One model for all links, or one per level (1 = in a basic module, or all of a flat network), the lowest first.
/// @throws std::invalid_argument when there are not as many as levels, a link is slower than allowed, a length in mm is
/// asked for with pitch_mm = 0, or a delay by length in a network without lengths
void set_link_delays(netlist& net, const std::vector<std::string>& models, double pitch_mm = 0);

/// The highest level of a link; 1 in flat networks.
unsigned link_levels(const netlist& net);

/// @param what  "link delays". @throws std::invalid_argument unless one value is given for all links, or one per level
void check_one_per_level(const netlist& net, std::size_t values, const std::string& what);

}  // namespace toriscope
