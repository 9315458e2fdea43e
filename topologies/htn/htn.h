// SPDX-License-Identifier: Apache-2.0
// Wiring of the hierarchical torus networks.
//
// Ports of a node, in order: x+ x- y+ y- z+ z- as far as the BM has them (on the border of a mesh BM, and
// with m = 2, some are missing: two nodes are joined by one pair of links), then its gates from Level 2 up,
// z y x, + before -: L2_Y+ L2_X-. L2_Y+ leads to the next subnetwork in y and comes in there by L2_Y-. A ring of n
// subnetworks has n links (pairs) for each gate, also where n = 2: two of them, between different nodes.
// Links of the BM have level 1.
//
// Lengths: in the layout of place_in_plane(), pitches along x plus pitches along y.
//
// Source: Rahman et al. 2012, Sect. II.
#pragma once

#include <memory>

#include "topologies/htn/htn_shape.h"
#include "topologies/netlist.h"

namespace toriscope {

std::shared_ptr<netlist> build_htn(const htn_shape& shape);

/// What the ports of a BM node are called and where they lead; the same in every BM.
class htn_port_map {
 public:
  explicit htn_port_map(const htn_shape& shape);

  static constexpr port_id none = 0xff;

  /// @param node  of the BM
  unsigned count(unsigned node) const { return static_cast<unsigned>(names_[node].size()); }
  const std::vector<std::string>& names(unsigned node) const { return names_[node]; }
  /// The port to the neighbour in a dimension of the BM; none: it has none.
  port_id bm_port(unsigned node, unsigned dimension, bool plus) const {
    return bm_ports_[6 * node + 2 * dimension + (plus ? 0 : 1)];
  }
  /// The port to the neighbouring BM in a ring, by index in htn_rings(); none: it is not a gate of it.
  port_id ring_port(unsigned node, unsigned ring, bool plus) const {
    return ring_ports_[2 * (ring * names_.size() + node) + (plus ? 0 : 1)];
  }

 private:
  port_id add(unsigned node, std::string name);

  std::vector<std::vector<std::string>> names_;  ///< by BM node
  std::vector<port_id> bm_ports_;
  std::vector<port_id> ring_ports_;
};

struct plane_position {
  unsigned x;
  unsigned y;
};

/// The place of a node in a planar layout, in node pitches. Subnetworks are tiled by their x and y digits;
/// what differs in z - the planes of a BM, those of an n x n x n level - is set side by side in rows of
/// ceil(sqrt(k)) out of k.
plane_position place_in_plane(const htn_shape& shape, const std::vector<unsigned>& digits);

}  // namespace toriscope
