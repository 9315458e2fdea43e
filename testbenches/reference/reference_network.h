// SPDX-License-Identifier: Apache-2.0
// The reference model: a second, deliberately naive reading of docs/model.md that judges the engine.
//
//   modules    per node a router and a network interface, each with an SC_METHOD on clk.pos(); per wire
//              D sc_signals; std::deque buffers; plain loops
//   shares     with the engine the netlist, the routing function, the traffic source, the flit format and
//              the hash function, and nothing else
//   limits     slow and large by intention; use it for small networks
#pragma once

#include <map>
#include <memory>
#include <systemc>
#include <vector>

#include "network/network_config.h"
#include "network/traffic_source.h"
#include "testbenches/reference/packet_registry.h"
#include "testbenches/reference/reference_interface.h"
#include "testbenches/reference/reference_router.h"
#include "testbenches/reference/reference_wire.h"
#include "topologies/netlist.h"

namespace toriscope::reference {

/// A packet as a scoreboard knows it.
struct packet {
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 0;
  unsigned message_class = 0;
  cycle_t created = 0;
  bool arrived = false;
  cycle_t received = 0;  ///< cycle in which the tail was received
  bool refused = false;  ///< dead links: nothing leads to the destination
  bool discarded = false;
  node_id discarded_at = 0;
  cycle_t discarded_in = 0;
};

class network : public sc_core::sc_module, public packet_registry {
 public:
  sc_core::sc_in<bool> clk{"clk"};

  SC_HAS_PROCESS(network);
  /// Of `config`, all that docs/model.md knows counts; checks, watchdog and hash switches do not.
  /// @param routing  made for the V VCs of the router, or for the V/N of each of N disjoint message classes
  /// @throws std::invalid_argument for values that docs/model.md does not allow
  network(sc_core::sc_module_name name, const netlist& wiring, const routing_function& routing,
          const network_config& config, traffic_source& source);

  /// Limited reception: who admits packets; null: they are all admitted.
  void set_gate(reception_gate* gate) { gate_ = gate; }
  /// Who is told of packets received, refused and discarded.
  void set_sink(packet_sink* sink) { sink_ = sink; }

  void create_packets(cycle_t now) override;
  std::uint64_t sequence_number(std::uint64_t tag) const override;
  bool admit_packet(std::uint64_t tag, cycle_t now) override;
  void packet_sent(std::uint64_t tag, cycle_t now) override;
  void receive_packet(std::uint64_t tag, terminal_id at, cycle_t now) override;
  void discard_packet(std::uint64_t tag, node_id at, cycle_t now) override;

  /// Packets in order of creation.
  const std::vector<packet>& packets() const { return packets_; }
  /// Those that were not refused.
  std::uint64_t packets_created() const { return packets_.size() - packets_refused_; }
  std::uint64_t packets_received() const { return packets_received_; }
  std::uint64_t packets_refused() const { return packets_refused_; }
  std::uint64_t packets_discarded() const { return packets_discarded_; }
  std::uint64_t flits_created() const { return flits_created_; }
  std::uint64_t flits_injected() const;
  std::uint64_t flits_ejected() const;
  /// All packets have been received, refused or discarded.
  bool idle() const { return packets_received_ + packets_refused_ + packets_discarded_ == packets_.size(); }

  /// Ordered pairs of different nodes that routing does not connect over the links that live in cycle `now`.
  std::uint64_t cut_pairs(cycle_t now) const;

  /// docs/model.md, "Hashes".
  std::uint64_t packet_hash() const { return packet_hash_; }
  std::uint64_t wire_hash() const;

  /// What the wires show, for the search of a first difference: links by number, then injection, then
  /// ejection links.
  std::size_t wire_count() const { return flit_wires_.size(); }
  flit_word shown_on(std::size_t wire) { return flit_wires_[wire]->output().read(); }
  /// The credits of a wire; idle for ejection links without limited reception.
  credit_word credit_shown_on(std::size_t wire) {
    return credit_wires_[wire] ? credit_wires_[wire]->output().read() : credit_word{};
  }

 private:
  void cycle();
  bool is_dead(link_id link, cycle_t now) const;
  route_state state_at_injection(std::uint64_t number, const packet& made);
  bool connects(terminal_id source, terminal_id destination, route_state drawn, cycle_t now) const;
  std::size_t number_of(std::uint64_t tag) const;
  static packet_record record_of(const packet& p);
  void make_wires(const network_config& config);
  router_config router_at(node_id n, const network_config& config) const;
  void make_router(node_id n, const network_config& config);
  void make_interface(terminal_id t, const network_config& config);

  const netlist& wiring_;
  const routing_function& routing_;
  const std::vector<dead_link> dead_links_;
  const unsigned route_vcs_;
  const flit_layout layout_;
  traffic_source& source_;
  reception_gate* gate_ = nullptr;
  packet_sink* sink_ = nullptr;
  cycle_t next_to_ask_ = 0;
  std::map<std::pair<terminal_id, terminal_id>, std::uint64_t> packets_of_pair_;  // if they take turns
  std::vector<packet> packets_;
  std::map<std::uint64_t, std::size_t> under_way_;  // tag -> number of the packet
  std::uint64_t packets_received_ = 0;
  std::uint64_t packets_refused_ = 0;
  std::uint64_t packets_discarded_ = 0;
  std::uint64_t flits_created_ = 0;
  std::uint64_t packet_hash_ = 0;

  std::vector<std::unique_ptr<router>> routers_;
  std::vector<std::unique_ptr<interface>> interfaces_;
  std::vector<std::unique_ptr<wire<flit_word>>> flit_wires_;      // by number
  std::vector<std::unique_ptr<wire<credit_word>>> credit_wires_;  // by number; null: the link has none
  // for the sides of ports that the netlist does not have
  sc_core::sc_signal<flit_word> no_flit_;
  sc_core::sc_signal<credit_word> no_credit_;
  std::vector<std::unique_ptr<sc_core::sc_signal<flit_word>>> flits_to_nobody_;
  std::vector<std::unique_ptr<sc_core::sc_signal<credit_word>>> credits_to_nobody_;
};

}  // namespace toriscope::reference
