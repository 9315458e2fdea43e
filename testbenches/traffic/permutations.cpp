// SPDX-License-Identifier: Apache-2.0
#include "testbenches/traffic/permutations.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toriscope {
namespace {

/// The number of address bits b of N = 2^b nodes.
unsigned address_bits(const netlist& wiring, const char* pattern) {
  const node_id nodes = wiring.node_count();
  if (nodes & (nodes - 1))
    throw std::invalid_argument(std::string(pattern) +
                                " works on the bits of node numbers and needs 2^b nodes; " + wiring.name() +
                                " has " + std::to_string(nodes));
  unsigned bits = 0;
  while (node_id{1} << bits < nodes) ++bits;
  return bits;
}

template <class Map>
permutation of_nodes(const netlist& wiring, Map map) {
  permutation result(wiring.node_count());
  for (node_id n = 0; n < wiring.node_count(); ++n) result[n] = map(n);
  return result;
}

node_id reversed(node_id n, unsigned bits) {
  node_id result = 0;
  for (unsigned b = 0; b < bits; ++b) result = result << 1 | (n >> b & 1u);
  return result;
}

/// For every node, its address with each digit d of radix k replaced by digit(d, k).
template <class Digit>
permutation of_digits(const netlist& wiring, Digit digit) {
  const std::vector<unsigned>& radices = wiring.radices();
  return of_nodes(wiring, [&](node_id n) {
    node_id result = 0;
    node_id weight = 1;
    for (std::size_t i = radices.size(); i-- > 0; n /= radices[i], weight *= radices[i])
      result += digit(n % radices[i], radices[i]) * weight;
    return result;
  });
}

}  // namespace

permutation bit_reversal(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "bit_reversal");
  return of_nodes(wiring, [bits](node_id n) { return reversed(n, bits); });
}

permutation complement(const netlist& wiring) {
  address_bits(wiring, "complement");
  const node_id last = wiring.node_count() - 1;
  return of_nodes(wiring, [last](node_id n) { return n ^ last; });
}

permutation bit_flip(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "bit_flip");
  const node_id last = wiring.node_count() - 1;
  return of_nodes(wiring, [bits, last](node_id n) { return reversed(n, bits) ^ last; });
}

permutation shuffle(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "shuffle");
  const node_id last = wiring.node_count() - 1;
  return of_nodes(wiring,
                  [bits, last](node_id n) { return bits == 0 ? n : (n << 1 | n >> (bits - 1)) & last; });
}

permutation transpose(const netlist& wiring) {
  const std::vector<unsigned>& radices = wiring.radices();
  // partner[i]: the place that digit i is taken from.
  std::vector<std::size_t> partner(radices.size());
  bool moves = false;
  std::size_t first = 0;
  for (const hierarchy_level& level : wiring.hierarchy()) {
    for (std::size_t i = 0; i < level.digits; ++i) {
      partner[first + i] = first + level.digits - 1 - i;
      moves = moves || partner[first + i] != first + i;
      if (radices[first + i] != radices[partner[first + i]])
        throw std::invalid_argument("transpose needs as many rows as columns; " + wiring.name() +
                                    " has digits of radix " + std::to_string(radices[first + i]) + " and " +
                                    std::to_string(radices[partner[first + i]]) + " to be exchanged");
    }
    first += level.digits;
  }
  if (!moves) throw std::invalid_argument("transpose needs two dimensions; " + wiring.name() + " has one");
  std::vector<node_id> weight(radices.size(), 1);
  for (std::size_t i = radices.size() - 1; i-- > 0;) weight[i] = weight[i + 1] * radices[i + 1];
  return of_nodes(wiring, [&](node_id n) {
    node_id result = 0;
    for (std::size_t i = radices.size(); i-- > 0; n /= radices[i])
      result += n % radices[i] * weight[partner[i]];
    return result;
  });
}

permutation tornado(const netlist& wiring) {
  return of_digits(wiring, [](unsigned digit, unsigned k) { return (digit + (k + 1) / 2 - 1) % k; });
}

permutation neighbour(const netlist& wiring) {
  return of_digits(wiring, [](unsigned digit, unsigned k) { return (digit + 1) % k; });
}

}  // namespace toriscope
