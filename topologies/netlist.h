// SPDX-License-Identifier: Apache-2.0
// The netlist: what a topology builder returns. A value that the elaborator, the metrics, the deadlock proof,
// the wave files and the exports all read.
//
// Nodes are numbered by their address digits, most significant first. A node has named ports; a port has an
// outgoing link, an incoming link, or both (full duplex). A terminal is a source and destination of packets, with a
// network interface; it hangs on a local port of a node. Without set_terminals() each node has one terminal, of the
// node's number. Local ports are not among the ports of the netlist: their numbers follow those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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
  std::uint16_t width_bits = 0;    ///< of its wires; 0: those of a flit
  std::uint32_t length = 1;        ///< wire length in a planar layout, in node pitches
};

/// What a link has of its own, whatever is set for all links or for those of its level; 0: nothing.
struct own_link_values {
  std::uint16_t delay_cycles = 0;
  std::uint16_t width_bits = 0;
};

/// What the router of a node has of its own, whatever is set for all (docs/model.md, "Routers of their own"); 0, empty:
/// nothing.
struct own_node_values {
  unsigned vcs = 0;           ///< per port
  unsigned depth = 0;         ///< flits per VC
  std::string pipeline = {};  ///< by name
  bool is_empty() const { return vcs + depth == 0 && pipeline.empty(); }
};

/// Where a terminal hangs.
struct netlist_terminal {
  node_id node = 0;  ///< where its packets enter: its network interface is there
  port_id port = 0;  ///< the local port
  node_id exit =
      0;  ///< where packets for it leave: the same node but in networks of one direction (a butterfly)
  port_id exit_port = 0;
};

/// Where a node is drawn, in node pitches: x to the right, y downward.
struct node_position {
  double x = 0;
  double y = 0;
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
                  std::uint32_t length = 1);
  /// The port of a node with this name. @throws std::out_of_range
  port_id port_named(node_id node, std::string_view name) const;
  netlist_link& link(link_id l) { return links_[l]; }
  void set_own_values(link_id l, own_link_values values);
  /// Terminals 0, 1, 2 ..., by the node that each hangs on, when all nodes have been added. The local ports of a node
  /// follow each other in the order of its terminals.
  /// @param nodes  where packets enter   @param exits  where they leave; empty: the same nodes
  /// @throws std::invalid_argument when a node has too many ports
  void set_terminals(const std::vector<node_id>& nodes, const std::vector<node_id>& exits = {});
  /// Names of all nodes, each with the modules that it is in: "chiplet_2.cpu-0". They are the addresses then.
  /// @param paths  as they can name modules: "chiplet_2.cpu_0"; empty: the names
  void set_node_names(std::vector<std::string> names, std::vector<std::string> paths = {});
  /// What a user noted. @param of_nodes, of_links  by number; "": nothing; both may be empty
  void set_comments(std::string of_network, std::vector<std::string> of_nodes,
                    std::vector<std::string> of_links);
  void set_positions(std::vector<node_position> of_nodes) { positions_ = std::move(of_nodes); }
  /// No layout is known: the lengths of links, all 1, tell nothing.
  void set_without_lengths() { has_lengths_ = has_places_ = false; }
  /// Where the nodes are is not known, but how long links are.
  void set_without_places() { has_places_ = false; }
  void set_node_values(std::vector<own_node_values> of_nodes) { node_values_ = std::move(of_nodes); }
  /// Address digits whose rings are folded in the plane (analysis/folded_layout.h).
  void set_folded_digits(std::vector<bool> digits) { folded_ = std::move(digits); }

  // --- reading ---
  const std::string& name() const { return name_; }
  node_id node_count() const { return static_cast<node_id>(node_count_); }
  const std::vector<unsigned>& radices() const { return radices_; }
  const std::vector<hierarchy_level>& hierarchy() const { return hierarchy_; }

  port_range ports(node_id node) const {
    return {ports_.data() + first_port_[node], ports_.data() + first_port_[node + 1]};
  }
  /// The number of the node's first local port, which is the number of its netlist ports.
  port_id local_port(node_id node) const { return static_cast<port_id>(ports(node).size()); }
  /// Local ports of the node: its terminals.
  unsigned local_ports(node_id node) const {
    return has_plain_terminals() ? 1 : first_local_[node + 1] - first_local_[node];
  }
  /// Ports of the node, the local ones included.
  unsigned port_count(node_id node) const {
    return static_cast<unsigned>(ports(node).size()) + local_ports(node);
  }
  bool is_local(node_id node, port_id port) const { return port >= ports(node).size(); }
  /// "x+", "L2_V_out0"; "local" for the local port, "local0", "local1" ... for several.
  std::string port_name(node_id node, port_id port) const;

  /// Each node has one terminal, of its own number.
  bool has_plain_terminals() const { return terminals_.empty(); }
  terminal_id terminal_count() const {
    return static_cast<terminal_id>(has_plain_terminals() ? node_count_ : terminals_.size());
  }
  netlist_terminal terminal(terminal_id t) const {
    return has_plain_terminals() ? netlist_terminal{t, local_port(t), t, local_port(t)} : terminals_[t];
  }
  /// Packets of the terminal to itself use no link.
  bool leaves_where_it_enters(terminal_id t) const { return terminal(t).exit == terminal(t).node; }
  /// The terminal whose packets enter (leave) by local port `port` of the node; no_terminal: none do.
  terminal_id entering(node_id node, port_id port) const {
    return has_plain_terminals() ? node : local_[first_local_[node] + port - local_port(node)].entering;
  }
  /// Calls f(node, port) for each node where packets enter, with the first local port that they enter by.
  template <class Function>
  void for_each_entry(Function f) const {
    for (node_id node = 0; node < node_count(); ++node)
      for (port_id p = local_port(node); p < port_count(node); ++p)
        if (entering(node, p) != no_terminal) {
          f(node, p);
          break;
        }
  }
  terminal_id leaving(node_id node, port_id port) const {
    return has_plain_terminals() ? node : local_[first_local_[node] + port - local_port(node)].leaving;
  }

  const std::vector<netlist_link>& links() const { return links_; }
  const netlist_link& link(link_id l) const { return links_[l]; }
  bool has_own_values() const { return !own_.empty(); }
  own_link_values own_values(link_id l) const { return own_.empty() ? own_link_values{} : own_[l]; }

  bool has_node_values() const { return !node_values_.empty(); }
  /// Only where has_node_values().
  const own_node_values& node_values(node_id n) const { return node_values_[n]; }
  /// VCs of the node's input ports, where nodes without a number of their own have `vcs`.
  unsigned vcs_of(node_id n, unsigned vcs) const {
    return node_values_.empty() || node_values_[n].vcs == 0 ? vcs : node_values_[n].vcs;
  }
  /// Flits per VC there, where nodes without a number of their own have `depth`.
  unsigned depth_of(node_id n, unsigned depth) const {
    return node_values_.empty() || node_values_[n].depth == 0 ? depth : node_values_[n].depth;
  }

  bool has_node_names() const { return !node_names_.empty(); }
  /// What a user noted of the network, a node, a link; empty: nothing.
  const std::string& comment() const { return comment_; }
  std::string node_comment(node_id n) const { return node_comments_.empty() ? "" : node_comments_[n]; }
  std::string link_comment(link_id l) const { return link_comments_.empty() ? "" : link_comments_[l]; }
  /// By node; empty: the address says where it is.
  const std::vector<node_position>& positions() const { return positions_; }
  bool has_lengths() const { return has_lengths_; }
  bool has_places() const { return has_places_; }
  bool is_folded(std::size_t digit) const { return !folded_.empty() && folded_[digit]; }
  /// Address digits of a node, most significant first.
  std::vector<unsigned> digits(node_id node) const;
  /// The node with these digits.
  node_id node_at(const std::vector<unsigned>& digits) const;
  /// "bm_1_2.node_0_3": the node's place below the top module; its name as modules have them where nodes have
  /// names.
  std::string path(node_id node) const;
  /// The digits as one string, a dot between hierarchy levels: "12.03"; its name where nodes have names.
  std::string address(node_id node) const;
  /// The address of the node that it hangs on; where that has several terminals, with its number there: "12.03.t1".
  std::string terminal_address(terminal_id t) const;
  /// Likewise its place below the top module: "bm_1_2.node_0_3.t1".
  std::string terminal_path(terminal_id t) const;

 private:
  struct local_port_sides {
    terminal_id entering = no_terminal;
    terminal_id leaving = no_terminal;
  };

  std::string of_terminal(terminal_id t, std::string (netlist::*of_node)(node_id) const) const;
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
  std::vector<own_link_values> own_;          ///< by link; empty: none has any
  std::vector<own_node_values> node_values_;  ///< by node; empty: none has any
  std::vector<std::string> node_names_;       ///< empty: the digits name them
  std::vector<std::string> node_paths_;       ///< empty where node_names_ is
  std::string comment_;
  std::vector<std::string> node_comments_;  ///< by node; empty: none
  std::vector<std::string> link_comments_;
  std::vector<node_position> positions_;
  bool has_lengths_ = true;
  bool has_places_ = true;
  std::vector<bool> folded_;                 ///< by digit; empty: none is
  std::vector<netlist_terminal> terminals_;  ///< empty: one for each node
  std::vector<std::uint32_t> first_local_;   ///< by node, into local_
  std::vector<local_port_sides> local_;
};

}  // namespace toriscope
