// SPDX-License-Identifier: Apache-2.0
#include "topologies/node_ranges.h"

#include <cstdint>

namespace toriscope {
namespace {

/// How many modules, numbered in order, are shared out: as few as are shared evenly enough.
std::uint64_t modules_to_share(const netlist& net, std::uint64_t parts) {
  std::uint64_t modules = 1;
  for (const unsigned radix : net.radices()) {
    modules *= radix;
    const std::uint64_t largest = (modules + parts - 1) / parts;
    if (modules >= parts && 5 * largest * parts <= 6 * modules) break;
  }
  return modules;
}

}  // namespace

node_ranges::node_ranges(const netlist& net, unsigned count) {
  const std::uint64_t parts = std::min<std::uint64_t>(count, net.node_count());
  const std::uint64_t modules = modules_to_share(net, parts);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first_module = (part * modules + parts - 1) / parts;
    first_.push_back(static_cast<node_id>(first_module * (net.node_count() / modules)));
  }
}

}  // namespace toriscope
