// SPDX-License-Identifier: Apache-2.0
// The registry of topologies, routings and VC rules: one place that knows them all by name, that makes them,
// and that says what they are (`toriscope list`, `toriscope describe`). It is filled from families.h.
//
// A topology is asked for by "kind:arguments": ttn:2,2,0  mesh:8x8  torus:64x64  cube:4,3  ucube:8,2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// Maximum number of nodes of a network.
inline constexpr std::size_t max_nodes = std::size_t{1} << 24;

/// Which network, and how packets find their way in it: what a user chooses, and what a topology resolves.
struct network_choice {
  std::string spec;              ///< "kind:arguments"; resolved: in its normal form
  std::string links = "U";       ///< of hierarchical networks: inter-BM links U one-way or B full duplex
  std::string ties;              ///< nowrap, positive, balanced; empty: the default; resolved: there are none
  std::string gates;             ///< one of topology_kind::gates; empty: the first; resolved: there is no choice
  std::string routing;           ///< one of topology_kind::routings; empty: the first; resolved: there is none
  std::string vc_rule = "safe";  ///< name in vc_rules(); "safe", never resolved: one that is free of deadlock
};

/// What a topology is made from.
struct topology_options : network_choice {
  unsigned vcs = 4;              ///< VCs per port, 1..16
  unsigned message_classes = 1;  ///< each with vcs / message_classes VCs of its own (message_class_routing.h)
  /// A larger network is rejected before it is built; but networks of files, which are small (forwarding_table.h).
  std::size_t node_limit = max_nodes;
  std::string limit_reason = {};  ///< in the error, behind "topology 'torus:8x8' has 64 nodes; "; empty: a default
};

struct topology {
  network_choice choice{"", "", "", "", "", ""};  ///< as resolved
  std::shared_ptr<netlist> wiring;  ///< not const: link delays may be set before it is elaborated
  std::shared_ptr<const routing_function> routing;  ///< null: a graph to analyse, without a routing algorithm
  std::string vc_rule_note;  ///< what is known about deadlock under the VC rule, in a sentence
  /// The number of leading address digits that may be turned - a constant added to one of them modulo its
  /// radix, at all nodes - without changing wiring or routes (output ports; VCs may change): what is true
  /// of one node is true of all nodes that differ from it in these digits only.
  unsigned cyclic_digits = 0;
  /// Whether every turn of an address digit that maps the wiring onto itself maps the routes, too: where only
  /// turns by more than 1 do (RDT).
  bool routes_turn_with_wiring = false;
};

/// Makes a network and its routing.
/// @throws std::invalid_argument with one line: what is wrong, and what would be right
topology make_topology(const topology_options& options);
/// The same for options of another topology, or of none.
topology make_topology(const std::string& spec, topology_options options = {});

/// The specs of the networks in it: the interposer's and the die's of chiplets, else the spec alone.
std::vector<std::string> networks_in(const std::string& spec);

/// The networks of "ttn:2,2,0,torus:8x8": commas stand within a spec, too. A spec begins with a kind and a colon.
std::vector<std::string> split_specs(const std::string& text);

/// A kind of topology, in words.
struct topology_kind {
  std::string name;                   ///< "ttn"
  std::string arguments;              ///< "m,L,q"
  std::string summary;                ///< one line
  std::vector<std::string> examples;  ///< specs that make_topology() takes
  std::string description;            ///< several lines
  std::string source;                 ///< the paper
  /// Gets `routing` and `gates` resolved (never empty where the kind has some), all options but vc_rule,
  /// ties and the arguments checked. Need not set routing and gates of its choice.
  topology (*make)(const std::string& arguments, const topology_options& options);
  std::vector<std::string> routings;  ///< names in routings(), the default first; none: a graph to analyse
  std::vector<std::string> gates{};   ///< choices of gates, the default first; none: there is no choice
};

const std::vector<topology_kind>& topology_kinds();

/// A topology that packets can be routed in. A graph without a routing algorithm is rejected before it is built.
/// @param lacking  ends "topology 'star:4' has no routing algorithm ...": "to prove"
topology make_routed_topology(const topology_options& options, const std::string& lacking);

/// A routing algorithm, in words.
struct routing_kind {
  std::string name;                     ///< "ls+cs"
  std::vector<std::string> topologies;  ///< kinds that have it
  std::string summary;                  ///< one line
  std::vector<std::string> examples;    ///< options of `toriscope run`
  std::string description;              ///< several lines
  std::string source;                   ///< the paper
};

/// Where several families have one of the same name, their texts follow each other under it.
const std::vector<routing_kind>& routings();

/// A VC rule, in words.
struct vc_rule_kind {
  std::string name;                     ///< "D3"
  std::vector<std::string> topologies;  ///< kinds that take it
  std::string vcs;                      ///< how many VCs it needs: "4"
  std::string summary;                  ///< one line
  std::vector<std::string> examples;    ///< options of `toriscope run`
  std::string description;              ///< several lines
  std::string source;                   ///< the paper, or how it was found
};

/// As for routings().
const std::vector<vc_rule_kind>& vc_rules();

}  // namespace toriscope
