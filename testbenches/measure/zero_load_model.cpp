// SPDX-License-Identifier: Apache-2.0
#include "testbenches/measure/zero_load_model.h"

#include <algorithm>
#include <utility>

#include "topologies/path.h"

namespace toriscope {

zero_load_model::zero_load_model(std::shared_ptr<const netlist> wiring,
                                 std::shared_ptr<const routing_function> routing,
                                 const network_config& config)
    : wiring_(std::move(wiring)), routing_(std::move(routing)), config_(config) {}

std::uint64_t zero_load_model::latency(node_id source, node_id destination, std::uint32_t flits) const {
  std::uint64_t routers = 1;
  std::uint64_t delays = 0;
  unsigned longest = config_.injection_delay_cycles;
  for (const hop& h : walk(*wiring_, *routing_, source, destination, config_.router.vcs)) {
    const unsigned delay = std::as_const(*wiring_).link(h.link).delay_cycles;
    ++routers;
    delays += delay;
    longest = std::max(longest, delay);
  }
  return formula(routers, delays, longest, flits);
}

std::uint64_t zero_load_model::formula(std::uint64_t routers, std::uint64_t delays, unsigned longest,
                                       std::uint32_t flits) const {
  const std::uint64_t behind = flits - 1;
  const std::uint64_t depth = config_.router.depth;
  const std::uint64_t sa_to_st = config_.router.pipeline == pipeline::four_stage ? 1 : 0;
  const std::uint64_t loop = sa_to_st + 2 * std::uint64_t{longest} + config_.credit_delay_cycles;
  const std::uint64_t serialisation = depth >= loop ? behind : behind / depth * loop + behind % depth;
  return routers * (config_.router.stages() - 1) + delays + config_.injection_delay_cycles +
         config_.ejection_delay_cycles + serialisation;
}

}  // namespace toriscope
