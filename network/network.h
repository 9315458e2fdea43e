// SPDX-License-Identifier: Apache-2.0
// A network: netlist -> sc_modules and links, one clock domain.
//
//   ports      clk: every rising edge is a cycle (docs/model.md)
//   modules    the netlist's hierarchy: NAME.bm_1_2.node_0_3
//   links      channels are made when asked for, at any time; until then, and until observed, a link is a
//              plain wire
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/state_archive.h"
#include "links/link.h"
#include "network/distributed/partition.h"
#include "network/failure.h"
#include "network/network_config.h"
#include "network/node.h"
#include "network/packet_network.h"
#include "network/silence.h"
#include "topologies/netlist.h"

namespace toriscope {

class partition_boundary;

class network : public sc_core::sc_module, public packet_network {
 public:
  sc_core::sc_in<bool> clk{"clk"};

  /// Builds another node than the model's in the place of some; returns null for "the model's".
  using node_factory = std::function<std::unique_ptr<node>(const char* name, const node_context& context)>;

  SC_HAS_PROCESS(network);

  /// @param routing  must be made for this netlist and for config.router.vcs VCs
  /// @param part     where several ranks simulate the network together (docs/ranks.md): only the nodes of this
  /// rank are built, and what is counted is counted of those
  /// @throws std::invalid_argument with all that config.validate() says; when the routing was made for another
  /// number of VCs or message classes (topologies/routing_fit.h); for a dead link that the netlist
  /// does not have, or that leaves a node without the model's router
  network(const sc_core::sc_module_name& name, std::shared_ptr<const netlist> wiring,
          std::shared_ptr<const routing_function> routing, const network_config& config,
          const node_factory& factory = {}, const partition& part = {});
  ~network() override;

  // --- what it is ---
  const routing_function& routing() const;
  const network_config& config() const override;
  const flit_layout& layout() const;
  const router_kinds& kinds() const;

  node& at(node_id n);
  const node& at(node_id n) const;
  /// The channel of link l of the netlist, named after the port it comes in at: NAME.bm_1_2.node_0_3.in_x+.
  flit_link& link_at(link_id l);
  /// The channel that carries the credits of link l back, named after the port they come in at: ...credit_x+.
  credit_link& credit_at(link_id l);
  /// From the network interface of terminal t to its router (...in_local; in_local0, in_local1 ... where a router has
  /// several terminals), and back (...out_local).
  flit_link& injection_link(terminal_id t);
  flit_link& ejection_link(terminal_id t);
  /// Wire w (topologies/wire_place.h) as routers have it, without a channel; null credits: there are none.
  const flit_wire& flits_on(wire_id w) const;
  const credit_wire* credits_of(wire_id w) const;
  /// The credits of the injection link.
  credit_link& injection_credit(terminal_id t);
  /// Those of the ejection link (...credit_local). @throws std::logic_error without limited reception: there
  /// are none, a network interface always takes
  credit_link& ejection_credit(terminal_id t);

  // --- packet_network ---
  const netlist& wiring() const override;
  void set_source(traffic_source* source) override;
  void add_sink(packet_sink* sink) override;
  void set_gate(reception_gate* gate) override;
  void send(const packet_request& request) override;
  cycle_t cycles_done() const override;
  const network_counters& counters() const override;
  const packet_table& packets() const override;
  std::uint64_t packet_hash() const override;
  std::uint64_t flits_sent(wire_id w) const override;
  bool idle() const override;
  const network_failure* failure() const override;
  /// What is inside the nodes whose router is not the model's, and keeps account (node_account.h).
  foreign_contents in_foreign_routers() const;
  /// Whether there are nodes whose router is not the model's.
  bool has_foreign_routers() const;
  /// All that later cycles depend on. Writing: between two cycles. Reading: before the first cycle, of the same network
  /// with the same configuration; the network then stands after the cycle in which it was written. The source, sinks
  /// and the gate have states of their own. @throws damaged_state; std::invalid_argument for what has no state
  ///
  /// Of several ranks all call it after the same cycle, when they have met. Writing, the one that leads has the state
  /// of the whole; reading, each reads that. Until end_archive() all records of packets are there.
  void archive(state_archive& a);
  /// Of several ranks, all, after archive(). @param read  it read @returns what is wrong, in one line; empty: nothing
  std::string end_archive(bool read);
  /// The ranks meet when this many cycles are done, whatever else they meet for.
  void meet_after(cycle_t cycles);
  /// Walks all credits and buffers, and asks routers that are not the model's what they keep for ever. Empty:
  /// all right; else one line.
  std::string check_conservation() override;
  /// After the last cycle: whether routers that are not the model's return all credits that they owe (node::settle()).
  /// The network cannot go on afterwards. Empty: they do; else one line.
  std::string settle();

  // --- without SystemC's kernel (docs/c_api.md) ---
  /// Before the first cycle: step() does the cycles, and no kernel ever runs for this network. Its clk stays unbound, a
  /// failure halts it alone, and links cannot wake processes. @param period  of a cycle, for waves
  void leave_kernel(const sc_core::sc_time& period);
  /// The next cycle, edge and update phase. After a failure: nothing.
  void step();

  // --- time and events ---
  /// The clock of the links: which cycle they show; add cycle_listeners here.
  link_clock& clock_of_links();
  /// Lists node n in stepped_watched_nodes() of every cycle in which it is stepped (for waves).
  void watch_node(node_id n);
  /// The watched nodes stepped in the cycle that just ended. Valid in cycle_listener::cycle_done.
  const std::vector<node_id>& stepped_watched_nodes() const;

  // --- results ---
  /// Sum mod 2^64 over all words put on wires (docs/model.md, "Hashes"); needs config.wire_hash.
  std::uint64_t wire_hash() const;
  /// Ordered pairs of terminals that routing can no longer connect over the links that are not dead by now: a
  /// search for each of T(T-1) pairs.
  std::uint64_t count_cut_pairs();
  /// A node that is not the model's has done what must not be, in this cycle: as a broken invariant, which
  /// failure() tells.
  void fail(node_id where, const std::string& what);
  /// At an edge, from the process of a node that is not the model's: clock_domain::share_work().
  void share_work(const std::vector<node_id>& of, const std::function<void(node_id)>& work);
  /// Several networks in one simulation: a failure of this one halts it alone, is not reported, and does not call
  /// sc_stop, whatever config().on_failure says.
  void keep_simulating_after_failure();
  /// A part of a network: where it meets the others. Null: the whole network is here.
  partition_boundary* border();
  /// A part of a network: the run ends here on all ranks, which meet once more. Nothing may happen afterwards.
  void close_border();

 private:
  void edge();
  void tell_failure();

  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace toriscope
