// SPDX-License-Identifier: Apache-2.0
// What each family takes and what it says: arguments around the ends of their ranges, numbers of VCs and message
// classes, VC rules, routings, ties and links, with the network that is made and some of its routes, or the line that
// rejects them. A change on purpose: the failing test writes to its working directory the new golden_choices.txt, and
// all lines behind its digests (golden_choices_lines.txt; the build before writes them where the first file is empty).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "base/text_hash.h"
#include "topologies/golden_lines_test.h"
#include "topologies/registry.h"
#include "topologies/routes_digest_test.h"

namespace toriscope::golden_choices_test {
namespace {

/// All that a topology tells of its wiring.
std::uint64_t digest_of(const netlist& net) {
  std::uint64_t digest = mix_text(net.name());
  for (node_id n = 0; n < net.node_count(); ++n) {
    digest = mix_text(net.address(n) + net.path(n), mix(digest, net.local_ports(n)));
    for (port_id p = 0; p < net.port_count(n); ++p) digest = mix_text(net.port_name(n, p), digest);
  }
  for (const netlist_link& l : net.links())
    digest = mix(digest, l.from, l.from_port, l.to, l.to_port, l.level, l.length, l.delay_cycles);
  for (terminal_id t = 0; t < net.terminal_count(); ++t) {
    const netlist_terminal place = net.terminal(t);
    digest = mix_text(net.terminal_address(t), mix(digest, place.node, place.port, place.exit, place.exit_port));
  }
  return digest;
}

std::uint64_t digest_of(const route_arithmetic& constants) {
  std::uint64_t digest = mix_text(constants.obstacle, constants.unit);
  for (const std::uint64_t word : constants.words) digest = mix(digest, word);
  return digest;
}

std::string verdict(const topology_options& options, bool with_wiring = false) {
  std::ostringstream line;
  line << options.spec << " links=" << options.links << " ties=" << options.ties << " gates=" << options.gates
       << " routing=" << options.routing << " rule=" << options.vc_rule << " vcs=" << options.vcs
       << " classes=" << options.message_classes << ": ";
  try {
    const topology t = make_topology(options);
    line << t.choice.spec << ' ' << t.choice.links << ' ' << t.choice.ties << ' ' << t.choice.gates << ' '
         << t.choice.routing << ' ' << t.choice.vc_rule << ' ' << t.cyclic_digits << t.routes_turn_with_wiring << ' '
         << (with_wiring ? hex_text(digest_of(*t.wiring)) : "") << ' ' << t.vc_rule_note;
    if (t.routing) {
      const terminal_id terminals = t.wiring->terminal_count();
      std::uint64_t routes = 0;
      for (terminal_id i = 1; i <= 10; ++i) routes += routes_digest(t, i * 7919 % terminals, i * 104729 % terminals);
      line << ' ' << t.routing->state_bits() << ' ' << t.routing->injection_states() << ' '
           << t.routing->takes_states_in_turn() << ' ' << t.routing->options_at_most() << ' '
           << t.routing->compares_queues() << ' ' << t.routing->escape_vcs() << ' '
           << t.routing->reads_to_first_difference() << ' ' << digest_of(t.routing->arithmetic()) << ' '
           << hex_text(routes);
    }
  } catch (const std::invalid_argument& error) {
    line << error.what();
  }
  return line.str();
}

/// Networks of these specs take seconds: they have from 10,000 nodes on.
const std::set<std::string> large{"ccc:16",       "ccc:17",       "crossed:16",     "crossed:17",     "cube:4,8",
                                  "fattree:2,16", "fattree:2,17", "butterfly:2,16", "butterfly:2,17", "flatfly:4,8,4",
                                  "hypercube:16", "hypercube:17", "star:8",         "tesh:2,5,0",     "ttn:2,5,0",
                                  "ucube:8,8"};

/// The spec with each of its numbers replaced by others, with one more number, with one less.
std::set<std::string> around(const std::string& spec, const std::vector<unsigned>& numbers) {
  std::set<std::string> found{spec, spec + ",1", spec + ",", spec + "x2", spec.substr(0, spec.find_last_of(",x:"))};
  for (std::size_t at = spec.find(':'); at < spec.size(); ++at) {
    if (!std::isdigit(static_cast<unsigned char>(spec[at])) || std::isalnum(static_cast<unsigned char>(spec[at - 1])))
      continue;
    std::size_t end = at;
    while (end < spec.size() && std::isdigit(static_cast<unsigned char>(spec[end]))) ++end;
    for (const unsigned number : numbers) {
      const std::string other = spec.substr(0, at) + std::to_string(number) + spec.substr(end);
      if (large.count(other) == 0) found.insert(other);
    }
  }
  return found;
}

/// A line with the digest of all lines of a kind.
void add_kind(const topology_kind& kind, std::string& lines, std::vector<std::string>& digests) {
  std::vector<std::string> verdicts;
  topology_options smallest;
  std::size_t least = max_nodes;
  for (const std::string& spec : kind.examples) {
    topology_options options;
    options.spec = spec;
    const std::size_t nodes = make_topology(options).wiring->node_count();
    if (nodes >= least) continue;
    least = nodes;
    smallest = options;
  }
  for (const std::string& spec : around(smallest.spec, {0, 1, 2, 3, 4, 5, 8, 16, 17, 33})) {
    topology_options options;
    options.spec = spec;
    verdicts.push_back(verdict(options, true));
  }
  std::vector<std::string> routings = kind.routings, gates = kind.gates, rules{"safe", "no_rule"};
  for (const vc_rule_kind& rule : vc_rules()) rules.push_back(rule.name);
  routings.insert(routings.end(), {"", "no_routing"});
  gates.insert(gates.end(), {"", "no_gates"});
  for (const std::string& routing : routings)
    for (const std::string& gate : gates) {
      topology_options options = smallest;
      options.routing = routing;
      options.gates = gate;
      for (const char* ties : {"", "nowrap", "positive", "balanced", "none"})
        for (const char* links : {"U", "B", "X"}) {
          options.ties = ties;
          options.links = links;
          verdicts.push_back(verdict(options));
        }
      options.ties = "";
      options.links = "U";
      for (const std::string& rule : rules)
        for (const unsigned vcs : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 8u, 12u, 16u, 17u}) {
          options.vc_rule = rule;
          options.vcs = vcs;
          for (unsigned classes = 1; classes <= (rule == "safe" ? 4u : 1u); ++classes) {
            options.message_classes = classes;
            verdicts.push_back(verdict(options));
          }
        }
    }
  std::uint64_t digest = 0;
  for (const std::string& line : verdicts) {
    lines += line + '\n';
    digest = mix_text(line, digest);
  }
  digests.push_back(smallest.spec + ' ' + std::to_string(verdicts.size()) + ' ' + hex_text(digest));
}

TEST(golden_choices, of_all_families_are_as_ever) {
  std::string lines;
  std::vector<std::string> digests;
  for (const topology_kind& kind : topology_kinds())
    if (kind.name != "file") add_kind(kind, lines, digests);
  if (!expect_golden(digests, TORISCOPE_GOLDEN_CHOICES, "golden_choices.txt"))
    std::ofstream("golden_choices_lines.txt") << lines;
}

}  // namespace
}  // namespace toriscope::golden_choices_test
