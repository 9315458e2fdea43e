// SPDX-License-Identifier: Apache-2.0
// k-ary n-cubes: meshes, tori (mixed radix allowed) and unidirectional cubes.
//
// Dimension 0 is x, the last digit of the address; 1 is y, 2 is z, then d3, d4 ... Port x+ leads to the node
// whose x is larger by one (modulo k), x- to the one whose x is smaller by one. A node has only the ports
// that a link ends at: at the border of a mesh some are left out.
//
// Rings of 2 and 1: with k = 2 the neighbours at +1 and -1 are one and the same node. The two nodes get one
// full-duplex link (not two parallel ones): x+ at the node with x = 0, x- at the node with x = 1, as in a
// mesh; it counts as no wrap link. A unidirectional ring of 2 is the same wires, so cube:2,n and ucube:2,n
// are the same network (the binary n-cube). With k = 1 there is no link in that dimension.
//
// Limits: at most 15 dimensions with k > 2 (31 ports with the local one).
// Source: Dally 1990, Sect. II (k-ary n-cubes; unidirectional ones are those of its evaluation).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

struct cube_shape {
  std::string name;               ///< of the top module: "mesh", "torus", "cube", "ucube"
  std::vector<unsigned> radices;  ///< per digit, most significant first: for two dimensions rows, columns
  bool wrap = true;               ///< rings (torus) or rows (mesh)
  bool unidirectional = false;    ///< links in + direction only

  /// The number of dimensions.
  unsigned dimensions() const { return static_cast<unsigned>(radices.size()); }
  /// The radix of dimension d (0 = x).
  unsigned radix(unsigned d) const { return radices[radices.size() - 1 - d]; }
  /// Whether dimension d has wrap links: a ring of more than 2.
  bool ring(unsigned d) const { return wrap && radix(d) > 2; }
};

/// "x", "y", "z", "d3" ...
std::string dimension_name(unsigned d);

/// @throws std::invalid_argument when a node would have too many ports
std::shared_ptr<netlist> build_cube(const cube_shape& shape);

}  // namespace toriscope
