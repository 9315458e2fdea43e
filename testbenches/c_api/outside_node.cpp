// SPDX-License-Identifier: Apache-2.0
#include "testbenches/c_api/outside_node.h"

#include <stdexcept>

#include "router/invariant.h"
#include "topologies/wire_place.h"

namespace toriscope {

outside_node::outside_node(const sc_core::sc_module_name& name, const node_context& context)
    : node(name, context),
      wiring_(context.wiring),
      network_(context.network),
      account_(context.wiring.port_count(context.id), context.network,
               context.wiring.local_ports(context.id)),
      pins_(context.wiring.port_count(context.id)) {}

void outside_node::connect(const node_context& context) {
  node::connect(context);
  wire_table& wires = context.wires;
  for (port_id p = 0; p < pins_.size(); ++p) {
    port& pins = pins_.at(p);
    if (const wire_id in = wire_into(wiring_, id(), p); in != no_wire) {
      pins.in = &wires.flit(in);
      pins.credits_back = wires.credit(in);
    }
    if (const wire_id out = wire_out_of(wiring_, id(), p); out != no_wire) {
      pins.out = &wires.flit(out);
      pins.credits_in = wires.credit(out);
      const wire_place place = wire_at(wiring_, out);
      account_.set_link(p, context.kinds.of(place.to).config, place.flit_cycles);
    }
    pins.from_link = !wiring_.is_local(id(), p);
  }
  network_.wakes.wake(id(), 0);
}

std::string outside_node::port_text(port_id p) const {
  return wiring_.name() + "." + wiring_.path(id()) + ", port " + wiring_.port_name(id(), p);
}

void outside_node::drive(port_id p, flit_word f, credit_word c) {
  port& pins = pins_[p];
  const unsigned vcs = network_.config.vcs;
  if (f.valid() && !pins.out)
    throw std::invalid_argument(port_text(p) + ": no link leaves here, and the router sends a flit");
  if (c.valid() && !pins.in)
    throw std::invalid_argument(port_text(p) + ": no link enters here, and the router sends a credit");
  if (f.valid() && f.vc() >= vcs)
    throw std::invalid_argument(port_text(p) + ": the router sends a flit on VC " + std::to_string(f.vc()) +
                                " of " + std::to_string(vcs));
  if (!f.valid() && f.bits != 0)
    throw std::invalid_argument(port_text(p) + ": the router sends a word that is not a flit: bit 0 is 0");
  if (c.vcs >> vcs != 0)
    throw std::invalid_argument(port_text(p) + ": the router sends a credit of a VC that there is not");
  pins.flit = f;
  pins.credits = c;
}

bool outside_node::step(cycle_t now) {
  for (port_id p = 0; p < pins_.size(); ++p) take(p, now);
  for (port_id p = 0; p < pins_.size(); ++p) send(p, now);
  step_interfaces(now);
  look_for_lost_credits(now);
  return true;
}

void outside_node::take(port_id p, cycle_t now) {
  const port& pins = pins_.at(p);
  if (pins.in)
    if (const flit_word f = pins.in->shown(now); f.valid()) {
      account_.flit_in(p, f, now);
      if (f.head() && pins.from_link) ++network_.packets[network_.packet_of(f)].hops;
    }
  if (pins.credits_in)
    if (const credit_word c = pins.credits_in->shown(now); c.valid()) account_.credits_in(p, c);
}

void outside_node::send(port_id p, cycle_t now) {
  port& pins = pins_.at(p);
  if (pins.flit.valid()) {
    check(p, account_.flit_out(p, pins.flit, now));
    pins.out->send(now, pins.flit);
    ++pins.sent;
  }
  if (pins.credits.valid()) {
    check(p, account_.credits_out(p, pins.credits));
    pins.credits_back->send(now, pins.credits);
  }
  pins.flit = {};
  pins.credits = {};
}

void outside_node::check(port_id p, const std::string& wrong) const {
  if (!wrong.empty()) throw invariant_violation(id(), "port " + wiring_.port_name(id(), p) + ": " + wrong);
}

void outside_node::look_for_lost_credits(cycle_t now) {
  constexpr cycle_t patience_cycles = 1000;
  if (now % patience_cycles != patience_cycles - 1) return;
  if (const auto slot = account_.look_for_lost_credits())
    check(slot->p, "a flit of VC " + std::to_string(slot->v) + " left " + std::to_string(patience_cycles) +
                       " cycles ago or earlier, and its credit was not returned");
}

}  // namespace toriscope
