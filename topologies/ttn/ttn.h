// SPDX-License-Identifier: Apache-2.0
// Wiring of the Tori-connected Torus Network TTN(2,L,q).
//
// Ports of a node, in order: x+ x- y+ y- (y+ leads to row + 1), then its gates by level, V before H, group,
// out before in: L2_V_out0, L2_V_in0, L2_H_out0 ... With one-way links an out port has an outgoing link only
// and an in port an incoming one only; with full-duplex links both have both. Links of the BM have level 1. A
// ring of four BMs is a ring of four links (or pairs) per group.
//
// Lengths: subnetworks tiled on a plane, row-major as their digits say; an inter-BM link counts the pitches
// along its ring (the step of at most one pitch across is left out): 3 in a BM, 12 at Level 2, 48 at Level 3
// for the wrap links.
//
// Source: Rahman et al. 2009, Sect. 2 and 4.7.
#pragma once

#include <memory>

#include "topologies/netlist.h"
#include "topologies/ttn/ttn_shape.h"

namespace toriscope {

std::shared_ptr<netlist> build_ttn(const ttn_shape& shape);

/// Ports that each node of a BM has, by BM node number, and where its gates are among them.
struct ttn_port_map {
  explicit ttn_port_map(const ttn_shape& shape);

  port_id count[16];       ///< ports of a BM node, the local one not included
  port_id out_port[8][4];  ///< of the node gates.out, by digit - 2 and group
  port_id in_port[8][4];   ///< of the node gates.in
};

/// Numbers of the ports within a BM, the same at every node.
enum ttn_bm_port : port_id { x_plus = 0, x_minus = 1, y_plus = 2, y_minus = 3 };

}  // namespace toriscope
