// SPDX-License-Identifier: Apache-2.0
#include "testbenches/measure/zero_load_model.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "topologies/path.h"

namespace toriscope {

zero_load_model::zero_load_model(std::shared_ptr<const netlist> wiring,
                                 std::shared_ptr<const routing_function> routing,
                                 const network_config& config)
    : wiring_(std::move(wiring)), routing_(std::move(routing)), config_(config) {}

std::uint64_t zero_load_model::latency(node_id source, node_id destination, std::uint32_t flits) const {
  std::vector<unsigned> delays;
  std::uint64_t sum = 0;
  unsigned longest = config_.injection_delay_cycles;
  for (const hop& h : walk(*wiring_, *routing_, source, destination, config_.router.vcs)) {
    delays.push_back(std::as_const(*wiring_).link(h.link).delay_cycles);
    sum += delays.back();
    longest = std::max(longest, delays.back());
  }
  if (config_.router.pipeline == pipeline::four_stage && config_.router.depth < credit_loop(longest))
    return flit_by_flit(delays, flits);
  return formula(delays.size() + 1, sum, longest, flits);
}

std::uint64_t zero_load_model::formula(std::uint64_t routers, std::uint64_t delays, unsigned longest,
                                       std::uint32_t flits) const {
  const std::uint64_t behind = flits - 1;
  const std::uint64_t depth = config_.router.depth;
  const std::uint64_t loop = credit_loop(longest);
  const std::uint64_t serialisation = depth >= loop ? behind : behind / depth * loop + behind % depth;
  return routers * (config_.router.stages() - 1) + delays + config_.injection_delay_cycles +
         config_.ejection_delay_cycles + serialisation;
}

std::uint64_t zero_load_model::credit_loop(unsigned delay) const {
  const unsigned sa_to_st = config_.router.pipeline == pipeline::four_stage ? 1 : 0;
  return sa_to_st + 2 * std::uint64_t{delay} + config_.credit_delay_cycles;
}

std::uint64_t zero_load_model::flit_by_flit(const std::vector<unsigned>& delays, std::uint32_t flits) const {
  const std::size_t routers = delays.size() + 1;
  const unsigned depth = config_.router.depth;
  std::vector<std::uint64_t> grants(routers * flits);
  // The cycle after creation in which flit i is granted the switch of router h.
  const auto granted = [&](std::uint32_t i, std::size_t h) -> std::uint64_t& {
    return grants[i * routers + h];
  };
  // When the slot in router h that flit i takes is known to be free.
  const auto credit_shown = [&](std::uint32_t i, std::size_t h, unsigned delay) {
    return i < depth ? 0 : granted(i - depth, h) + delay + config_.credit_delay_cycles;
  };
  std::uint64_t sent = 0;  // by the network interface
  for (std::uint32_t i = 0; i < flits; ++i) {
    if (i > 0) sent = std::max(sent + 1, credit_shown(i, 0, config_.injection_delay_cycles));
    std::uint64_t shown = sent + config_.injection_delay_cycles;
    for (std::size_t h = 0; h < routers; ++h) {
      std::uint64_t& grant = granted(i, h);
      grant = i == 0 ? shown + 2 : std::max(shown, granted(i - 1, h) + 1);
      if (h + 1 == routers) break;
      grant = std::max(grant, credit_shown(i, h + 1, delays[h]));
      shown = grant + 1 + delays[h];
    }
  }
  return grants.back() + 1 + config_.ejection_delay_cycles;
}

}  // namespace toriscope
