// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/workloads/workload_registry.h"

#include <algorithm>
#include <stdexcept>

namespace toriscope {

const std::vector<workload_kind>& workload_kinds() {
  static const std::vector<workload_kind> kinds = {{traffic_mode::open, make_open_loop},
                                                   {traffic_mode::request_reply, make_request_reply},
                                                   {traffic_mode::batch, make_batch}};
  return kinds;
}

const std::vector<workload_kind>& trace_workload_kinds() {
  static const std::vector<workload_kind> kinds = {{file_timing::as_timed, make_timed_trace},
                                                   {file_timing::dependencies, make_dependent_trace}};
  return kinds;
}

std::unique_ptr<workload> make_workload(workload_setup setup) {
  const traffic_config& traffic = setup.traffic;
  if (!traffic.flows.empty()) return make_flows(std::move(setup));
  const std::vector<workload_kind>& kinds = traffic.file.empty() ? workload_kinds() : trace_workload_kinds();
  const std::string& name = traffic.file.empty() ? traffic.mode : traffic.file_timing;
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const workload_kind& k) { return name == k.name; });
  if (kind == kinds.end()) throw std::invalid_argument("there is no workload '" + name + "'");
  return kind->make(std::move(setup));
}

}  // namespace toriscope
