// SPDX-License-Identifier: Apache-2.0
// The VCs of a router by number, so that a set of them is a word. VC v of port p is i = p*S + v, where S is the number
// of VCs rounded up to a power of two: a port is a slice of the word, found by a shift. (docs/model.md numbers them
// p*V + v; the order is the same, and only the order counts.) Up to 64 numbers are a group; most routers have one.
//
// Functions that run for every flit take the numbering as an argument. router::step passes constants for the routers
// that are most common, and the compiler leaves out what they make superfluous.
#pragma once

#include <cstdint>

#include "base/bit_set.h"
#include "topologies/route.h"

namespace toriscope {

/// A set of VCs of a router, all of a group.
using vc_numbers = bit_set<std::uint64_t>;

struct vc_numbering {
  unsigned groups = 1;
  unsigned shift = 0;  ///< S = 2^shift

  static constexpr unsigned most_groups = ((max_ports + 1) * 16) / 64;

  /// Of a router with `ports` ports of `vcs` VCs.
  static vc_numbering of(unsigned ports, unsigned vcs) {
    vc_numbering n;
    while (1u << n.shift < vcs) ++n.shift;
    n.groups = ((ports << n.shift) + 63) / 64;
    return n;
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
};

}  // namespace toriscope
