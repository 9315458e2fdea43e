// SPDX-License-Identifier: Apache-2.0
// Request and reply: nodes ask, servers answer.
//
//   requests     class 0; they come as synthetic_source draws them, but a node with `outstanding` of its
//                requests unanswered creates none: it drops what would have come, and counts it as held back
//   replies      class 1, from the server to the client, created `service_cycles` after the tail of the request
//                was received, and in the next cycle at the earliest; a server serves any number at a time
//   reply queue  with `reply_queue` > 0, as the reception gate of the network: a server admits a request only
//                when it has a slot for the reply; the slot comes free when the reply's tail has been sent.
//                Replies are always admitted
//   contract     it is the network's traffic source, sink and (with a reply queue) gate, and the only source of
//                packets; nothing depends on the order of the nodes within a cycle
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/reply_slots.h"
#include "testbenches/simulation/traffic/round_trip_sink.h"
#include "testbenches/simulation/traffic/synthetic_source.h"

namespace toriscope {

class request_reply_source final : public traffic_source, public packet_sink, public reception_gate {
 public:
  static constexpr unsigned message_classes = 2;
  static constexpr unsigned request_class = 0;
  static constexpr unsigned reply_class = reply_slots::reply_class;

  struct config {
    synthetic_source::config requests;
    unsigned outstanding = 4;     ///< requests of a node that may be unanswered, at least 1
    cycle_t service_cycles = 20;  ///< from the request received to the reply created
    packet_lengths reply_lengths;
    unsigned reply_queue = 0;  ///< replies that a server has room for; 0: any number
  };

  request_reply_source(node_id nodes, std::shared_ptr<const traffic_pattern> pattern, const config& settings);

  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  void share_draws(unsigned shares) override { demand_.share_draws(shares); }
  void draw_ahead(unsigned share) override { demand_.draw_ahead(share); }
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_refused(packet_id id, const packet_record& record) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id, port_id, cycle_t) override {
    lose(id, record);
  }
  bool takes_calls_at_once() const override { return slots_.takes_calls_at_once(); }
  bool admit(packet_id id, const packet_record& record, cycle_t now) override {
    return slots_.admit(id, record, now);
  }
  void packet_sent(packet_id id, const packet_record& record, cycle_t now) override {
    slots_.packet_sent(id, record, now);
  }
  std::uint32_t waits_for_queues(packet_id id, const packet_record& record) const override {
    return slots_.waits_for_queues(id, record);
  }

  /// Between two cycles. @param now  the next one; reading, the source has not been asked yet
  /// @param packets  under way
  void archive(state_archive& a, cycle_t now, const packet_table& packets);

  void set_sink(round_trip_sink* sink) { sink_ = sink; }

  // --- observers ---
  /// Requests of node n that have not been answered.
  unsigned outstanding(node_id n) const { return outstanding_[n]; }
  /// Slots of node n's reply queue in use.
  unsigned replies_held(node_id n) const { return static_cast<unsigned>(slots_.held(n)); }
  std::uint64_t requests_created() const { return requests_; }
  /// Requests that were not created because of the limit.
  std::uint64_t requests_held_back() const { return held_back_; }
  std::uint64_t requests_answered() const { return answered_; }
  /// The requests that the first packets of the last packets_at() answer, in their order; the others are requests.
  const std::vector<packet_id>& answered_now() const { return answered_now_; }
  /// From a request received to its reply created.
  cycle_t service_cycles() const { return std::max<cycle_t>(1, settings_.service_cycles); }

 private:
  struct served {
    packet_id request;
    node_id server, client;
    cycle_t asked;
  };
  /// A dead link has cost a request its answer: the client does not wait for it any more.
  void lose(packet_id id, const packet_record& record);
  void create_replies(cycle_t now, std::vector<packet_request>& out);

  config settings_;
  synthetic_source demand_;
  std::vector<unsigned> outstanding_;         ///< by node
  std::vector<random_stream> server_random_;  ///< by node, for the lengths of replies
  reply_slots slots_;
  std::map<cycle_t, std::vector<served>> in_service_;  ///< by the cycle in which the reply is created
  std::unordered_map<packet_id, cycle_t> asked_;       ///< by reply: when its request was created
  std::vector<packet_request> drawn_;
  std::vector<packet_id> answered_now_;
  packet_id next_ = 0;  ///< number of the next packet created
  std::uint64_t requests_ = 0;
  std::uint64_t held_back_ = 0;
  std::uint64_t answered_ = 0;
  round_trip_sink* sink_ = nullptr;
};

}  // namespace toriscope
