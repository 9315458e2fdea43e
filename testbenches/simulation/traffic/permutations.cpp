// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/permutations.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>
#include <string>

#include "testbenches/simulation/traffic/terminal_index.h"

namespace toriscope {
namespace {

/// The number of address bits b of N = 2^b nodes.
unsigned address_bits(const netlist& wiring, const char* pattern) {
  const node_id nodes = wiring.terminal_count();
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
  permutation result(wiring.terminal_count());
  for (node_id n = 0; n < wiring.terminal_count(); ++n) result[n] = map(n);
  return result;
}

node_id reversed(node_id n, unsigned bits) {
  node_id result = 0;
  for (unsigned b = 0; b < bits; ++b) result = result << 1 | (n >> b & 1u);
  return result;
}

/// The router of each terminal is replaced by map(router), its index there stays.
template <class Map>
permutation of_routers(const netlist& wiring, Map map) {
  return of_nodes(wiring, [&](terminal_id t) {
    return terminal_at(wiring, map(wiring.terminal(t).node), index_of(wiring, t));
  });
}

/// For every router, its address with each digit d of radix k replaced by digit(d, k).
template <class Digit>
permutation of_digits(const netlist& wiring, const char* pattern, Digit digit) {
  require_equal_terminals(wiring, std::string("traffic ") + pattern);
  const std::vector<unsigned>& radices = wiring.radices();
  return of_routers(wiring, [&](node_id n) {
    node_id result = 0;
    node_id weight = 1;
    for (std::size_t i = radices.size(); i-- > 0; n /= radices[i], weight *= radices[i])
      result += digit(n % radices[i], radices[i]) * weight;
    return result;
  });
}

/// Takes two digits from each other's places. @throws std::invalid_argument when their radices differ
void exchange(const netlist& wiring, std::size_t a, std::size_t b, std::vector<std::size_t>& partner) {
  const std::vector<unsigned>& radices = wiring.radices();
  if (radices[a] != radices[b])
    throw std::invalid_argument(fmt::format(
        "transpose needs as many rows as columns; {} has digits of radix {} and {} to be exchanged",
        wiring.name(), radices[a], radices[b]));
  std::swap(partner[a], partner[b]);
}

void exchange_halves(const netlist& wiring, std::size_t first, std::size_t digits,
                     std::vector<std::size_t>& partner) {
  for (std::size_t i = first; i < first + digits / 2; ++i) exchange(wiring, i, i + digits / 2, partner);
}

/// An odd number of digits that are an even number of bits together: 4 x 4 x 4, or a ring of 16.
permutation halves_of_bits(const netlist& wiring) {
  const node_id nodes = wiring.terminal_count();
  unsigned half = 0;
  while (node_id{1} << 2 * half < nodes) ++half;
  if (nodes != node_id{1} << 2 * half)
    throw std::invalid_argument(
        fmt::format("transpose needs an even number of dimensions, or of address bits; {} has {} nodes in {}",
                    wiring.name(), nodes, wiring.radices().size()));
  return of_nodes(wiring, [=](node_id n) { return (n << half & (nodes - 1)) | n >> half; });
}

}  // namespace

permutation bit_reversal(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "bit_reversal");
  return of_nodes(wiring, [bits](node_id n) { return reversed(n, bits); });
}

permutation complement(const netlist& wiring) {
  address_bits(wiring, "complement");
  const node_id last = wiring.terminal_count() - 1;
  return of_nodes(wiring, [last](node_id n) { return n ^ last; });
}

permutation bit_flip(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "bit_flip");
  const node_id last = wiring.terminal_count() - 1;
  return of_nodes(wiring, [bits, last](node_id n) { return reversed(n, bits) ^ last; });
}

permutation shuffle(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "shuffle");
  const node_id last = wiring.terminal_count() - 1;
  return of_nodes(wiring,
                  [bits, last](node_id n) { return bits == 0 ? n : (n << 1 | n >> (bits - 1)) & last; });
}

permutation bit_rotation(const netlist& wiring) {
  const unsigned bits = address_bits(wiring, "bit_rotation");
  return of_nodes(wiring, [bits](node_id n) { return bits == 0 ? n : n >> 1 | (n & 1u) << (bits - 1); });
}

permutation transpose(const netlist& wiring) {
  if (terminals_at_each(wiring) == 0) return halves_of_bits(wiring);
  // partner[i]: the place that digit i is taken from.
  std::vector<std::size_t> partner(wiring.radices().size());
  std::iota(partner.begin(), partner.end(), std::size_t{0});
  std::size_t first = 0;
  for (const hierarchy_level& level : wiring.hierarchy()) {
    if (level.digits % 2 == 0)
      exchange_halves(wiring, first, level.digits, partner);
    else if (level.digits == 3 && wiring.hierarchy().size() > 1 && wiring.radices()[first] > 2)
      exchange(wiring, first, first + 2, partner);
    else if (wiring.hierarchy().size() == 1)
      return halves_of_bits(wiring);
    else if (level.digits > 1)
      throw std::invalid_argument(
          fmt::format("transpose needs an even number of binary digits at every level; {} has {}",
                      wiring.name(), level.digits));
    first += level.digits;
  }
  std::vector<node_id> weight(partner.size(), 1);
  for (std::size_t i = partner.size() - 1; i-- > 0;) weight[i] = weight[i + 1] * wiring.radices()[i + 1];
  return of_routers(wiring, [&](node_id n) {
    node_id result = 0;
    for (std::size_t i = partner.size(); i-- > 0; n /= wiring.radices()[i])
      result += n % wiring.radices()[i] * weight[partner[i]];
    return result;
  });
}

permutation tornado(const netlist& wiring) {
  return of_digits(wiring, "tornado",
                   [](unsigned digit, unsigned k) { return (digit + (k + 1) / 2 - 1) % k; });
}

permutation neighbour(const netlist& wiring) {
  return of_digits(wiring, "neighbour", [](unsigned digit, unsigned k) { return (digit + 1) % k; });
}

}  // namespace toriscope
