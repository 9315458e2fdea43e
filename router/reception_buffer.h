// SPDX-License-Identifier: Apache-2.0
// The destination side of a network interface with limited reception: a FIFO of `depth` flits for each VC,
// from which packets leave when they have been admitted (docs/model.md, "Limited reception").
#pragma once

#include <cstdint>
#include <string>

#include "router/invariant.h"
#include "router/network_state.h"
#include "router/vc_buffer.h"

namespace toriscope {

class network_archive;

class reception_buffer {
 public:
  /// @param depth  flits per VC
  reception_buffer(network_state& network, unsigned depth)
      : network_(network),
        depth_(depth),
        vcs_(make_array<vc_buffer>(network.memory, network.config.vcs)),
        taken_at_(make_array<cycle_t>(network.memory, network.config.vcs)),
        mask_(vc_buffer::slots_for(depth) - 1),
        slots_(make_array<flit_word>(network.memory, std::size_t{network.config.vcs} * (mask_ + 1))) {}

  /// A flit that is shown by the ejection link of `node`.
  void take(node_id node, flit_word f) {
    vc_buffer& vc = vcs_[f.vc()];
    if (vc.size() == depth_) throw invariant_violation(node, "a flit arrived for a full reception buffer");
    taken_at_[f.vc()] = network_.now;
    vc.push(slots(f.vc()), mask_, f);
    occupied_.add(f.vc());
  }

  /// Flits leave, at most one for each VC: calls leave(flit) for each, in ascending order of VCs.
  /// @returns the VCs in which a slot came free
  template <class Leave>
  vc_set release(cycle_t now, Leave&& leave) {
    vc_set freed;
    for (const unsigned v : occupied_) {
      if (!admitted_.has(v)) {
        const packet_id packet = packet_at(v);
        if (network_.gate && !network_.gate->admit(packet, network_.packets[packet], now)) continue;
        admitted_.add(v);
      }
      const flit_word f = vcs_[v].pop(slots(v), mask_);
      if (vcs_[v].empty()) occupied_.remove(v);
      if (f.tail()) admitted_.remove(v);
      freed.add(v);
      leave(f);
    }
    return freed;
  }

  void archive(network_archive& s);

  // --- observers ---
  bool empty() const { return !occupied_; }
  unsigned occupancy(unsigned v) const { return vcs_[v].size(); }
  /// The cycle in which the last flit came into VC v.
  cycle_t last_taken(unsigned v) const { return taken_at_[v]; }
  /// The packet at the front of VC v has been admitted; or the next to come is the rest of one that has.
  bool admitted(unsigned v) const { return admitted_.has(v); }
  /// The packet of the flit at the front of VC v, which must not be empty.
  packet_id packet_at(unsigned v) const { return network_.packet_of(vcs_[v].front(slots(v), mask_)); }

 private:
  flit_word* slots(unsigned v) const { return slots_ + v * (mask_ + 1); }

  network_state& network_;
  const unsigned depth_;
  vc_buffer* vcs_;
  cycle_t* taken_at_;
  unsigned mask_;  ///< of the slots of a VC
  flit_word* slots_;
  vc_set occupied_;
  vc_set admitted_;
};

}  // namespace toriscope
