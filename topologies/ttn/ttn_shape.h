// SPDX-License-Identifier: Apache-2.0
// TTN(2,L,q) and its relatives TESH(2,L,q) and STTN(2,L,q): parameters, addresses and gates.
//
// Address: 2L base-4 digits a(2L-1) .. a0, most significant first, so that digit i is bits 2i+1..2i of the
// node number. (a1, a0) are row and column in the basic module (BM), a 4x4 torus - in TESH a 4x4 mesh;
// a(2l-1) (V) and a(2l-2) (H) are row and column of a subnetwork at Level l. The ring of digit i joins
// subnetworks that differ in digit i only; from each of them it leaves at the BM node out(i,g) for the node
// in(i,g) of the next one (digit + 1), g being the group, 0 .. 2^q - 1.
//
// Gates of TTN and TESH. The papers' figures show where the free ports of a BM are used, their texts do not
// say it. Two blocks of four ports are forced by Table 1 and the worked example 000000 -> 231112 (outlet
// (3,0)); the other two are a choice consistent with Eq. 5 (at Levels 4 and 5 in and out are one hop apart).
// See blocks in ttn_shape.cpp. Gates of STTN. Each level owns one whole side of the BM. Its figure is lost,
// and this assignment is a guess. Which sides further groups (q > 0) take, nothing tells.
//
// Source: Rahman et al. 2009, Sect. 2, Table 1, Eq. 5 (TTN and TESH); Al Faisal, Rahman 2009, Sect. II
// (STTN).
#pragma once

#include <cstdint>
#include <string>

#include "topologies/route.h"

namespace toriscope {

enum class ttn_kind {
  ttn,   ///< Tori-connected Torus Network
  tesh,  ///< Tori-connected mESH: the same with meshes for BMs
  sttn,  ///< Symmetric Tori-connected Torus Network: gates side by side
};

/// "ttn", "tesh", "sttn".
const char* to_string(ttn_kind kind);

struct ttn_shape {
  unsigned levels = 2;         ///< L, 2..5
  unsigned connectivity = 0;   ///< q, 0..2; L <= 2^(2-q) + 1
  bool unidirectional = true;  ///< inter-BM links one way (+), or full duplex
  ttn_kind kind = ttn_kind::ttn;

  bool mesh_modules() const { return kind == ttn_kind::tesh; }
  unsigned groups() const { return 1u << connectivity; }
  unsigned digits() const { return 2 * levels; }
  node_id nodes() const { return node_id{1} << (2 * digits()); }
};

/// The gates of a ring in each BM, as BM node numbers 4*row + column.
struct ttn_gates {
  std::uint8_t out;  ///< + leaves here; - comes in here
  std::uint8_t in;   ///< + comes in here; - leaves here
};

/// The level of digit i >= 2.
constexpr unsigned ttn_level(unsigned digit) { return digit / 2 + 1; }
/// Whether digit i is a column (H) or a row (V).
constexpr bool ttn_horizontal(unsigned digit) { return digit % 2 == 0; }

/// The highest level with that connectivity. Source: Rahman et al. 2009, Lemma 2.
constexpr unsigned ttn_highest_level(unsigned connectivity) { return (1u << (2 - connectivity)) + 1; }

/// "TTN", and "TTN(2,3,0)".
std::string ttn_in_words(ttn_kind kind);
std::string ttn_in_words(const ttn_shape& shape);

/// Gates of the ring of digit i, 2 .. 2L-1, in group g. in and out are at most one hop apart.
ttn_gates ttn_gates_of(const ttn_shape& shape, unsigned digit, unsigned group);

/// Hops between two nodes of a BM.
unsigned ttn_bm_distance(const ttn_shape& shape, unsigned from, unsigned to);

}  // namespace toriscope
