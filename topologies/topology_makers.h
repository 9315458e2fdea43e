// SPDX-License-Identifier: Apache-2.0
// What the makers of the families share: they get the arguments behind the colon of a spec ("2,2,0") and
// throw std::invalid_argument with one line.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/registry.h"
#include "topologies/ring_ties.h"

namespace toriscope {

/// To be thrown: "topology 'torus:8x8': why".
std::invalid_argument refusal(const std::string& spec, const std::string& why);

/// The numbers of "8x8" (separator 'x') or "2,2,0" (separator ',').
/// @param spec   the whole spec, for the message
/// @param usage  what would be right: "mesh:8x8"
std::vector<unsigned> spec_numbers(const std::string& spec, std::string_view arguments, char separator,
                                   std::string_view usage);

/// @throws std::invalid_argument where these are more than options.node_limit
void check_node_limit(const topology_options& options, std::size_t nodes);

/// Nodes of a network with these radices. @throws std::invalid_argument unless 2 .. max_nodes; as check_node_limit()
std::size_t checked_node_count(const topology_options& options, const std::vector<unsigned>& radices);

/// The ties named, `otherwise` when the name is empty.
/// @throws std::invalid_argument when they are not among `allowed`
ring_ties checked_ties(const std::string& spec, const std::string& name, ring_ties otherwise,
                       const std::vector<ring_ties>& allowed);

/// A network and its minimal routing, for the VCs of the options.
using topology_maker = std::function<topology(const topology_options&)>;

/// For routings that draw routes (drawn_routing.h): the network with the routing of one half of the VCs.
/// @param classes  VCs that each half needs
/// @throws std::invalid_argument when there are too few VCs, or an odd number
topology made_for_half(const topology_options& options, unsigned classes, const topology_maker& make);
/// The network; with routing valiant or ugal around its own where the options name one of these.
topology perhaps_with_detours(const topology_options& options, unsigned classes, const topology_maker& make);

}  // namespace toriscope
