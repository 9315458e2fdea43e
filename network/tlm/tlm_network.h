// SPDX-License-Identifier: Apache-2.0
// TLM-2.0 at every node: initiators and targets of the base protocol talk to each other over a network.
//
//   a transaction   generic payload -> request packet(s) in message class 0 -> the target at the node that
//                   the address map names -> response packet(s) in class 1 -> the response at the initiator
//   packets         have the right lengths and carry no bytes: those wait in a table beside the network
//   network         with two message classes, at any fidelity; this is its traffic source, its sink
//                   and, with `request_queue`, its reception gate. Others may send packets into it, too
//   limits          extensions stay behind; no DMI (docs/tlm.md)
//
// Sockets are made when asked for, before the simulation starts; nodes without any cost nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "network/packet_network.h"
#include "network/tlm/tlm_config.h"
#include "network/tlm/tlm_entry.h"
#include "network/tlm/tlm_exit.h"
#include "network/tlm/transfer.h"

namespace toriscope {

/// Counted from the start on.
struct tlm_counters {
  std::uint64_t requests = 0;   ///< sent
  std::uint64_t responses = 0;  ///< arrived
  std::uint64_t refused = 0;    ///< answered at the source with an error: unmapped, not allowed, malformed
  std::uint64_t lost = 0;       ///< answered with an error: packets of them found no way
  std::uint64_t request_packets = 0;   ///< sent
  std::uint64_t response_packets = 0;  ///< sent
};

class tlm_network final : public sc_core::sc_module,
                          private traffic_source,
                          private packet_sink,
                          private reception_gate,
                          private transfer_carrier {
 public:
  static constexpr unsigned message_classes = 2;
  static constexpr unsigned request_class = 0;
  static constexpr unsigned response_class = 1;

  /// @param net  must outlive this, and must have been given two message classes
  /// @throws std::invalid_argument with all that config.validate() says, for a range of a node that does not
  /// exist, or when the network has one message class, or unlimited reception and config a request_queue
  tlm_network(const sc_core::sc_module_name& name, packet_network& net, const tlm_config& config);
  ~tlm_network() override;

  /// The socket that an initiator at node n binds to. Width: BUSWIDTH of its socket; it changes nothing else.
  /// @throws std::logic_error when it was asked for with another width before
  template <unsigned Width = 32>
  tlm::tlm_target_socket<Width>& target_socket(node_id n);
  /// The socket to bind to the target at node n. @throws std::logic_error likewise
  template <unsigned Width = 32>
  tlm::tlm_initiator_socket<Width>& initiator_socket(node_id n) {
    return initiator_socket<Width>(n, config_.call);
  }
  /// The same with another way to call the target than config.call.
  template <unsigned Width = 32>
  tlm::tlm_initiator_socket<Width>& initiator_socket(node_id n, target_call call);

  const tlm_config& config() const { return config_; }
  const tlm_counters& counters() const { return counters_; }
  /// Transactions on their way from node n.
  unsigned outstanding(node_id n) const;
  /// Nothing is on its way.
  bool idle() const { return counters_.requests == counters_.responses + counters_.lost; }

 private:
  class outbox;

  transfer_carrier& carrying() { return *this; }

  // --- transfer_carrier ---
  transfer_ptr send_request(tlm::tlm_generic_payload& original, node_id source) override;
  void send_response(const transfer_ptr& transfer) override;
  unsigned debug(tlm::tlm_generic_payload& payload) override;
  // --- traffic_source, packet_sink, reception_gate ---
  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_refused(packet_id id, const packet_record& record) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t discarded) override;
  bool admit(packet_id id, const packet_record& record, cycle_t now) override;

  /// The range that serves all of the payload; null, and the status says why, when none does.
  const address_range* range_for(tlm::tlm_generic_payload& payload) const;
  /// One packet of the message is there, or lost.
  void count_packet(packet_id id, bool lost);
  void message_ended(const transfer_ptr& transfer);
  node_id checked(node_id n) const;
  std::string module_name(node_id n, const char* what) const;
  [[noreturn]] void refuse_width(node_id n) const;

  packet_network& net_;
  const tlm_config config_;
  tlm_counters counters_;
  std::unordered_map<node_id, std::unique_ptr<tlm_entry>> entries_;
  std::unordered_map<node_id, std::unique_ptr<tlm_exit>> exits_;
  std::unique_ptr<outbox> outbox_;
  std::unordered_map<packet_id, transfer_ptr> flying_;          ///< what a packet belongs to
  std::unordered_map<std::uint64_t, std::uint64_t> sequences_;  ///< by source and destination
  std::unordered_map<node_id, std::size_t> admitted_;           ///< request packets not yet received
};

template <unsigned Width>
tlm::tlm_target_socket<Width>& tlm_network::target_socket(node_id n) {
  std::unique_ptr<tlm_entry>& entry = entries_[checked(n)];
  if (!entry)
    entry = std::make_unique<tlm_entry_of<Width>>(module_name(n, "entry").c_str(), n, config_, carrying());
  auto* const of_width = dynamic_cast<tlm_entry_of<Width>*>(entry.get());
  if (!of_width) refuse_width(n);
  return of_width->socket;
}

template <unsigned Width>
tlm::tlm_initiator_socket<Width>& tlm_network::initiator_socket(node_id n, target_call call) {
  std::unique_ptr<tlm_exit>& exit = exits_[checked(n)];
  if (!exit)
    exit = std::make_unique<tlm_exit_of<Width>>(module_name(n, "exit").c_str(), call, config_, carrying());
  auto* const of_width = dynamic_cast<tlm_exit_of<Width>*>(exit.get());
  if (!of_width) refuse_width(n);
  return of_width->socket;
}

}  // namespace toriscope
