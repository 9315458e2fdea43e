// SPDX-License-Identifier: Apache-2.0
// The registry of workloads: one place that knows them all by name.
#pragma once

#include <vector>

#include "testbenches/simulation/workloads/workload.h"

namespace toriscope {

using workload_maker = std::unique_ptr<workload>(workload_setup setup);

struct workload_kind {
  const char* name;
  workload_maker* make;
};

/// With packets that are drawn: --traffic-mode.
const std::vector<workload_kind>& workload_kinds();
/// With packets from a file: --file-timing.
const std::vector<workload_kind>& trace_workload_kinds();

/// @throws std::invalid_argument with one line: a pattern, a file or a load that cannot be
std::unique_ptr<workload> make_workload(workload_setup setup);

// Each in a file of its own.
workload_maker make_open_loop, make_request_reply, make_batch, make_timed_trace, make_dependent_trace,
    make_flows;

}  // namespace toriscope
