// SPDX-License-Identifier: Apache-2.0
#include "router/router.h"

#include "router/round_robin.h"
#include "router/switch_allocator.h"

namespace toriscope {

router::router(node_id node, unsigned ports, network_state& chip) : chip_(chip), node_(node) {
  const unsigned vcs = chip.config.vcs;
  ports_.count = ports;
  ports_.vcs = vcs;
  ports_.in = make_array<input_unit>(chip.memory, ports);
  ports_.out = make_array<output_unit>(chip.memory, ports);
  if (!chip.config.has_fast_path()) staged_ = make_one<staged_pipeline>(chip.memory, *this, ports, chip);
}

void router::connect_input(port_id p, flit_wire& in, credit_wire& credits_back) {
  input_unit& unit = ports_.in[p];
  unit.in = &in;
  unit.credits_back = &credits_back;
  unit.depth = static_cast<std::uint8_t>(chip_.config.depth);
  unit.vcs = make_array<input_vc>(chip_.memory, ports_.vcs);
  unit.options = make_array<route_option>(chip_.memory, ports_.vcs * chip_.options_per_vc);
  unit.slots = make_array<flit_word>(chip_.memory, ports_.vcs * chip_.config.depth);
}

void router::connect_output(port_id p, flit_wire& out, credit_wire* credits_in, unsigned flit_cycles) {
  output_unit& unit = ports_.out[p];
  unit.flit_cycles = static_cast<std::uint8_t>(flit_cycles);
  unit.out = &out;
  unit.credits_in = credits_in;
  unit.make_vcs(chip_.memory, ports_.vcs, chip_.config.pipeline == pipeline::paper2009);
  unit.free = static_cast<vc_mask>((1u << ports_.vcs) - 1);
  for (unsigned v = 0; v < ports_.vcs; ++v) unit.credits[v] = static_cast<std::uint8_t>(chip_.config.depth);
}

// --- the stages ---

[[gnu::always_inline]] inline void router::take_flit(unsigned p, cycle_t now) {
  input_unit& in = ports_.in[p];
  const flit_word f = in.in->arrived(now);
  if (!f.valid()) return;
  in.take(node_, f, static_cast<std::uint32_t>(now));
  ports_.occupied |= 1u << p;
  ++flits_;
  if (!f.head()) return;
  if (in.to_route) ports_.to_route |= 1u << p;
  if (p + 1u != ports_.count) count_hop(f);
}

[[gnu::always_inline]] inline void router::take_credits(unsigned p, cycle_t now) {
  output_unit& out = ports_.out[p];
  const unsigned depth = chip_.config.depth;
  for (const unsigned v : bits_of(out.credits_in->arrived(now).vcs)) {
    const unsigned credits = out.credits[v]++;
    if (credits >= depth) too_many_credits();
    if (credits == 0 && !((out.free | out.draining) >> v & 1u))
      ports_.in[out.vcs[v].owner_port].with_credit |= bit_of(out.vcs[v].owner_vc);
    if (out.draining >> v & 1u && credits + 1 == depth && !(out.full >> v & 1u)) {
      out.drained |= bit_of(v);
      drained_ports_ |= 1u << p;
    }
  }
}

void router::too_many_credits() const {
  throw invariant_violation(node_, "an output VC got more credits than there are slots downstream");
}

void router::count_hop(flit_word head) {
  packet_record& record = chip_.packets[chip_.packet_of(head)];
  if (++record.hops > chip_.hop_limit)
    throw invariant_violation(node_, "a packet from node " + std::to_string(record.source) + " to node " +
                                         std::to_string(record.destination) + " has crossed " +
                                         std::to_string(record.hops) +
                                         " links: the routing goes round in circles");
}

void router::compute_routes() {
  for (const unsigned p : bits_of(ports_.to_route)) {
    input_unit& in = ports_.in[p];
    for (const unsigned v : bits_of(in.to_route)) {
      const flit_word head = in.front(v);
      const route_request request{node_, static_cast<port_id>(p), static_cast<std::uint8_t>(v),
                                  chip_.layout.destination(head), chip_.layout.state(head)};
      in.vcs[v].option_count =
          static_cast<std::uint8_t>(chip_.routing.route(request, in.options + v * chip_.options_per_vc));
    }
    in.routed |= in.to_route;
    in.to_route = 0;
  }
  ports_.to_latch |= ports_.to_route;
  ports_.to_route = 0;
}

/// The registers between RC and VA and between VA and SA take their values.
void router::latch() {
  for (const unsigned p : bits_of(ports_.to_latch)) {
    input_unit& in = ports_.in[p];
    in.latch();
    if (!in.to_allocate) continue;
    ports_.to_allocate |= 1u << p;
    ports_.va_worthwhile = true;
  }
  ports_.to_latch = 0;
}

/// Output VCs whose last credit came back in this cycle are free from the next one on.
void router::free_drained() {
  for (const unsigned p : bits_of(drained_ports_)) {
    output_unit& out = ports_.out[p];
    set_free(out, out.drained);
    out.draining &= ~out.drained;
    out.drained = 0;
  }
  drained_ports_ = 0;
}

/// SA and what follows from it at once.
[[gnu::always_inline]] inline void router::switch_flits(cycle_t now, unsigned ahead) {
  switch_allocation allocation(ports_);
  for (const unsigned o : bits_of(allocation.asked())) {
    const auto [p, v] = allocation.grant(o);
    forward(p, v, o, now, ahead);
  }
}

/// A flit granted in cycle `now` occupies a narrow link.
void router::occupy(unsigned out_port, cycle_t now) {
  output_unit& out = ports_.out[out_port];
  ports_.sending |= 1u << out_port;
  out.free_from = static_cast<std::uint32_t>(now + out.flit_cycles);
}

/// Narrow links whose flit is through may be granted again. The router is stepped in every cycle until then,
/// so that the low bits of the cycle say enough.
void router::end_sending(cycle_t now) {
  for (const unsigned p : bits_of(ports_.sending)) {
    const std::uint32_t beyond = static_cast<std::uint32_t>(now) - ports_.out[p].free_from;
    if (static_cast<std::int32_t>(beyond) >= 0) ports_.sending &= ~(1u << p);
  }
}

// --- the pipelines ---

[[gnu::always_inline]] inline void router::step_single_cycle(cycle_t now) {
  if (ports_.to_route) compute_routes();
  if (ports_.to_latch) latch();
  if (discards_) drop_dead_options(now);
  if (ports_.va_worthwhile) allocate_vcs(ports_, chip_);
  if (ports_.to_latch) latch();
  if (discards_) drop_flits(now);
  switch_flits(now, 0);
  if (discards_) return_credits(now);
}

[[gnu::always_inline]] inline void router::step_four_stage(cycle_t now) {
  if (ports_.to_route) compute_routes();
  if (discards_) drop_dead_options(now);
  if (ports_.va_worthwhile) allocate_vcs(ports_, chip_);
  if (discards_) drop_flits(now);
  switch_flits(now, 1);
  if (discards_) return_credits(now);
  if (ports_.to_latch) latch();
}

bool router::step(cycle_t now, arrival_mask arrivals) {
  for (const unsigned p : bits_of(credits_of(arrivals))) take_credits(p, now);
  for (const unsigned p : bits_of(flits_of(arrivals))) take_flit(p, now);
  if (ports_.sending) end_sending(now);
  if (flits_ > 0 && staged_) {
    staged_->step(now);
  } else if (flits_ > 0) {
    switch (chip_.config.pipeline) {
      case pipeline::single_cycle:
        step_single_cycle(now);
        break;
      case pipeline::four_stage:
        step_four_stage(now);
        break;
      case pipeline::paper2009:
        step_paper2009(now);
        break;
      case pipeline::staged:
        break;
    }
  }
  if (drained_ports_) free_drained();
  return (flits_ | ports_.sending) != 0;
}

// --- observers ---

flit_word router::front(port_id p, unsigned v) const {
  const input_unit& in = ports_.in[p];
  return in.occupied & bit_of(v) ? in.front(v) : flit_word{};
}

std::uint32_t router::front_age(port_id p, unsigned v, cycle_t now) const {
  return static_cast<std::uint32_t>(now) - ports_.in[p].vcs[v].front_since;
}

cycle_t router::last_taken(port_id p, unsigned v, cycle_t now) const {
  const cycle_t front = now - front_age(p, v, now);
  const auto after = static_cast<std::uint16_t>(ports_.in[p].vcs[v].taken_at - front);
  const bool before = after >= 0x8000 && occupancy(p, v) < ports_.in[p].depth;
  return before ? front - (0x10000u - after) : front + after;
}

std::optional<output_vc_ref> router::assigned(port_id p, unsigned v) const {
  if (ports_.in[p].state_of(v) != vc_state::active || is_discarding(p, v)) return std::nullopt;
  const input_unit& in = ports_.in[p];
  return output_vc_ref{in.vcs[v].out_port, in.vcs[v].out_vc};
}

const route_option* router::options(port_id p, unsigned v, unsigned& count) const {
  count = ports_.in[p].vcs[v].option_count;
  return ports_.in[p].options + v * chip_.options_per_vc;
}

int router::output_owner(port_id p, unsigned v) const {
  const output_unit& out = ports_.out[p];
  if (!out.out || (out.free | out.draining) & bit_of(v)) return -1;
  return static_cast<int>(out.vcs[v].owner_port * ports_.vcs + out.vcs[v].owner_vc);
}

unsigned router::credits(port_id p, unsigned v) const {
  const output_unit& out = ports_.out[p];
  return out.credits_in ? out.credits[v] : 0;
}

flit_word router::output_buffer(port_id p, unsigned v) const {
  const output_unit& out = ports_.out[p];
  return out.full & bit_of(v) ? out.buffers(ports_.vcs)[v] : flit_word{};
}

flit_word router::staged(port_id p, unsigned ahead) const {
  const flit_wire* const out = ports_.out[p].out;
  return out && out->reach_cycles() >= out->delay_cycles() + ahead
             ? out->shown(chip_.now + out->delay_cycles() + ahead)
             : flit_word{};
}

std::uint64_t router::flits_sent(port_id p) const {
  const output_unit& unit = ports_.out[p];
  if (!unit.out) return 0;
  std::uint64_t waiting = 0;
  for (unsigned ahead = unit.out->delay_cycles() + 1; ahead <= unit.out->reach_cycles(); ++ahead)
    waiting += unit.out->shown(chip_.now + ahead).valid();
  return unit.granted - waiting;
}

bool router::has_flits_in_output_registers() const {
  for (unsigned p = 0; p < ports_.count; ++p)
    if (ports_.out[p].granted != flits_sent(static_cast<port_id>(p))) return true;
  return false;
}

}  // namespace toriscope
