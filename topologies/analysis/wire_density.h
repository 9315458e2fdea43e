// SPDX-License-Identifier: Apache-2.0
// Pins per node and wire density at constant bisection, for any network, by the counting of Dally 1990,
// Sect. III: channels are made so wide that N wires cross the counted cut (bisection.h), as in a binary
// n-cube with channels of 1 bit.
//
//   width    W = N / directed links across the cut; k/2 for unidirectional k-ary n-cubes (Eq. 7)
//   pins     directed links of a node, in and out, x W; nk for k-ary n-cubes (Eq. 9, Fig. 7)
//   density  wires over a line between two columns (or rows) of the planar layout, all rows (columns)
//            together, each wire going straight; the peak over all lines (Fig. 6: 1364 per row at position
//            341 of a binary 20-cube). Where nodes have positions, each x that occurs is a column, each y a row
//   bound    of that peak, of k-ary n-cubes with even k and n: Eq. 8
#pragma once

#include <cstdint>
#include <optional>

#include "topologies/analysis/bisection.h"
#include "topologies/netlist.h"

namespace toriscope {

struct wire_density {
  double width_bits = 0;       ///< W; 0 when nothing crosses the cut
  unsigned channels_max = 0;   ///< directed links of a node, at most
  double pins_per_node = 0;    ///< at most
  std::uint64_t channels = 0;  ///< directed links over the densest line
  double peak_wires = 0;       ///< W wires each
  double peak_per_row = 0;     ///< peak_wires / rows (columns) that the line crosses
  bool along_y = false;        ///< the line lies between two rows
  unsigned position = 0;       ///< it lies between this column (row) and the next
};

wire_density measure_density(const netlist& net, const counted_cut& cut);

/// Dally 1990, Eq. 8 before normalisation: 2 W sqrt(N) (sqrt(N) - 1) / (k - 1), twice that where links go
/// both ways and k > 2.
double density_bound(unsigned k, unsigned n, double width_bits, bool both_ways);

}  // namespace toriscope
