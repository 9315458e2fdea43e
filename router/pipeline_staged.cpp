// SPDX-License-Identifier: Apache-2.0
#include "router/pipeline_staged.h"

#include "router/allocation/registry.h"
#include "router/round_robin.h"
#include "router/router.h"

namespace toriscope {

staged_pipeline::staged_pipeline(router& owner, unsigned ports, network_state& chip)
    : router_(owner),
      chip_(chip),
      routing_cycles_(static_cast<std::uint8_t>(chip.config.routing_cycles(false))),
      adaptive_routing_cycles_(static_cast<std::uint8_t>(chip.config.routing_cycles(true))),
      va_cycles_(static_cast<std::uint8_t>(chip.config.counts().va)),
      sent_after_(static_cast<std::uint8_t>(chip.config.send_ahead_cycles())) {
  const router_config& c = chip.config;
  const unsigned input_vcs = ports * c.vcs;
  const allocation_shape switches{c.arbiter, ports, c.vcs, ports, true};
  va_ = &make_allocation(chip.memory, c.va_allocator, {c.arbiter, input_vcs, c.vcs, input_vcs, false});
  sa_ = &make_allocation(chip.memory, c.sa_allocator, switches);
  if (c.speculative) speculative_sa_ = &make_allocation(chip.memory, c.sa_allocator, switches);
  waits_since_ = make_array<std::uint32_t>(chip.memory, input_vcs);
  chip.allocation.picked.reserve(input_vcs);
  chip.allocation.requests.reserve(std::size_t{input_vcs} * c.vcs);
}

void staged_pipeline::step(cycle_t now) {
  chip_.allocation.speculative.clear();
  compute_routes(now);
  if (router_.ports_.to_latch) end_waits(now);
  const bool dead_links = router_.discards_ != nullptr;
  if (dead_links) router_.drop_dead_options(now);
  if (router_.ports_.va_worthwhile) allocate_vcs(now);
  if (va_cycles_ == 0 && router_.ports_.to_latch) end_waits(now);
  if (dead_links) router_.drop_flits(now);
  allocate_switch(now);
  if (dead_links) router_.return_credits(now);
}

// --- RC, and the waits between the stages ---

void staged_pipeline::compute_routes(cycle_t now) {
  const router_ports& ports = router_.ports_;
  if (!ports.to_route) return;
  for (const unsigned p : bits_of(ports.to_route)) {
    for (const unsigned v : bits_of(ports.in[p].to_route))
      waits_since_[p * ports.vcs + v] = static_cast<std::uint32_t>(now);
  }
  router_.compute_routes();
}

/// Routed heads whose rc is over take part in VA, owners of output VCs whose va is over in SA.
void staged_pipeline::end_waits(cycle_t now) {
  router_ports& ports = router_.ports_;
  for (const unsigned p : bits_of(ports.to_latch)) {
    input_unit& in = ports.in[p];
    const std::uint32_t* const since = waits_since_ + p * ports.vcs;
    const auto waited = [&](unsigned v) { return static_cast<std::uint32_t>(now) - since[v]; };
    vc_mask routed = 0, granted = 0;
    for (const unsigned v : bits_of(in.routed)) {
      if (waited(v) >= routing_cycles(in.vcs[v].option_count)) routed |= bit_of(v);
    }
    for (const unsigned v : bits_of(in.granted)) {
      if (waited(v) >= va_cycles_) granted |= bit_of(v);
    }
    in.routed &= static_cast<vc_mask>(~routed);
    in.to_allocate |= routed;
    in.granted &= static_cast<vc_mask>(~granted);
    in.active |= granted;
    if (!(in.routed | in.granted)) ports.to_latch &= ~(1u << p);
    if (!routed) continue;
    ports.to_allocate |= 1u << p;
    ports.va_worthwhile = true;
  }
}

unsigned staged_pipeline::routing_cycles(unsigned options) const {
  return options > 1 ? adaptive_routing_cycles_ : routing_cycles_;
}

/// The packet of the flit at the front of input VC v; looked up only where age counts.
packet_id staged_pipeline::packet_of(const input_unit& in, unsigned v) const {
  if (chip_.config.arbiter != arbiter::age) return 0;
  return chip_.packet_of(in.front(v));
}

// --- VA ---

void staged_pipeline::allocate_vcs(cycle_t now) {
  allocation_space& space = chip_.allocation;
  for (unsigned i = 0; i < chip_.config.iterations_of(chip_.config.va_allocator); ++i) {
    space.requests.clear();
    ask_for_vcs(space.requests);
    if (space.requests.empty()) {
      if (i == 0) router_.ports_.va_worthwhile = false;
      return;
    }
    if (i == 0 && speculative_sa_) speculate();
    space.grants.clear();
    va_->match(space.requests, space.picked, space.grants);
    for (const allocation_request& grant : space.grants) {
      va_->count(grant, i == 0);
      grant_vc(grant, now);
    }
  }
}

void staged_pipeline::ask_for_vcs(request_list& requests) {
  const router_ports& ports = router_.ports_;
  for (const unsigned p : bits_of(ports.to_allocate)) {
    for (const unsigned v : bits_of(ports.in[p].to_allocate)) ask_for_vc(p, v, requests);
  }
}

/// For the free output VCs in the set of the first option that has any.
void staged_pipeline::ask_for_vc(unsigned p, unsigned v, request_list& requests) {
  const router_ports& ports = router_.ports_;
  const input_unit& in = ports.in[p];
  const route_option* const options = in.options + v * chip_.options_per_vc;
  for (unsigned k = 0; k < in.vcs[v].option_count; ++k) {
    const unsigned o = options[k].out_port;
    const vc_mask available = static_cast<vc_mask>(options[k].vcs & ports.out[o].free);
    if (!available) continue;
    const packet_id packet = packet_of(in, v);
    for (const unsigned w : bits_of(available)) {
      requests.push_back({packet, static_cast<std::uint16_t>(p * ports.vcs + v),
                          static_cast<std::uint16_t>(o * ports.vcs + w), static_cast<std::uint8_t>(w),
                          static_cast<std::uint8_t>(k)});
    }
    return;
  }
}

void staged_pipeline::grant_vc(const allocation_request& grant, cycle_t now) {
  router_ports& ports = router_.ports_;
  const unsigned p = grant.asking / ports.vcs, v = grant.asking % ports.vcs;
  const unsigned o = grant.asked / ports.vcs, w = grant.choice;
  input_unit& in = ports.in[p];
  output_unit& out = ports.out[o];

  in.to_allocate &= static_cast<vc_mask>(~bit_of(v));
  if (!in.to_allocate) ports.to_allocate &= ~(1u << p);
  in.granted |= bit_of(v);
  ports.to_latch |= 1u << p;
  waits_since_[grant.asking] = static_cast<std::uint32_t>(now);
  if (out.credits[w] > 0) in.with_credit |= bit_of(v);
  route_option* const options = in.options + v * chip_.options_per_vc;
  options[0] = options[grant.option];
  in.vcs[v].out_port = static_cast<std::uint8_t>(o);
  in.vcs[v].out_vc = static_cast<std::uint8_t>(w);

  out.free &= static_cast<vc_mask>(~bit_of(w));
  out.vcs[w].owner_port = static_cast<std::uint8_t>(p);
  out.vcs[w].owner_vc = static_cast<std::uint8_t>(v);
}

// --- SA ---

void staged_pipeline::allocate_switch(cycle_t now) {
  const router_ports& ports = router_.ports_;
  allocation_space& space = chip_.allocation;
  space.requests.clear();
  for (const unsigned p : bits_of(ports.occupied)) {
    const input_unit& in = ports.in[p];
    for (const unsigned v : bits_of(in.active & in.occupied & in.with_credit)) {
      const unsigned o = in.vcs[v].out_port;
      if (ports.sending >> o & 1u) continue;
      space.requests.push_back({packet_of(in, v), static_cast<std::uint16_t>(p),
                                static_cast<std::uint16_t>(o), static_cast<std::uint8_t>(v), 0});
    }
  }
  std::uint32_t used_inputs = 0, used_outputs = 0;
  if (!space.requests.empty()) {
    space.grants.clear();
    const unsigned iterations = chip_.config.iterations_of(chip_.config.sa_allocator);
    const unsigned first = match_all(*sa_, iterations, space.requests, space.picked, space.grants);
    for (unsigned g = 0; g < space.grants.size(); ++g) {
      const allocation_request& grant = space.grants[g];
      used_inputs |= 1u << grant.asking;
      used_outputs |= 1u << grant.asked;
      sa_->count(grant, g < first);
      grant_switch(grant, now);
    }
  }
  if (!space.speculative.empty()) grant_speculative(used_inputs, used_outputs, now);
}

/// The flit is read out, to be sent x cycles from now.
void staged_pipeline::grant_switch(const allocation_request& grant, cycle_t now) {
  router_.forward(grant.asking, grant.choice, grant.asked, now, sent_after_);
}

// --- speculation ---

/// Those who ask in VA also ask for the output port of their option.
void staged_pipeline::speculate() {
  const router_ports& ports = router_.ports_;
  allocation_space& space = chip_.allocation;
  for_each_asking(space.requests, [&](unsigned first, unsigned) {
    const allocation_request& va = space.requests[first];
    const unsigned o = va.asked / ports.vcs;
    if (ports.sending >> o & 1u) return;
    space.speculative.push_back({va.packet, static_cast<std::uint16_t>(va.asking / ports.vcs),
                                 static_cast<std::uint16_t>(o),
                                 static_cast<std::uint8_t>(va.asking % ports.vcs), 0});
  });
}

/// Of the second allocator's grants those count that VA of this cycle has made good, and that neither side
/// was granted to anybody by the first.
void staged_pipeline::grant_speculative(std::uint32_t used_inputs, std::uint32_t used_outputs, cycle_t now) {
  allocation_space& space = chip_.allocation;
  space.grants.clear();
  const unsigned iterations = chip_.config.iterations_of(chip_.config.sa_allocator);
  const unsigned first =
      match_all(*speculative_sa_, iterations, space.speculative, space.picked, space.grants);
  for (unsigned g = 0; g < space.grants.size(); ++g) {
    const allocation_request& grant = space.grants[g];
    input_unit& in = router_.ports_.in[grant.asking];
    const vc_mask bit = bit_of(grant.choice);
    // va = 1: `granted` are those to whom VA has granted an output VC in this cycle.
    if (!(in.granted & in.with_credit & bit) || in.vcs[grant.choice].out_port != grant.asked) continue;
    if (used_inputs >> grant.asking & 1u || used_outputs >> grant.asked & 1u) continue;
    speculative_sa_->count(grant, g < first);
    in.granted &= static_cast<vc_mask>(~bit);
    in.active |= bit;
    grant_switch(grant, now);
  }
}

}  // namespace toriscope
