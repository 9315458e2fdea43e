// SPDX-License-Identifier: Apache-2.0
// chiplets for the registry: "INTERPOSER+DIE[+option...]".
#include <algorithm>

#include "base/nearest_name.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "topologies/chiplets/chiplets.h"
#include "topologies/families.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/narrow_routers.h"
#include "topologies/topology_makers.h"

namespace toriscope {
namespace {

constexpr const char* usage = "chiplets:mesh:2x2+mesh:4x4";
constexpr unsigned max_link_width = 65535;

topology made_part(const topology_options& options, const std::string& part) {
  if (begins_with(part, "chiplets:"))
    throw refusal(options.spec,
                  "an interposer or a die of chiplets; expected another network: " + std::string(usage));
  topology_options own = options;
  own.spec = part;
  topology made = make_routed_topology(own, "for chiplets");
  const netlist& net = *made.wiring;
  for (terminal_id t = 0; t < net.terminal_count(); ++t)
    if (net.terminal(t).node != net.terminal(t).exit)
      throw refusal(options.spec, "in " + part +
                                      " packets enter and leave at different routers; expected a network "
                                      "where each terminal has one router");
  return made;
}

/// The die has half of the VCs in each of its two sets.
topology made_die(const topology_options& options, const std::string& part) {
  if (options.vcs % 2 != 0)
    throw refusal(options.spec,
                  std::to_string(options.vcs) + (options.vcs == 1 ? " VC" : " VCs") +
                      "; the dies need an even number: half before the interposer, half after it");
  topology_options half = options;
  half.vcs /= 2;
  try {
    topology made = made_part(half, part);
    for (node_id n = 0; n < made.wiring->node_count(); ++n)
      if (made.wiring->vcs_of(n, 0) != 0)
        throw refusal(part, "node '" + made.wiring->address(n) +
                                "' has VCs of its own; expected nodes with all VCs on a die, where packets "
                                "take one half before the interposer, the other after it");
    return made;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) + " (a die has " + std::to_string(half.vcs) +
                                " of the " + std::to_string(options.vcs) +
                                " VCs before the interposer, and as many after it)");
  }
}

node_id gateway_named(const std::string& spec, const netlist& die, const std::string& name) {
  for (node_id node = 0; node < die.node_count(); ++node) {
    if (die.address(node) != name) continue;
    if (die.local_ports(node) == 0)
      throw refusal(spec, "gateway '" + name + "' has no terminal; expected a node that has one, such as " +
                              die.address(die.terminal(0).node));
    return node;
  }
  throw refusal(spec, "gateway '" + name + "' is not a node of the die; its addresses are " + die.address(0) +
                          " to " + die.address(die.node_count() - 1));
}

std::uint16_t number_of(const std::string& spec, const std::string& word, const std::string& value,
                        unsigned most) {
  unsigned number = 0;
  if (!to_number(value, number) || number < 1 || number > most)
    throw refusal(spec, "'" + word + "'; expected a number from 1 to " + std::to_string(most));
  return static_cast<std::uint16_t>(number);
}

void read_option(const std::string& spec, const std::string& word, chiplet_parts& parts) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(std::min(equals + 1, word.size()));
  if (name == "delay") {
    parts.delay_cycles = number_of(spec, word, value, max_link_delay);
  } else if (name == "width") {
    parts.width_bits = number_of(spec, word, value, max_link_width);
  } else if (name == "gateways") {
    for (const std::string& address : split(value, ',')) {
      const node_id node = gateway_named(spec, *parts.die.wiring, address);
      if (std::find(parts.gateways.begin(), parts.gateways.end(), node) != parts.gateways.end())
        throw refusal(spec, "gateway '" + address + "' given twice; expected each once");
      parts.gateways.push_back(node);
    }
  } else {
    throw refusal(spec,
                  "'" + word +
                      "' is not an option of chiplets; expected gateways=NODE[,NODE...], delay=CYCLES or "
                      "width=BITS");
  }
}

/// What is not as by default, in the order of the description.
std::string options_of(const chiplet_parts& parts) {
  const chiplet_parts usual;
  const netlist& die = *parts.die.wiring;
  std::string text;
  if (parts.gateways != std::vector<node_id>{die.terminal(0).node}) {
    std::vector<std::string> addresses;
    for (const node_id node : parts.gateways) addresses.push_back(die.address(node));
    text += "+gateways=" + joined(addresses, ",");
  }
  if (parts.delay_cycles != usual.delay_cycles) text += "+delay=" + std::to_string(parts.delay_cycles);
  if (parts.width_bits != usual.width_bits) text += "+width=" + std::to_string(parts.width_bits);
  return text;
}

topology make_chiplets(const std::string& arguments, const topology_options& options) {
  const std::string& spec = options.spec;
  const std::vector<std::string> words = split(arguments, '+');
  if (words.size() < 2)
    throw refusal(spec,
                  std::string("expected the interposer's network and the die's, with + between: ") + usage);
  topology_options plain;
  plain.spec = spec;
  plain.vcs = options.vcs;
  plain.node_limit = options.node_limit;
  plain.limit_reason = options.limit_reason;
  const topology interposer = made_part(plain, words[0]);
  plain.links = options.links;
  plain.ties = options.ties;
  plain.vc_rule = options.vc_rule;
  const topology die = made_die(plain, words[1]);

  chiplet_parts parts{
      {interposer.wiring, interposer.routing, options.vcs}, {die.wiring, die.routing, options.vcs / 2}, {}};
  std::vector<std::string> seen;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw refusal(spec, "option " + name + " given twice; expected it once");
    seen.push_back(name);
    read_option(spec, words[i], parts);
  }
  if (parts.gateways.empty()) parts.gateways = {die.wiring->terminal(0).node};
  const std::uint64_t nodes =
      std::uint64_t{parts.dies()} * die.wiring->node_count() + interposer.wiring->node_count();
  if (nodes > max_nodes)
    throw refusal(spec,
                  std::to_string(nodes) + " nodes; at most " + std::to_string(max_nodes) + " are supported");
  check_node_limit(options, nodes);

  topology result;
  result.wiring = build_chiplets(parts);
  result.routing = fit_to_routers(result.wiring, make_chiplets_routing(parts), options.vcs);
  result.choice.spec = "chiplets:" + interposer.choice.spec + "+" + die.choice.spec + options_of(parts);
  result.choice.links = die.choice.links;
  result.choice.ties = die.choice.ties;
  result.choice.vc_rule = die.choice.vc_rule;
  result.vc_rule_note =
      die.vc_rule_note + " (on a die, in each half of the VCs); interposer: " + interposer.vc_rule_note;
  return result;
}

}  // namespace

topology_family chiplets_family() {
  topology_family family;
  family.kinds = {
      {"chiplets",
       "INTERPOSER+DIE[+gateways=NODE,...][+delay=CYCLES][+width=BITS]",
       "dies of any network on an interposer of any network",
       {"chiplets:mesh:2x2+mesh:4x4", "chiplets:mesh:2x2+torus:4x4+gateways=00,22+delay=8",
        "chiplets:crossbar:4+ttn:2,2,0"},
       R"(INTERPOSER and DIE are any two routed networks but chiplets and butterfly; one die stands at each terminal of the
interposer network, whose routers have no terminals of their own. Nodes are named by their die and their address on it,
die3.01, or interposer.2. The options:
gateways=NODE,...  nodes of the die, by address, with links up to the die's router of the interposer and down from it;
                   each has a terminal. The node of the die's first terminal by default
delay=CYCLES       of the links of the interposer, up and down, 1 .. 1000; 4 by default
width=BITS         of the same links, 1 .. 65535; 32 by default, half of a flit of 64 bits
Links of a file: with a delay or width of their own keep it; so do its nodes with a depth, a pipeline or, in the
interposer, VCs. These links stand above the levels of the die's.
Routing: on the die as there; else to the gateway with the fewest hops (of several the first), up, over the interposer,
down at the gateway with the fewest hops to the destination, and on. Both networks have their default routing.
VCs: an even number. Packets have one half of them on the die before the interposer, the other half after it, and all
on the interposer, up and down; a link of a die that no packet takes after the interposer gives both halves to the
others. --vc-rule, --tie-break and --inter-module-links are those of the die; the interposer has its defaults.)",
       "docs/chiplets.md",
       make_chiplets,
       {"gateways"}},
  };
  family.routings = {
      {"gateways",
       {"chiplets"},
       "the die's routing to a gateway, the interposer's to the other die's, the die's again",
       {"--topology chiplets:mesh:2x2+mesh:4x4 --routing gateways"},
       R"(Up at the gateway nearest to the source, down at the one nearest to the destination, by hops of the die's routing;
of several equally near gateways the first.)",
       "docs/chiplets.md"},
  };
  return family;
}

}  // namespace toriscope
