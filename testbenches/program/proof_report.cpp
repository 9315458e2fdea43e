// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/proof_report.h"

#include <fmt/format.h>

#include "base/words.h"
#include "topologies/vc_classes.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {

using json = nlohmann::ordered_json;

namespace {

json as_json(const netlist& net, const channel& c) {
  const netlist_link& wire = net.link(c.link);
  return {{"node", net.address(wire.from)},
          {"port", net.port_name(wire.from, wire.from_port)},
          {"vc", c.vc},
          {"to", net.address(wire.to)}};
}

constexpr const char* sharing_is_cyclic =
    "message classes share VCs: where a node receives a request only when it has room for the reply, requests "
    "wait for replies, and replies wait for VCs that requests hold";

/// The channels of one way, and who answers at its end.
std::string way_in_words(const netlist& net, const std::vector<channel>& way, terminal_id to) {
  std::string text;
  for (const channel& c : way) text += "    " + to_string(net, c) + "\n";
  return text + fmt::format("    {} receives the request when its reply can be sent\n", net.terminal_address(to));
}

}  // namespace

json as_json(const netlist& net, const std::vector<unused_vcs>& unused) {
  json all = json::array();
  for (const unused_vcs& u : unused) {
    json vcs = json::array();
    for (const unsigned vc : vc_set(u.vcs)) vcs.push_back(vc);
    const netlist_link& first = net.link(u.first);
    all.push_back(
        {{"vcs", vcs},
         {"links", u.links},
         {"first_link", net.address(first.from) + "." + net.port_name(first.from, first.from_port)}});
  }
  return all;
}

json as_json(const topology& made, const network_config& network, const deadlock_proof& found,
             const shared_message_classes* shared) {
  json tree = {{"topology", made.choice.spec},
               {"nodes", made.wiring->node_count()},
               {"terminals", made.wiring->terminal_count()},
               {"links", made.choice.links},
               {"ties", made.choice.ties},
               {"gates", made.choice.gates},
               {"routing", made.choice.routing},
               {"vc_rule", made.choice.vc_rule},
               {"message_classes", network.message_classes},
               {"shared_classes", network.shared_classes && network.message_classes > 1},
               {"verdict", to_string(shared ? proof_outcome::cyclic : found.outcome)},
               {"routing_verdict", to_string(found.outcome)},
               {"method", to_string(found.method)},
               {"reason", shared ? sharing_is_cyclic : found.reason},
               {"channels", found.channels},
               {"dependencies", found.dependencies},
               {"vcs", found.vcs}};
  tree["cycle"] = json::array();
  for (const channel& c : found.cycle) tree["cycle"].push_back(as_json(*made.wiring, c));
  if (shared) {
    for (const auto* way : {&shared->cycle.forth, &shared->cycle.back})
      for (const channel& c : *way) tree["cycle"].push_back(as_json(*made.wiring, c));
    tree["answering_nodes"] = {made.wiring->terminal_address(shared->cycle.second),
                               made.wiring->terminal_address(shared->cycle.first)};
  }
  if (found.escape_vcs != 0)
    tree["escape"] = {{"vcs", json::array()},
                      {"channels", found.escape_channels},
                      {"dependencies", found.extended_dependencies}};
  for (const unsigned vc : vc_set(found.escape_vcs)) tree["escape"]["vcs"].push_back(vc);
  if (found.method != proof_method::sampled) tree["unused_vcs"] = as_json(*made.wiring, found.unused);
  tree["regrant"] = found.needs_atomic_vcs ? "drained" : "any";
  return tree;
}

std::string what_is_proven(const topology& made, const topology_options& options) {
  const network_choice& choice = made.choice;
  std::string text = one_line(choice.spec);
  if (made.wiring->hierarchy().size() > 1) text += " (" + links_name(choice.links) + ")";
  if (!choice.ties.empty()) text += ", tie break " + choice.ties;
  if (!choice.gates.empty()) text += ", gateways " + choice.gates;
  text += fmt::format(", routing {}, VC rule {}, {} VCs", choice.routing, vc_rule_title(choice.vc_rule), options.vcs);
  if (options.message_classes > 1) text += fmt::format(" for {} message classes", options.message_classes);
  return text;
}

std::string verdict_in_words(const deadlock_proof& found) {
  switch (found.outcome) {
    case proof_outcome::proven:
      return found.needs_atomic_vcs ? "routing proven free of deadlock with --vc-reallocation atomic"
                                    : "routing proven free of deadlock";
    case proof_outcome::cyclic:
      return "cyclic: packets can wait for each other forever";
    case proof_outcome::unknown:
      break;
  }
  return "unknown: neither a proof nor a cycle";
}

std::string as_text(const topology& made, const topology_options& options, const deadlock_proof& found,
                    double seconds, const shared_message_classes* shared) {
  const std::string subject = what_is_proven(made, options) +
                              (shared ? fmt::format(" shared by {} message classes", shared->count) : "");
  std::string verdict = verdict_in_words(found);
  if (shared)
    verdict = "cyclic: message classes share VCs: a protocol deadlock is possible (" + verdict + ")";
  else if (options.message_classes > 1 && found.outcome == proof_outcome::proven)
    verdict += fmt::format("; {} message classes on disjoint VCs: none waits for VCs of another",
                           options.message_classes);
  std::string text =
      fmt::format("{}\n{}\n  why      {}\n  method   {}: {} nodes, {} channels, {} dependencies, {:.1f} s\n",
                  subject, verdict, shared ? sharing_is_cyclic : found.reason, to_string(found.method),
                  made.wiring->node_count(), found.channels, found.dependencies, seconds);
  if (found.escape_vcs != 0)
    text += fmt::format("  escape   VCs {}: {} channels, {} dependencies direct and indirect\n",
                        in_words(found.escape_vcs), found.escape_channels, found.extended_dependencies);
  if (!found.unused.empty())
    text += "  idle     VCs that no packet may take: " + in_words(*made.wiring, found.unused) + "\n";
  if (shared && shared->cycle.forth.empty())
    text += "  cycle    through the VCs by which packets enter their router\n";
  else if (shared)
    text += fmt::format("  cycle    of {} channels; a packet that holds one may ask for the next\n",
                        shared->cycle.forth.size() + shared->cycle.back.size());
  if (shared)
    text += way_in_words(*made.wiring, shared->cycle.forth, shared->cycle.second) +
            way_in_words(*made.wiring, shared->cycle.back, shared->cycle.first);
  if (found.cycle.empty()) return text;
  text += fmt::format("  cycle    of {} channels; a packet that holds one may ask for the next\n",
                      found.cycle.size());
  for (const channel& c : found.cycle) text += "    " + to_string(*made.wiring, c) + "\n";
  return text;
}

}  // namespace toriscope
