// SPDX-License-Identifier: Apache-2.0
// How much the links and the injection and ejection ports of a network are used in a window
// (docs/model.md, "Links and ports"), and which of them is the busiest.
//
//   use  made from the flits that each wire (topologies/wire_place.h) sent in the window
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "links/flit.h"
#include "testbenches/simulation/statistics/statistic.h"
#include "topologies/route.h"
#include "topologies/wire_place.h"

namespace toriscope {

class link_use {
 public:
  /// A link or port this busy is full.
  static constexpr double full = 0.95;

  /// @param wiring  outlives this
  /// @param flits   by wire, in the window; none for those that it ends before
  /// @param cycles  of the window; 0: nothing is in use
  link_use(const netlist& wiring, std::vector<std::uint64_t> flits, cycle_t cycles);

  /// Flits per cycle.
  double utilisation(wire_id w) const;
  /// Share of the cycles in which the wire is in use, at most 1.
  double busy(wire_id w) const;
  /// The busiest wire; of several the first.
  wire_id busiest() const { return busiest_; }
  /// Flits over the busiest wire and all that are at least nine tenths as busy.
  std::uint64_t flits_where_busy() const;
  /// The busiest wire on the way of packets from `source` to each of `destinations`: their injection port, the
  /// links of the first options of the routing function (path.h), their ejection ports.
  /// @param vcs           of each port, as the routing function was made for
  /// @param destinations  destinations_of(pattern.weights(source), ...), topologies/analysis/destination_weights.h
  wire_id busiest_on_routes(const routing_function& routing, unsigned vcs, node_id source,
                            const std::vector<node_id>& destinations) const;

  /// "the link 33 x+ -> 34", "the ejection port of node 27 (33)": number, and address where it differs.
  std::string in_words(wire_id w) const;
  /// A sentence about the busiest one: whether it is full, and how busy it is.
  std::string sentence() const;

  /// links.utilisation_..., links.busy_..., bottleneck....
  statistics figures() const;
  /// fairness....: how alike the terminals are in what their interfaces sent; of use where all are offered the same.
  statistics fairness() const;
  /// By number of the link: "links" (flits per cycle), "links_busy"; by node: "injection_ports",
  /// "ejection_ports" (busy share).
  std::vector<std::pair<std::string, std::vector<double>>> lists() const;

 private:
  const netlist& wiring_;
  std::vector<std::uint64_t> flits_;
  double cycles_;
  wire_id busiest_ = 0;
};

}  // namespace toriscope
