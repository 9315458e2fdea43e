// SPDX-License-Identifier: Apache-2.0
// One router on a bench of its own, without SystemC, for tests.
#pragma once

#include <map>
#include <vector>

#include "router/router.h"

namespace toriscope {

/// Destination d leaves by port d, on the VCs in `allowed`.
class straight_routing : public routing_function {
 public:
  vc_mask allowed = 0xffff;
  unsigned count = 1;  ///< of options, all the same
  unsigned route(const route_request& r, route_option* options) const override {
    for (unsigned k = 0; k < count; ++k)
      options[k] = {static_cast<port_id>(r.destination), allowed, r.state + 1};
    return count;
  }
  unsigned options_at_most() const override { return 2; }
  unsigned state_bits() const override { return 4; }
};

/// Three ports, the last of them local; wires of delay 1 on all sides.
template <class Router>
struct bench_of {
  static constexpr unsigned ports = 3;
  straight_routing routing;
  network_state network;
  Router core;
  std::vector<flit_wire*> in, out;
  std::vector<credit_wire*> credits_back, credits_in;
  arrival_schedule reader;
  cycle_t now = 0;
  std::map<unsigned, std::map<cycle_t, flit_word>> sent;                   ///< by port and cycle
  std::map<unsigned, std::map<cycle_t, std::uint16_t>> credits_sent_back;  ///< likewise

  /// @param flit_cycles  F of the links that leave by ports 0 and 1
  explicit bench_of(const router_config& config, vc_mask allowed = 0xffff, unsigned flit_cycles = 1)
      : network(config, flit_layout(8, 4), routing, 1, 2),
        core(0, ports, network, network.kind, 1, ports),
        reader(network.memory, &network.wakes, 0, 1) {
    routing.allowed = static_cast<vc_mask>(allowed & ((1u << config.vcs) - 1));
    for (unsigned p = 0; p < ports; ++p) {
      in.push_back(&flit_wire::make(network.memory, 1, &reader, flit_arrival(p)));
      out.push_back(&flit_wire::make(network.memory, 1, nullptr, 0, network.timing.send_ahead));
      credits_back.push_back(&credit_wire::make(network.memory, 1));
      credits_in.push_back(&credit_wire::make(network.memory, 1, &reader, credit_arrival(p)));
      core.connect_input(static_cast<port_id>(p), *in[p], *credits_back[p]);
      const bool local = p + 1 == ports;
      core.connect_output(static_cast<port_id>(p), *out[p], local ? nullptr : credits_in[p],
                          local ? 1 : flit_cycles);
    }
  }
  flit_word head(unsigned to, unsigned vc, bool tail = false) {
    return network.layout.head(to, 0, packet(), tail).on_vc(vc);
  }
  flit_word body(unsigned index, unsigned vc, bool tail) {
    return network.layout.body(index, 0, tail).on_vc(vc);
  }
  std::uint64_t packet() { return network.packets.create({0, 0, 4}, now); }

  /// `f` is shown at input port p in cycle t, which must not be over.
  void show(cycle_t t, unsigned p, flit_word f) { in[p]->send(t - 1, f); }
  void run_to(cycle_t end) {
    for (; now < end; ++now) {
      network.now = now;
      core.step(now, reader.arrivals(now));
      for (unsigned p = 0; p < ports; ++p) {
        const flit_word f = out[p]->shown(now + 1);
        if (f.valid()) sent[p][now] = f;
        const credit_word c = credits_back[p]->shown(now + 1);
        if (c.valid()) credits_sent_back[p][now] = c.vcs;
      }
    }
  }
};

using router_bench = bench_of<router>;

inline router_config config_of(pipeline p, vc_reallocation r = vc_reallocation::non_atomic,
                               unsigned depth = 4) {
  router_config c;
  c.pipeline = p;
  c.vc_reallocation = r;
  c.vcs = 2;
  c.depth = p == pipeline::paper2009 ? 1 : depth;
  return c;
}

}  // namespace toriscope
