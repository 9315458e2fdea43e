// SPDX-License-Identifier: Apache-2.0
#include "topologies/measured_rules.h"

namespace toriscope {

namespace {

struct row {
  const char *topology, *links, *ties, *gates, *routing;
  unsigned vcs;
  const char* rules;  ///< "K 0.0285, E 0.0289": the first is the one to take
};

constexpr row rows[] = {
#include "topologies/measured_rules.inc"
};

}  // namespace

std::string measured_rule(const measured_network& n) {
  for (const row& r : rows)
    if (n.topology == r.topology && n.links == r.links && n.ties == r.ties && n.gates == r.gates &&
        n.routing == r.routing && n.vcs == r.vcs) {
      const std::string rules = r.rules;
      return rules.substr(0, rules.find(' '));
    }
  return {};
}

}  // namespace toriscope
