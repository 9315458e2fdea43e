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

class reception_buffer {
 public:
  explicit reception_buffer(network_state& chip)
      : chip_(chip),
        vcs_(make_array<vc_buffer>(chip.memory, chip.config.vcs)),
        taken_at_(make_array<cycle_t>(chip.memory, chip.config.vcs)),
        slots_(make_array<flit_word>(chip.memory, std::size_t{chip.config.vcs} * chip.config.depth)) {}

  /// A flit that is shown by the ejection link of `node`.
  void take(node_id node, flit_word f) {
    vc_buffer& vc = vcs_[f.vc()];
    if (vc.size() == chip_.config.depth)
      throw invariant_violation(node, "a flit arrived for a full reception buffer");
    taken_at_[f.vc()] = chip_.now;
    vc.push(slots(f.vc()), chip_.config.depth, f);
    occupied_ |= static_cast<vc_mask>(1u << f.vc());
  }

  /// Flits leave, at most one for each VC: calls leave(flit) for each, in ascending order of VCs.
  /// @returns the VCs in which a slot came free
  template <class Leave>
  vc_mask release(cycle_t now, Leave&& leave) {
    vc_mask freed = 0;
    for (unsigned v = 0; v < chip_.config.vcs; ++v) {
      const vc_mask bit = static_cast<vc_mask>(1u << v);
      if (!(occupied_ & bit)) continue;
      if (!(admitted_ & bit)) {
        const packet_id packet = packet_at(v);
        if (chip_.gate && !chip_.gate->admit(packet, chip_.packets[packet], now)) continue;
        admitted_ |= bit;
      }
      const flit_word f = vcs_[v].pop(slots(v), chip_.config.depth);
      if (vcs_[v].empty()) occupied_ &= ~bit;
      if (f.tail()) admitted_ &= ~bit;
      freed |= bit;
      leave(f);
    }
    return freed;
  }

  // --- observers ---
  bool empty() const { return occupied_ == 0; }
  unsigned occupancy(unsigned v) const { return vcs_[v].size(); }
  /// The cycle in which the last flit came into VC v.
  cycle_t last_taken(unsigned v) const { return taken_at_[v]; }
  /// The packet at the front of VC v has been admitted; or the next to come is the rest of one that has.
  bool admitted(unsigned v) const { return admitted_ >> v & 1u; }
  /// The packet of the flit at the front of VC v, which must not be empty.
  packet_id packet_at(unsigned v) const { return chip_.packet_of(vcs_[v].front(slots(v))); }

 private:
  flit_word* slots(unsigned v) const { return slots_ + v * chip_.config.depth; }

  network_state& chip_;
  vc_buffer* vcs_;
  cycle_t* taken_at_;
  flit_word* slots_;
  vc_mask occupied_ = 0;
  vc_mask admitted_ = 0;
};

}  // namespace toriscope
