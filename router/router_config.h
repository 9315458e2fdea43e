// SPDX-License-Identifier: Apache-2.0
// The parameters of a router.
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
  custom,        ///< as router_config::custom_stages says
};

/// Cycles from one step of a head to the next (docs/model.md, "Stages"); 0..7 each, sa + st >= 1.
struct stage_counts {
  unsigned rc = 1;  ///< routed to VA
  unsigned va = 1;  ///< granted by VA to SA
  unsigned sa = 1;  ///< granted by SA to sent: sa + st - 1
  unsigned st = 1;
};

/// When an output VC may be granted to the next packet.
enum class vc_reallocation {
  non_atomic,  ///< in the cycle after the tail was granted the switch
  atomic,      ///< in the cycle after the last credit of the packet has come back
};

/// How requests are matched with resources (docs/model.md, "Allocators").
enum class allocator_kind {
  input_first,   ///< separable
  output_first,  ///< separable
  islip,         ///< McKeown 1999
};

/// Who of several requesters is picked (docs/model.md, "Arbiters").
enum class arbiter_kind {
  round_robin,
  matrix,  ///< the least recently granted
  age,     ///< the oldest packet
};

struct router_config {
  toriscope::pipeline pipeline = toriscope::pipeline::four_stage;
  toriscope::vc_reallocation vc_reallocation = toriscope::vc_reallocation::non_atomic;
  unsigned vcs = 4;    ///< VCs per port, 1..16
  unsigned depth = 8;  ///< flits per VC, 1..64; paper2009: 1

  stage_counts custom_stages;  ///< of pipeline::custom
  allocator_kind va_allocator = allocator_kind::input_first;
  allocator_kind sa_allocator = allocator_kind::input_first;
  arbiter_kind arbiter = arbiter_kind::round_robin;  ///< of both allocators
  unsigned islip_iterations = 1;                                 ///< 1..8
  bool lookahead = false;              ///< RC runs beside the stages of the router before
  bool speculative = false;            ///< heads ask VA and SA in the same cycle; va = 1
  unsigned adaptive_delay_cycles = 0;  ///< 0..15, added to rc of a head that has several options
  bool configurable_pipeline = false;  ///< for tests: pipelines/configurable.h stands in for a plain pipeline

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;

  /// The stage counts of the pipeline, not for paper2009; what follows from them is in pipeline_timing.h.
  stage_counts counts() const;
  /// paper2009: each output VC has a buffer for a flit.
  bool has_output_buffers() const { return pipeline == toriscope::pipeline::paper2009; }
  unsigned iterations_of(allocator_kind a) const { return a == allocator_kind::islip ? islip_iterations : 1; }
  /// A pipeline by its name with the default policies.
  bool has_fast_path() const;
};

const char* to_string(pipeline p);
const char* to_string(vc_reallocation r);
const char* to_string(allocator_kind a);
const char* to_string(arbiter_kind a);

}  // namespace toriscope
