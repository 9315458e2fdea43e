// SPDX-License-Identifier: Apache-2.0
// The shape of a Recursive Diagonal Torus RDT(2,R,1), and of the perfect RDT: a base torus of N x N nodes,
// and diagonal tori of higher rank laid over it. A node belongs to one of 8 classes by its place; an
// assignment gives each class the rank of its upper torus. In the perfect RDT every node has every rank.
//
//   limits   N = 16, 32, 64, 128, 256. A rank whose vector is no shorter than N leads back to where it
//            starts: its links are left out
//
// Source: Fan, Yang, Funahashi, Amano 1999 (A Torus Assignment for an Interconnection Network Recursive
// Diagonal Torus), Sect. 2 and 3.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "topologies/route.h"

namespace toriscope {

/// Ranks above the base torus, at most.
inline constexpr unsigned rdt_max_ranks = 4;
/// Classes of nodes: the independent rank-1 tori.
inline constexpr unsigned rdt_classes = 8;

/// The rank of the upper torus of each class, by class number; 0: none.
using rdt_assignment = std::array<std::uint8_t, rdt_classes>;

/// The number of the class that the paper writes (a,b).
constexpr unsigned rdt_class_number(unsigned a, unsigned b) { return a + 4 * b; }

/// "(3,1)".
std::string rdt_class_name(unsigned class_number);

/// The class of node (x,y) of the base torus. Moves in upper tori never change it.
constexpr unsigned rdt_class(unsigned x, unsigned y) {
  return rdt_class_number((x + 2 * (y / 2)) % 4, y % 2);
}

/// RDT(2,4,1)/alpha: every rank is next to every node. Sect. 2.2.
rdt_assignment rdt_alpha();
/// RDT(2,4,1)/beta: more of the low ranks, for local traffic. Sect. 3.
rdt_assignment rdt_beta();

/// Ways out of a node along a torus: h and v are x and y in the base torus.
enum rdt_direction : unsigned { h_plus, h_minus, v_plus, v_minus };

/// A way over the base torus.
struct rdt_offset {
  int dx;
  int dy;
};

/// One hop in the torus of that rank: (1,0) and (0,1), (2,2) and (2,-2), (8,0) and (0,8) ...
rdt_offset rdt_step(unsigned rank, unsigned direction);

struct rdt_shape {
  unsigned size = 32;           ///< N: nodes on a side of the base torus
  bool perfect = false;         ///< every node has every rank
  rdt_assignment assignment{};  ///< unless perfect

  node_id nodes() const { return size * size; }
  /// The highest rank whose links lead to another node: 2 at N = 16, 3 at 32 and 64, 4 at 128 and 256.
  unsigned usable_ranks() const;
  /// Whether nodes of this class have links of this rank, 1 .. rdt_max_ranks.
  bool has_links(unsigned class_number, unsigned rank) const {
    return rank <= usable_ranks() && (perfect || assignment[class_number] == rank);
  }
};

}  // namespace toriscope
