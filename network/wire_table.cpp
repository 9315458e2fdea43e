// SPDX-License-Identifier: Apache-2.0
#include "network/wire_table.h"

#include <algorithm>

namespace toriscope {

wire_table::wire_table(const netlist& wiring, const network_config& config, const router_kinds& kinds)
    : wiring_(wiring),
      injection_delay_(config.injection_delay_cycles),
      ejection_delay_(config.ejection_delay_cycles),
      credit_delay_(config.credit_delay_cycles),
      kinds_(kinds),
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
      flits_[in] = &flit_wire::make(memory, flit_delay(wiring_.link(in)), &reader, flit_arrival(p),
                                    ahead(wiring_.link(in).from));
  const unsigned ports_in_all = wiring_.port_count(n);
  for (unsigned p = local; p < ports_in_all; ++p)
    if (const terminal_id t = wiring_.entering(n, static_cast<port_id>(p)); t != no_terminal)
      flits_[injection(t)] = &flit_wire::make(memory, injection_delay_, &reader, flit_arrival(p));
  for (unsigned p = 0; p < local; ++p)
    if (const link_id out = ports[p].out; out != no_link)
      credits_[out] = &credit_wire::make(memory, credit_delay(wiring_.link(out)), &reader, credit_arrival(p));
  if (!limited_reception_) return;
  for (unsigned p = local; p < ports_in_all; ++p)
    if (const terminal_id t = wiring_.leaving(n, static_cast<port_id>(p)); t != no_terminal)
      credits_[ejection(t)] =
          &credit_wire::make(memory, ejection_delay_ + credit_delay_, &reader, credit_arrival(p));
}

void wire_table::make_wires_of_interface(terminal_id t, arrival_schedule& reader, arena& memory) {
  flits_[ejection(t)] =
      &flit_wire::make(memory, ejection_delay_, &reader, ejection_arrival, ahead(wiring_.terminal(t).exit));
  credits_[injection(t)] =
      &credit_wire::make(memory, injection_delay_ + credit_delay_, &reader, injection_credit_arrival);
}

}  // namespace toriscope
