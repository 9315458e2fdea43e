// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/dally_equations.h"

#include <algorithm>
#include <cmath>

namespace toriscope::dally {

cube cube::of_nodes(double nodes, double n) { return {std::pow(nodes, 1 / n), n}; }

double cube::nodes() const { return std::pow(k, n); }

double wormhole_latency(double distance, double aspect) { return distance + aspect; }

double bisection_width(const cube& c, double width_bits) { return 2 * width_bits * c.nodes() / c.k; }

double channel_width(const cube& c) { return c.k / 2; }

std::vector<unsigned> row_density_of_binary_cube(unsigned dimensions_in_row) {
  const unsigned nodes = 1u << dimensions_in_row;
  std::vector<unsigned> wires;
  for (unsigned left = 1; left < nodes; ++left) {
    unsigned links = 0;
    for (unsigned bit = 1; bit < nodes; bit *= 2) {
      // Over the gap go the links of the block of 2 bit nodes that it lies in: more, the nearer to its
      // middle.
      const unsigned in_block = left % (2 * bit);
      links += std::min(in_block, 2 * bit - in_block);
    }
    wires.push_back(2 * links);
  }
  return wires;
}

double pins(const cube& c) { return c.n * c.k; }

double mean_distance(const cube& c) { return c.n * (c.k - 1) / 2; }

double aspect_ratio(const cube& c, double message_bits) { return message_bits / channel_width(c); }

double network_latency(const cube& c, double message_bits) {
  return wormhole_latency(mean_distance(c), aspect_ratio(c, message_bits));
}

double latency_slope(const cube& c, double message_bits) {
  const double log_k = std::log(c.k);
  const double log_nodes = c.n * log_k;
  return (c.k - 1 - c.k * log_k) / 2 + 2 * message_bits * log_k * log_k / (c.k * log_nodes);
}

double balanced_dimension(double nodes, double message_bits) {
  // D grows with k more than L/W does: D > L/W for few dimensions, D < L/W for many.
  double few = 1;
  double many = std::log2(nodes);
  for (int i = 0; i < 100; ++i) {
    const double n = (few + many) / 2;
    const cube c = cube::of_nodes(nodes, n);
    (mean_distance(c) > aspect_ratio(c, message_bits) ? few : many) = n;
  }
  return few;
}

double longest_wire(const cube& c) { return std::pow(c.k, c.n / 2 - 1); }

double channel_cycle(const cube& c, wire_delay delay) {
  switch (delay) {
    case wire_delay::constant:
      return 1;
    case wire_delay::logarithmic:
      return 1 + std::log(longest_wire(c));
    case wire_delay::linear:
      break;
  }
  return longest_wire(c);
}

double network_latency(const cube& c, double message_bits, wire_delay delay) {
  return channel_cycle(c, delay) * network_latency(c, message_bits);
}

unsigned best_dimension(double nodes, double message_bits, wire_delay delay) {
  const auto latency = [&](unsigned n) {
    return network_latency(cube::of_nodes(nodes, n), message_bits, delay);
  };
  const auto most = static_cast<unsigned>(std::lround(std::log2(nodes)));
  unsigned best = 2;
  for (unsigned n = 3; n <= most; ++n)
    if (latency(n) < latency(best)) best = n;
  return best;
}

double capacity(const cube& c) { return c.n * channel_width(c) / mean_distance(c); }

}  // namespace toriscope::dally
