// SPDX-License-Identifier: Apache-2.0
// Hierarchical torus networks HTN(m,n,L,q), MH3DT(m,n,L,q) and H3D-torus: basic modules (BM) of m x m x m
// nodes, joined level by level to tori of n x n (HTN) or n x n x n (the others) subnetworks. The BM is a 3-D
// torus, that of the H3D-torus a 3-D mesh. One description of all three: its rings and their gates.
//
// Address, most significant digit first: for each level from L down to 2 a radix-n digit for each dimension
// (z if there is one, then y, x), then z, y, x of radix m in the BM. The ring of a digit joins subnetworks
// that differ in this digit only, by one link for each gate: from BM node `out` to BM node `in` of the next
// subnetwork (digit + 1), full duplex.
//
// Gates. HTN: Level l owns the z-planes (l-2) 2^q .. (l-1) 2^q - 1; on them y+ leaves at (z,m-1,x) for
// (z,0,x), x+ at (z,y,m-1) for (z,y,0). The paper gives their number (4m 2^q ports per level) and an example
// (outlet (1,3,0) of Level 3) that fit this.
// MH3DT, m = 4: lines (l-2) 2^q .. (l-1) 2^q - 1 of each of x+ (0,i,3) -> (0,i,0), y+ (2,3,i) -> (2,0,i) and
// z+ (0,j,k) -> (2,j,k), (j,k) the i-th corner. Gate positions that give the figures printed for (4,4,2,2)
// are not unique; these do. That fewer lines (q < 2) are the first ones, and that upper levels take the next
// ones, is a choice, as is the H3D-torus with the same gates.
//
// Sources: Rahman et al. 2012, Sect. II (HTN); Rahman, Inoguchi, Horiguchi 2005, and Rahman et al. 2009,
// Table 1 (MH3DT).
#pragma once

#include <string>
#include <vector>

#include "topologies/route.h"

namespace toriscope {

enum class htn_kind { htn, mh3dt, h3dt };

struct htn_shape {
  htn_kind kind = htn_kind::htn;
  unsigned m = 4;             ///< side of the BM
  unsigned n = 4;             ///< subnetworks in a ring, of each level
  unsigned levels = 2;        ///< L
  unsigned connectivity = 0;  ///< q

  bool torus_bm() const { return kind != htn_kind::h3dt; }
  /// Whether BM dimensions have wrap links: a ring of 2 is one pair of links.
  bool bm_wraps() const { return torus_bm() && m > 2; }
  /// Dimensions of the levels above the BM.
  unsigned dimensions() const { return kind == htn_kind::htn ? 2 : 3; }
  unsigned bm_nodes() const { return m * m * m; }
  /// Radices of the address digits, most significant first.
  std::vector<unsigned> radices() const;
  /// "HTN(4,4,2,1)".
  std::string in_words() const;
};

/// "htn", "mh3dt", "h3dt".
const char* to_string(htn_kind kind);

/// Dimensions, of BM and rings; z only where there is one.
enum htn_dimension : unsigned { htn_x = 0, htn_y = 1, htn_z = 2 };

/// BM nodes, numbered m*m*z + m*y + x.
struct htn_gate {
  unsigned out;  ///< + leaves here; - comes in here
  unsigned in;   ///< + comes in here; - leaves here
};

struct htn_ring {
  unsigned level;  ///< 2 .. L
  unsigned dimension;
  unsigned digit;  ///< of the address, 0 the most significant
  std::vector<htn_gate> gates;
};

/// From Level 2 up; within a level z, y, x.
std::vector<htn_ring> htn_rings(const htn_shape& shape);

/// Hops between two BM nodes.
unsigned htn_bm_distance(const htn_shape& shape, unsigned from, unsigned to);

/// The highest L with that m and q: 2^(p-q) + 1, p = floor(log2 m). Source: Rahman et al. 2012, Sect. II.A.
unsigned htn_highest_level(unsigned m, unsigned connectivity);

}  // namespace toriscope
