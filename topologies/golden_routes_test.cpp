// SPDX-License-Identifier: Apache-2.0
// All routes of all families: a digest for each network, routing, way half round a ring, gates and VC rule.
// The reference model asks the same routing functions as the engine, so that no equality test sees another legal
// route; this one does. A change of routes on purpose: the test writes the new lines to golden_routes.txt in its
// working directory.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "base/hash.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

constexpr std::size_t max_golden_nodes = 600;
constexpr std::size_t max_golden_pairs = 5000;

/// All options that a packet of this pair can ever be given, wherever its VCs take it.
std::uint64_t digest_of_pair(const topology& t, node_id from, node_id to) {
  using place = std::tuple<node_id, port_id, std::uint8_t, route_state>;
  const netlist& net = *t.wiring;
  std::uint64_t digest = 0;
  std::vector<place> open{{from, net.local_port(from), 0, 0}};
  std::set<place> seen(open.begin(), open.end());
  while (!open.empty()) {
    const auto [node, in_port, in_vc, state] = open.back();
    open.pop_back();
    route_option options[routing_function::max_options];
    const unsigned count = t.routing->route({node, in_port, in_vc, to, state}, options);
    for (unsigned k = 0; k < count; ++k) {
      const route_option& o = options[k];
      digest += mix(node, in_port, in_vc, state, k, o.out_port, o.vcs, o.state);
      if (o.out_port == net.local_port(node)) continue;
      const netlist_link& link = net.link(net.ports(node)[o.out_port].out);
      for (std::uint8_t vc = 0; vc < 16; ++vc) {
        const place next{link.to, link.to_port, vc, o.state};
        if (o.vcs >> vc & 1 && seen.insert(next).second) open.push_back(next);
      }
    }
  }
  return mix(digest, from, to);
}

std::uint64_t digest_of(const topology& t) {
  const std::size_t nodes = t.wiring->node_count();
  const std::size_t step = nodes * nodes / max_golden_pairs | 1;  // odd, so that all nodes occur
  std::uint64_t digest = 0;
  for (std::size_t pair = 0; pair < nodes * nodes; pair += step)
    digest += digest_of_pair(t, static_cast<node_id>(pair / nodes), static_cast<node_id>(pair % nodes));
  return digest;
}

/// A line for each combination that the registry takes for this spec.
void add_lines(const topology_kind& kind, const std::string& spec, std::vector<std::string>& lines) {
  std::set<std::string> known;
  std::vector<std::string> rules{"safe"};
  for (const vc_rule_kind& rule : vc_rules())
    for (const std::string& name : rule.topologies)
      if (name == kind.name) rules.push_back(rule.name);
  const std::vector<std::string> gates = kind.gates.empty() ? std::vector<std::string>{""} : kind.gates;
  for (const std::string& routing : kind.routings)
    for (const std::string& gate : gates)
      for (const char* ties : {"", "nowrap", "positive", "balanced"})
        for (const char* links : {"U", "B"})
          for (const std::string& rule : rules) {
            topology_options options;
            static_cast<network_choice&>(options) = {spec, links, ties, gate, routing, rule};
            topology t;
            try {
              t = make_topology(options);
            } catch (const std::invalid_argument&) {
              continue;  // this family has no such choice
            }
            const network_choice& c = t.choice;
            const std::string name = c.spec + " links=" + c.links + " ties=" + c.ties + " gates=" + c.gates +
                                     " routing=" + c.routing + " rule=" + c.vc_rule;
            if (!known.insert(name).second) continue;
            std::ostringstream line;
            line << name << " " << std::hex << digest_of(t);
            lines.push_back(line.str());
          }
}

TEST(golden_routes, of_all_families_are_as_ever) {
  std::vector<std::string> lines;
  for (const topology_kind& kind : topology_kinds()) {
    std::vector<std::string> specs = kind.examples;
    if (kind.name == "ccc") specs.insert(specs.end(), {"ccc:3", "ccc:4"});
    if (kind.name == "htn") specs.push_back("htn:3,2,2,0");
    if (kind.name == "mh3dt" || kind.name == "h3dt") specs.push_back(kind.name + ":4,2,2,0");
    if (kind.name == "rdt") specs.insert(specs.end(), {"rdt:alpha,16", "rdt:beta,16"});
    for (const std::string& spec : specs) {
      topology_options options;
      options.spec = spec;
      if (kind.routings.empty() || kind.name == "file") continue;
      if (make_topology(options).wiring->node_count() <= max_golden_nodes) add_lines(kind, spec, lines);
    }
  }
  std::ofstream written("golden_routes.txt");
  for (const std::string& line : lines) written << line << '\n';
  std::vector<std::string> golden;
  std::ifstream file(TORISCOPE_GOLDEN_ROUTES);
  for (std::string line; std::getline(file, line);) golden.push_back(line);
  EXPECT_EQ(lines, golden);
}

}  // namespace
}  // namespace toriscope
