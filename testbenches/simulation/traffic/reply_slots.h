// SPDX-License-Identifier: Apache-2.0
// The reply queues of all nodes as the reception gate of a network: a server admits a request only when it has a
// slot for the reply, and the slot comes free when the reply's tail has been sent. Replies are always admitted.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "router/packet_sink.h"

namespace toriscope {

class reply_slots final : public reception_gate {
 public:
  static constexpr unsigned reply_class = 1;  ///< all else is a request

  /// @param slots  of each node; 0: any number
  reply_slots(node_id nodes, unsigned slots)
      : slots_(static_cast<int>(slots)), servers_(slots > 0 ? nodes : 0) {}

  /// Node n has created a reply.
  void reply_created(node_id n) {
    if (slots_ > 0) ++servers_[n].queued;
  }
  bool takes_calls_at_once() const override { return true; }
  bool admit(packet_id, const packet_record& record, cycle_t) override {
    if (record.message_class == reply_class || slots_ == 0) return true;
    server& at = servers_[record.destination];
    if (at.held >= slots_) return false;
    ++at.held;
    return true;
  }
  void packet_sent(packet_id, const packet_record& record, cycle_t) override {
    if (record.message_class != reply_class || slots_ == 0) return;
    server& at = servers_[record.source];
    --at.held;
    --at.queued;
  }
  std::uint32_t waits_for_queues(packet_id, const packet_record& record) const override {
    if (record.message_class == reply_class || slots_ == 0) return 0;
    const server& at = servers_[record.destination];
    if (at.held < slots_) return 0;
    // While a request is served, there will be a reply to come; then all depends on the source queue. Replies of a
    // trace may have been created before their requests were admitted.
    return at.held <= at.queued ? 1u << reply_class : 0;
  }

  void archive(state_archive& a) {
    for (server& at : servers_)
      for (int* const count : {&at.held, &at.queued}) {
        auto biased = static_cast<std::uint32_t>(*count) + std::uint32_t{most};
        a.below(biased, 2u * most + 1);
        *count = static_cast<int>(biased - std::uint32_t{most});  // wraps where the state is damaged
      }
  }

  /// Slots of node n in use. Less than 0: replies of a trace were sent before their requests arrived.
  int held(node_id n) const { return slots_ > 0 ? servers_[n].held : 0; }

 private:
  static constexpr int most = 1 << 30;
  struct server {
    int held = 0;    ///< requests admitted whose replies have not been sent
    int queued = 0;  ///< of these, replies created
  };
  const int slots_;
  std::vector<server> servers_;  ///< by node
};

}  // namespace toriscope
