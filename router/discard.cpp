// SPDX-License-Identifier: Apache-2.0
// Dead links in the router (docs/model.md, "Dead links"): options over them are dropped in VA, a head without
// options is discarded, and its VC gives up a flit per cycle at SA. Nothing here is called in a router
// without a dead link.
#include "router/discard_unit.h"
#include "router/round_robin.h"
#include "router/router.h"

namespace toriscope {

void router::close_output(port_id p) {
  if (!discards_) discards_ = make_one<discard_unit>(chip_.memory, chip_.memory, ports_.count);
  discards_->dead |= 1u << p;
}

bool router::is_discarding(port_id p, unsigned v) const {
  return discards_ && discards_->discarding[p] >> v & 1u;
}

/// Part of VA. A packet that already owns a VC of a dead output port is not asked: it goes on.
void router::drop_dead_options(cycle_t now) {
  for (const unsigned p : bits_of(ports_.to_allocate)) {
    input_unit& in = ports_.in[p];
    for (const unsigned v : bits_of(in.to_allocate)) {
      input_vc& vc = in.vcs[v];
      route_option* const options = in.options + v * chip_.options_per_vc;
      const port_id wanted = options[0].out_port;
      unsigned left = 0;
      for (unsigned k = 0; k < vc.option_count; ++k)
        if (!(discards_->dead >> options[k].out_port & 1u)) options[left++] = options[k];
      vc.option_count = static_cast<std::uint8_t>(left);
      if (left == 0) discard(p, v, wanted, now);
    }
  }
}

/// The packet at the front of input VC (p, v) goes nowhere. Its VC is active, so that its flits are taken as
/// those of any packet under way, but owns no output VC and never has a credit.
void router::discard(unsigned p, unsigned v, port_id wanted, cycle_t now) {
  input_unit& in = ports_.in[p];
  in.to_allocate &= ~bit_of(v);
  if (!in.to_allocate) ports_.to_allocate &= ~(1u << p);
  in.active |= bit_of(v);
  discards_->discarding[p] |= bit_of(v);
  discards_->busy |= 1u << p;

  const packet_id packet = chip_.packet_of(in.front(v));
  ++chip_.counters.packets_discarded;
  for (packet_sink* sink : chip_.sinks)
    sink->packet_discarded(packet, chip_.packets[packet], node_, wanted, now);
}

/// Part of SA, before anything is granted.
void router::drop_flits(cycle_t now) {
  discard_unit& unit = *discards_;
  for (const unsigned p : bits_of(unit.busy)) {
    input_unit& in = ports_.in[p];
    for (const unsigned v : bits_of(unit.discarding[p] & in.occupied)) {
      const flit_word f = in.pop(v, static_cast<std::uint32_t>(now));
      --flits_;
      ++chip_.counters.flits_discarded;
      unit.freed[p] |= bit_of(v);
      unit.freed_ports |= 1u << p;
      if (!f.tail()) continue;
      unit.discarding[p] &= ~bit_of(v);
      if (in.to_route) ports_.to_route |= 1u << p;
      chip_.packets.retire(chip_.packet_of(f));
    }
    if (!in.occupied) ports_.occupied &= ~(1u << p);
    if (!unit.discarding[p]) unit.busy &= ~(1u << p);
  }
}

/// The credits that no granted flit of the same port has taken along.
void router::return_credits(cycle_t now) {
  for (const unsigned p : bits_of(discards_->freed_ports))
    ports_.in[p].credits_back->send(now, {discards_->take_freed(p)});
}

}  // namespace toriscope
