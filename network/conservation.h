// SPDX-License-Identifier: Apache-2.0
// The walks over a whole network that check what must never be lost: flits and credits.
#pragma once

#include <string>
#include <vector>

#include "network/distributed/partition_boundary.h"
#include "network/node.h"
#include "network/wire_table.h"

namespace toriscope {

/// At a cycle boundary, after cycle `done`: for each VC of each link (and of each injection link), credits +
/// flits granted but not yet sent + flits in flight + occupancy + credits in flight = depth; and flits injected =
/// flits ejected + discarded + flits in routers and on wires. Of a router that is not the model's, its node's
/// account (node_account.h) tells credits, occupancy and flits; links of a node without one are left out, and then
/// flits are not summed up.
/// @param network   what its parts have in common
/// @param counters  of all of them
/// @returns what is wrong, in one line; empty when all is right
std::string check_conservation(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                               const network_state& network, const network_counters& counters, cycle_t done);

/// Flits in routers, in buffers of reception and on wires that are read here. All routers are the model's, or keep
/// account.
std::uint64_t flits_inside(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                           const network_state& network, cycle_t done);

/// When all flits have arrived, no record of a packet is left.
std::string check_records(const network_state& network, const network_counters& counters);

/// Both for what ranks share: each adds up its side of the links between them, its flits and its records. All ranks
/// call it after the same cycle.
std::string check_across_ranks(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                               const network_state& network, cycle_t done, partition_boundary& border);

}  // namespace toriscope
