// SPDX-License-Identifier: Apache-2.0
// The state of a network as bytes (base/state_archive.h), by node, wire and packet, so that it does not depend on the
// number of threads: what parts keep for themselves - calendars, schedules, notes, counts - follows from it.
#pragma once

#include <memory>
#include <vector>

#include "base/state_archive.h"
#include "network/clock_domain.h"

namespace toriscope {

/// What a network consists of.
struct network_pieces {
  const netlist& wiring;
  const node_ranges& ranges;
  const std::vector<std::unique_ptr<network_part>>& parts;
  const std::vector<node*>& nodes;
  wire_table& wires;
  clock_domain& domain;
  link_clock& links;
};

/// Reading: the links that are dead by then have been closed.
void archive_network(state_archive& a, const network_pieces& network, cycle_t now);

}  // namespace toriscope
