// SPDX-License-Identifier: Apache-2.0
// Wiring of the Tori-connected Torus Network TTN(2,L,q), of TESH(2,L,q) and STTN(2,L,q).
//
// Ports of a node, in order: x+ x- y+ y- (y+ leads to row + 1; at the border of a mesh BM those that no link
// ends at are left out), then its gates by level, V before H, group, out before in: L2_V_out0, L2_V_in0,
// L2_H_out0 ... With one-way links an out port has an outgoing link only and an in port an incoming one only;
// with full-duplex links both have both. Links of the BM have level 1. A ring of four BMs is a ring of four
// links (or pairs) per group.
//
// Source: Rahman et al. 2009, Sect. 2 and 4.7; Al Faisal, Rahman 2009, Sect. II and V.F.
#pragma once

#include <memory>

#include "topologies/netlist.h"
#include "topologies/ttn/ttn_shape.h"

namespace toriscope {

std::shared_ptr<netlist> build_ttn(const ttn_shape& shape);

/// Directions within a BM, in the order of the ports.
enum ttn_direction : unsigned { x_plus = 0, x_minus = 1, y_plus = 2, y_minus = 3 };

/// The BM node next to `node` that way. @param node  of a BM, 4*row + column
constexpr unsigned ttn_bm_neighbour(unsigned node, ttn_direction way) {
  const unsigned step = way % 2 == 0 ? 1 : 3;
  return way < y_plus ? (node & ~3u) | ((node + step) & 3) : (node + 4 * step) & 15;
}

/// Whether the hop that way from a BM node uses a wrap link of the BM.
constexpr bool ttn_bm_wraps(unsigned node, ttn_direction way) {
  const unsigned at = way < y_plus ? node & 3 : node >> 2;
  return at == (way % 2 == 0 ? 3u : 0u);
}

/// Ports that each node of a BM has, by BM node number, and where its gates are among them.
struct ttn_port_map {
  explicit ttn_port_map(const ttn_shape& shape);

  port_id count[16];       ///< ports of a BM node, the local one not included
  port_id bm_port[16][4];  ///< of a BM node, by direction; no_port where no link ends
  port_id out_port[8][4];  ///< of the node gates.out, by digit - 2 and group
  port_id in_port[8][4];   ///< of the node gates.in
  static constexpr port_id no_port = 0xff;
};

}  // namespace toriscope
