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
  std::vector<link_times> links;
  std::uint64_t sum = 0;
  unsigned longest = config_.injection_delay_cycles;
  bool narrow = false;
  for (const hop& h : walk(*wiring_, *routing_, source, destination, config_.router.vcs)) {
    const netlist_link& link = std::as_const(*wiring_).link(h.link);
    links.push_back({link.delay_cycles, link.flit_cycles});
    sum += link.delay_cycles;
    longest = std::max<unsigned>(longest, link.delay_cycles);
    narrow |= link.flit_cycles > 1;
  }
  const bool papers = config_.router.pipeline == pipeline::paper2009;
  if (papers && narrow) return papers_flit_by_flit(links, flits);
  const bool bodies_catch_up = config_.router.pipeline == pipeline::four_stage;
  if (narrow || (bodies_catch_up && config_.router.depth < credit_loop(longest)))
    return flit_by_flit(links, flits);
  return formula(links.size() + 1, sum, longest, flits);
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

std::uint64_t zero_load_model::flit_by_flit(const std::vector<link_times>& links, std::uint32_t flits) const {
  const std::size_t routers = links.size() + 1;
  const unsigned depth = config_.router.depth;
  const stage_counts stages = config_.router.counts();
  const unsigned to_grant = stages.rc + stages.va;  // a head, from shown to granted the switch
  const unsigned to_sent = stages.sa + stages.st - 1;
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
      const bool last = h + 1 == routers;
      const unsigned occupied = last ? 1 : links[h].flit_cycles;
      std::uint64_t& grant = granted(i, h);
      grant = i == 0 ? shown + to_grant : std::max(shown, granted(i - 1, h) + occupied);
      if (last) break;
      grant = std::max(grant, credit_shown(i, h + 1, links[h].delay));
      shown = grant + to_sent + links[h].delay + occupied - 1;
    }
  }
  return grants.back() + to_sent + config_.ejection_delay_cycles;
}

std::uint64_t zero_load_model::papers_flit_by_flit(const std::vector<link_times>& links,
                                                   std::uint32_t flits) const {
  const std::size_t routers = links.size() + 1;
  // Of the flit before, by router: the cycles in which it went to the output buffer, and from there.
  std::vector<std::uint64_t> moved(routers);
  std::vector<std::uint64_t> left(routers);
  std::uint64_t sent = 0;  // by the network interface
  for (std::uint32_t i = 0; i < flits; ++i) {
    const bool first = i == 0;
    const auto credit_shown = [&](std::size_t h, unsigned delay) {
      return first ? 0 : moved[h] + delay + config_.credit_delay_cycles;
    };
    if (!first) sent = std::max(sent + 1, credit_shown(0, config_.injection_delay_cycles));
    std::uint64_t shown = sent + config_.injection_delay_cycles;
    for (std::size_t h = 0; h < routers; ++h) {
      const bool last = h + 1 == routers;
      const unsigned occupied = last ? 1 : links[h].flit_cycles;
      moved[h] = first ? shown : std::max(shown, left[h] + 1);
      left[h] = first ? moved[h] + 1 : std::max(moved[h] + 1, left[h] + occupied);
      if (last) break;
      left[h] = std::max(left[h], credit_shown(h + 1, links[h].delay));
      shown = left[h] + links[h].delay + occupied - 1;
    }
  }
  return left.back() + config_.ejection_delay_cycles;
}

}  // namespace toriscope
