// SPDX-License-Identifier: Apache-2.0
// Writes a network for RTL simulation on its own: a directory with all that it takes.
//
//   rtl/          the network (network_top.h), delay_line.sv, narrow links, the router's files, files.f that lists
//                 them, each by its place from there (-F of a simulator), or $NAME_RTL/ before it (files_env.f)
//   routes/       a route table for each node, named by its path: bm_1_2.node_0_3.hex
//   testbench.cpp, network.h   the network interfaces, and what they must know of this network
//   packets.txt   a packet from each terminal, to begin with
//   Makefile      make; make run PACKETS=file
//
// With a scoreboard, what compares the routers with those of libtoriscope.so, too: scoreboard.sv, scoreboard.json ...
#pragma once

#include <string>
#include <vector>

#include "network/network_config.h"
#include "rtl_models/export/network_wires.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// What is exported, and what it is called.
struct exported_network {
  const netlist& wiring;
  const routing_function& routing;
  const network_config& config;
  std::string comment;  ///< one line for people
  sv_style names = {};
  std::string model = {};               ///< with a scoreboard: its configuration, JSON
  std::vector<std::string> files = {};  ///< which the configuration names, and which are copied
};

/// Directories to write to, made if need be; empty: not asked for.
struct export_targets {
  std::string routes = {};  ///< a route table for each node
  std::string sv = {};      ///< everything above
};

/// Writes all, or nothing: each file is complete, and its place free, before the first one is put in place.
/// @throws std::invalid_argument one line: the routing is not one that a table can hold, what is missing in RTL
/// (rtl_eligibility.h), names that meet others (exported_names.h), what is in the way (export_directory.h)
/// @throws std::runtime_error when a file cannot be written
void export_network(const exported_network& network, const export_targets& to);

}  // namespace toriscope
