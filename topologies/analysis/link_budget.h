// SPDX-License-Identifier: Apache-2.0
// Networks at equal cost: links as wide as a budget of bits allows, the same for all links of a network.
//
//   bisection  bits over the counted cut (bisection.h), both directions together
//   pins       bits of the links of a node, in and out, where they are most
//   wires      bits of all links times their lengths, in node pitches
//
// A link that needs F cycles for a flit has F = ceil(flit / width), so that widths between flit/F and flit/(F-1) are
// all alike; a link is never wider than a flit.
#pragma once

#include <cstdint>
#include <string>

#include "topologies/netlist.h"

namespace toriscope {

enum class budget_kind { bisection, pins, wires };

struct link_budget {
  budget_kind what = budget_kind::bisection;
  std::uint64_t bits = 0;
};

/// "bisection:1024", "pins:256", "wires:8192". @throws std::invalid_argument with one line
link_budget parse_link_budget(const std::string& text);

struct budgeted_width {
  unsigned bits = 0;         ///< of each link, at most a flit's
  unsigned flit_cycles = 1;  ///< F
  std::uint64_t shares = 0;  ///< links, or links times pitches, that the budget is divided among
  std::string words;         ///< "32 links across the bisection"
};

/// @throws std::invalid_argument when the budget is less than a bit for each, or F more than 255
budgeted_width width_within(const netlist& net, const link_budget& budget, unsigned flit_bits);

/// Sets the width of all links. @throws std::invalid_argument as above, and where links have widths of their own
void set_link_widths(netlist& net, const std::string& budget, unsigned flit_bits);

}  // namespace toriscope
