// SPDX-License-Identifier: Apache-2.0
// All routes of all families: a digest for each network, routing, way half round a ring, gates and VC rule.
// The reference model asks the same routing functions as the engine, so that no equality test sees another legal
// route; this one does. A change of routes on purpose: the failing test writes the new lines to golden_routes.txt
// in its working directory.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "topologies/golden_lines_test.h"
#include "topologies/registry.h"
#include "topologies/routes_digest_test.h"

namespace toriscope::golden_routes_test {
namespace {

constexpr std::size_t max_golden_nodes = 600;
constexpr std::size_t max_golden_pairs = 5000;

std::uint64_t digest_of(const topology& t) {
  const std::size_t nodes = t.wiring->terminal_count();
  const std::size_t step = nodes * nodes / max_golden_pairs | 1;  // odd, so that all nodes occur
  std::uint64_t digest = 0;
  for (std::size_t pair = 0; pair < nodes * nodes; pair += step)
    digest +=
        routes_digest(t, static_cast<terminal_id>(pair / nodes), static_cast<terminal_id>(pair % nodes));
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

/// A network for file:, written to the working directory so that its spec is the same everywhere.
std::string written_network(const std::string& name, const std::string& nodes, const std::string& links,
                            const std::string& routes = "") {
  const std::string path = "golden_" + name + ".json";
  std::ofstream(path) << R"({"nodes": )" << nodes << R"(, "links": [)" << links << "]"
                      << (routes.empty() ? "" : R"(, "routes": {)" + routes + "}") << "}\n";
  return "file:" + path;
}

/// Full-duplex links between nodes by number; a node's ports are in the order of its links.
std::string duplex_links(const std::vector<std::pair<node_id, node_id>>& pairs) {
  std::ostringstream links;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    links << (i == 0 ? "" : ", ") << R"({"from": )" << pairs[i].first << R"(, "to": )" << pairs[i].second
          << "}";
  return links.str();
}

/// Links side by side, 3, 5 and 7 of them: tables for all would be more than there may be, and terminals are more than
/// links.
std::string side_by_side() {
  std::ostringstream links;
  for (const auto& [to, count] : {std::pair('b', 3), std::pair('c', 5), std::pair('d', 7)})
    for (int i = 0; i < count; ++i)
      links << (links.tellp() == 0 ? "" : ", ") << R"({"from": "a", "to": ")" << to << R"(", "from_port": ")" << to << i
            << R"(", "to_port": "a)" << i << "\"}";
  return written_network("side_by_side", R"([{"name": "a", "terminals": 4}, {"name": "b", "terminals": 4}, "c", "d"])",
                         links.str());
}

/// An RDT without upper ranks: every route ends in the base torus.
std::string rdt_without_upper_ranks() {
  std::string ranks;
  for (const char* const place : {"0,0", "1,0", "2,0", "3,0", "0,1", "1,1", "2,1", "3,1"})
    ranks += std::string(ranks.empty() ? "\"" : ", \"") + place + "\": 0";
  std::ofstream("golden_rdt.json") << R"({"class_ranks": {)" << ranks << "}}\n";
  return "rdt:golden_rdt.json,16";
}

/// Networks of all that a file may give: links both ways or one way, side by side, routes, VCs.
std::vector<std::string> written_networks() {
  // Many pairs have several shortest paths, which begin at ports that are not in the order of the nodes.
  const std::string irregular = duplex_links(
      {{3, 9},  {0, 7},  {7, 3}, {1, 0},   {9, 12}, {12, 1}, {5, 3},  {0, 5},  {2, 8},  {8, 4},  {4, 12},
       {2, 11}, {11, 6}, {6, 4}, {10, 13}, {13, 2}, {1, 10}, {10, 6}, {8, 13}, {9, 11}, {7, 12}, {5, 13}});
  const std::string one_way =
      R"({"from": 0, "to": 1, "from_port": "a", "to_port": "b"}, {"from": 0, "to": 1, "from_port": "c", "to_port": "d"},
         {"from": 1, "to": 2, "duplex": false}, {"from": 2, "to": 3, "duplex": false},
         {"from": 3, "to": 0, "duplex": false}, {"from": 3, "to": 4},
         {"from": 4, "to": 5, "from_port": "e", "to_port": "e"},
         {"from": 5, "to": 4, "from_port": "f", "to_port": "f", "duplex": false},
         {"from": 5, "to": 6, "duplex": false}, {"from": 6, "to": 3, "duplex": false},
         {"from": 6, "to": 1, "duplex": false}, {"from": 2, "to": 5, "duplex": false},
         {"from": 1, "to": 6, "duplex": false})";
  // A ring of five, 0 - 1 - 2 - 3 - 4, with a chord.
  std::string ring;
  for (unsigned node = 0; node < 5; ++node)
    ring += R"({"from": )" + std::to_string(node) + R"(, "to": )" + std::to_string((node + 1) % 5) +
            R"(, "from_port": "up", "to_port": "down"}, )";
  ring += R"({"from": 0, "to": 2, "from_port": "x", "to_port": "x"})";
  const std::string with_vcs =
      R"("0": {"*": {"port": "x", "vcs": [1, 3]}, "1": "up", "4": {"port": "down", "vcs": [0, 2]}},
         "1": {"*": {"port": "up", "vcs": [1]}, "0": "down", "4": {"port": "down", "vcs": [3]}},
         "2": {"*": "up", "0": {"port": "x", "vcs": [3]}, "1": "down"},
         "3": {"*": {"port": "up", "vcs": [0, 1]}, "1": "down", "2": {"port": "down", "vcs": [2]}},
         "4": {"*": "up", "2": {"port": "down", "vcs": [0]}, "3": "down"})";
  // Up all the way round but for neighbours below: two layers.
  const std::string round = R"("0": {"*": "up", "4": "down"}, "1": {"*": "up", "0": "down"},
                               "2": {"*": "up", "1": "down"}, "3": {"*": "up", "2": "down"},
                               "4": {"*": "up", "3": "down"})";
  return {written_network("irregular", "14", irregular), written_network("one_way", "7", one_way),
          written_network("routes", "5", ring, round), written_network("routes_vcs", "5", ring, with_vcs),
          side_by_side()};
}

TEST(golden_routes, of_all_families_are_as_ever) {
  std::vector<std::string> lines;
  for (const topology_kind& kind : topology_kinds()) {
    std::vector<std::string> specs = kind.examples;
    if (kind.name == "ccc") specs.insert(specs.end(), {"ccc:3", "ccc:4"});
    if (kind.name == "htn") specs.insert(specs.end(), {"htn:3,2,2,0", "htn:3,2,2,1"});
    if (kind.name == "ttn") specs.push_back("ttn:2,2,2");
    if (kind.name == "mh3dt" || kind.name == "h3dt") specs.push_back(kind.name + ":4,2,2,0");
    if (kind.name == "rdt") specs.insert(specs.end(), {"rdt:alpha,16", "rdt:beta,16", rdt_without_upper_ranks()});
    if (kind.name == "file") specs = written_networks();
    for (const std::string& spec : specs) {
      topology_options options;
      options.spec = spec;
      if (kind.routings.empty()) continue;
      if (make_topology(options).wiring->node_count() <= max_golden_nodes) add_lines(kind, spec, lines);
    }
    // Ties between floats, and between reductions of three ranks, begin at this size.
    if (kind.name == "rdt")
      for (const char* const spec : {"rdt:beta,32", "rdt:perfect,32"}) add_lines(kind, spec, lines);
  }
  expect_golden(lines, TORISCOPE_GOLDEN_ROUTES, "golden_routes.txt");
}

}  // namespace
}  // namespace toriscope::golden_routes_test
