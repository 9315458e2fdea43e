// SPDX-License-Identifier: Apache-2.0
// For tests: what Boost.Graph says about a netlist, seen as nothing but nodes and links.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
// edge_connectivity.hpp of Boost 1.74 sets off a false alarm of GCC 12.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/graph/edge_connectivity.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

inline constexpr unsigned unreachable = ~0u;

/// Links on a shortest path from `source` to each node; `unreachable` where there is none.
inline std::vector<unsigned> bfs_distances(const netlist& net, node_id source) {
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  graph g(net.node_count());
  for (const netlist_link& wire : net.links()) boost::add_edge(wire.from, wire.to, g);
  std::vector<unsigned> distance(net.node_count(), unreachable);
  distance[source] = 0;
  const auto recorder = boost::record_distances(distance.data(), boost::on_tree_edge());
  boost::breadth_first_search(g, boost::vertex(source, g), boost::visitor(boost::make_bfs_visitor(recorder)));
  return distance;
}

/// Wires between two ports, whether one link uses them or a pair of links both ways.
inline std::size_t physical_links(const netlist& net) {
  using end = std::pair<node_id, port_id>;
  std::set<std::pair<end, end>> wires;
  for (const netlist_link& wire : net.links()) {
    const end from{wire.from, wire.from_port};
    const end to{wire.to, wire.to_port};
    wires.insert(from < to ? std::make_pair(from, to) : std::make_pair(to, from));
  }
  return wires.size();
}

/// The least number of physical links whose loss cuts the network in two (links taken as undirected).
inline std::size_t arc_connectivity(const netlist& net) {
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  graph g(net.node_count());
  std::set<std::pair<node_id, node_id>> seen;
  for (const netlist_link& wire : net.links())
    if (seen.insert(std::minmax(wire.from, wire.to)).second) boost::add_edge(wire.from, wire.to, g);
  std::vector<graph::edge_descriptor> cut;
  return boost::edge_connectivity(g, std::back_inserter(cut));
}

}  // namespace toriscope
