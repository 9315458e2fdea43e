// SPDX-License-Identifier: Apache-2.0
// The source side of a network interface with several message classes: a queue for each class, and the choice
// of the class that sends (docs/model.md, "Message classes"). With one class the interface has one
// source_queue, and none of this.
#pragma once

#include <cstdint>

#include "router/network_state.h"
#include "router/source_queue.h"

namespace toriscope {

class network_archive;

class class_queues {
 public:
  explicit class_queues(network_state& network);

  /// The packet goes into the queue of its class.
  void enqueue(packet_id packet);

  /// The flit that is sent in cycle `now`, its VC set; none when no class can send.
  /// @param with_credit  VCs of the router's local input port that have a credit
  flit_word next_flit(cycle_t now, vc_set with_credit);
  void archive(network_archive& s, terminal_id terminal);

  /// Packets in all queues, those being sent included.
  std::uint64_t length() const { return length_; }
  /// Of class m.
  std::uint64_t length(unsigned m) const { return queues_[m].length; }
  /// The packet of class m whose flits are being sent, between its head and its tail; or no_packet.
  packet_id current_packet(unsigned m) const { return queues_[m].sent > 0 ? queues_[m].first : no_packet; }
  /// The VC on which it is sent.
  unsigned sending_vc(unsigned m) const { return queues_[m].vc; }
  /// The queue whose packet is being sent: of several the one that sent last, or else the next one; of none any.
  const source_queue& sending() const;
  /// VCs on which class m may start a packet now, whether they have a credit or not.
  vc_set startable(unsigned m) const;

 private:
  /// VCs on which class m could send a flit now.
  vc_set usable(unsigned m, vc_set with_credit) const;
  void start_packet(unsigned m, vc_set usable, cycle_t now);
  void finish_packet(source_queue& q, cycle_t now);

  network_state& network_;
  source_queue* queues_;  ///< by class; shared classes: the VC pointer of class 0 serves all
  std::uint64_t length_ = 0;
  vc_set busy_;  ///< VCs with a packet under way
  std::uint8_t class_pointer_ = 0;
};

}  // namespace toriscope
