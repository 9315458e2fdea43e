// SPDX-License-Identifier: Apache-2.0
// Simple undirected graphs as netlists, from what each node calls its neighbours. A neighbour named twice is
// one full-duplex link, under the first name; a node that names itself has no link for it. No layout is known
// for them, and no lengths.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// The neighbours of a node by port name, in the order of the ports. Two nodes name each other or neither.
using neighbour_list = std::vector<std::pair<std::string, node_id>>;
using neighbours_of = std::function<neighbour_list(node_id)>;

/// @param name     of the netlist
/// @param radices  of the address digits
/// @throws std::logic_error when a node names one that does not name it
std::shared_ptr<netlist> build_simple_graph(const std::string& name, const std::vector<unsigned>& radices,
                                            const neighbours_of& neighbours);

}  // namespace toriscope
