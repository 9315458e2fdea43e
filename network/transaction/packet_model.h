// SPDX-License-Identifier: Apache-2.0
// The transaction-level network without SystemC: packets as chains of segments over lanes, driven by a
// calendar of packet events (docs/transaction_level.md).
//
//   contract  create() what cycle t creates, then do_cycle(t), for ascending t; cycles before next_event() in
//             which nothing is created may be left out
//   cost      two events per packet and hop, and an arbitration per flit only where packets share a channel
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "network/transaction/event_calendar.h"
#include "network/transaction/packet_segments.h"
#include "router/network_state.h"
#include "router/pipeline_timing.h"
#include "topologies/netlist.h"
#include "topologies/wire_place.h"

namespace toriscope {

class packet_model {
 public:
  /// @param config  checked by transaction_config_errors()
  /// @throws std::invalid_argument as router_kinds does
  packet_model(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> routing,
               const network_config& config);

  void create(const packet_request& request, cycle_t now);
  void do_cycle(cycle_t now);
  /// The first cycle at or after `from` in which something is due; `never` when nothing is.
  cycle_t next_event(cycle_t from) const { return events_.next(from); }

  const netlist& wiring() const { return *wiring_; }
  const routing_function& routing() const { return *routing_; }
  const network_counters& counters() const { return counters_; }
  const packet_table& packets() const { return packets_; }
  std::uint64_t packet_hash() const { return packet_hash_; }
  std::uint64_t flits_sent(wire_id w) const { return channels_[w].flits; }
  std::vector<packet_sink*>& sinks() { return sinks_; }
  void set_gate(reception_gate* gate) { gate_ = gate; }

  /// Heads that wait for packets only whose heads wait as well: a deadlock. Looked for when a head has waited for
  /// `patience` cycles; empty: there is none.
  std::vector<segment_id> frozen_heads(cycle_t now, cycle_t patience) const;
  /// The cycle since which some of these, which are not empty, have waited for each other only.
  cycle_t frozen_since(const std::vector<segment_id>& frozen, cycle_t now) const;
  /// "packet 17 from 00.12 to 11.03 waits at 01.20".
  std::string describe(segment_id head) const;
  node_id node_of(segment_id head) const { return channel_of(segments_[head]).to; }
  /// Whether nothing was lost. Empty: all right; else one line.
  std::string check_conservation() const;

 private:
  enum event : unsigned {
    tail_gone,
    vc_free,
    start_packet,
    head_ready,
    allocate_again,
    arbitration,
    received,
    kinds
  };

  /// The source side of an interface: a queue for each message class.
  struct source_queue {
    packet_id first = no_packet;
    packet_id last = no_packet;
    segment_id sending = no_segment;
    std::uint16_t vc_pointer = 0;
  };

  struct vc_request {
    segment_id head;
    std::uint32_t channel;
    lane_id lane;
    unsigned index;  ///< of the input VC that it stands in
    route_option option;
  };

  /// A shared segment in arbitration.
  struct slot_request {
    segment_id id;
    std::uint32_t available;
    std::uint32_t buffered;
    bool sent;
    bool later;  ///< asks again, whatever happens
  };

  // --- packet_model.cpp: the life of a packet ---
  transaction_channel make_channel(const router_kind& to_kind, node_id to, unsigned to_port,
                                   std::uint32_t from, unsigned delay, unsigned flit_cycles,
                                   unsigned grant_to_sent) const;
  void start(std::uint32_t queue, cycle_t now);
  void take_tail(segment_id s, cycle_t now);
  void leave_buffer(segment_id s, cycle_t now);
  void set_head_due(segment_id s, cycle_t when);
  void receive(segment_id s, cycle_t now);
  void hand_over(segment_id s);
  void admit(segment_id s, cycle_t now);
  segment_id new_segment();

  // --- vc_grants.cpp: heads get VCs ---
  void head_arrives(segment_id s, cycle_t now);
  void want_allocation(node_id n);
  void allocate(node_id n, cycle_t now);
  bool request_vc(segment_id head, vc_request& w) const;
  unsigned options_of(const segment& head, route_option* options) const;
  void keep_one_option(segment& head, cycle_t routed) const;
  void pick_winners(node_id n, cycle_t now);
  void wait_for_vc(segment_id head, cycle_t now);
  void grant(const vc_request& w, cycle_t now);

  // --- resource_check.cpp: nothing is lost ---
  struct due_events;
  friend struct packet_model_faults;  ///< of the test
  std::string check_resources() const;
  std::string check_lanes() const;
  std::string check_vcs(const due_events& due) const;
  cycle_t settled() const;
  bool can_send_later(const segment& s) const;
  bool is_woken_by_neighbour(const segment& s) const;
  const char* what_stops(segment_id id, const due_events& due) const;
  std::string place_of(std::uint32_t channel) const;

  // --- deadlock_search.cpp: deadlock ---
  cycle_t waits_since(segment_id head) const;
  bool may_pass(segment_id s, const std::vector<bool>& stuck, cycle_t now) const;
  bool may_go_on(segment_id head, const std::vector<bool>& stuck, cycle_t now) const;
  std::vector<segment_id> only_waiting_for(std::vector<segment_id> heads, cycle_t now) const;

  // --- channel_sharing.cpp: sharing ---
  std::uint32_t sent_by(const segment& s, cycle_t t) const;
  std::uint32_t available(const segment& s, cycle_t now) const;
  std::uint32_t buffered(const segment& s, cycle_t now) const { return held(s, now, now - channel_of(s).credit_lag); }
  std::uint32_t held(const segment& s, cycle_t now, cycle_t then) const;
  std::uint32_t queue_behind(std::uint32_t channel, cycle_t now) const;
  void join(segment_id s, cycle_t now);
  void leave(const segment& s);
  void keep_in_row(segment& s);
  bool clashes(const segment& s) const;
  template <class Function>
  void for_senders(std::uint32_t channel, Function f) const;
  template <class Function>
  void for_readers(std::uint32_t channel, Function f) const;
  void share_around(const segment& s, cycle_t now);
  void note_slots(const segment& s, std::uint32_t sent, cycle_t last);
  void share(segment_id s, cycle_t now);
  void become_uncontended(segment_id s, cycle_t now);
  void know_end(segment& s, segment_id id);
  void arbitrate(std::uint32_t stepper, cycle_t now);
  void ask_for_slots(std::uint32_t stepper, cycle_t now);
  void grant_slots(cycle_t now);
  void point_behind(const segment& s);
  bool after_arbitration(const slot_request& r, cycle_t now);
  void check_space(const segment& s, bool stuck, cycle_t now);
  void send_flit(segment_id s, cycle_t now);
  void wake(std::uint32_t stepper, cycle_t when);
  void wake_for_what_is_on_its_way(const segment& s, cycle_t now);
  void wake_feeder(lane_id lane, cycle_t when);
  bool is_read_uncontended(segment_id first) const;
  bool outpaces_reader(const segment& s) const;

  std::uint32_t channel_of(node_id n, port_id port) const { return out_channels_[first_out_[n] + port]; }
  transaction_channel& channel_of(const segment& s) { return channels_[s.channel]; }
  const transaction_channel& channel_of(const segment& s) const { return channels_[s.channel]; }
  bool is_contending(segment_id s) const { return segments_[s].shared && !segments_[s].done; }
  /// Where its last slots stand in slots_.
  std::size_t slots_of(segment_id s) const { return std::size_t{s} * (history_ + 1); }
  segment_id id_of(const segment& s) const { return static_cast<segment_id>(&s - segments_.data()); }

  const std::shared_ptr<const netlist> wiring_;
  const std::shared_ptr<const routing_function> routing_;
  const network_config config_;
  const injection_rule injection_;
  const bool compares_queues_;
  const unsigned vcs_;         ///< of routers without a number of their own, the most that there are
  std::uint32_t history_ = 0;  ///< slots remembered of a shared segment, - 1

  std::vector<transaction_channel> channels_;  ///< links, then injection, then ejection channels by terminal
  std::vector<std::uint32_t> first_out_;       ///< by node: where its ports begin in out_channels_
  std::vector<std::uint32_t> out_channels_;    ///< by node and port, the local one included
  std::vector<transaction_lane> lanes_;        ///< by channel and VC
  std::vector<segment> segments_;
  std::vector<std::uint32_t> slots_;  ///< by segment: the last slots of a shared one
  std::vector<segment_id> unused_;
  std::vector<source_queue> queues_;                 ///< by terminal and message class
  std::vector<std::vector<segment_id>> waiting_;     ///< by node: heads that want a VC
  std::vector<std::vector<segment_id>> contending_;  ///< by stepper: shared segments with flits to send
  std::vector<cycle_t> last_arbitration_;            ///< by stepper
  std::vector<node_id> allocating_;                  ///< in this cycle
  std::vector<bool> is_allocating_;
  std::vector<vc_request> vc_requests_;
  std::vector<vc_request> winners_;
  std::vector<slot_request> slot_requests_;  ///< of one stepper
  std::uint32_t asking_ = 0;                 ///< its input ports
  std::uint32_t picked_[32];                 ///< by input port: which of them

  event_calendar<kinds> events_;
  packet_table packets_;
  turns_of_pairs turns_;
  network_counters counters_;
  std::uint64_t packet_hash_ = 0;
  std::vector<packet_sink*> sinks_;
  reception_gate* gate_ = nullptr;
};

}  // namespace toriscope
