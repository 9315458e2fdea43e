// SPDX-License-Identifier: Apache-2.0
// Packets and their hops as transactions of an FTR file (docs/transactions.md). A thread of its own writes it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "router/packet_sink.h"
#include "testbenches/simulation/observation/hop_record.h"
#include "topologies/netlist.h"
#include "traces/ftr_file.h"

namespace toriscope {

enum class transaction_detail : std::uint8_t {
  packets,
  hops,      ///< and the hops of each packet
  relations  ///< and a relation from each packet to each of its hops
};

class transaction_recorder final : public packet_sink, public hop_listener {
 public:
  /// @param vcs  of a port
  /// @throws std::runtime_error "cannot write PATH: reason"
  transaction_recorder(const std::string& path, const netlist& wiring, unsigned vcs,
                       transaction_detail detail);
  /// Without close(): leaves no file.
  ~transaction_recorder() override;
  transaction_recorder(const transaction_recorder&) = delete;
  transaction_recorder& operator=(const transaction_recorder&) = delete;

  void hop_ended(const hop_record& hop) override;
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_refused(packet_id id, const packet_record& record) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t discarded) override;
  void packet_gone(packet_id id, const packet_record&, cycle_t) override { discarded_.erase(id); }

  /// The run is over after `cycles_done` cycles: packets that have not arrived are added, and the file gets its name.
  /// @throws std::runtime_error "cannot write PATH: reason"
  void close(const packet_table& packets, cycle_t cycles_done);

 private:
  enum class packet_end : std::uint8_t { received, refused, discarded, unfinished };
  struct ended_packet {
    packet_id id;
    packet_record record;
    cycle_t end;
    packet_end how;
  };
  /// What the writing thread is handed.
  struct batch {
    std::vector<hop_record> hops;
    std::vector<ended_packet> packets;
  };
  /// A stream, and the number of its first generator.
  struct stream {
    std::uint32_t number = 0;
    std::uint32_t generator = 0;
    std::uint64_t transactions = 0;
  };

  void add_streams(const netlist& wiring, unsigned vcs);
  void add(packet_id id, const packet_record& record, cycle_t end, packet_end how);
  void hand_over();
  void write_batches();
  void write(const hop_record& hop);
  void write(const ended_packet& packet);
  void stop(bool writes_rest);

  const transaction_detail detail_;
  std::unordered_set<packet_id> discarded_;  ///< whose last flits have not been given up
  ftr_file file_;
  struct {
    ftr_text source, destination, message_class, flits, sent, hops, packet, vc, out_port, out_vc, state,
        refused, discarded, under_way, hop;
    std::array<ftr_text, stall_causes> waits;
  } text_{};
  std::vector<ftr_text> terminals_;      ///< addresses
  std::vector<ftr_text> port_names_;     ///< by port of all nodes
  std::vector<std::size_t> first_port_;  ///< by node
  std::vector<stream> interfaces_;       ///< by terminal
  std::vector<stream> inputs_;           ///< by port of all nodes
  batch batch_;                          ///< being filled

  // --- shared with the writing thread ---
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<batch> waiting_;  ///< the oldest first
  std::vector<batch> empty_;    ///< to be filled again
  bool ends_ = false;
  bool drops_ = false;
  std::thread writer_;
};

}  // namespace toriscope
