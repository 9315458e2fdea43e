// SPDX-License-Identifier: Apache-2.0
// The netlist: what a topology builder returns. A value that the elaborator, the metrics, the deadlock proof,
// the wave files and the exports all read.
//
// Nodes are numbered by their address digits, most significant first. A node has named ports; a port has an
// outgoing link, an incoming link, or both (full duplex). The local port (to the network interface) is not in
// the netlist: its number is the number of ports of the node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/route.h"

namespace toriscope {

using link_id = std::uint32_t;
inline constexpr link_id no_link = ~link_id{0};

/// A port of a node.
struct netlist_port {
  std::uint16_t name = 0;  ///< index into netlist::port_names()
  link_id out = no_link;   ///< the link that leaves by this port
  link_id in = no_link;    ///< the link that comes in by this port
};

/// A directed link.
struct netlist_link {
  node_id from = 0;
  node_id to = 0;
  port_id from_port = 0;
  port_id to_port = 0;
  std::uint8_t level = 1;        ///< level of the hierarchy; 1 in a basic module and in flat networks
  std::uint8_t flit_cycles = 1;  ///< F: cycles that a flit occupies the link (docs/model.md, "Narrow links")
  std::uint16_t delay_cycles = 1;  ///< D >= 1: what is sent in t is shown in t+D
  std::uint16_t length = 1;        ///< wire length in a planar layout, in node pitches
};

/// What a link has of its own, whatever is set for all links or for those of its level; 0: nothing.
struct own_link_values {
  std::uint16_t delay_cycles = 0;
  std::uint16_t width_bits = 0;
};

/// A run of address digits that names one level of modules: {"bm", 2} gives bm_1_2 for the digits 1, 2.
struct hierarchy_level {
  std::string prefix;
  unsigned digits = 1;
};

/// Ports of one node, in order.
class port_range {
 public:
  port_range(const netlist_port* first, const netlist_port* last) : first_(first), last_(last) {}
  const netlist_port* begin() const { return first_; }
  const netlist_port* end() const { return last_; }
  std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  const netlist_port& operator[](std::size_t i) const { return first_[i]; }

 private:
  const netlist_port* first_;
  const netlist_port* last_;
};

class netlist {
 public:
  /// @param name       of the top module in waves: "ttn", "torus"
  /// @param radices    of the address digits, most significant first; their product is the number of nodes
  /// @param hierarchy  how the digits group into modules, outermost first; the last level names the nodes
  /// @throws std::invalid_argument when the digits of the hierarchy are not those of the address
  netlist(std::string name, std::vector<unsigned> radices, std::vector<hierarchy_level> hierarchy);

  // --- building ---
  /// Makes room ahead: totals over the whole network. Optional.
  void reserve(std::size_t nodes, std::size_t ports, std::size_t links);
  /// Adds the ports of the next node (0, 1, 2 ...) by name.
  void add_node(const std::vector<std::string_view>& port_names);
  /// Adds a directed link. @throws std::logic_error when a side of a port is already taken
  link_id connect(node_id from, port_id from_port, node_id to, port_id to_port, std::uint8_t level,
                  std::uint16_t length);
  /// The port of a node with this name. @throws std::out_of_range
  port_id port_named(node_id node, std::string_view name) const;
  netlist_link& link(link_id l) { return links_[l]; }
  void set_own_values(link_id l, own_link_values values);

  // --- reading ---
  const std::string& name() const { return name_; }
  node_id node_count() const { return static_cast<node_id>(node_count_); }
  const std::vector<unsigned>& radices() const { return radices_; }
  const std::vector<hierarchy_level>& hierarchy() const { return hierarchy_; }

  port_range ports(node_id node) const {
    return {ports_.data() + first_port_[node], ports_.data() + first_port_[node + 1]};
  }
  /// The number of the node's local port, which is the number of its netlist ports.
  port_id local_port(node_id node) const { return static_cast<port_id>(ports(node).size()); }
  /// "x+", "L2_V_out0"; "local" for the local port.
  const std::string& port_name(node_id node, port_id port) const;

  const std::vector<netlist_link>& links() const { return links_; }
  const netlist_link& link(link_id l) const { return links_[l]; }
  bool has_own_values() const { return !own_.empty(); }
  own_link_values own_values(link_id l) const { return own_.empty() ? own_link_values{} : own_[l]; }

  /// Address digits of a node, most significant first.
  std::vector<unsigned> digits(node_id node) const;
  /// The node with these digits.
  node_id node_at(const std::vector<unsigned>& digits) const;
  /// "bm_1_2.node_0_3": the node's place below the top module.
  std::string path(node_id node) const;
  /// The digits as one string, a dot between hierarchy levels: "12.03".
  std::string address(node_id node) const;

 private:
  std::uint16_t intern(std::string_view port_name);

  std::string name_;
  std::size_t node_count_ = 1;
  std::vector<unsigned> radices_;
  std::vector<hierarchy_level> hierarchy_;
  std::vector<std::string> port_names_;
  std::array<std::uint16_t, 64> guesses_{};  ///< of intern(): where a name like this one was found last
  std::vector<std::uint32_t> first_port_{0};
  std::vector<netlist_port> ports_;
  std::vector<netlist_link> links_;
  std::vector<own_link_values> own_;  ///< by link; empty: none has any
};

}  // namespace toriscope
