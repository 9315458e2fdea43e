// SPDX-License-Identifier: Apache-2.0
// A router of one's own in plain SystemC - sc_in and sc_out of bool and sc_bv - in the middle of a mesh.
#include <cstdio>
#include <deque>
#include <systemc>

#include "network/network.h"
#include "rtl_models/rtl_node.h"
#include "rtl_models/user_rtl/signal_adapter.h"
#include "topologies/registry.h"

using namespace sc_core;
using namespace toriscope;

/// Ports: 0 local, 1 east, 2 west, 3 north, 4 south. Flits: [15] head, [14] tail, [7:6] x, [5:4] y, [3:0] tag.
struct xy_router : sc_module {
  using flit = sc_dt::sc_bv<16>;
  sc_in<bool> clk{"clk"};
  sc_vector<sc_in<bool>> in_valid{"in_valid", 5}, out_ready{"out_ready", 5};
  sc_vector<sc_out<bool>> in_ready{"in_ready", 5}, out_valid{"out_valid", 5};
  sc_vector<sc_in<flit>> in_flit{"in_flit", 5};
  sc_vector<sc_out<flit>> out_flit{"out_flit", 5};

  SC_HAS_PROCESS(xy_router);
  xy_router(const sc_module_name& name, unsigned x, unsigned y) : sc_module(name), x_(x), y_(y) {
    SC_METHOD(edge);
    sensitive << clk.pos();
  }

 private:
  unsigned way(const flit& f) const {
    const unsigned x = f.range(7, 6).to_uint(), y = f.range(5, 4).to_uint();
    return x != x_ ? (x > x_ ? 1 : 2) : y != y_ ? (y > y_ ? 3 : 4) : 0;
  }
  void edge() {
    for (unsigned p = 0; p < 5; ++p) {
      if (in_valid[p].read() && in_ready[p].read()) queue_[p].push_back(in_flit[p].read());
      if (out_valid[p].read() && out_ready[p].read()) {
        if (queue_[from_[p]].front()[14] == '1') busy_[p] = false;
        queue_[from_[p]].pop_front();
      }
    }
    for (unsigned p = 0; p < 5; ++p) {
      for (unsigned tried = 0; !busy_[p] && tried < 5; ++tried) {
        const unsigned i = (from_[p] + 1 + tried) % 5;
        const bool waits = !queue_[i].empty() && queue_[i].front()[15] == '1' && way(queue_[i].front()) == p;
        if (waits) busy_[p] = true, from_[p] = i;
      }
      const bool sends = busy_[p] && !queue_[from_[p]].empty();
      out_valid[p].write(sends);
      if (sends) out_flit[p].write(queue_[from_[p]].front());
    }
    for (unsigned p = 0; p < 5; ++p) in_ready[p].write(queue_[p].size() < 4);
  }

  const unsigned x_, y_;
  std::deque<flit> queue_[5];
  bool busy_[5] = {};
  unsigned from_[5] = {};
};

/// What stands where: docs/your_own_rtl.md.
adapter_config pins_of(const node_context& c) {
  adapter_config config;
  config.ports = {{"local", c.wiring.local_port(c.id)}};
  for (const char* name : {"x+", "x-", "y+", "y-"})
    config.ports.push_back({name, c.wiring.port_named(c.id, name)});
  config.format.width = 16;
  config.format.all = {{{15, 1}, expression("head")}, {{14, 1}, expression("tail")}};
  config.format.head = {
      {{6, 2}, expression("dest_x")}, {{4, 2}, expression("dest_y")}, {{0, 4}, expression("tag")}};
  config.format.body = {{{0, 14}, expression("payload")}};
  return config;
}

struct counter : packet_sink {
  unsigned long flits = 0;
  void packet_received(packet_id, const packet_record& r, cycle_t) override { flits += r.flits; }
};

int sc_main(int, char*[]) {
  topology_options options;
  options.vcs = 2;
  options.routing = "xy";
  const topology mesh = make_topology("mesh:3x3", options);
  network_config config;
  config.router.vcs = 2;
  sc_clock clock("clock", 1, SC_NS);

  network net("mesh", mesh.wiring, mesh.routing, config, [&](const char* name, const node_context& c) {
    std::unique_ptr<node> made;
    if (c.id != 4) return made;  // the model's
    auto signals = std::make_unique<router_signals<xy_router::flit>>(5);
    auto router = std::make_unique<xy_router>("xy_router", 1, 1);
    router->clk(clock);
    for (unsigned p = 0; p < 5; ++p) {
      router->in_valid[p](signals->at(p).in_valid);
      router->in_ready[p](signals->at(p).in_ready);
      router->in_flit[p](signals->at(p).in_flit);
      router->out_valid[p](signals->at(p).out_valid);
      router->out_ready[p](signals->at(p).out_ready);
      router->out_flit[p](signals->at(p).out_flit);
    }
    auto adapter = std::make_unique<signal_adapter>(c, pins_of(c), std::move(signals), std::move(router));
    made = std::make_unique<rtl_node>(name, c, std::move(adapter));
    return made;
  });
  net.clk(clock);
  counter received;
  net.add_sink(&received);
  for (unsigned round = 0; round < 40; ++round)
    for (node_id from = 0; from < 9; ++from)
      for (node_id to = 0; to < 9; ++to) net.send({from, to, 1 + (from + to + round) % 6});
  sc_start(20000, SC_NS);
  std::printf("%lu flits of %lu arrived, %s\n", received.flits,
              static_cast<unsigned long>(net.counters().flits_created),
              net.idle() ? "none is left" : "some are left");
  return 0;
}
