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
#include "network/distributed/partition_boundary.h"

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
  partition_boundary* border;  ///< null: the whole network is here
};

/// Reading: the links that are dead by then have been closed. Of several ranks all call it.
/// @returns writing: packets of other ranks whose records are here from now on; reading: the ends of packets that are
///          here (network_archive.h)
std::vector<std::uint64_t> archive_network(state_archive& a, const network_pieces& network, cycle_t now);
/// After that, all ranks. @param archived  what it returned @param read  it read
/// @returns what is wrong with the parts that they read, taken together; empty: nothing
std::string end_archive_of_ranks(const network_pieces& network, cycle_t now, std::vector<std::uint64_t> archived,
                                 bool read);

}  // namespace toriscope
