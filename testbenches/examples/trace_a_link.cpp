// SPDX-License-Identifier: Apache-2.0
// Links in a VCD file of SystemC's own, beside the clock: sc_trace takes a link as it takes an sc_signal.
#include <iostream>
#include <systemc>

#include "network/network.h"
#include "topologies/registry.h"

using namespace toriscope;

int sc_main(int, char*[]) {
  const topology ttn = make_topology("ttn:2,2,0");
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  network chip("ttn", ttn.wiring, ttn.routing, {});
  chip.clk(clock);

  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file("trace_a_link");
  waves->set_time_unit(100, sc_core::SC_PS);
  sc_core::sc_trace(waves, clock, "clock");
  const netlist& wires = *ttn.wiring;
  for (port_id p = 0; p < wires.local_port(0); ++p)
    if (const link_id l = wires.ports(0)[p].out; l != no_link)
      sc_core::sc_trace(waves, chip.link_at(l), "out_" + wires.port_name(0, p));

  for (node_id n = 1; n < wires.node_count(); ++n) chip.send({0, n, 8});
  sc_core::sc_start(4, sc_core::SC_US);
  sc_core::sc_close_vcd_trace_file(waves);
  std::cout << "trace_a_link.vcd: " << chip.counters().packets_received << " packets left " << wires.path(0)
            << '\n';
  return chip.idle() ? 0 : 1;
}
