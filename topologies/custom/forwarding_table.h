// SPDX-License-Identifier: Apache-2.0
// Destination-based routes of a whole network: for every node and destination one output port.
//
// Limits: at most 4096 nodes; a byte for each ordered pair.
#pragma once

#include <cstddef>
#include <vector>

#include "topologies/custom/network_file.h"
#include "topologies/netlist.h"

namespace toriscope {

inline constexpr node_id max_table_nodes = 4096;

class forwarding_table {
 public:
  static constexpr port_id none = 0xff;

  explicit forwarding_table(node_id nodes) : nodes_(nodes), ports_(std::size_t{nodes} * nodes, none) {}

  node_id nodes() const { return nodes_; }
  port_id at(node_id node, node_id destination) const { return ports_[index(node, destination)]; }
  void set(node_id node, node_id destination, port_id port) { ports_[index(node, destination)] = port; }
  std::size_t index(node_id node, node_id destination) const {
    return std::size_t{destination} * nodes_ + node;
  }

 private:
  node_id nodes_;
  std::vector<port_id> ports_;
};

inline constexpr unsigned no_way = ~0u;
/// Links from each node to `destination`; no_way: it cannot be reached.
/// @param usable  by link; null: all are
void distances_to(const netlist& net, node_id destination, std::vector<unsigned>& distance,
                  const std::vector<bool>* usable = nullptr);

/// Which of several ports that lead nearer a table has.
enum class path_choice {
  lowest,
  spread,  ///< the number of the destination chooses
  all,     ///< as `spread`, and in the next table the next one: N tables, that each may be in as many of them
};
inline constexpr std::size_t max_tables = 64;

/// Shortest paths, counted in links. With `all` several tables, max_tables at most; else one.
/// @throws std::invalid_argument when some node cannot be reached from another
std::vector<forwarding_table> shortest_paths(const netlist& net, const network_file& file,
                                             path_choice choice = path_choice::lowest);

/// The routes that the file gives.
/// @throws std::invalid_argument when one is missing, names no port, or leads round in a circle
forwarding_table given_paths(const netlist& net, const network_file& file);

}  // namespace toriscope
