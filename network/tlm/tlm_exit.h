// SPDX-License-Identifier: Apache-2.0
// The way out of the network: the initiator socket of a node binds to a local target.
//
//   order         requests from one source are handed over in the order in which they went into the network
//   blocking      `target_outstanding` threads call b_transport and wait for the delay that it returns
//   non-blocking  BEGIN_REQ when the target has sent END_REQ for the one before, `target_outstanding` at most
//                 between BEGIN_REQ and BEGIN_RESP; a response is always taken at once. Early completion by the
//                 target is honoured
#pragma once

#include <deque>
#include <map>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "network/tlm/phase_queue.h"
#include "network/tlm/tlm_config.h"
#include "network/tlm/transfer_carrier.h"

namespace toriscope {

class tlm_exit : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(tlm_exit);
  tlm_exit(const sc_core::sc_module_name& name, target_call call, const tlm_config& config,
           transfer_carrier& carrier);

  /// A request has arrived whole; with transfer->lost it never will.
  void arrived(const transfer_ptr& transfer);
  /// Requests that have arrived and that the target has not been called for.
  std::size_t waiting() const { return waiting_.size(); }
  unsigned debug(tlm::tlm_generic_payload& payload) { return target().transport_dbg(payload); }

  // --- tlm_bw_transport_if ---
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}  // no pointer was ever given

 private:
  /// Requests of one source: the next to hand over, and those that came before it.
  struct line {
    std::uint64_t next = 0;
    std::map<std::uint64_t, transfer_ptr> early;
  };
  struct access {
    transfer_ptr transfer;
    bool responding = false;  ///< BEGIN_RESP has been announced
    bool ended = false;       ///< the response needs no END_RESP
  };

  virtual tlm::tlm_fw_transport_if<>& target() = 0;

  void call_blocking();
  void work();
  void begin_requests();
  void begin_request(tlm::tlm_generic_payload& payload);
  void take_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void finish(tlm::tlm_generic_payload& payload);

  const target_call call_;
  const tlm_config& config_;
  transfer_carrier& carrier_;
  phase_queue phases_;
  sc_core::sc_event wake_;
  std::unordered_map<node_id, line> lines_;
  std::deque<transfer_ptr> waiting_;
  std::unordered_map<tlm::tlm_generic_payload*, access> active_;
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< from BEGIN_REQ to END_REQ
};

/// An exit whose socket has this bus width.
template <unsigned Width>
class tlm_exit_of final : public tlm_exit {
 public:
  tlm_exit_of(const sc_core::sc_module_name& name, target_call call, const tlm_config& config,
              transfer_carrier& carrier)
      : tlm_exit(name, call, config, carrier) {
    socket.bind(*this);
  }
  tlm::tlm_initiator_socket<Width> socket{"initiator_socket"};

 private:
  tlm::tlm_fw_transport_if<>& target() override { return *socket.operator->(); }
};

}  // namespace toriscope
