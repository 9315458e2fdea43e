// SPDX-License-Identifier: Apache-2.0
// The life of one packet: every hop of its head with the cycles of all stages and what it waited for, and the
// cycles in which the flits behind the head were late.
//
// The head's waits are cycles in which it stood at the front of an input VC, or behind another packet there,
// and the contract would have let it go in an empty network. A flit behind the head is late in a cycle in
// which the last router sends no flit of the packet; the reason is found by going upstream along the wires:
// in that router, or in the one before in the cycle in which the missing flit should have left it, and so on
// to the network interface. Therefore
//
//   latency = no_wait_cycles + all waits,   no_wait_cycles = D_inj + sum over hops (P-1 + D+F-1) + S-1
//
// exactly, whatever the pipeline. no_wait_cycles is the zero-load latency where buffers are no shorter than
// the credit loop and links are not narrow; else an empty network has waits, too (docs/observation.md).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbenches/simulation/observation/router_observer.h"

namespace toriscope {

struct story_wait {
  cycle_t from = 0;    ///< the first of the cycles
  cycle_t cycles = 0;  ///< how many with the same reason, not always in a row
  std::string reason;  ///< a name_of(stall_cause), or source_queue, injection, behind, reception
  std::string text;    ///< for people: what exactly, and whose packet was in the way
};

struct timeline_hop {
  node_id node = 0;
  port_id in_port = 0;
  unsigned in_vc = 0;
  int out_port = -1;
  int out_vc = -1;
  cycle_t shown = 0;     ///< the head was shown to the router
  cycle_t routed = 0;    ///< RC
  cycle_t granted = 0;   ///< VA granted an output VC
  cycle_t switched = 0;  ///< SA granted the switch (paper2009: SW)
  cycle_t sent = 0;      ///< it was put on the link
  bool is_routed = false, is_granted = false, is_switched = false, is_sent = false;
  unsigned stage_cycles = 0;       ///< from shown to sent when no packet is in the way
  unsigned link_cycles = 0;        ///< from sent to shown by the next
  std::vector<story_wait> waits;   ///< of the head
  std::vector<story_wait> behind;  ///< of the flits behind it
};

class packet_timeline final : public step_listener, public packet_sink {
 public:
  /// @param observer  to which the timeline listens; must outlive it
  packet_timeline(packet_id packet, const netlist& wiring, const network_config& config,
               router_observer& observer);

  void stepped(const router_step& step) override;
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_refused(packet_id id, const packet_record& record) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t discarded) override;
  /// For a packet that has not been received: what is known at the end of the run.
  void end(const packet_table& packets);

  packet_id packet() const { return packet_; }
  const netlist& wiring() const { return wiring_; }
  bool created() const { return known_; }
  bool received() const { return received_; }
  /// No way over live links was left for it on its way, or when it was created.
  bool discarded() const { return discarded_; }
  bool refused() const { return refused_; }
  /// Nothing more will happen to it.
  bool is_over() const { return received_ || refused_ || discarded_; }
  cycle_t discarded_cycle() const { return discarded_cycle_; }
  /// The port that it would have liked best.
  port_id wanted_port() const { return wanted_port_; }
  /// Of the packet; created() only.
  const packet_record& record() const { return record_; }
  bool head_sent() const { return !interface_.passed.empty(); }
  cycle_t head_sent_cycle() const { return interface_.passed.front(); }
  unsigned injection_vc() const { return injection_vc_; }
  cycle_t head_received_cycle() const { return hops_.back().sent + hops_.back().link_cycles; }
  cycle_t received_cycle() const { return received_cycle_; }
  /// Routers on the way, the last one so far included.
  const std::vector<timeline_hop>& hops() const { return hops_; }
  /// In the source queue, and of flits behind the head at the interface.
  const std::vector<story_wait>& interface_waits() const { return interface_waits_; }
  /// At the destination's interface (limited reception).
  const std::vector<story_wait>& reception_waits() const { return reception_waits_; }

  // received() only:
  cycle_t latency() const { return received_cycle_ - record_.created; }
  cycle_t no_wait_cycles() const;
  cycle_t wait_cycles() const;

 private:
  struct note {
    std::string reason;
    std::string text;
  };
  /// A place that flits pass one by one.
  struct station {
    std::vector<cycle_t> passed;     ///< head first
    std::map<cycle_t, note> stalls;  ///< of flits behind the head
    unsigned delay = 0;              ///< from here to the next station
  };

  bool find_record(const router_step& step);
  void see_interface(const router_step& step);
  void see_hop(const router_step& step, timeline_hop& hop, station& in, station* out);
  void see_front(const router_step& step, const front_event& e, timeline_hop& hop, station& in);
  void see_buffered(const router_step& step, timeline_hop& hop, station& out);
  void finish();
  void trace_back(std::size_t station, cycle_t cycle);
  station& station_at(std::size_t index);
  std::size_t stations_per_hop() const { return observer_.has_output_buffers() ? 2 : 1; }

  const packet_id packet_;
  const netlist& wiring_;
  const network_config config_;
  const router_observer& observer_;

  bool known_ = false, received_ = false, discarded_ = false, refused_ = false;
  cycle_t discarded_cycle_ = 0;
  port_id wanted_port_ = 0;
  packet_record record_;
  cycle_t received_cycle_ = 0;
  unsigned injection_vc_ = 0;
  std::vector<timeline_hop> hops_;
  station interface_;
  std::vector<station> stations_;  ///< stations_per_hop() for each hop
  std::vector<story_wait> interface_waits_, reception_waits_;
};

}  // namespace toriscope
