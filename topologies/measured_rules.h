// SPDX-License-Identifier: Apache-2.0
// Which proven VC rule carries most, as measured: the table measured_rules.inc, which scripts/safe_rules.py writes
// (uniform traffic, packets of 16 flits, four_stage, 8 flits per VC). `--vc-rule safe` asks it first, and goes by the
// order that the family showed where a network, or a number of VCs, was not measured.
#pragma once

#include <string>

namespace toriscope {

/// A network as `toriscope prove --json` names it.
struct measured_network {
  std::string topology;  ///< in its normal form
  std::string links, ties, gates, routing;
  unsigned vcs;
};

/// The rule with the highest saturation there; empty: not measured.
std::string measured_rule(const measured_network& network);

}  // namespace toriscope
