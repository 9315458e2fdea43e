// SPDX-License-Identifier: Apache-2.0
// Bisection: wires between two halves of the network with equally many nodes (one more in one of them when
// their number is odd). Wires count whichever way their links go.
//
//   counted cut      the natural one, as the papers count: the digits of the outermost level of the hierarchy
//                    (all digits, in a flat network) that have an even radix are halved one after the other,
//                    lower values against upper ones; the smallest of these cuts counts. TTN(2,3,0): 128, by
//                    the digit a5 as by a4. Where no such digit is even, the lower node numbers against the
//                    upper ones.
//                    Where some routers have more terminals than others (switches have none), or packets leave at
//                    other routers than they enter, the lower half of the terminals is parted from the upper half:
//                    by the fewest wires, whichever side that puts the other routers on. fattree:4,3: 32. A router
//                    with terminals of both halves goes where most of them are; `words` then tells how many are on
//                    each side.
//   partition bound  the smallest equal cut that a search finds: METIS (Karypis, Kumar 1998) from several
//                    seeds, and the counted cut, each evened out and improved by exchanging nodes (Kernighan,
//                    Lin 1970; Fiduccia, Mattheyses 1982). An upper bound of the bisection width; not more
//                    than the counted cut, where that is an equal one.
//
// Sources: Rahman et al. 2009, Sect. 4.6; Al Faisal, Rahman 2009, Eq. 4; Dally 1990, Eq. 6.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class undirected_wires;

struct counted_cut {
  std::uint64_t links = 0;           ///< wires across
  std::uint64_t directed_links = 0;  ///< links across, either way
  double flits_per_cycle = 0;        ///< that these carry: a flit in F cycles each
  int digit = -1;                    ///< that was halved, most significant first; -1: node numbers
  std::string words;                 ///< how it was cut
  bool equal = true;                 ///< into halves, as nearly as their number allows
  std::vector<bool> upper;           ///< by node, where terminals were halved; else empty
};

counted_cut count_natural_cut(const netlist& net);

/// The links across, either way.
std::vector<link_id> links_across(const netlist& net, const counted_cut& cut);

/// Wires between two halves that begin as `upper` says, by node, and are evened out and improved by exchanging nodes.
std::uint64_t improved_cut(const undirected_wires& graph, std::vector<bool> upper);

/// The partition bound: minutes beyond some 10,000 nodes.
/// @param cut  of the same netlist
std::uint64_t search_bisection(const netlist& net, const counted_cut& cut);

}  // namespace toriscope
