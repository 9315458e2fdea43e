// SPDX-License-Identifier: Apache-2.0
// The VCs of a router by number, so that a set of them is a word. VC v of port p is i = p*S + v, where S is the number
// of VCs rounded up to a power of two: a port is a slice of the word, found by a shift. (docs/model.md numbers them
// p*V + v; the order is the same, and only the order counts.) Up to 64 numbers are a group; most routers have one.
//
// Functions that run for every flit take the shape as an argument. router::step passes constants for the routers that
// are most common, and the compiler leaves out what they make superfluous.
#pragma once

#include <array>
#include <cstdint>

#include "base/bit_set.h"
#include "topologies/route.h"

namespace toriscope {

/// A set of VCs of a router, all of a group.
using vc_numbers = bit_set<std::uint64_t>;

/// For each place in a group: masks of its slice.
struct slice_masks {
  std::array<std::uint64_t, 64> others{};  ///< what is not in the slice
  std::array<std::uint64_t, 64> behind{};  ///< what is in the slice, behind the place
  std::uint64_t tops = 0;                  ///< the last place of every slice

  constexpr explicit slice_masks(unsigned shift) {
    const unsigned slice = 1u << shift;
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned first = i / slice * slice;
      const std::uint64_t all = ((std::uint64_t{1} << slice) - 1) << first;
      others[i] = ~all;
      behind[i] = all & ~std::uint64_t{1} << i;
    }
    for (unsigned i = slice - 1; i < 64; i += slice) tops |= std::uint64_t{1} << i;
  }
};

struct router_shape {
  unsigned groups = 1;
  unsigned shift = 0;  ///< S = 2^shift
  bool near = false;   ///< all of its wires are near (links/delay_line.h)

  static constexpr unsigned most_groups = ((max_ports + 1) * 16) / 64;

  /// Of a router with `ports` ports of `vcs` VCs.
  static router_shape of(unsigned ports, unsigned vcs, bool near = false) {
    router_shape s;
    while (1u << s.shift < vcs) ++s.shift;
    s.groups = ((ports << s.shift) + 63) / 64;
    s.near = near;
    return s;
  }

  unsigned number(unsigned p, unsigned v) const { return p << shift | v; }
  unsigned port(unsigned i) const { return i >> shift; }
  unsigned vc(unsigned i) const { return i & (slice() - 1); }
  unsigned group(unsigned i) const { return groups == 1 ? 0 : i / 64; }
  /// {i}, of its group.
  static vc_numbers only(unsigned i) { return vc_numbers::of(i % 64); }
  /// Those of port p, which are in the group of number(p, 0).
  vc_set of_port(vc_numbers set, unsigned p) const {
    return vc_set(static_cast<vc_mask>(set.mask() >> (p << shift) % 64 & ((1u << slice()) - 1)));
  }
  /// S
  unsigned slice() const { return 1u << shift; }
  const slice_masks& masks() const { return all_masks[shift]; }

 private:
  static constexpr std::array<slice_masks, 5> all_masks{slice_masks(0), slice_masks(1), slice_masks(2),
                                                        slice_masks(3), slice_masks(4)};
};

}  // namespace toriscope
