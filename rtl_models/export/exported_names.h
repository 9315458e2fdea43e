// SPDX-License-Identifier: Apache-2.0
// Names that a user has given, where an export uses them: of modules, of instances and of files. One that the export
// needs for something else is rejected before anything is written.
#pragma once

#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// @param prefix   of modules
/// @param modules  names of all that have the prefix, but for the network's own
/// @throws std::invalid_argument one line: the network has the name of a module of the export, or no name of a module
void check_network_name(const netlist& wiring, const std::string& prefix, const std::vector<std::string>& modules);

/// @param with_scoreboard  nodes are instances in scoreboard.sv, too
/// @throws std::invalid_argument one line: a node has the name of something else in the module that it is in, or
/// one by which its router does not find its route table
void check_node_names(const netlist& wiring, bool with_scoreboard);

/// Route tables are files by the path of the node. @throws std::invalid_argument one line: a name is too long
void check_table_names(const netlist& wiring);

}  // namespace toriscope
