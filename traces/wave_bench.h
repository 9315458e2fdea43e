// SPDX-License-Identifier: Apache-2.0
// For tests: several networks side by side in one simulation, each traced in its own way, and an independent
// account of what their waveforms must hold.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "topologies/registry.h"
#include "traces/vcd_reader.h"
#include "traces/wave_writer.h"

namespace toriscope {

/// Packets between random nodes, in bursts with silences between them.
class bursts final : public traffic_source {
 public:
  bursts(unsigned nodes, unsigned percent) : nodes_(nodes), percent_(percent) {}
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now % 150 >= 90) return;
    for (node_id n = 0; n < nodes_; ++n)
      if (draw(100) < percent_) out.push_back({n, draw(nodes_), 1 + draw(6)});
  }

 private:
  std::uint32_t draw(std::uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) % below);
  }
  unsigned nodes_, percent_;
  std::uint64_t state_ = 42;
};

/// "b101" for 5; "bz" and "z" for nothing.
inline std::string printed(std::uint64_t value, unsigned width) {
  if (width == 1) return value ? "1" : "0";
  std::string digits;
  for (; value > 0; value /= 2) digits.insert(digits.begin(), static_cast<char>('0' + value % 2));
  return "b" + (digits.empty() ? "0" : digits);
}
inline std::string nothing(unsigned width) { return width == 1 ? "z" : "bz"; }

/// Notes, between two edges, what the observers of a network say, under the names that waves must use.
class sampler : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  SC_HAS_PROCESS(sampler);
  /// @param nodes  to be noted; none: all
  sampler(const sc_core::sc_module_name& name, network& net, std::vector<node_id> nodes = {})
      : sc_core::sc_module(name), net_(net), nodes_(std::move(nodes)) {
    if (nodes_.empty())
      for (node_id n = 0; n < net.wiring().node_count(); ++n) nodes_.push_back(n);
    SC_METHOD(sample);
    sensitive << clk.neg();
    dont_initialize();
  }
  struct value {
    std::uint64_t time = 0;
    std::uint64_t bits = 0;
    bool none = false;
  };
  /// Every change, by name.
  std::map<std::string, std::vector<value>> history;
  /// Link 0 was observed at these times.
  std::vector<std::uint64_t> observed;
  std::function<void()> sampled = [] {};  ///< called when all has been noted

 private:
  void note(const std::string& name, std::uint64_t bits) { note(name, true, bits); }
  void note(const std::string& name, bool something, std::uint64_t bits) {
    std::vector<value>& values = history[name];
    if (!something) bits = 0;
    if (!values.empty() && values.back().bits == bits && values.back().none == !something) return;
    values.push_back({sc_core::sc_time_stamp().value(), bits, !something});
  }

  void sample() {
    if (net_.link_at(0).observed()) observed.push_back(sc_core::sc_time_stamp().value());
    for (const node_id n : nodes_) sample(n);
    sampled();
  }

  static std::uint64_t kind(flit_word f) { return f.head() ? (f.tail() ? 3 : 0) : (f.tail() ? 2 : 1); }

  void sample(node_id n) {
    const flit_layout& layout = net_.layout();
    const std::string path = std::string(net_.at(n).name()) + '.';
    const netlist& wiring = net_.wiring();
    const unsigned terminals = wiring.local_ports(n);
    for (unsigned i = 0; i < net_.at(n).ni_count(); ++i) {
      const network_interface& ni = net_.at(n).ni(i);
      const std::string name = path + (terminals == 1 ? "ni." : "ni" + std::to_string(i) + '.');
      note(name + "queue", ni.queue_length());
      note(name + "sending", ni.is_sending(), layout.tag_of(ni.current_packet()));
      note(name + "sending_vc", ni.is_sending(), ni.sending_vc());
    }
    const router* const core = net_.at(n).core();
    if (!core) return;
    const pipeline stages = net_.config().router.pipeline;
    const unsigned vcs = net_.config().router.vcs;
    for (port_id p = 0; p < core->port_count(); ++p) {
      const bool local = wiring.is_local(n, p);
      const std::string port = wiring.port_name(n, p);
      const bool has_in = local ? wiring.entering(n, p) != no_terminal : wiring.ports(n)[p].in != no_link;
      const bool has_out = local ? wiring.leaving(n, p) != no_terminal : wiring.ports(n)[p].out != no_link;
      for (unsigned v = 0; has_in && v < vcs; ++v) {
        const std::string vc = path + "in_" + port + ".vc" + std::to_string(v) + '.';
        note(vc + "state", static_cast<std::uint64_t>(core->input_state(p, v)));
        note(vc + "occupancy", core->occupancy(p, v));
        const auto to = core->assigned(p, v);
        note(vc + "assigned", to.has_value(), to ? to->port * vcs + to->vc : 0);
        const flit_word front = core->front(p, v);
        note(vc + "front_kind", front.valid(), kind(front));
        note(vc + "front_tag", front.valid(), layout.tag(front));
        note(vc + "front_destination", front.valid() && front.head(), layout.destination(front));
      }
      for (unsigned v = 0; has_out && v < vcs; ++v) {
        const std::string vc = path + "out_" + port + ".vc" + std::to_string(v) + '.';
        const int owner = core->output_owner(p, v);
        note(vc + "owner", owner >= 0, static_cast<std::uint64_t>(owner));
        if (!local) note(vc + "credits", core->credits(p, v));
        if (stages != pipeline::paper2009) continue;
        const flit_word buffered = core->output_buffer(p, v);
        note(vc + "buffer", buffered.bits);
        note(vc + "buffer_tag", buffered.valid(), layout.tag(buffered));
      }
      const unsigned granted_ahead = has_out ? pipeline_timing(net_.config().router).send_ahead : 0;
      for (unsigned ahead = 1; ahead <= granted_ahead; ++ahead) {
        const std::string scope = "out_" + port + (ahead == 1 ? "" : ".ahead" + std::to_string(ahead));
        const flit_word f = core->output_register(p, ahead);
        note(path + scope + ".staged", f.bits);
        note(path + scope + ".staged_tag", f.valid(), layout.tag(f));
      }
    }
  }

  network& net_;
  std::vector<node_id> nodes_;
};

/// A network with a clock's worth of company.
struct traced_network {
  traced_network(const std::string& name, const std::string& spec, pipeline stages, unsigned percent,
                 const network::node_factory& factory = {}, unsigned vcs = router_config().vcs) {
    topology_options options;
    options.vcs = vcs;
    topology made = make_topology(spec, options);
    for (link_id l = 0; l < made.wiring->links().size(); ++l)
      made.wiring->link(l).delay_cycles = stages == pipeline::paper2009 ? 1 : 1 + l * 7 % 4;
    network_config config;
    config.router.pipeline = stages;
    config.router.vcs = vcs;
    if (stages == pipeline::custom) {  // several flits deep between the switch and the link
      config.router.custom_stages = {2, 1, 3, 2};
      config.router.va_allocator = config.router.sa_allocator = allocator_kind::islip;
      config.router.speculative = true;
    }
    config.router.depth = stages == pipeline::paper2009 ? 1 : 3;
    config.wire_hash = true;
    config.checks = check_level::cheap;  // other tests walk the invariants
    net = std::make_unique<network>(name.c_str(), made.wiring, made.routing, config, factory);
    source = std::make_unique<bursts>(made.wiring->terminal_count(), percent);
    if (percent > 0) net->set_source(source.get());
  }
  std::unique_ptr<network> net;
  std::unique_ptr<bursts> source;
};

/// A node without a router: the links that come in to it are driven by a process.
class mute_node final : public node {
 public:
  mute_node(const char* name, const node_context& context) : node(sc_core::sc_module_name(name), context) {}
  std::uint64_t flits_sent(port_id) const override { return 0; }
};

/// Writes to the links of a mute node, at edges and between them, several times in a cycle. (A method:
/// sanitizers do not know the stacks of SystemC's threads.)
class driver final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(driver);
  driver(const sc_core::sc_module_name& name, network& net) : sc_core::sc_module(name), net_(net) {
    SC_METHOD(drive);
  }

 private:
  void drive() {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    net_.link_at(net_.wiring().ports(0)[(random_ >> 40) % 4].in)
        .write(flit_word{random_ >> 35 & 3u ? random_ >> 20 | 1u : 0u});
    const auto pause = static_cast<double>((random_ >> 50) % 4);
    next_trigger(pause == 0 ? sc_core::SC_ZERO_TIME : sc_core::sc_time(pause * 0.5, sc_core::SC_NS));
  }
  network& net_;
  std::uint64_t random_ = 7;
};

}  // namespace toriscope
