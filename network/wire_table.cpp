// SPDX-License-Identifier: Apache-2.0
#include "network/wire_table.h"

#include <algorithm>

#include "topologies/wire_place.h"

namespace toriscope {

wire_table::wire_table(const netlist& wiring, const network_config& config, const router_kinds& kinds,
                       const node_ranges& parts)
    : wiring_(wiring),
      injection_delay_(config.injection_delay_cycles),
      ejection_delay_(config.ejection_delay_cycles),
      credit_delay_(config.credit_delay_cycles),
      kinds_(kinds),
      parts_(parts),
      longest_reach_(std::max({injection_delay_ + credit_delay_, ejection_delay_ + kinds.longest_ahead(),
                               config.limited_reception ? ejection_delay_ + credit_delay_ : 0})),
      longest_delay_(std::max(injection_delay_, ejection_delay_) + credit_delay_),
      limited_reception_(config.limited_reception),
      links_(wiring.links().size()),
      terminals_(wiring.terminal_count()),
      flits_(links_ + 2 * terminals_),
      credits_(links_ + 2 * terminals_) {
  for (const netlist_link& l : wiring.links()) {
    longest_reach_ = std::max({longest_reach_, flit_delay(l) + ahead(l.from), credit_delay(l)});
    longest_delay_ = std::max({longest_delay_, flit_delay(l), credit_delay(l)});
  }
}

unsigned wire_table::vcs(std::size_t number) const { return kinds_.of(wire_at(wiring_, number).to).config.vcs; }

flit_wire* wire_table::make_flits(arena& memory, unsigned delay, node_id from, node_id to,
                                  arrival_schedule& reader, unsigned arrival, unsigned ahead_cycles) {
  const bool cut = parts_.of(from) != parts_.of(to);
  flit_wire& made = flit_wire::make(memory, delay, cut ? nullptr : &reader, arrival, ahead_cycles);
  if (cut) cut_flits_.push_back({&made, from, &reader, arrival, to});
  return &made;
}

credit_wire* wire_table::make_credits(arena& memory, unsigned delay, node_id from, node_id to,
                                      arrival_schedule& reader, unsigned arrival) {
  const bool cut = parts_.of(from) != parts_.of(to);
  credit_wire& made = credit_wire::make(memory, delay, cut ? nullptr : &reader, arrival);
  if (cut) cut_credits_.push_back({&made, from, &reader, arrival, to});
  return &made;
}

void wire_table::make_wire_out(link_id l, arena& memory) {
  flits_[l] = &flit_wire::make(memory, flit_delay(wiring_.link(l)), nullptr, 0, ahead(wiring_.link(l).from));
}

void wire_table::make_credit_wire_out(link_id l, arena& memory) {
  credits_[l] = &credit_wire::make(memory, credit_delay(wiring_.link(l)));
}

void wire_table::make_wires_of(node_id n, arrival_schedule& reader, arena& memory) {
  const port_range ports = wiring_.ports(n);
  const unsigned local = wiring_.local_port(n);
  // Flits first, then credits: wires of a kind stand closer to each other.
  for (unsigned p = 0; p < local; ++p)
    if (const link_id in = ports[p].in; in != no_link)
      flits_[in] = make_flits(memory, flit_delay(wiring_.link(in)), wiring_.link(in).from, n, reader,
                              flit_arrival(p), ahead(wiring_.link(in).from));
  const unsigned ports_in_all = wiring_.port_count(n);
  for (unsigned p = local; p < ports_in_all; ++p)
    if (const terminal_id t = wiring_.entering(n, static_cast<port_id>(p)); t != no_terminal)
      flits_[injection(t)] = make_flits(memory, injection_delay_, n, n, reader, flit_arrival(p));
  for (unsigned p = 0; p < local; ++p)
    if (const link_id out = ports[p].out; out != no_link)
      credits_[out] = make_credits(memory, credit_delay(wiring_.link(out)), wiring_.link(out).to, n, reader,
                                   credit_arrival(p));
  if (!limited_reception_) return;
  for (unsigned p = local; p < ports_in_all; ++p)
    if (const terminal_id t = wiring_.leaving(n, static_cast<port_id>(p)); t != no_terminal)
      credits_[ejection(t)] = make_credits(memory, ejection_delay_ + credit_delay_, wiring_.terminal(t).node,
                                           n, reader, credit_arrival(p));
}

void wire_table::make_wires_of_interface(terminal_id t, arrival_schedule& reader, arena& memory) {
  const netlist_terminal at = wiring_.terminal(t);
  flits_[ejection(t)] = make_flits(memory, ejection_delay_, at.exit, at.node, reader, ejection_arrival, ahead(at.exit));
  credits_[injection(t)] = make_credits(memory, injection_delay_ + credit_delay_, at.node, at.node, reader,
                                        injection_credit_arrival);
}

}  // namespace toriscope
