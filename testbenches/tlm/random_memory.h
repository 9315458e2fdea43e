// SPDX-License-Identifier: Apache-2.0
// A memory as a target of the base protocol, as awkward as the protocol allows: with random latencies, in
// every shape of non-blocking transaction, END_REQ held back at random. It accesses its bytes in the order of
// requests.
//
//   limits   a request that goes beyond its end gets TLM_ADDRESS_ERROR_RESPONSE; byte enables, and streaming,
//            can be rejected
#pragma once

#include <deque>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "network/tlm/phase_queue.h"
#include "testbenches/simulation/traffic/random.h"

namespace toriscope {

class random_memory final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  struct config {
    std::size_t bytes = 4096;
    std::uint64_t seed = 1;
    unsigned latency_ns = 20;     ///< at most, for each step
    bool plain = false;           ///< four phases, no random shapes; latencies are exact
    bool byte_enables = true;     ///< false: TLM_BYTE_ENABLE_ERROR_RESPONSE
    bool streaming = true;        ///< false: TLM_BURST_ERROR_RESPONSE
    bool commands = true;         ///< false: TLM_COMMAND_ERROR_RESPONSE for writes
    bool holds_requests = false;  ///< sends no END_REQ until go_on()
  };

  SC_HAS_PROCESS(random_memory);
  tlm::tlm_target_socket<> socket{"socket"};
  random_memory(const sc_core::sc_module_name& name, const config& settings);

  /// holds_requests: lets one request go on.
  void go_on();
  std::uint64_t blocking_calls() const { return blocking_calls_; }
  std::uint64_t non_blocking_calls() const { return non_blocking_calls_; }
  std::vector<unsigned char> bytes;

  // --- tlm_fw_transport_if ---
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

 private:
  void access(tlm::tlm_generic_payload& payload);
  sc_core::sc_time latency();
  void work();
  void send_responses();

  const config settings_;
  random_stream random_;
  std::uint64_t blocking_calls_ = 0;
  std::uint64_t non_blocking_calls_ = 0;
  phase_queue phases_;
  std::deque<tlm::tlm_generic_payload*> ready_;  ///< for BEGIN_RESP
  tlm::tlm_generic_payload* responding_ = nullptr;
  tlm::tlm_generic_payload* held_ = nullptr;
};

}  // namespace toriscope
