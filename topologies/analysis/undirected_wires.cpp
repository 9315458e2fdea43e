// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/undirected_wires.h"

#include "topologies/analysis/wiring_counts.h"

namespace toriscope {

undirected_wires::undirected_wires(const netlist& net) : first_(net.node_count() + std::size_t{1}, 0) {
  for_each_wire(net, [&](const netlist_link& wire) {
    if (wire.from == wire.to) return;
    ++first_[wire.from + 1];
    ++first_[wire.to + 1];
  });
  for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
  ends_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  std::uint32_t number = 0;
  for_each_wire(net, [&](const netlist_link& wire) {
    if (wire.from == wire.to) return;
    ends_[next[wire.from]++] = {number, wire.to};
    ends_[next[wire.to]++] = {number++, wire.from};
  });
}

}  // namespace toriscope
