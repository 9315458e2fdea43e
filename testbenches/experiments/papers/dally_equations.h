// SPDX-License-Identifier: Apache-2.0
// The equations of Dally 1990 ("Performance Analysis of k-ary n-cube Interconnection Networks", IEEE Trans.
// Computers 39(6)) that know no traffic: Eq. 1, 3, 6, 7 and 9-20. Those of traffic are in dally_contention.h.
//
//   networks  unidirectional k-ary n-cubes at constant bisection: channels of W = k/2 bits (Eq. 7). The radix
//             may be no integer, as in the paper's figures 7-10
//   units     lengths in bits, times in cycles of a channel (T_c), wires in pitches between nodes
#pragma once

#include <vector>

namespace toriscope::dally {

struct cube {
  double k;  ///< radix, at least 2
  double n;  ///< dimensions

  /// The n-dimensional cube of this number of nodes: k = N^(1/n) (Eq. 1).
  static cube of_nodes(double nodes, double n);
  /// k^n (Eq. 1).
  double nodes() const;
};

/// How the cycle of a channel grows with the longest wire (Sect. II-C).
enum class wire_delay { constant, logarithmic, linear };

/// Eq. 3: D + L/W. @param aspect  L/W
double wormhole_latency(double distance, double aspect);

/// Eq. 6: 2 W N / k, wires over the midpoint.
double bisection_width(const cube& c, double width_bits);
/// Eq. 7: k/2 bits, so that the bisection is N wires.
double channel_width(const cube& c);
/// Fig. 6: wires over each of the 2^b - 1 gaps between the 2^b nodes of a row in which b dimensions of a binary
/// cube lie, both directions; [i] is behind node i.
std::vector<unsigned> row_density_of_binary_cube(unsigned dimensions_in_row);
/// Eq. 9: n k, of a node.
double pins(const cube& c);

/// Eq. 11: n (k - 1) / 2 channels, over all pairs, a node and itself included.
double mean_distance(const cube& c);
/// L/W = 2L/k cycles.
double aspect_ratio(const cube& c, double message_bits);
/// Eq. 12: D + 2L/k, in cycles of a channel, however long these are.
double network_latency(const cube& c, double message_bits);
/// Eq. 13: the slope of Eq. 12 over n, with the number of nodes held.
double latency_slope(const cube& c, double message_bits);
/// The dimension n_x at which D = L/W (Eq. 14), for this number of nodes.
double balanced_dimension(double nodes, double message_bits);

/// Eq. 16: k^(n/2 - 1).
double longest_wire(const cube& c);
/// Eq. 17: the cycle of a channel, in cycles of a channel of length 1.
double channel_cycle(const cube& c, wire_delay delay);
/// Eq. 18: Eq. 12 times Eq. 17.
double network_latency(const cube& c, double message_bits, wire_delay delay);
/// The whole dimension n = 2 .. log2 N with the smallest Eq. 18.
unsigned best_dimension(double nodes, double message_bits, wire_delay delay);

/// Eq. 20, exactly: k/(k - 1) bits per node and cycle; the paper goes on with 1.
double capacity(const cube& c);

}  // namespace toriscope::dally
