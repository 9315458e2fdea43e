// SPDX-License-Identifier: Apache-2.0
// A network as a user describes it in a JSON file (docs/custom_network.md): read, checked, and with names
// resolved; ports and routes are still names.
//
//   errors   std::invalid_argument with one line: the file, the line where it is not JSON, else the place in
//            it ("links[3].from"), what is wrong, and what would be right
#pragma once

#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

struct file_node {
  std::string name;
  std::vector<double> position = {};  ///< in node pitches: x, y and perhaps z; empty: not said
  unsigned level = 1;
  unsigned terminals = 1;    ///< 0: a switch
  own_node_values own = {};  ///< of its router
  std::string group = "";    ///< the modules that it is in: "chiplet_2", "board.chiplet_2"; empty: none
  std::string comment = "";
};

/// What the router at one end of a link was built for; both ends must agree.
struct link_end {
  unsigned vcs = 0;  ///< 0: not said, as below
  unsigned depth = 0;
  unsigned width_bits = 0;
  std::string protocol = "";
};

struct file_link {
  node_id from = 0;
  node_id to = 0;
  std::string from_port;      ///< empty: the next port of that node
  std::string to_port;        ///< likewise
  bool duplex = true;         ///< a link each way, between the same two ports
  unsigned delay_cycles = 0;  ///< 0: not said, as below
  unsigned width_bits = 0;
  unsigned length = 0;
  unsigned level = 0;
  link_end from_end = {};
  link_end to_end = {};
  std::string comment = "";
};

inline constexpr node_id any_destination = ~node_id{0};

/// What a packet does at a node: one entry of a route table.
struct file_route {
  node_id node = 0;
  node_id destination = any_destination;  ///< "*": all that no other entry of the node names
  std::string port;
  vc_mask vcs = 0;    ///< 0: not said
  std::string place;  ///< in the file, for messages: "routes.a.b"
};

struct network_file {
  std::string where;  ///< for messages: "network file ring.json"
  std::string name = "custom";
  std::string comment = "";
  std::vector<file_node> nodes;
  std::vector<file_link> links;
  std::vector<file_route> routes;  ///< none: shortest paths
};

/// Calls f(route, destination) for every entry and each destination that it is for; those of "*" come first,
/// to be overwritten by others of the same node.
template <class Function>
void for_each_destination(const network_file& file, Function f) {
  for (const file_route& route : file.routes)
    for (node_id d = 0; d < file.nodes.size() && route.destination == any_destination; ++d)
      if (d != route.node) f(route, d);
  for (const file_route& route : file.routes)
    if (route.destination != any_destination) f(route, route.destination);
}

/// Whether it can name a module: letters, digits and _, no digit first.
bool is_module_name(const std::string& name);

/// The node's name with its modules, as in options and messages: letters, digits, _ - + / and dots between modules;
/// whatever else stands in the name of the file is one _.
std::string address_of(const file_node& node);
/// The same as modules are named: _ for - + /, an n before a digit, and a _ behind reserved words.
std::string module_path_of(const file_node& node);

network_file read_network_file(const std::string& path);

/// @param where  for messages
network_file parse_network(const std::string& text, const std::string& where);

}  // namespace toriscope
