// SPDX-License-Identifier: Apache-2.0
#include "router/pipelines/configurable.h"

#include "router/allocation/registry.h"

namespace toriscope {

configurable_pipeline::configurable_pipeline(router_state& state)
    : router_(state), network_(state.network) {
  const router_config& c = state.kind.config;
  const unsigned vcs = state.vcs;
  const unsigned input_vcs = state.ports * vcs;
  const allocator_shape switches{c.arbiter, state.ports, vcs, state.ports, true};
  va_ = &make_allocator(network_.memory, c.va_allocator, {c.arbiter, input_vcs, vcs, input_vcs, false});
  sa_ = &make_allocator(network_.memory, c.sa_allocator, switches);
  if (c.speculative) speculative_sa_ = &make_allocator(network_.memory, c.sa_allocator, switches);
  waits_since_ = make_array<std::uint32_t>(network_.memory, input_vcs);
  network_.allocation.picked.reserve(input_vcs);
  network_.allocation.requests.reserve(std::size_t{input_vcs} * vcs);
}

void configurable_pipeline::step(cycle_t now) {
  network_.allocation.speculative.clear();
  compute_routes(now);
  if (router_.to_latch) end_waits(now);
  if (router_.dropped) drop_dead_options(router_, now);
  if (router_.va_worthwhile) allocate_vcs(now);
  if (router_.kind.timing.va == 0 && router_.to_latch) end_waits(now);
  if (router_.dropped) drop_flits(router_, now);
  allocate_switch(now);
  if (router_.dropped) return_credits(router_, now);
}

// --- RC, and the waits between the stages ---

void configurable_pipeline::compute_routes(cycle_t now) {
  if (!router_.to_route) return;
  for (const unsigned p : router_.to_route) {
    for (const unsigned v : router_.in[p].to_route)
      waits_since_[p * router_.vcs + v] = static_cast<std::uint32_t>(now);
  }
  router_.compute_routes();
}

/// Routed heads whose rc is over take part in VA, owners of output VCs whose va is over in SA.
void configurable_pipeline::end_waits(cycle_t now) {
  for (const unsigned p : router_.to_latch) {
    input_unit& in = router_.in[p];
    const std::uint32_t* const since = waits_since_ + p * router_.vcs;
    const auto waited = [&](unsigned v) { return static_cast<std::uint32_t>(now) - since[v]; };
    vc_set routed, granted;
    for (const unsigned v : in.routed) {
      if (waited(v) >= router_.kind.timing.routing_cycles(in.vcs[v].option_count)) routed.add(v);
    }
    for (const unsigned v : in.granted) {
      if (waited(v) >= router_.kind.timing.va) granted.add(v);
    }
    in.routed -= routed;
    in.to_allocate |= routed;
    in.granted -= granted;
    in.active |= granted;
    if (!(in.routed | in.granted)) router_.to_latch.remove(p);
    if (!routed) continue;
    router_.to_allocate.add(p);
    router_.va_worthwhile = true;
  }
}

/// The packet of the flit at the front of input VC v; looked up only where age counts.
packet_id configurable_pipeline::packet_of(const input_unit& in, unsigned v) const {
  if (router_.kind.config.arbiter != arbiter_kind::age) return 0;
  return network_.packet_of(in.front(v));
}

// --- VA ---

void configurable_pipeline::allocate_vcs(cycle_t now) {
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

void configurable_pipeline::request_vcs(request_list& requests) {
  for (const unsigned p : router_.to_allocate) {
    for (const unsigned v : router_.in[p].to_allocate) request_vcs_of(p, v, requests);
  }
}

/// The free output VCs in the set of the first option that has any.
void configurable_pipeline::request_vcs_of(unsigned p, unsigned v, request_list& requests) {
  const input_unit& in = router_.in[p];
  const route_option* const options = router_.options(p, v);
  for (unsigned k = 0; k < in.vcs[v].option_count; ++k) {
    const unsigned o = options[k].out_port;
    const vc_set available = vc_set(options[k].vcs) & router_.out[o].free;
    if (!available) continue;
    const packet_id packet = packet_of(in, v);
    for (const unsigned w : available) {
      requests.push_back({packet, static_cast<std::uint16_t>(p * router_.vcs + v),
                          static_cast<std::uint16_t>(o * router_.vcs + w), static_cast<std::uint8_t>(w),
                          static_cast<std::uint8_t>(k)});
    }
    return;
  }
}

void configurable_pipeline::grant_vc(const allocation_request& grant, cycle_t now) {
  router_.grant_vc(grant.requester / router_.vcs, grant.requester % router_.vcs, grant.resource / router_.vcs,
                   grant.candidate, grant.option);
  waits_since_[grant.requester] = static_cast<std::uint32_t>(now);
}

// --- SA ---

void configurable_pipeline::allocate_switch(cycle_t now) {
  allocation_space& space = network_.allocation;
  space.requests.clear();
  for (const unsigned p : router_.occupied) {
    const input_unit& in = router_.in[p];
    for (const unsigned v : in.ready()) {
      const unsigned o = in.vcs[v].out_port;
      if (router_.busy_outputs.has(o)) continue;
      space.requests.push_back({packet_of(in, v), static_cast<std::uint16_t>(p),
                                static_cast<std::uint16_t>(o), static_cast<std::uint8_t>(v), 0});
    }
  }
  port_set used_inputs, used_outputs;
  if (!space.requests.empty()) {
    const unsigned first = grants_of(*sa_, space.requests);
    for (unsigned g = 0; g < space.grants.size(); ++g) {
      const allocation_request& grant = space.grants[g];
      used_inputs.add(grant.requester);
      used_outputs.add(grant.resource);
      sa_->update_priorities(grant, g < first);
      grant_switch(grant, now);
    }
  }
  if (!space.speculative.empty()) grant_speculative(used_inputs, used_outputs, now);
}

/// Fills the space's grants; returns how many of them come from the first iteration.
unsigned configurable_pipeline::grants_of(const allocator& switches, request_list& requests) {
  allocation_space& space = network_.allocation;
  space.grants.clear();
  return allocate_in_iterations(switches, router_.kind.config.iterations_of(router_.kind.config.sa_allocator),
                                requests, space.picked, space.grants);
}

/// The flit is read out, to be sent x cycles from now.
void configurable_pipeline::grant_switch(const allocation_request& grant, cycle_t now) {
  router_.forward(grant.requester, grant.candidate, grant.resource, now, router_.kind.timing.send_ahead);
}

// --- speculation ---

/// Requesters of VA also request the output port of their option.
void configurable_pipeline::speculate() {
  allocation_space& space = network_.allocation;
  for_each_requester(space.requests, [&](unsigned first, unsigned) {
    const allocation_request& va = space.requests[first];
    const unsigned o = va.resource / router_.vcs;
    if (router_.busy_outputs.has(o)) return;
    space.speculative.push_back({va.packet, static_cast<std::uint16_t>(va.requester / router_.vcs),
                                 static_cast<std::uint16_t>(o),
                                 static_cast<std::uint8_t>(va.requester % router_.vcs), 0});
  });
}

/// Of the second allocator's grants those count whose output VC was granted in this cycle, and neither of whose ports
/// was granted by the first allocator.
void configurable_pipeline::grant_speculative(port_set used_inputs, port_set used_outputs, cycle_t now) {
  allocation_space& space = network_.allocation;
  const unsigned first = grants_of(*speculative_sa_, space.speculative);
  for (unsigned g = 0; g < space.grants.size(); ++g) {
    const allocation_request& grant = space.grants[g];
    input_unit& in = router_.in[grant.requester];
    const unsigned v = grant.candidate;
    // va = 1: `granted` are those to which VA has granted an output VC in this cycle.
    if (!(in.granted & in.with_credit).has(v) || in.vcs[v].out_port != grant.resource) continue;
    if (used_inputs.has(grant.requester) || used_outputs.has(grant.resource)) continue;
    speculative_sa_->update_priorities(grant, g < first);
    in.granted.remove(v);
    in.active.add(v);
    grant_switch(grant, now);
  }
}

}  // namespace toriscope
