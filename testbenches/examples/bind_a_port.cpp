// SPDX-License-Identifier: Apache-2.0
// A module of your own listens to one link of a network: an sc_in bound to it, as to any sc_signal.
#include <iostream>
#include <systemc>

#include "network/network.h"
#include "topologies/registry.h"

using namespace toriscope;

struct listener : sc_core::sc_module {
  sc_core::sc_in<flit_word> flits{"flits"};

  SC_CTOR(listener) {
    SC_METHOD(print);
    sensitive << flits;
    dont_initialize();
  }

  void print() { std::cout << sc_core::sc_time_stamp() << "  " << flits.read() << '\n'; }
};

int sc_main(int, char*[]) {
  const topology torus = make_topology("torus:4x4");
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  network chip("torus", torus.wiring, torus.routing, {});
  chip.clk(clock);

  const netlist& wires = *torus.wiring;
  const link_id eastward = wires.ports(0)[wires.port_named(0, "x+")].out;
  listener ear("ear");
  ear.flits(chip.link_at(eastward));

  chip.send({/*source*/ 0, /*destination*/ 1, /*flits*/ 4});
  sc_core::sc_start(20, sc_core::SC_NS);
  std::cout << chip.flits_sent(eastward) << " flits went from " << wires.path(0) << " to " << wires.path(1)
            << '\n';
  return chip.flits_sent(eastward) == 4 ? 0 : 1;
}
