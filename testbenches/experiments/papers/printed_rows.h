// SPDX-License-Identifier: Apache-2.0
// Rows of printed tables: figures of a network beside those of the network as built.
//
//   distances  by the text's definition; what the others give - as routed or by shortest paths, over distinct
//              or over all pairs, with full-duplex links - stands beside it as other readings
//   cost       degree x diameter, both from the same row: arithmetic
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

/// Where diameter and mean are taken from.
enum class distance_kind { shortest, routed };

struct definition {
  distance_kind kind = distance_kind::shortest;
  bool distinct = true;  ///< pairs of nodes, in the mean
};

/// A figure of a network.
struct network_measure {
  const char* name;  ///< in items: "average distance"
  double (*value)(const network_analysis&, const distance_summary&, bool distinct);
  enum { plain, distance, cut } kind = plain;

  /// None: the network has no such distances, or its arc connectivity was not worked out.
  std::optional<double> of(const network_analysis& network, const definition& by = {}) const;
  bool operator==(const network_measure& other) const { return value == other.value; }
};

namespace quantity {
extern const network_measure degree, diameter, cost, mean, arc_connectivity, bisection, wiring, nodes,
    longest_link, fault_tolerance;
}

struct printed_value {
  network_measure what;
  double printed;
  unsigned decimals = 0;
  std::string reason{};   ///< what is known of why it differs, should it
  std::string open{};     ///< what the text would have to say for the value to be determined; empty: it does
  std::string reading{};  ///< more about this value
};

struct printed_row {
  std::string network;                                             ///< as printed
  analysed_network built;                                          ///< no spec: it is not built
  std::vector<printed_value> values;                               ///< each a verdict
  distance_kind distances = distance_kind::shortest;               ///< what the text says
  std::string reading{};                                           ///< more about the network as built
  std::string distance_reading{};                                  ///< more about its distances
  std::vector<std::pair<analysed_network, std::string>> others{};  ///< networks of other readings, in words
  double printed_nodes = 0;  ///< not 0: the reading says so when ours has others
  bool costly = false;
};

/// "Table 1: TTN(2,3,0)".
/// @param with_cuts  arc connectivity is among the values
paper_item row_item(const std::string& table, const printed_row& row, bool with_cuts = false);

/// A topology by its spec, hierarchical ones with one-way links; meshes and tori not routed.
analysed_network choice_of(const std::string& spec);

}  // namespace toriscope
