// SPDX-License-Identifier: Apache-2.0
// Permutations of the terminals: every terminal sends all its packets to one other. Those of bits are of the
// terminal's number in binary and need a power of two terminals; those of digits are of its router's address, and
// the terminal keeps its index at the router.
//
// Sources: Dally and Towles 2004, Table 3.1 (complement, bit reversal, bit rotation, shuffle, transpose, tornado,
// neighbour); Rahman et al. 2009, Sect. 5.3 and 5.4 (the same bit patterns, bit flip, transpose level by level).
#pragma once

#include <utility>
#include <vector>

#include "testbenches/simulation/traffic/traffic_pattern.h"
#include "topologies/netlist.h"

namespace toriscope {

/// The destination of each terminal.
using permutation = std::vector<node_id>;

/// Reverses the bits. All of these: @throws std::invalid_argument with one line when the network does not
/// have the shape
permutation bit_reversal(const netlist& wiring);
/// Complements every bit.
permutation complement(const netlist& wiring);
/// Complements every bit of the reversal.
permutation bit_flip(const netlist& wiring);
/// Rotates the bits left by one.
permutation shuffle(const netlist& wiring);

/// Rotates the bits right by one: d_i = s_(i+1 mod b).
permutation bit_rotation(const netlist& wiring);

/// Exchanges the halves of the address: digit i of n is taken from i + n/2 mod n, at every level of the hierarchy.
/// (y,x) sends to (x,y); of b binary digits this is d_i = s_(i + b/2 mod b), and so it is of the b address bits
/// of a flat network with an odd number of digits. Of a hierarchical network a level of three digits (z,y,x)
/// sends to (x,y,z), "the reversed dimension index" (Rahman et al.), and a level of one digit stays.
/// Where routers differ in their number of terminals it is that of the bits.
/// @throws std::invalid_argument also for an odd number of binary digits, or of address bits
permutation transpose(const netlist& wiring);
/// Adds ceil(k/2) - 1 to every digit, modulo its radix k.
permutation tornado(const netlist& wiring);
/// Adds 1 to every digit, modulo its radix.
permutation neighbour(const netlist& wiring);

class permutation_pattern : public traffic_pattern {
 public:
  explicit permutation_pattern(permutation destinations) : destinations_(std::move(destinations)) {}
  node_id destination(node_id source, random_stream&) const override { return destinations_[source]; }
  destination_weights weights(node_id source) const override { return {0, 0, {{destinations_[source], 1}}}; }

 private:
  permutation destinations_;
};

}  // namespace toriscope
