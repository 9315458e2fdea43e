// SPDX-License-Identifier: Apache-2.0
#include "router/pipelines/configurable.h"

#include "router/allocation/registry.h"
#include "router/allocation/round_robin_switch_allocation.h"
#include "router/allocation/round_robin_vc_allocation.h"
#include "router/common_shapes.h"

namespace toriscope {

configurable_pipeline::configurable_pipeline(router_state& state)
    : router_(state), network_(state.network), n_(state.shape) {
  const router_config& c = state.kind.config;
  const unsigned vcs = state.vcs;
  const unsigned input_vcs = state.ports * n_.slice();
  const allocator_shape switches{c.arbiter, state.ports, vcs, state.ports, true};
  va_ = &make_allocator(network_.memory, c.va_allocator, {c.arbiter, input_vcs, vcs, input_vcs, false});
  sa_ = &make_allocator(network_.memory, c.sa_allocator, switches);
  if (c.speculative) speculative_sa_ = &make_allocator(network_.memory, c.sa_allocator, switches);
  by_age_ = c.arbiter == arbiter_kind::age;
  const bool plain_arbiters = c.arbiter == arbiter_kind::round_robin && !c.configurable_pipeline;
  plain_va_ = plain_arbiters && c.va_allocator == allocator_kind::input_first && !c.speculative;
  plain_sa_ = plain_arbiters && c.sa_allocator == allocator_kind::input_first;
  waits_since_ = make_array<std::uint32_t>(network_.memory, input_vcs);
  network_.allocation.picked.reserve(input_vcs);
  network_.allocation.requests.reserve(std::size_t{input_vcs} * vcs);
}

// --- RC, and the waits between the stages ---

[[gnu::always_inline]] inline void configurable_pipeline::compute_routes(router_shape n, cycle_t now) {
  for (unsigned g = 0; g < n.groups; ++g)
    for (const unsigned place : router_.in_sets[g].to_route)
      waits_since_[g * 64 + place] = static_cast<std::uint32_t>(now);
  router_.compute_routes(n);
}

/// Routed heads whose rc is over take part in VA, owners of output VCs whose va is over in SA.
[[gnu::always_inline]] inline void configurable_pipeline::end_waits(router_shape n, cycle_t now) {
  for (unsigned g = 0; g < n.groups; ++g) {
    input_sets& sets = router_.in_sets[g];
    if (!(sets.routed | sets.granted)) continue;
    const auto waited = [&](unsigned place) {
      return static_cast<std::uint32_t>(now) - waits_since_[g * 64 + place];
    };
    vc_numbers routed, granted;
    for (const unsigned place : sets.routed) {
      const unsigned options = router_.in_vcs[g * 64 + place].option_count;
      if (waited(place) >= router_.kind.timing.routing_cycles(options)) routed.add(place);
    }
    for (const unsigned place : sets.granted) {
      if (waited(place) >= router_.kind.timing.va) granted.add(place);
    }
    sets.routed -= routed;
    sets.to_allocate |= routed;
    sets.granted -= granted;
    sets.active |= granted;
    if (routed) router_.va_worthwhile = true;
  }
}

/// The packet of the flit at the front of input VC i; looked up only where age counts.
packet_id configurable_pipeline::packet_of(unsigned i) const {
  return by_age_ ? network_.packet_of(router_.front(i)) : 0;
}

// --- VA ---

void configurable_pipeline::allocate_vcs(cycle_t now) {
  if (plain_va_) return allocate_vcs_plainly(now);
  allocation_space& space = network_.allocation;
  for (unsigned i = 0; i < router_.kind.config.iterations_of(router_.kind.config.va_allocator); ++i) {
    space.requests.clear();
    request_vcs(space.requests);
    if (space.requests.empty()) {
      if (i == 0) router_.va_worthwhile = false;
      return;
    }
    if (i == 0 && speculative_sa_) speculate();
    space.grants.clear();
    va_->allocate(space.requests, space.picked, space.grants);
    for (const allocation_request& grant : space.grants) {
      va_->update_priorities(grant, i == 0);
      grant_vc(grant, now);
    }
  }
}

/// With the allocator of the plain pipelines.
void configurable_pipeline::allocate_vcs_plainly(cycle_t now) {
  vc_numbers before[router_shape::most_groups];
  for (unsigned g = 0; g < n_.groups; ++g) before[g] = router_.in_sets[g].granted;
  toriscope::allocate_vcs(router_);
  for (unsigned g = 0; g < n_.groups; ++g)
    for (const unsigned place : router_.in_sets[g].granted - before[g])
      waits_since_[g * 64 + place] = static_cast<std::uint32_t>(now);
}

void configurable_pipeline::request_vcs(request_list& requests) {
  for (unsigned g = 0; g < n_.groups; ++g)
    for (const unsigned place : router_.in_sets[g].to_allocate) request_vcs_of(g * 64 + place, requests);
}

/// The free output VCs in the set of the first option that has any.
void configurable_pipeline::request_vcs_of(unsigned i, request_list& requests) {
  const route_option* const options = router_.options(i);
  for (unsigned k = 0; k < router_.in_vcs[i].option_count; ++k) {
    const unsigned o = options[k].out_port;
    const vc_set available = vc_set(options[k].vcs) & router_.out_port(&output_sets::free, o);
    if (!available) continue;
    const packet_id packet = packet_of(i);
    for (const unsigned w : available) {
      requests.push_back({packet, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(n_.number(o, w)),
                          static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(k)});
    }
    return;
  }
}

void configurable_pipeline::grant_vc(const allocation_request& grant, cycle_t now) {
  router_.grant_vc(n_, grant.requester, grant.resource, grant.option);
  waits_since_[grant.requester] = static_cast<std::uint32_t>(now);
}

// --- SA ---

/// With the allocator of the plain pipelines.
[[gnu::always_inline]] inline configurable_pipeline::used_ports configurable_pipeline::allocate_switch_plainly(
    router_shape n, cycle_t now) {
  const unsigned ahead = router_.kind.timing.send_ahead;
  used_ports used;
  round_robin_switch_allocation allocation(router_, n);
  allocation.arbitrate_inputs();
  for (unsigned g = 0; g < n.groups; ++g)
    while (allocation.picks(g)) {
      const auto [i, o] = allocation.arbitrate_output(g);
      used.inputs.add(n.port(i));
      used.outputs.add(o);
      router_.forward(n, i, o, now, ahead);
    }
  return used;
}

[[gnu::always_inline]] inline void configurable_pipeline::request_switch(router_shape n) {
  allocation_space& space = network_.allocation;
  space.requests.clear();
  for (unsigned g = 0; g < n.groups; ++g) {
    for (const unsigned place : router_.in_sets[g].ready()) {
      const unsigned i = g * 64 + place;
      const unsigned o = n.port(router_.in_vcs[i].output);
      if (router_.busy_outputs.has(o)) continue;
      space.requests.push_back({0, static_cast<std::uint16_t>(n.port(i)), static_cast<std::uint16_t>(o),
                                static_cast<std::uint8_t>(n.vc(i)), 0});
    }
  }
  if (by_age_ && space.requests.size() > 1)
    for (allocation_request& r : space.requests) r.packet = packet_of(n.number(r.requester, r.candidate));
}

/// Fills the space's grants; returns how many of them come from the first iteration.
unsigned configurable_pipeline::grants_of(const allocator& switches, request_list& requests) {
  allocation_space& space = network_.allocation;
  space.grants.clear();
  if (requests.size() == 1) {
    space.grants.push_back(requests.front());
    return 1;
  }
  return allocate_in_iterations(switches, router_.kind.config.iterations_of(router_.kind.config.sa_allocator),
                                requests, space.picked, space.grants);
}

/// The flit is read out, to be sent x cycles from now.
[[gnu::always_inline]] inline void configurable_pipeline::grant_switch(router_shape n, const allocation_request& grant,
                                                                       cycle_t now) {
  router_.forward(n, n.number(grant.requester, grant.candidate), grant.resource, now, router_.kind.timing.send_ahead);
}

[[gnu::always_inline]] inline configurable_pipeline::used_ports configurable_pipeline::allocate_switch_by_list(
    router_shape n, cycle_t now) {
  used_ports used;
  request_switch(n);
  allocation_space& space = network_.allocation;
  if (space.requests.empty()) return used;
  const unsigned first = grants_of(*sa_, space.requests);
  for (unsigned g = 0; g < space.grants.size(); ++g) {
    const allocation_request& grant = space.grants[g];
    used.inputs.add(grant.requester);
    used.outputs.add(grant.resource);
    sa_->update_priorities(grant, g < first);
    grant_switch(n, grant, now);
  }
  return used;
}

// --- speculation ---

/// Requesters of VA also request the output port of their option.
void configurable_pipeline::speculate() {
  allocation_space& space = network_.allocation;
  for_each_requester(space.requests, [&](unsigned first, unsigned) {
    const allocation_request& va = space.requests[first];
    const unsigned o = n_.port(va.resource);
    if (router_.busy_outputs.has(o)) return;
    space.speculative.push_back({va.packet, static_cast<std::uint16_t>(n_.port(va.requester)),
                                 static_cast<std::uint16_t>(o),
                                 static_cast<std::uint8_t>(n_.vc(va.requester)), 0});
  });
}

/// Of the second allocator's grants those count whose output VC was granted in this cycle, and neither of whose ports
/// was granted by the first allocator.
void configurable_pipeline::grant_speculative(used_ports used, cycle_t now) {
  allocation_space& space = network_.allocation;
  const unsigned first = grants_of(*speculative_sa_, space.speculative);
  for (unsigned g = 0; g < space.grants.size(); ++g) {
    const allocation_request& grant = space.grants[g];
    const unsigned i = n_.number(grant.requester, grant.candidate);
    input_sets& sets = router_.in_sets[n_.group(i)];
    // va = 1: `granted` are those to which VA has granted an output VC in this cycle.
    if (!(sets.granted & sets.with_credit & n_.only(i))) continue;
    if (n_.port(router_.in_vcs[i].output) != grant.resource) continue;
    if (used.inputs.has(grant.requester) || used.outputs.has(grant.resource)) continue;
    speculative_sa_->update_priorities(grant, g < first);
    sets.granted -= n_.only(i);
    sets.active |= n_.only(i);
    grant_switch(n_, grant, now);
  }
  space.speculative.clear();
}

// --- the cycle ---

[[gnu::always_inline]] inline void configurable_pipeline::step_as(router_shape n, cycle_t now) {
  compute_routes(n, now);
  end_waits(n, now);
  if (router_.dropped) drop_dead_options(router_, now);
  if (router_.va_worthwhile) allocate_vcs(now);
  if (router_.kind.timing.va == 0) end_waits(n, now);
  if (router_.dropped) drop_flits(router_, now);
  const used_ports used = plain_sa_ ? allocate_switch_plainly(n, now) : allocate_switch_by_list(n, now);
  if (!network_.allocation.speculative.empty()) grant_speculative(used, now);
  if (router_.dropped) return_credits(router_, now);
}

void configurable_pipeline::step(cycle_t now) {
  in_shape(n_, [this, now](router_shape n) __attribute__((always_inline)) { step_as(n, now); });
}

}  // namespace toriscope
