// SPDX-License-Identifier: Apache-2.0
// Where heads have been: a set of (link, VC, route state), emptied in no time. An open-addressing table of
// (link, state) with the VCs of each; as large as what is in it, or, when there are few route states, with a
// place for each of them, so that nothing collides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits_for.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

class position_set {
 public:
  position_set(std::size_t links, unsigned state_bits) : state_bits_(state_bits) {
    constexpr std::uint64_t max_direct = std::uint64_t{1} << 24;
    const std::uint64_t all = std::uint64_t{links} << state_bits;
    factor_ = all <= max_direct ? 1 : golden;
    bits_ = factor_ == 1 ? std::max(12u, bits_for(all)) : 12;
    slots_.resize(std::size_t{1} << bits_);
  }

  void clear() {
    ++round_;
    size_ = 0;
  }

  /// Adds the VCs; returns those that were not there.
  vc_mask add(link_id link, route_state state, vc_mask vcs) {
    slot& at = find((std::uint64_t{link} << state_bits_) | state);
    const vc_set added = vc_set(vcs) - vc_set(at.vcs);
    at.vcs |= vcs;
    return added.mask();
  }

 private:
  struct slot {
    std::uint64_t key = 0;
    std::uint32_t round = 0;
    vc_mask vcs = 0;
  };
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

  std::size_t place_of(std::uint64_t key) const {
    return factor_ == 1 ? key : static_cast<std::size_t>((key * factor_) >> (64 - bits_));
  }

  slot& find(std::uint64_t key) {
    for (std::size_t i = place_of(key);; i = (i + 1) & (slots_.size() - 1)) {
      slot& at = slots_[i];
      if (at.round == round_ && at.key == key) return at;
      if (at.round == round_) continue;
      if (factor_ != 1 && 2 * ++size_ > slots_.size()) {
        grow();
        return find(key);
      }
      at = {key, round_, 0};
      return at;
    }
  }

  void grow() {
    std::vector<slot> old(slots_.size() * 2);
    old.swap(slots_);
    ++bits_;
    size_ = 0;
    for (const slot& s : old)
      if (s.round == round_) find(s.key) = s;
  }

  unsigned state_bits_;
  unsigned bits_ = 0;  ///< log2 of the number of slots
  std::uint64_t factor_ = 1;
  std::vector<slot> slots_;
  std::uint32_t round_ = 1;
  std::size_t size_ = 0;
};

}  // namespace toriscope
