// SPDX-License-Identifier: Apache-2.0
// An initiator that reads and writes at random and compares every byte with a reference of its own, as
// awkward as the base protocol allows: one stream of non-blocking transactions, several outstanding, in every
// shape; and blocking callers beside it, with random annotated delays.
//
//   contract  each stream has a slice of bytes of its own in every target, so that the reference is exact:
//             the transactions of one stream take effect in the order in which they were begun
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "network/tlm/phase_queue.h"
#include "testbenches/simulation/traffic/random.h"
#include "testbenches/tlm/managed_payload.h"

namespace toriscope {

/// What a stream knows of a target.
struct target_view {
  std::uint64_t base = 0;  ///< global address of the first byte of the slice of stream 0
  bool writable = true;
  bool byte_enables = true;  ///< else TLM_BYTE_ENABLE_ERROR_RESPONSE
  bool streaming = true;     ///< else TLM_BURST_ERROR_RESPONSE
};

class random_initiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  static constexpr unsigned slice_bytes = 256;

  struct config {
    std::vector<target_view> targets;
    std::uint64_t unmapped = 0;   ///< an address that leads nowhere
    unsigned first_stream = 0;    ///< number of the non-blocking stream; the callers have the next
    unsigned callers = 1;         ///< blocking
    unsigned transactions = 100;  ///< of each stream
    unsigned outstanding = 4;     ///< non-blocking
    unsigned max_bytes = 200;     ///< of a transaction
    unsigned pause_ns = 40;       ///< between transactions, at most
    std::uint64_t seed = 1;
  };

  SC_HAS_PROCESS(random_initiator);
  tlm::tlm_initiator_socket<> socket{"socket"};
  random_initiator(const sc_core::sc_module_name& name, const config& settings);
  ~random_initiator() override;

  std::uint64_t done() const { return done_; }
  /// Transactions answered with an error, as they should be.
  std::uint64_t errors() const { return errors_; }
  /// Differences from the reference: the first ten.
  const std::vector<std::string>& differences() const { return differences_; }

  // --- tlm_bw_transport_if ---
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  struct stream;

  void run_non_blocking();
  void run_blocking(stream& s);
  void work();
  void answered(managed_payload& payload);
  sc_core::sc_time pause(random_stream& random);

  const config settings_;
  payload_pool pool_;
  std::vector<std::unique_ptr<stream>> streams_;
  random_stream random_;  ///< for shapes
  phase_queue phases_;
  sc_core::sc_event changed_;
  const tlm::tlm_generic_payload* requesting_ = nullptr;
  unsigned under_way_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t errors_ = 0;
  std::vector<std::string> differences_;
};

}  // namespace toriscope
