// SPDX-License-Identifier: Apache-2.0
// The watchdog: tells a deadlock from a long wait.
//
// A front flit that has waited long starts a search. Every input VC that holds a flit is a vertex; it either
// can move, sooner or later, or waits for others: for the owners of the output VCs that its head may take
// (any of them will do), or for the VC downstream when it has no credit. With limited reception, so are the
// reception buffers, which wait for the source queues that their gate names, and the source queues, which
// wait for the VCs of the local input port: a protocol deadlock is a circle through them. What cannot reach,
// along these waits, a VC that can move will never move: a deadlock, be it of the whole network or of a
// corner of it under live traffic.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "network/failure.h"
#include "network/node.h"
#include "network/wire_table.h"

namespace toriscope {

using part_sharer = std::function<std::vector<std::vector<std::uint64_t>>(std::vector<std::uint64_t>)>;

/// Whether some front flit has been at the front of its VC for at least `cycles` when cycle `done` is over.
bool any_front_flit_waits(const std::vector<node*>& nodes, cycle_t done, cycle_t cycles);

/// Searches for a deadlock after cycle `done`. The failure's detail lists the channels of a wait-for cycle, a
/// line each, in waiting order: "ADDRESS PORT vcV (MODULE): held by packet N, SOURCE -> DESTINATION".
/// @param share  where the network is simulated in parts: gives away the words of this one and brings those
/// of all; every part has to search, in the same cycle
std::optional<network_failure> find_deadlock(const netlist& wiring, const std::vector<node*>& nodes,
                                             wire_table& wires, const network_state& network, cycle_t done,
                                             const part_sharer& share = {});

}  // namespace toriscope
