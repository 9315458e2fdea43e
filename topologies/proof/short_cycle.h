// SPDX-License-Identifier: Apache-2.0
// Whether a dependency graph has a cycle, and a short one of those that it has.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topologies/proof/dependency_sets.h"

namespace toriscope {

/// The channels in an order in which each stands behind all those that it depends on; none when there is a
/// cycle.
std::optional<std::vector<std::uint32_t>> topological_order(const dependency_graph& graph);

/// A number for each channel, smaller than those of all that it depends on; the largest is the length of the
/// longest chain of dependencies.
/// @param order  as topological_order() gives it
std::vector<std::uint32_t> channel_numbers(const dependency_graph& graph,
                                           const std::vector<std::uint32_t>& order);

/// The shortest cycle through any of the first channels of the components that have one, in the order of
/// dependencies; empty when there is none.
std::vector<std::uint32_t> short_cycle(const dependency_graph& graph);

}  // namespace toriscope
