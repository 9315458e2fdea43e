// SPDX-License-Identifier: Apache-2.0
// Networks from a file for the registry.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "topologies/custom/custom_network.h"
#include "topologies/custom/table_routing.h"
#include "topologies/custom/updown_routing.h"
#include "topologies/families.h"
#include "topologies/narrow_routers.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/terminal_routing.h"
#include "topologies/topology_makers.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

bool gives_vcs(const network_file& file) {
  return std::any_of(file.routes.begin(), file.routes.end(), [](const file_route& r) { return r.vcs != 0; });
}

/// VC sets of all entries; all VCs where none is given.
std::vector<vc_mask> given_vcs(const netlist& net, const network_file& file, const forwarding_table& paths,
                               unsigned vcs) {
  std::vector<vc_mask> sets(std::size_t{paths.nodes()} * paths.nodes(), all_vcs(vcs));
  for (const file_route& route : file.routes)
    if ((route.vcs & ~all_vcs(vcs)) != 0)
      throw std::invalid_argument(file.where + ": " + route.place + ".vcs: a VC beyond the " +
                                  std::to_string(vcs) + " of a port");
  for (const file_route& route : file.routes) {
    if (route.vcs == 0) continue;
    const node_id to = net.link(net.ports(route.node)[net.port_named(route.node, route.port)].out).to;
    if (const unsigned own = net.vcs_of(to, vcs); cut_off(route.vcs, own) == 0)
      throw std::invalid_argument(file.where + ": " + route.place + ".vcs: node '" + file.nodes[to].name +
                                  "' has none of these VCs; it has " + std::to_string(own));
  }
  for_each_destination(file, [&](const file_route& route, node_id destination) {
    sets[paths.index(route.node, destination)] = route.vcs != 0 ? route.vcs : all_vcs(vcs);
  });
  return sets;
}

/// @throws std::invalid_argument where a node has more VCs than there are, or fewer than the rule needs
void check_own_vcs(const network_file& file, unsigned vcs, const std::string& rule, unsigned needed) {
  for (const file_node& node : file.nodes) {
    const unsigned own = node.own.vcs;
    const std::string where = file.where + ": node '" + node.name + "': vcs: " + std::to_string(own);
    if (own > vcs)
      throw std::invalid_argument(where + "; a node may have fewer VCs than the " + std::to_string(vcs) +
                                  " that others have, not more");
    if (own != 0 && own < needed)
      throw std::invalid_argument(where + "; VC rule " + rule + " needs at least " + std::to_string(needed));
  }
}

void add_layers(const network_file& file, std::vector<forwarding_table> tables,
                const topology_options& options, topology& result) {
  const unsigned vcs = options.vcs;
  lash_layers layers = assign_layers(*result.wiring, tables);
  if (vcs < layers.count)
    throw std::invalid_argument(file.where + ": VC rule layers needs " + std::to_string(layers.count) +
                                " VCs to part the routes into layers without cycles, not " +
                                std::to_string(vcs));
  result.choice.vc_rule = "layers";
  result.vc_rule_note = "acyclic: the routes of each of " + std::to_string(layers.count) +
                        " layers of VCs have an acyclic channel-dependency graph";
  check_own_vcs(file, vcs, "layers", layers.count);
  const auto between_nodes = make_layered_table(result.wiring, std::move(tables), std::move(layers), vcs,
                                                options.routing == "in_turn");
  result.routing = between_terminals(result.wiring, between_nodes);
}

void add_given(const network_file& file, forwarding_table paths, const topology_options& options,
               topology& result) {
  check_own_vcs(file, options.vcs, "given", 1);
  std::vector<vc_mask> sets = given_vcs(*result.wiring, file, paths, options.vcs);
  result.choice.vc_rule = "given";
  const auto between_nodes = make_given_table(*result.wiring, std::move(paths), std::move(sets), options.vcs);
  result.routing =
      fit_to_routers(result.wiring, between_terminals(result.wiring, between_nodes), options.vcs);
  const channel_dependencies found = find_channel_dependencies(*result.wiring, *result.routing, options.vcs);
  result.vc_rule_note = found.acyclic()
                            ? "acyclic: free of deadlock by its channel-dependency graph"
                            : "cyclic: its channel-dependency graph has cycles, the network can deadlock";
  if (!found.acyclic() && options.vc_rule == "safe")
    throw std::invalid_argument(file.where + ": routes: with the VCs given they can deadlock, by a " +
                                found.in_words(*result.wiring) +
                                "; leave 'vcs' out (VC rule layers), or name VC rule given");
}

void add_updown(const network_file& file, const topology_options& options, topology& result) {
  const bool adaptive = options.routing == "adaptive";
  const std::string rule = adaptive ? "duato" : "single";
  if (!file.routes.empty())
    throw std::invalid_argument(file.where + ": the file gives 'routes', which routing " + options.routing +
                                " does not take; use routing table");
  if (options.vc_rule != "safe" && options.vc_rule != rule)
    throw refusal(options.spec, "VC rule '" + options.vc_rule + "' is not made for routing " +
                                    options.routing + "; it has: safe, " + rule);
  if (adaptive && options.vcs < 2) throw refusal(options.spec, "VC rule duato needs at least 2 VCs, not 1");
  check_own_vcs(file, options.vcs, rule, adaptive ? 2 : 1);
  result.choice.vc_rule = rule;
  result.vc_rule_note =
      adaptive ? "free of deadlock where VCs are granted again when drained: up*/down* on VC 0 is the "
                 "escape (Duato 1993)"
               : "acyclic: packets go up first, then down";
  const auto between_nodes = make_updown(result.wiring, file, options.vcs, adaptive);
  result.routing =
      fit_to_routers(result.wiring, between_terminals(result.wiring, between_nodes), options.vcs);
}

topology make_file(const std::string& path, const topology_options& options) {
  const network_file file = read_network_file(path);
  topology result;
  result.wiring = build_custom(file);
  result.choice.spec = options.spec;
  result.choice.links =
      std::all_of(file.links.begin(), file.links.end(), [](const file_link& l) { return l.duplex; }) ? "B"
                                                                                                     : "U";
  if (options.routing == "updown" || options.routing == "adaptive") {
    add_updown(file, options, result);
    return result;
  }
  const bool spread = options.routing == "spread";
  const bool all = options.routing == "random" || options.routing == "in_turn" ||
                   (spread && !result.wiring->has_plain_terminals());
  const path_choice choice = all ? path_choice::all : spread ? path_choice::spread : path_choice::lowest;
  if (choice != path_choice::lowest && !file.routes.empty())
    throw std::invalid_argument(file.where + ": routing " + options.routing +
                                " takes shortest paths, and the file gives 'routes'; use routing table");
  std::vector<forwarding_table> tables =
      file.routes.empty() ? shortest_paths(*result.wiring, file, choice)
                          : std::vector<forwarding_table>{given_paths(*result.wiring, file)};
  const bool given = options.vc_rule == "given" || (options.vc_rule == "safe" && gives_vcs(file));
  if (options.vc_rule != "safe" && options.vc_rule != "layers" && options.vc_rule != "given")
    throw refusal(options.spec,
                  "VC rule '" + options.vc_rule + "' is not made for it; it has: safe, layers, given");
  if (given && file.routes.empty())
    throw std::invalid_argument(file.where + ": VC rule given needs 'routes' in the file, which has none");
  if (given)
    add_given(file, std::move(tables.front()), options, result);
  else
    add_layers(file, std::move(tables), options, result);
  if (spread && all) result.routing = make_spread(result.wiring, result.routing);
  return result;
}

}  // namespace

topology_family custom_family() {
  topology_family family;
  family.kinds = {
      {"file",
       "PATH",
       "any network, from a file of nodes and links: JSON, GraphML",
       {"file:docs/custom_network.json"},
       R"(The file names nodes (or counts them), with VCs, depth and pipeline, and the links between them, with delay, width,
length, level and port names, and may give a route table; docs/custom_network.md. GraphML and node-link JSON of
networkx are read, too. Up to 4096 nodes, with up to 30 terminals each.)",
       "docs/custom_network.md",
       make_file,
       {"table", "spread", "random", "in_turn", "updown", "adaptive"}},
  };
  family.routings = {
      {"table",
       {"file"},
       "an output port for each node and destination: shortest paths, or as the file gives them",
       {"--topology file:docs/custom_network.json --routing table"},
       "Deterministic; of several shortest paths that by the lowest port.",
       "docs/custom_network.md"},
      {"spread",
       {"file"},
       "shortest paths; of several, the destination's number chooses",
       {"--topology file:docs/custom_network.json --routing spread"},
       R"(Deterministic: to terminal i of node d a packet takes the ((d + i) mod n)-th of the n ports that are on shortest
paths. More than 64 different tables are not kept: docs/ties.md.)",
       "docs/custom_network.md"},
      {"random",
       {"file"},
       "shortest paths; of several, one is drawn for each packet",
       {"--topology file:docs/custom_network.json --routing random"},
       R"(A number t is drawn for each packet; to node d it takes the ((d + t) mod n)-th of the n ports that are on shortest
paths. Each of the n has the same share, so that four spines carry four times what one does, unless that would take more than
64 different t: docs/ties.md.)",
       "docs/custom_network.md"},
      {"in_turn",
       {"file"},
       "shortest paths; of several, the packets of each pair take one after the other",
       {"--topology file:docs/custom_network.json --routing in_turn"},
       R"(As random, but t goes round: the next packet from the same terminal to the same terminal has t + 1 (modulo the number
of different t). The first t of each pair is drawn, so that pairs are not in step.)",
       "docs/custom_network.md"},
      {"updown",
       {"file"},
       "up*/down*: towards a root first, then away from it; one VC is enough",
       {"--topology file:docs/custom_network.json --routing updown"},
       R"(The root is the node with the least sum of distances. Nodes stand in the order of their distance from it, then of
their number; a link is up if it leads to a node before the one that it comes from. A packet takes the shortest way that goes
up first, then down; to node d the (d mod n)-th of n such ports. Links of one direction are not used.)",
       "Schroeder et al. 1991 (Autonet)"},
      {"adaptive",
       {"file"},
       "minimal fully adaptive: any shortest path, with up*/down* as the escape",
       {"--topology file:docs/custom_network.json --routing adaptive --vc-reallocation atomic"},
       R"(The router takes the first of the ports on shortest paths (7 at most) that has a free VC; to node d the first of n ports
is the (d mod n)-th, and the others follow in turn. A packet that takes VC 0
goes on by up*/down* on VC 0 to the end. Needs 2 VCs, full-duplex links between all nodes, and VCs that are granted again
when drained.)",
       "Duato 1993; Silla, Duato 1997"},
  };
  family.vc_rules = {
      {"layers",
       {"file"},
       "as many as there are layers",
       "each pair of nodes has one layer, whose routes have no cycle; links give their VCs to layers by "
       "routes",
       {"--topology file:docs/custom_network.json --vc-rule layers"},
       R"(The default (safe). Pairs are given to the first layer whose channel-dependency graph stays acyclic; says how many
VCs that takes when there are too few. On each link every layer that has routes there has one VC, and the others go one by
one to the layer with the most routes per VC.)",
       "Skeie, Lysne, Theiss 2002 (LASH)"},
      {"given",
       {"file"},
       "as the file says",
       "each route has the VCs that the file gives it, all where it gives none",
       {"--topology file:docs/custom_network.json --vc-rule given"},
       "Chosen by safe when the file gives VCs and their channel-dependency graph is acyclic.",
       "docs/custom_network.md"},
      {"single",
       {"file"},
       "1",
       "routing updown: any VC",
       {"--topology file:docs/custom_network.json --routing updown"},
       "All VCs of a port are one class.",
       "Schroeder et al. 1991"},
      {"duato",
       {"file"},
       "2",
       "routing adaptive: VC 0 is the escape, the others are adaptive",
       {"--topology file:docs/custom_network.json --routing adaptive --vc-reallocation atomic"},
       "A packet that has taken VC 0 keeps to it.",
       "Duato 1993; Silla, Duato 1997"},
  };
  return family;
}

}  // namespace toriscope
