// SPDX-License-Identifier: Apache-2.0
// Graphs as other programs write them, in the terms of a network file (docs/custom_network.md, "Graphs of other
// programs"): GraphML (yEd, Gephi, networkx) and the node-link JSON of networkx. Nodes and edges keep their order, so
// that errors of the network file name their places.
//
// GraphML is read with Boost.PropertyTree: the reader of Boost.Graph does not tell the ids of nodes.
//
//   errors   std::invalid_argument with one line, as for network files
#pragma once

#include <string>

#include "base/json.h"

namespace toriscope {

/// Whether a text is XML.
bool is_graphml(const std::string& text);
/// Whether a tree is what networkx's node_link_data() makes: "nodes", and "links" or "edges" with "source", "target".
bool is_node_link(const nlohmann::ordered_json& tree);

/// The network file that says the same.
/// @param where  for messages
nlohmann::ordered_json from_graphml(const std::string& text, const std::string& where);
nlohmann::ordered_json from_node_link(const nlohmann::ordered_json& tree, const std::string& where);

}  // namespace toriscope
