// SPDX-License-Identifier: Apache-2.0
// For tests: RTL that sends what it is told to, and a network with it.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/simulation_context.h"
#include "rtl_models/rtl_router.h"
#include "testbenches/simulation/cosim/lockstep_probe.h"
#include "topologies/registry.h"

namespace toriscope {

/// What it sends, by cycle and port of the RTL; else nothing. Its input pins begin with garbage.
struct rtl_script {
  std::map<std::pair<cycle_t, unsigned>, flit_word> flits;
  std::map<std::pair<cycle_t, unsigned>, credit_word> credits;
  std::vector<cycle_t> asserts;  ///< cycles in which an assertion fails
};

class scripted_rtl final : public rtl_router {
 public:
  struct pins {
    std::vector<flit_word> flits;
    std::vector<credit_word> credits;
  };
  scripted_rtl(const rtl_parameters& parameters, const rtl_script& script)
      : parameters_(parameters),
        script_(script),
        in_{std::vector<flit_word>(parameters.ports, {~0u}), std::vector<credit_word>(parameters.ports, {0xffff})} {}

  const rtl_parameters& parameters() const override { return parameters_; }
  void set_flit(port_id p, flit_word f) override { in_.flits.at(p) = f; }
  void set_credit(port_id p, credit_word c) override { in_.credits.at(p) = c; }
  void clock_edge() override {
    shown.push_back(in_);
    for (const cycle_t cycle : script_.asserts)
      if (cycle + 1 == shown.size()) throw rtl_assertion("no grant");
  }
  flit_word flit(port_id p) const override { return sent(script_.flits, p); }
  credit_word credit(port_id p) const override { return sent(script_.credits, p); }

  std::vector<pins> shown;  ///< on the input pins, by cycle

 private:
  template <class Word>
  Word sent(const std::map<std::pair<cycle_t, unsigned>, Word>& words, port_id p) const {
    const auto found = words.find({shown.size() - 1, p});
    return found == words.end() ? Word{} : found->second;
  }
  const rtl_parameters parameters_;
  const rtl_script& script_;
  pins in_;
};

/// A packet of two flits to terminal 1 in cycle 0; from terminal 1: none.
struct one_packet final : traffic_source {
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now == 0 && from != 1) out.push_back({from, 1, 2, 0});
  }
  terminal_id from = 0;
};

/// A row of three routers in one cycle, with RTL beside the last two. By docs/model.md the interface of node 0 sends
/// the flits in 0 and 1, they are shown to its router in 1 and 2 and to that of node 1 in 2 and 3. This one sends them
/// to its interface then, and credits for them back. Likewise from node 2.
class scripted_row {
 public:
  explicit scripted_row(cycle_t cycles_after = 1000, pipeline stages = pipeline::single_cycle)
      : made_(made()), probe(wiring(), nodes_, maker(), cycles_after) {
    network_config config;
    config.router.vcs = 2;
    config.router.depth = 4;
    config.router.pipeline = stages;
    net = std::make_unique<network>("net", made_.wiring, made_.routing, config, probe.factory());
    net->set_source(&source);
  }
  const netlist& wiring() const { return *made_.wiring; }
  /// A port for the links of node 1, one that is tied off, and a local one.
  unsigned ports() const { return wiring().local_port(1) + 2; }
  unsigned tied_off() const { return ports() - 2; }
  unsigned local() const { return ports() - 1; }
  /// Of node 1, from this one.
  port_id incoming(node_id from = 0) const {
    for (const netlist_link& l : wiring().links())
      if (l.from == from && l.to == 1) return l.to_port;
    return 0;
  }
  flit_word head() const { return net->layout().head(1, 0, 0, false); }
  flit_word tail() const { return net->layout().body(1, 0, true); }
  /// What the model sends.
  void write_as_the_model() {
    scripts[1].flits = {{{2, local()}, head()}, {{3, local()}, tail()}};
    scripts[1].credits = {{{2, incoming()}, {1}}, {{3, incoming()}, {1}}};
  }
  /// Without a kernel.
  void run(cycle_t cycles) {
    net->leave_kernel({1, sc_core::SC_NS});
    while (net->cycles_done() < cycles) net->step();
    probe.finish(cycles);
  }
  void run_ten_cycles() { run(10); }

  std::map<node_id, rtl_script> scripts{{1, {}}, {2, {}}};
  std::map<node_id, scripted_rtl*> rtl;
  one_packet source;

 private:
  static topology made() {
    topology_options options;
    options.vcs = 2;
    return make_topology("mesh:1x3", options);
  }
  lockstep_probe::maker maker() {
    return [this](const node_context& context) {
      rtl_parameters parameters;
      parameters.ports = ports();
      parameters.vcs = 2;
      auto router = std::make_unique<scripted_rtl>(parameters, scripts.at(context.id));
      rtl[context.id] = router.get();
      return router;
    };
  }

  const topology made_;
  const std::vector<node_id> nodes_ = {1, 2};

 public:
  lockstep_probe probe;
  std::unique_ptr<network> net;
};

}  // namespace toriscope
