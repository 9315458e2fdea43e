// SPDX-License-Identifier: Apache-2.0
#include "network/wire_table.h"

#include <algorithm>

namespace toriscope {

wire_table::wire_table(const netlist& wiring, const network_config& config)
    : wiring_(wiring),
      injection_delay_(config.injection_delay_cycles),
      ejection_delay_(config.ejection_delay_cycles),
      credit_delay_(config.credit_delay_cycles),
      links_(wiring.links().size()),
      nodes_(wiring.node_count()),
      longest_delay_(std::max(injection_delay_, ejection_delay_)),
      flits_(links_ + 2 * nodes_),
      credits_(links_ + 2 * nodes_) {
  for (const netlist_link& l : wiring.links()) longest_delay_ = std::max<unsigned>(longest_delay_, l.delay_cycles);
  longest_delay_ += credit_delay_;
}

void wire_table::make_wires_of(node_id n, arena& memory) {
  for (const netlist_port& port : wiring_.ports(n)) {
    if (port.in != no_link)
      flits_[port.in] = make_one<flit_wire>(memory, memory, wiring_.link(port.in).delay_cycles, n);
    if (port.out != no_link)
      credits_[port.out] =
          make_one<credit_wire>(memory, memory, wiring_.link(port.out).delay_cycles + credit_delay_, n);
  }
  flits_[injection(n)] = make_one<flit_wire>(memory, memory, injection_delay_, n);
  credits_[injection(n)] = make_one<credit_wire>(memory, memory, injection_delay_ + credit_delay_, n);
  flits_[ejection(n)] = make_one<flit_wire>(memory, memory, ejection_delay_, n);
}

}  // namespace toriscope
