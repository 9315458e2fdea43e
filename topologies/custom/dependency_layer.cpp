// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/dependency_layer.h"

#include <algorithm>
#include <numeric>

namespace toriscope {

dependency_layer::dependency_layer(const netlist& net)
    : net_(net),
      after_(net.links().size()),
      never_(net.links().size()),
      place_(net.links().size()),
      marked_(net.links().size()) {
  std::iota(place_.begin(), place_.end(), 0u);
}

bool dependency_layer::add(link_id a, link_id b) {
  if (has(a, b)) return true;
  if (place_[b] < place_[a]) {
    const bool cycle = reach_forward(b, a);
    if (!cycle) {
      reach_backward(a, place_[b]);
      reorder();
    }
    for (const link_id l : forward_) marked_[l] = false;
    for (const link_id l : backward_) marked_[l] = false;
    forward_.clear();
    backward_.clear();
    if (cycle) return false;
  }
  after_[a] |= 1u << port_of(b);
  return true;
}

/// All that `from` leads to and that stands before `goal`. @returns whether it leads to the goal itself
bool dependency_layer::reach_forward(link_id from, link_id goal) {
  marked_[from] = true;
  forward_.push_back(from);
  for (std::size_t i = 0; i < forward_.size(); ++i) {
    const port_range ports = net_.ports(net_.link(forward_[i]).to);
    for (const unsigned port : bits_of(after_[forward_[i]])) {
      const link_id next = ports[port].out;
      if (next == goal) return true;
      if (marked_[next] || place_[next] > place_[goal]) continue;
      marked_[next] = true;
      forward_.push_back(next);
    }
  }
  return false;
}

/// All that leads to `from` and does not stand before `least`.
void dependency_layer::reach_backward(link_id from, std::uint32_t least) {
  marked_[from] = true;
  backward_.push_back(from);
  for (std::size_t i = 0; i < backward_.size(); ++i) {
    const link_id at = backward_[i];
    for (const netlist_port& port : net_.ports(net_.link(at).from)) {
      if (port.in == no_link || !has(port.in, at)) continue;
      if (marked_[port.in] || place_[port.in] < least) continue;
      marked_[port.in] = true;
      backward_.push_back(port.in);
    }
  }
}

/// Puts what was found backward before what was found forward, in the places that they have together.
void dependency_layer::reorder() {
  const auto earlier = [&](link_id x, link_id y) { return place_[x] < place_[y]; };
  std::sort(forward_.begin(), forward_.end(), earlier);
  std::sort(backward_.begin(), backward_.end(), earlier);
  places_.clear();
  for (const link_id l : backward_) places_.push_back(place_[l]);
  for (const link_id l : forward_) places_.push_back(place_[l]);
  std::sort(places_.begin(), places_.end());
  std::size_t next = 0;
  for (const link_id l : backward_) place_[l] = places_[next++];
  for (const link_id l : forward_) place_[l] = places_[next++];
}

}  // namespace toriscope
