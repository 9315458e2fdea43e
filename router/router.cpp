// SPDX-License-Identifier: Apache-2.0
#include "router/router.h"

#include "router/round_robin.h"
#include "router/switch_allocator.h"

namespace toriscope {

namespace {
vc_mask bit_of(unsigned vc) { return static_cast<vc_mask>(1u << vc); }
}  // namespace

router::router(node_id node, unsigned ports, chip_context& chip) : chip_(chip), node_(node) {
  const unsigned vcs = chip.config.vcs;
  ports_.count = ports;
  ports_.vcs = vcs;
  ports_.in = make_array<input_unit>(chip.memory, ports);
  ports_.out = make_array<output_unit>(chip.memory, ports);
  if (!chip.config.is_plain()) staged_ = make_one<staged_pipeline>(chip.memory, *this, ports, chip);
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
  unit.out = &out;
  unit.credits_in = credits_in;
  unit.flit_cycles = static_cast<std::uint8_t>(flit_cycles);
  unit.vcs = make_array<output_vc>(chip_.memory, ports_.vcs);
  unit.free = static_cast<vc_mask>((1u << ports_.vcs) - 1);
  for (unsigned v = 0; v < ports_.vcs; ++v)
    unit.vcs[v].credits = static_cast<std::uint8_t>(chip_.config.depth);
  if (chip_.config.pipeline == pipeline::paper2009)
    unit.buffers = make_array<flit_word>(chip_.memory, ports_.vcs);
}

bool router::step(cycle_t now, arrival_mask arrivals) {
  constexpr std::uint32_t of_ports = (1u << max_ports) - 1;
  for_each_bit(static_cast<std::uint32_t>(arrivals >> credit_arrival(0)) & of_ports,
               [&](unsigned p) { take_credits(static_cast<port_id>(p), now); });
  for_each_bit(static_cast<std::uint32_t>(arrivals) & of_ports,
               [&](unsigned p) { take_flit(static_cast<port_id>(p), now); });
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

// --- the stages ---

void router::take_flit(port_id p, cycle_t now) {
  input_unit& in = ports_.in[p];
  const flit_word f = in.in->shown(now);
  if (!f.valid()) return;
  in.take(node_, f, static_cast<std::uint32_t>(now));
  ports_.occupied |= 1u << p;
  if (in.to_route) ports_.to_route |= 1u << p;
  ++flits_;
  if (f.head() && p + 1u != ports_.count) count_hop(f);
}

void router::take_credits(port_id p, cycle_t now) {
  output_unit& out = ports_.out[p];
  for_each_bit(out.credits_in->shown(now).vcs, [&](unsigned v) {
    output_vc& vc = out.vcs[v];
    if (vc.credits == chip_.config.depth)
      throw invariant_violation(node_, "an output VC got more credits than there are slots downstream");
    if (vc.credits++ == 0 && !((out.free | out.draining) >> v & 1u))
      ports_.in[vc.owner_port].with_credit |= bit_of(vc.owner_vc);
    if (out.draining && out.draining & ~out.full & bit_of(v) && vc.credits == chip_.config.depth) {
      out.drained |= bit_of(v);
      drained_ports_ |= 1u << p;
    }
  });
}

void router::count_hop(flit_word head) {
  const flit_layout& layout = chip_.layout;
  packet_record& record = chip_.packets[chip_.packets.find(layout.tag(head), layout.tag_bits())];
  if (++record.hops > chip_.hop_limit)
    throw invariant_violation(node_, "a packet from node " + std::to_string(record.source) + " to node " +
                                         std::to_string(record.destination) + " has crossed " +
                                         std::to_string(record.hops) +
                                         " links: the routing goes round in circles");
}

void router::compute_routes() {
  for_each_bit(ports_.to_route, [&](unsigned p) {
    input_unit& in = ports_.in[p];
    for_each_bit(in.to_route, [&](unsigned v) {
      const flit_word head = in.front(v);
      const route_request request{node_, static_cast<port_id>(p), static_cast<std::uint8_t>(v),
                                  chip_.layout.destination(head), chip_.layout.state(head)};
      in.vcs[v].option_count =
          static_cast<std::uint8_t>(chip_.routing.route(request, in.options + v * chip_.options_per_vc));
    });
    in.routed |= in.to_route;
    in.to_route = 0;
  });
  ports_.to_latch |= ports_.to_route;
  ports_.to_route = 0;
}

/// The registers between RC and VA and between VA and SA take their values.
void router::latch() {
  for_each_bit(ports_.to_latch, [&](unsigned p) {
    input_unit& in = ports_.in[p];
    in.latch();
    if (!in.to_allocate) return;
    ports_.to_allocate |= 1u << p;
    ports_.va_worthwhile = true;
  });
  ports_.to_latch = 0;
}

/// The flit at the front of input VC (p, v) leaves its buffer, marked for the output VC that it goes to.
flit_word router::read_out(unsigned p, unsigned v, cycle_t now) {
  input_unit& in = ports_.in[p];
  const flit_word f = in.pop(node_, v, static_cast<std::uint32_t>(now)).on_vc(in.vcs[v].out_vc);
  if (!in.occupied) ports_.occupied &= ~(1u << p);
  if (f.tail()) {
    give_up(ports_.out[in.vcs[v].out_port], in.vcs[v].out_vc);
    if (in.to_route) ports_.to_route |= 1u << p;
  }
  return f.head() ? chip_.layout.with_state(f, in.options[v * chip_.options_per_vc].state) : f;
}

/// The owner of an output VC has sent its tail.
void router::give_up(output_unit& out, unsigned vc) {
  if (chip_.config.regrant == regrant::tail || !out.credits_in)
    set_free(out, bit_of(vc));
  else
    out.draining |= bit_of(vc);
}

/// Output VCs whose last credit came back in this cycle are free from the next one on.
void router::free_drained() {
  for_each_bit(drained_ports_, [&](unsigned p) {
    output_unit& out = ports_.out[p];
    set_free(out, out.drained);
    out.draining &= ~out.drained;
    out.drained = 0;
  });
  drained_ports_ = 0;
}

/// SA has granted input VC (p, v) the switch: its front flit, on its way to the output port.
flit_word router::switch_flit(unsigned p, unsigned v, cycle_t now) {
  input_unit& in = ports_.in[p];
  const input_vc& vc = in.vcs[v];
  output_unit& out = ports_.out[vc.out_port];
  if (out.credits_in && --out.vcs[vc.out_vc].credits == 0) in.with_credit &= ~bit_of(v);
  if (out.flit_cycles > 1) occupy(vc.out_port, now);
  in.credits_back->send(now, {bit_of(v)});
  return read_out(p, v, now);
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
  for_each_bit(ports_.sending, [&](unsigned p) {
    const std::uint32_t beyond = static_cast<std::uint32_t>(now) - ports_.out[p].free_from;
    if (static_cast<std::int32_t>(beyond) >= 0) ports_.sending &= ~(1u << p);
  });
}

void router::send(output_unit& out, flit_word f, cycle_t now) {
  ++out.sent;
  --flits_;
  out.out->send(now, f);
}

// --- the pipelines ---

void router::step_single_cycle(cycle_t now) {
  compute_routes();
  latch();
  allocate_vcs(ports_, chip_);
  latch();
  allocate_switch(ports_, chip_, [&](unsigned p, unsigned v, unsigned o) {
    send(ports_.out[o], switch_flit(p, v, now), now);
  });
}

void router::step_four_stage(cycle_t now) {
  for_each_bit(staged_ports_, [&](unsigned p) {  // ST: what SA granted in the cycle before
    output_unit& out = ports_.out[p];
    send(out, out.staged, now);
    out.staged = {};
  });
  staged_ports_ = 0;
  compute_routes();
  allocate_vcs(ports_, chip_);
  allocate_switch(ports_, chip_, [&](unsigned p, unsigned v, unsigned o) {
    ports_.out[o].staged = switch_flit(p, v, now);
    staged_ports_ |= 1u << o;
  });
  latch();
}

// --- observers ---

flit_word router::front(port_id p, unsigned v) const {
  const input_unit& in = ports_.in[p];
  return in.occupied & bit_of(v) ? in.front(v) : flit_word{};
}

std::uint32_t router::front_age(port_id p, unsigned v, cycle_t now) const {
  return static_cast<std::uint32_t>(now) - ports_.in[p].vcs[v].front_since;
}

std::optional<output_vc_ref> router::assigned(port_id p, unsigned v) const {
  if (ports_.in[p].state_of(v) != vc_state::active) return std::nullopt;
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
  return out.credits_in ? out.vcs[v].credits : 0;
}

flit_word router::output_buffer(port_id p, unsigned v) const {
  const output_unit& out = ports_.out[p];
  return out.full & bit_of(v) ? out.buffers[v] : flit_word{};
}

}  // namespace toriscope
