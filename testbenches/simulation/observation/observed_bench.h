// SPDX-License-Identifier: Apache-2.0
// For tests: a network with its observation and timelines, and the same network without.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/words.h"
#include "testbenches/simulation/observation/observation.h"
#include "testbenches/simulation/observation/packet_timeline.h"
#include "topologies/registry.h"

namespace toriscope {

/// Uniform traffic for some cycles, or the packets named.
class bench_source final : public traffic_source {
 public:
  struct timed {
    cycle_t when;
    packet_request packet;
  };
  bench_source(node_id nodes, cycle_t cycles, unsigned one_in, unsigned classes)
      : nodes_(nodes), cycles_(cycles), one_in_(one_in), classes_(classes) {}
  explicit bench_source(std::vector<timed> packets) : packets_(std::move(packets)) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (const timed& t : packets_)
      if (t.when == now) out.push_back(t.packet);
    if (now >= cycles_) return;
    for (node_id n = 0; n < nodes_; ++n)
      if (mix(now, n) % one_in_ == 0)
        out.push_back({n, static_cast<node_id>(mix(now, n, 1) % nodes_),
                       static_cast<std::uint32_t>(1 + mix(now, n, 2) % 6),
                       static_cast<std::uint8_t>(mix(now, n, 3) % classes_)});
  }

 private:
  std::vector<timed> packets_;
  node_id nodes_ = 0;
  cycle_t cycles_ = 0;
  unsigned one_in_ = 1;
  unsigned classes_ = 1;
};

/// Lets a packet be received in one of five cycles.
class bench_gate final : public reception_gate {
 public:
  bool admit(packet_id id, const packet_record&, cycle_t now) override { return (id + now) % 5 == 0; }
};

/// What there is to know of a packet when it has arrived.
struct arrived_packet {
  packet_record record;
  cycle_t received = 0;
};

class arrival_log final : public packet_sink {
 public:
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override {
    if (id >= packets.size()) packets.resize(id + 1);
    packets[id] = {record, received};
  }
  std::vector<arrived_packet> packets;
};

struct bench_setup {
  std::string name;
  std::string topology = "torus:4x4";
  network_config config;
  cycle_t from = 0, to = ~cycle_t{0};  ///< are counted
  cycle_t traffic_cycles = 1500;
  std::vector<bench_source::timed> packets;  ///< none: uniform traffic
  std::function<void(netlist&)> change;      ///< delays, widths
  std::function<std::shared_ptr<const routing_function>(std::shared_ptr<const netlist>, unsigned vcs)>
      routing;
};

/// Made before the simulation starts, and never destroyed.
struct observed_bench {
  /// @param of_twin  the nodes of the twin; none: those of all networks
  observed_bench(const bench_setup& s, sc_core::sc_clock& clock, cycle_t cycles,
                 network::node_factory of_twin = {})
      : setup(s),
        made(make(s)),
        seen(*made.wiring, s.config, s.from, std::min(s.to, cycles)),
        net(s.name.c_str(), made.wiring, made.routing, s.config, probe_all(seen.observer)),
        twin((s.name + "_twin").c_str(), made.wiring, made.routing, s.config, of_twin) {
    for (network* n : {&net, &twin}) {
      n->clk(clock);
      sources.push_back(s.packets.empty()
                            ? std::make_unique<bench_source>(made.wiring->terminal_count(), s.traffic_cycles,
                                                             made.wiring->terminal_count() > 16
                                                                 ? 300u
                                                                 : made.wiring->terminal_count() * 22 / 16,
                                                             s.config.message_classes)
                            : std::make_unique<bench_source>(s.packets));
      n->set_source(sources.back().get());
      if (s.config.limited_reception) n->set_gate(&gate);
      n->keep_simulating_after_failure();
    }
    net.add_sink(&log);
  }

  static topology make(const bench_setup& s) {
    topology_options options;
    options.vcs = s.config.router.vcs;
    if (begins_with(s.topology, "torus"))
      options.vc_rule = "dateline";  // under which packets contend for VCs
    if (!s.config.shared_classes) options.message_classes = s.config.message_classes;
    topology t = make_topology(s.topology, options);
    if (s.change) s.change(*t.wiring);
    if (s.routing) t.routing = s.routing(t.wiring, s.config.router.vcs);
    return t;
  }

  /// Before the simulation starts.
  packet_timeline& tell(packet_id packet) {
    timelines.push_back(std::make_unique<packet_timeline>(packet, *made.wiring, setup.config, seen.observer));
    net.add_sink(timelines.back().get());
    return *timelines.back();
  }

  /// All packets that the set-up names.
  void tell_all() {
    for (packet_id p = 0; p < setup.packets.size(); ++p) tell(p);
  }

  bench_setup setup;
  topology made;
  observation seen;
  network net, twin;
  std::vector<std::unique_ptr<bench_source>> sources;
  bench_gate gate;
  arrival_log log;
  std::vector<std::unique_ptr<packet_timeline>> timelines;
};

/// Packets from one end of a line of four to the other, whose last link is narrow.
bench_setup jam();

/// All terminals of a torus send to one, at once.
bench_setup hot(const char* name, pipeline stages);

/// Configurations of all kinds, under random traffic.
std::vector<bench_setup> setups_of_all_kinds();

}  // namespace toriscope
