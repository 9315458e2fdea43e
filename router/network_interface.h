// SPDX-License-Identifier: Apache-2.0
// The network interface of a terminal: an unbounded source queue that turns packets into flits, and the
// reassembly of the packets that arrive (docs/model.md, "Network interface"). Message classes and limited
// reception are in class_queues.h and reception_buffer.h; they cost nothing where they are off.
#pragma once

#include <cstdint>

#include "links/delay_line.h"
#include "router/class_queues.h"
#include "router/network_state.h"
#include "router/reception_buffer.h"

namespace toriscope {

class network_archive;

class network_interface {
 public:
  /// @param node     where it is
  /// @param network  shared by all nodes of the network; must outlive the interface
  /// @param entry    of the router there
  /// @param exit     of the router that packets for the terminal leave by
  network_interface(terminal_id terminal, node_id node, network_state& network, const router_config& entry,
                    const router_config& exit);
  network_interface(terminal_id terminal, node_id node, network_state& network)
      : network_interface(terminal, node, network, network.config, network.config) {}

  /// @param injection         to the router's local input port
  /// @param injection_credit  its credits
  /// @param ejection          from the router's local output port
  /// @param ejection_credit   its credits, with limited reception; null: the interface always takes
  void connect(flit_wire& injection, credit_wire& injection_credit, flit_wire& ejection,
               credit_wire* ejection_credit);

  /// A packet of this terminal goes into the source queue (of its class). It may leave in the same cycle.
  void enqueue(packet_id packet);

  /// Whether there is something to do in a cycle with these arrivals.
  bool has_work(arrival_mask arrivals) const {
    constexpr arrival_mask own = arrival_mask{1} << ejection_arrival | arrival_mask{1}
                                                                           << injection_credit_arrival;
    return can_send() || (arrivals & own) != 0 || options_;
  }
  /// Does cycle `now`. Returns whether it can send another flit without having got a credit before (with
  /// message classes or limited reception: whether anything is queued or buffered).
  /// @param arrivals  the wires that show something (links/arrival_schedule.h); bits of the router are ignored
  /// @throws invariant_violation
  bool step(cycle_t now, arrival_mask arrivals);
  /// At the end of a cycle (network_archive.h).
  void archive(network_archive& s);

  // --- observers ---
  terminal_id terminal() const { return terminal_; }
  /// Packets in the source queue, of all classes, the one being sent included.
  std::uint64_t queue_length() const { return classes() ? classes()->length() : queue_.length; }
  /// The packet whose flits are being sent, between its head and its tail, or no_packet; of several the one that a flit
  /// was sent of last.
  packet_id current_packet() const { return is_sending() ? sending().first : no_packet; }
  bool is_sending() const { return sending().sent > 0; }
  /// The VC on which it is sent.
  unsigned sending_vc() const { return sending().vc; }
  /// Flits sent to the router since the start.
  std::uint64_t flits_sent() const { return flits_sent_; }
  /// Free slots in VC v of the router's local input port.
  unsigned credits(unsigned v) const { return credits_[v]; }
  /// The queues of several message classes; null with one.
  const class_queues* classes() const { return options_ ? options_->classes : nullptr; }
  /// The buffer of limited reception; null where reception is unlimited.
  const reception_buffer* reception() const { return options_ ? options_->reception : nullptr; }

 private:
  const source_queue& sending() const { return classes() ? classes()->sending() : queue_; }
  bool can_send() const { return static_cast<bool>(with_credit_ & wanted_); }

  /// What arrives on one VC.
  struct arriving {
    flit_word body;  ///< the packet's body flits on VC 0, but for the index; none: no packet is under way
    std::uint32_t flits = 0;  ///< taken so far
  };

  /// What most networks have not.
  struct options {
    class_queues* classes = nullptr;
    reception_buffer* reception = nullptr;
    credit_wire* ejection_credit = nullptr;
  };

  void take_credits(cycle_t now);
  void take_flit(cycle_t now);
  void accept(flit_word f, cycle_t now);
  bool step_with_options(cycle_t now, arrival_mask arrivals);
  void release(cycle_t now);
  void inject_of_class(cycle_t now);
  bool right_class(flit_word f, packet_id packet) const;
  void accept_head(flit_word f);
  void receive(flit_word tail, cycle_t now);
  void inject(cycle_t now);
  void send(flit_word f, cycle_t now);
  void start_packet(cycle_t now);
  void finish_packet(cycle_t now);
  [[noreturn]] void broken(flit_word f, const char* what) const;

  network_state& network_;
  flit_wire* injection_ = nullptr;
  credit_wire* injection_credit_ = nullptr;
  flit_wire* ejection_ = nullptr;

  source_queue queue_;
  std::uint64_t flits_sent_ = 0;
  terminal_id terminal_;
  node_id node_;
  vc_set with_credit_;
  vc_set wanted_;  ///< VCs on which the next flit of the source queue may go; none when it is empty

  std::uint8_t* credits_;
  arriving* arriving_;
  options* options_ = nullptr;
};

}  // namespace toriscope
