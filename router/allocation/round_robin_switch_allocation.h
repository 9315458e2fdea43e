// SPDX-License-Identifier: Apache-2.0
// SA of the plain pipelines: separable input-first switch allocation with round-robin arbiters (docs/model.md, "SA").
//
// All input ports pick at once, by arithmetic on the word in which each port is a slice of S bits (router_shape.h):
// x - 1 in every slice that is not zero turns its lowest bit and what is below round, and crosses no slice.
#pragma once

#include <cstdint>

#include "router/router_state.h"

namespace toriscope {

/// The slices of a word as numbers of S bits.
class vc_slices {
 public:
  [[gnu::always_inline]] explicit vc_slices(router_shape n)
      : tops_(n.masks().tops), top_shift_(n.slice() - 1) {}
  /// The lowest member of each slice.
  std::uint64_t lowest(std::uint64_t x) const { return x & ~(x - (tops_of(x) >> top_shift_)); }
  /// All members of the slices in which x has any.
  std::uint64_t filled(std::uint64_t x) const {
    const std::uint64_t tops = tops_of(x);
    return (tops - (tops >> top_shift_)) | tops;
  }

 private:
  /// The top bit of each slice in which x has any.
  std::uint64_t tops_of(std::uint64_t x) const { return (((x & ~tops_) + ~tops_) | x) & tops_; }

  std::uint64_t tops_;
  unsigned top_shift_;
};

/// One pass: arbitrate_inputs(), then arbitrate_output() until nothing is left.
class round_robin_switch_allocation {
 public:
  [[gnu::always_inline]] round_robin_switch_allocation(router_state& r, router_shape n) : r_(r), n_(n) {}

  /// Every input port picks one of its VCs: the first at or after its pointer.
  [[gnu::always_inline]] void arbitrate_inputs() {
    const vc_slices slices(n_);
    for (unsigned g = 0; g < n_.groups; ++g) {
      const input_sets& sets = r_.in_sets[g];
      vc_numbers requests = sets.ready();
      if (r_.busy_outputs) requests = without_busy(requests, g);
      picks_[g] = {};
      if (!requests) continue;
      const vc_numbers behind = requests & sets.behind_pointer;
      const vc_numbers first = behind | (requests - vc_numbers(slices.filled(behind.mask())));
      picks_[g] = vc_numbers(slices.lowest(first.mask()));
    }
  }

  /// The picks of group g that no output port has decided about yet.
  vc_numbers picks(unsigned g) const { return picks_[g]; }

  struct grant {
    unsigned in_vc, out_port;
  };
  /// The output port that one of the picks of group g requests decides about all of its requests.
  [[gnu::always_inline]] grant arbitrate_output(unsigned g) {
    const unsigned o = n_.port(r_.in_vcs[g * 64 + picks_[g].first()].output);
    const vc_numbers* const owners = r_.owners + o * n_.groups;
    const unsigned winner = first_request(owners, r_.out[o].sa_last);
    for (unsigned k = g; k < n_.groups; ++k) picks_[k] -= owners[k];

    r_.out[o].sa_last = static_cast<std::uint16_t>(winner | (n_.slice() - 1));
    vc_numbers& behind = r_.in_sets[n_.group(winner)].behind_pointer;
    behind = vc_numbers((behind.mask() & n_.masks().others[winner % 64]) | n_.masks().behind[winner % 64]);
    return {winner, o};
  }

 private:
  /// Of the picks that own a VC of the output port, the first behind input VC `last`, cyclically.
  [[gnu::always_inline]] unsigned first_request(const vc_numbers* owners, unsigned last) const {
    const vc_numbers behind(~std::uint64_t{1} << last % 64);
    if (n_.groups == 1) {
      const vc_numbers requests = picks_[0] & owners[0];
      return (requests & behind ? requests & behind : requests).first();
    }
    unsigned g = last / 64;
    if (const vc_numbers requests = picks_[g] & owners[g] & behind) return g * 64 + requests.first();
    do g = g + 1 == n_.groups ? 0 : g + 1;
    while (!(picks_[g] & owners[g]));
    return g * 64 + (picks_[g] & owners[g]).first();
  }

  /// Of the VCs in `requests`, those whose output port is not occupied by a flit on a narrow link.
  vc_numbers without_busy(vc_numbers requests, unsigned g) const {
    for (const unsigned o : r_.busy_outputs) requests -= r_.owners[o * n_.groups + g];
    return requests;
  }

  router_state& r_;
  const router_shape n_;
  vc_numbers picks_[router_shape::most_groups];
};

}  // namespace toriscope
