// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/observation_counts.h"

#include <numeric>

namespace toriscope {

const std::array<event_kind, event_kinds> event_table = {{
    {"buffer_writes", &router_events::buffer_writes},
    {"buffer_reads", &router_events::buffer_reads},
    {"crossbar_traversals", &router_events::crossbar_traversals},
    {"link_traversals", &router_events::link_traversals},
    {"ejections", &router_events::ejections},
    {"route_computations", &router_events::route_computations},
    {"vc_requests", &router_events::vc_requests},
    {"vc_grants", &router_events::vc_grants},
    {"switch_requests", &router_events::switch_requests},
    {"switch_grants", &router_events::switch_grants},
}};

std::uint64_t total_of(const fate_counts& c) { return std::accumulate(c.begin(), c.end(), std::uint64_t{0}); }

std::uint64_t stalls_of(const fate_counts& c) {
  std::uint64_t sum = 0;
  for (std::size_t f = 0; f < front_fates; ++f)
    if (is_stall(static_cast<stall_cause>(f))) sum += c[f];
  return sum;
}

observation_counts::observation_counts(const netlist& wiring, unsigned vcs, cycle_t from, cycle_t to)
    : wiring_(wiring), vcs_(vcs), from_(from), to_(to) {
  std::size_t ports = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    first_port_.push_back(ports);
    ports += wiring.port_count(n);
  }
  seen_.resize(wiring.node_count());
  events_.resize(wiring.node_count());
  outputs_.resize(ports);
  inputs_.resize(ports * vcs);
  buffers_.resize(ports * vcs);
  sent_.resize(ports * vcs);
  injected_.resize(wiring.terminal_count() * std::size_t{vcs});
}

void observation_counts::stepped(const router_step& step) {
  if (!covers(step.now)) return;
  const node_id n = step.node->id();
  router_counts here = of_router(n);
  router_events& events = here.events;

  events.buffer_writes += step.arrivals.size();
  for (const flit_event& e : step.sent) {
    ++(wiring_.is_local(n, e.port) ? events.ejections : events.link_traversals);
    ++here.sent[e.port * vcs_ + e.flit.vc()];
  }
  for (const flit_event& e : step.injected) count_injected(n, e.port, e.flit.vc());
  for (const front_event& e : step.fronts) {
    if (e.out_port >= 0)
      here.count(e.port, e.vc, static_cast<unsigned>(e.out_port), e.fate);
    else
      ++at(inputs_[slot(n, e.port, e.vc)], e.fate);
    const bool moved = e.fate == stall_cause::moved;
    events.buffer_reads += moved || e.fate == stall_cause::discarded;
    events.crossbar_traversals += moved;
    events.route_computations += e.routed;
    events.vc_requests += e.asked_vc;
    events.vc_grants += e.granted_vc;
    events.switch_requests += e.asked_switch;
    events.switch_grants += moved && e.asked_switch;
  }
  for (const front_event& e : step.buffered) {
    ++at(buffers_[slot(n, e.port, e.vc)], e.fate);
    if (is_stall(e.fate)) ++at(outputs_[first_port_[n] + e.port], e.fate);
    events.switch_requests += e.asked_switch;
    events.switch_grants += e.fate == stall_cause::moved;
  }
}

void observation_counts::complete_events() {
  for (node_id n = 0; n < wiring_.node_count(); ++n) {
    const router_counts here = of_router(n);
    router_events& e = here.events;
    fate_counts sum{};
    for (port_id p = 0; p < wiring_.port_count(n); ++p)
      for (unsigned i = p * vcs_; i < (p + 1) * vcs_; ++i) {
        for (std::size_t f = 0; f < front_fates; ++f) sum[f] += here.inputs[i][f];
        (wiring_.is_local(n, p) ? e.ejections : e.link_traversals) += here.sent[i];
      }
    e.buffer_reads = e.crossbar_traversals = e.switch_grants = at(sum, stall_cause::moved);
    e.switch_requests = e.switch_grants + at(sum, stall_cause::lost_switch);
    e.vc_requests = e.vc_grants + at(sum, stall_cause::lost_vc_allocation);
  }
}

std::uint64_t observation_counts::flits_over(const wire_place& w) const {
  std::uint64_t sum = 0;
  for (unsigned v = 0; v < vcs_; ++v) sum += flits_over(w, v);
  return sum;
}

router_events observation_counts::total_events() const {
  router_events sum;
  for (const router_events& e : events_)
    for (const event_kind& kind : event_table) sum.*kind.member += e.*kind.member;
  return sum;
}

fate_counts observation_counts::total_fates() const {
  fate_counts sum{};
  for (const fate_counts& c : inputs_)
    for (std::size_t f = 0; f < front_fates; ++f) sum[f] += c[f];
  return sum;
}

}  // namespace toriscope
