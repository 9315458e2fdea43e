// SPDX-License-Identifier: Apache-2.0
// A torus of 16 nodes (or another network of 16 terminals) with a scripted initiator at node 0 and a target of every
// kind at others, each behind a protocol checker. Node n serves the addresses from n * 0x1000 on, 0x1000 bytes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "network/network.h"
#include "network/tlm/tlm_network.h"
#include "testbenches/tlm/base_protocol_checker.h"
#include "testbenches/tlm/managed_payload.h"
#include "testbenches/tlm/random_memory.h"
#include "testbenches/tlm/scripted_sockets.h"
#include "topologies/registry.h"

namespace toriscope {

class tlm_test_bench {
 public:
  static constexpr node_id initiator_node = 0;
  static constexpr node_id blocking_node = 1;      ///< a plain memory of 20 ns
  static constexpr node_id non_blocking_node = 2;  ///< the same: END_REQ and BEGIN_RESP after 20 ns each
  static constexpr node_id holding_node = 3;       ///< a memory that holds END_REQ until it is let go on
  static constexpr node_id scripted_node = 4;      ///< called by b_transport; sees 0x100 for its first byte
  static constexpr node_id refusing_node = 5;      ///< no writes, byte enables or streaming
  static constexpr node_id bare_node = 6;          ///< in the map, but no target is bound
  static constexpr node_id read_only_node = 7;     ///< in the map, for reading
  static constexpr node_id cut_off_node = 8;       ///< with `cut_off` no live link leads there
  static constexpr node_id scripted_phases_node = 9;  ///< a scripted target, called by nb_transport

  static constexpr cycle_t never = ~cycle_t{0};

  /// @param cut_off  all links to cut_off_node are dead from this cycle on
  tlm_test_bench(const char* name, tlm_config config, cycle_t cut_off = never,
                 const char* spec = "torus:4x4");

  static std::uint64_t address(node_id n, std::uint64_t offset = 0) { return n * 0x1000 + offset; }

  /// Runs `script` in a thread, beside what else is run.
  static void spawn(const std::function<void()>& script);
  /// Runs `script` in a thread until it returns; gives it up after 100 us. @return whether it has returned
  bool run(const std::function<void()>& script);
  /// In a thread: a blocking access. @return the status
  tlm::tlm_response_status access(managed_payload& payload, sc_core::sc_time delay = {});
  tlm::tlm_response_status write(std::uint64_t to, const std::vector<unsigned char>& data);
  std::vector<unsigned char> read(std::uint64_t from, std::size_t bytes);
  /// What the protocol checkers have to say.
  std::vector<std::string> violations() const;

  topology made;
  sc_core::sc_clock clock{sc_core::sc_gen_unique_name("clock"), 1, sc_core::SC_NS};
  network net;
  tlm_network sockets;
  scripted_initiator initiator;
  scripted_target scripted;
  scripted_target scripted_phases;
  std::vector<std::unique_ptr<random_memory>> memories;  ///< by node
  payload_pool pool;

 private:
  base_protocol_checker& new_checker(node_id n, bool target);
  void add_memory(node_id n, target_call call, random_memory::config config);
  void bind(node_id n, target_call call, tlm::tlm_target_socket<>& target);

  const std::string name_;
  std::vector<std::unique_ptr<base_protocol_checker>> checkers_;
};

}  // namespace toriscope
