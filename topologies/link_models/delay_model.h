// SPDX-License-Identifier: Apache-2.0
// The delay of a link as a function of its wire length.
//
//   units      length in node pitches of the planar layout (netlist_link::length), delay in cycles
//   rounding   up to whole cycles, at least 1: a register cannot be placed in mid-wire. What exceeds a whole
//              number by less than a billionth counts as that number
//   source     Dally 1990, Eq. 4, 5 and 17. There the longest wire sets the pace of all (Eq. 16); here every
//              link has the delay of its own length
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class delay_model {
 public:
  virtual ~delay_model() = default;
  /// Cycles, not rounded. @param length  at least 1
  virtual double cycles(unsigned length) const = 0;
};

/// D of a wire. May exceed max_link_delay.
double whole_cycles(const delay_model& model, unsigned length);

/// "3" or "constant:3"; "linear:A"; "log:A" or "log:A:K".
/// @throws std::invalid_argument one line
std::unique_ptr<delay_model> make_delay_model(const std::string& text);

/// One model for all links, or one per level, the lowest first.
/// @throws std::invalid_argument when there are not as many as levels, or a link is slower than allowed
void set_link_delays(netlist& net, const std::vector<std::string>& models);

}  // namespace toriscope
