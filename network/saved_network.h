// SPDX-License-Identifier: Apache-2.0
// The state of a network as bytes (base/state_archive.h), by node, wire and packet, so that it does not depend on the
// number of threads or ranks: what parts keep for themselves - calendars, schedules, notes, counts - follows from it.
//
//   ranks  each archives its share: its counts, the records of packets that it has, its nodes, and the wires that they
//          send on. The one that leads puts them together. Every rank reads all, and leaves out nodes of others
#pragma once

#include <memory>
#include <vector>

#include "base/state_archive.h"
#include "network/clock_domain.h"
#include "network/distributed/partition.h"

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
  const partition& part;
};

/// The share of another rank, by its rank; null: none, or our own.
using network_shares = std::vector<std::unique_ptr<state_archive>>;

/// Reading: the links that are dead by then have been closed.
/// @param shares  writing on the rank that leads; else none
/// @returns writing: the packets of other ranks whose records are here from now on; reading: the ends of packets that
///          are here (network_archive.h)
std::vector<std::uint64_t> archive_network(state_archive& a, const network_pieces& network, cycle_t now,
                                           const network_shares& shares = {});
/// Writes the share of this rank.
void archive_share(state_archive& a, const network_pieces& network, cycle_t now);

}  // namespace toriscope
