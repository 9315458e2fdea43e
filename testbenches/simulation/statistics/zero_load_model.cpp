// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/zero_load_model.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "topologies/path.h"

namespace toriscope {

zero_load_model::zero_load_model(std::shared_ptr<const netlist> wiring,
                                 std::shared_ptr<const routing_function> routing,
                                 const network_config& config)
    : wiring_(std::move(wiring)),
      routing_(std::move(routing)),
      config_(config),
      kinds_(*wiring_, config),
      timing_(config.router),
      answers_(4096) {
  const std::vector<netlist_link>& links = std::as_const(*wiring_).links();
  if (links.empty() || !one_route() || wiring_->has_node_values()) return;
  delay_ = links.front().delay_cycles;
  unsigned longest = std::max(config_.injection_delay_cycles, delay_);
  if (config_.limited_reception) longest = std::max(longest, config_.ejection_delay_cycles);
  by_hops_ = config_.router.depth >= credit_loop(longest) &&
             std::all_of(links.begin(), links.end(), [this](const netlist_link& l) {
               return l.delay_cycles == delay_ && l.flit_cycles == 1;
             });
}

std::uint64_t zero_load_model::latency(node_id source, node_id destination, std::uint32_t flits,
                                       route_state drawn) const {
  const std::uint64_t pair = std::uint64_t{source} * wiring_->terminal_count() + destination;
  answer& a = answers_[pair % answers_.size()];
  if (a.source != source || a.destination != destination || a.flits != flits || a.drawn != drawn)
    a = {source, destination, flits, drawn, work_out(source, destination, flits, drawn)};
  return a.latency;
}

std::uint64_t zero_load_model::work_out(node_id source, node_id destination, std::uint32_t flits,
                                        route_state drawn) const {
  const path way = walk(source, destination, drawn);
  std::uint64_t sum = config_.injection_delay_cycles + config_.ejection_delay_cycles;
  unsigned longest = config_.injection_delay_cycles;
  if (config_.limited_reception) longest = std::max(longest, config_.ejection_delay_cycles);
  bool narrow = false;
  for (const link_times& link : way.links) {
    sum += link.delay;
    longest = std::max(longest, link.delay);
    narrow |= link.flit_cycles > 1;
  }
  bool bodies_catch_up = timing_.switch_to_sent > 0;
  for (const router_times& router : way.routers) {
    sum += router.head_cycles + router.to_sent;
    bodies_catch_up |= router.head_cycles > 0;
  }
  if (config_.router.has_output_buffers())
    return narrow ? papers_flit_by_flit(way, flits) : sum + serialisation(longest, flits);
  if (narrow || wiring_->has_node_values() ||
      (bodies_catch_up && config_.router.depth < credit_loop(longest)))
    return flit_by_flit(way, flits);
  return sum + serialisation(longest, flits);
}

std::uint64_t zero_load_model::formula(std::uint64_t routers, std::uint64_t delays, unsigned longest,
                                       std::uint32_t flits) const {
  return routers * timing_.router_cycles() + delays + config_.injection_delay_cycles +
         config_.ejection_delay_cycles + serialisation(longest, flits);
}

std::uint64_t zero_load_model::serialisation(unsigned longest, std::uint32_t flits) const {
  const std::uint64_t behind = flits - 1;
  const std::uint64_t depth = config_.router.depth;
  const std::uint64_t loop = credit_loop(longest);
  return depth >= loop ? behind : behind / depth * loop + behind % depth;
}

zero_load_model::path zero_load_model::walk(node_id source, node_id destination, route_state drawn) const {
  path way;
  const netlist_terminal from = wiring_->terminal(source);
  route_request at{from.node, from.port, 0, destination, drawn};
  // Else heads are as fast with one option as with many.
  const auto add_router = [&] {
    const router_kind& router = kinds_.of(at.node);
    const bool options_count = router.timing.adaptive_rc > router.timing.rc && !routing_->compares_queues();
    route_option options[routing_function::max_options];
    way.routers.push_back({router.timing.head_cycles(options_count ? routing_->route(at, options) : 1),
                           router.timing.switch_to_sent, router.config.depth});
  };
  for (const hop& h : toriscope::walk(*wiring_, *routing_, source, destination, config_.router.vcs, drawn)) {
    add_router();
    const netlist_link& link = std::as_const(*wiring_).link(h.link);
    way.links.push_back({link.delay_cycles, link.flit_cycles});
    at = {link.to, link.to_port, h.vc, destination, h.state};
  }
  add_router();
  return way;
}

std::uint64_t zero_load_model::flit_by_flit(const path& way, std::uint32_t flits) const {
  const std::size_t routers = way.routers.size();
  const unsigned ejection = config_.ejection_delay_cycles;
  std::vector<std::uint64_t> grants((routers + 1) * flits);
  // The cycle after creation in which flit i is granted the switch of router h; behind the last router, that
  // in which it leaves the network interface.
  const auto granted = [&](std::uint32_t i, std::size_t h) -> std::uint64_t& {
    return grants[i * (routers + 1) + h];
  };
  // When the slot in router h that flit i takes is known to be free.
  const auto credit_shown = [&](std::uint32_t i, std::size_t h, unsigned delay) {
    const unsigned depth = way.routers[std::min(h, routers - 1)].depth;  // behind the last: the interface's
    return i < depth ? 0 : granted(i - depth, h) + delay + config_.credit_delay_cycles;
  };
  std::uint64_t sent = 0;  // by the network interface
  for (std::uint32_t i = 0; i < flits; ++i) {
    if (i > 0) sent = std::max(sent + 1, credit_shown(i, 0, config_.injection_delay_cycles));
    std::uint64_t shown = sent + config_.injection_delay_cycles;
    for (std::size_t h = 0; h < routers; ++h) {
      const bool last = h + 1 == routers;
      const link_times link = last ? link_times{ejection, 1} : way.links[h];
      std::uint64_t& grant = granted(i, h);
      grant =
          i == 0 ? shown + way.routers[h].head_cycles : std::max(shown, granted(i - 1, h) + link.flit_cycles);
      if (!last || config_.limited_reception) grant = std::max(grant, credit_shown(i, h + 1, link.delay));
      shown = grant + way.routers[h].to_sent + link.delay + link.flit_cycles - 1;
    }
    granted(i, routers) = shown;
  }
  return grants.back();
}

std::uint64_t zero_load_model::papers_flit_by_flit(const path& way, std::uint32_t flits) const {
  const std::size_t routers = way.routers.size();
  // Of the flit before, by router: the cycles in which it went to the output buffer, and from there. Behind
  // the last router: that in which it left the network interface.
  std::vector<std::uint64_t> moved(routers + 1);
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
      const link_times link = last ? link_times{config_.ejection_delay_cycles, 1} : way.links[h];
      moved[h] = first ? shown : std::max(shown, left[h] + 1);
      left[h] = first ? moved[h] + 1 : std::max(moved[h] + 1, left[h] + link.flit_cycles);
      if (!last || config_.limited_reception) left[h] = std::max(left[h], credit_shown(h + 1, link.delay));
      shown = left[h] + link.delay + link.flit_cycles - 1;
    }
    moved[routers] = shown;
  }
  return moved[routers];
}

}  // namespace toriscope
