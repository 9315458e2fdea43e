// SPDX-License-Identifier: Apache-2.0
// Graphs of the literature that the RDT paper's Table 1 compares: to be analysed, without routing. Directed
// ones are taken as undirected, as that table counts their degrees.
//
// Pradhan's graphs, the circular omega network and Hypernet of the same table are left out: their definitions
// could not be established from the sources at hand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// de Bruijn graph of degree d and diameter k: d^k words, an edge where a letter is shifted in. Ports l0, l1
/// .. (shifted to the left, that letter in), r0, r1 .. (to the right). The words of one letter lose their
/// loops, and each pair such as 0101, 1010, which shift into each other both ways, has one edge. Source:
/// Samatham, Pradhan 1989.
std::shared_ptr<netlist> build_de_bruijn(unsigned d, unsigned k);

/// Kautz graph of degree d and diameter k: the (d+1) d^(k-1) words of length k over d+1 letters without equal
/// neighbours. Address: the first letter, then the place of each letter among those that differ from the one
/// before. Ports as for de Bruijn, by that place.
/// Source: Bermond, Peyrat 1989.
std::shared_ptr<netlist> build_kautz(unsigned d, unsigned k);

/// Star graph of n symbols: n! permutations, an edge where the first symbol is exchanged with the i-th (port
/// s2 .. sn). Address: for each place the rank of its symbol among those not yet used.
/// Source: Akers, Harel, Krishnamurthy 1987.
std::shared_ptr<netlist> build_star(unsigned n);

/// Crossed cube of 2^n nodes. Port d<l> leads to the node that differs in bit l, has the same bits above,
/// the same bit l-1 if l is odd, and below, pair by pair (bits 2i+1, 2i), the related pair: 00-00, 10-10,
/// 01-11. Source: Efe 1992.
std::shared_ptr<netlist> build_crossed_cube(unsigned n);

/// Midimew: the ring of N nodes with chords b-1 (ports a+ a-) and b (ports b+ b-), b = sqrt(N/2) rounded up.
/// Source: Beivide, Herrada, Balcazar, Arruabarrena 1991.
std::shared_ptr<netlist> build_midimew(unsigned nodes);

/// The node numbers of words of letters, for the networks above that are not numbered by digits alone.
node_id kautz_node(unsigned d, const std::vector<unsigned>& word);
std::vector<unsigned> kautz_word(unsigned d, unsigned k, node_id node);
node_id star_node(const std::vector<unsigned>& permutation);
std::vector<unsigned> star_permutation(unsigned n, node_id node);

}  // namespace toriscope
