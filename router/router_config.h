// SPDX-License-Identifier: Apache-2.0
// The parameters of a router chip.
#pragma once

#include <string>
#include <vector>

#include "links/flit.h"
#include "topologies/route.h"

namespace toriscope {

/// The pipelines (docs/model.md, "Stages").
enum class pipeline {
  single_cycle,  ///< RC, VA, SA and ST in one cycle: a hop is D cycles
  four_stage,    ///< RC, VA, SA, ST, a cycle each: a hop is 3 + D cycles
  paper2009,     ///< the papers' two-cycle router with one-flit buffers: a hop is 1 + D cycles
};

/// When an output VC may be granted to the next packet.
enum class regrant {
  tail,     ///< in the cycle after the tail was granted the switch
  drained,  ///< in the cycle after the last credit of the packet has come back
};

struct router_config {
  toriscope::pipeline pipeline = toriscope::pipeline::four_stage;
  toriscope::regrant regrant = toriscope::regrant::tail;
  unsigned vcs = 4;    ///< VCs per port, 1..16
  unsigned depth = 8;  ///< flits per VC, 1..64; paper2009: 1

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;

  /// Stages P of the pipeline: a flit shown in t is sent in t+P-1.
  unsigned stages() const;
};

const char* to_string(pipeline p);
const char* to_string(regrant r);

}  // namespace toriscope
