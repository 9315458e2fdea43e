// SPDX-License-Identifier: Apache-2.0
// The way into the network: a local initiator binds to the target socket of its node.
//
//   b_transport    waits for the annotated delay, for its turn, and for the response; returns with delay 0
//   nb_transport   the four phases of the base protocol. END_REQ is held while `outstanding` transactions are
//                  on their way; responses come in any order, one at a time. Annotated delays are waited for
//   order          what comes in through one socket for one target gets there in that order
//   DMI            rejected; transport_dbg goes to the target without taking time
#pragma once

#include <deque>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "network/tlm/phase_queue.h"
#include "network/tlm/tlm_config.h"
#include "network/tlm/transfer_carrier.h"

namespace toriscope {

class tlm_entry : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(tlm_entry);
  tlm_entry(const sc_core::sc_module_name& name, node_id node, const tlm_config& config,
            transfer_carrier& carrier);

  /// `original` has its response, or the status of its rejection.
  void answered(tlm::tlm_generic_payload& original);
  /// What a caller waited for that was killed has ended: its place is free.
  void abandoned_ended();
  /// Transactions on their way, those included whose response has not been handed to the initiator yet.
  unsigned outstanding() const { return outstanding_; }

  // --- tlm_fw_transport_if ---
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override { return carrier_.debug(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

 private:
  struct blocked_call;
  virtual tlm::tlm_bw_transport_if<>& initiator() = 0;

  tlm::tlm_sync_enum begin_request(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   const sc_core::sc_time& delay);
  bool room() const { return outstanding_ < config_.outstanding; }
  void work();
  void take_phases();
  void take_requests();
  void give_responses();
  void end_request(tlm::tlm_generic_payload& payload);
  void end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  const node_id node_;
  const tlm_config& config_;
  transfer_carrier& carrier_;
  phase_queue phases_;
  sc_core::sc_event wake_;
  unsigned outstanding_ = 0;
  std::deque<tlm::tlm_generic_payload*> requests_;   ///< wait for their turn
  std::deque<tlm::tlm_generic_payload*> responses_;  ///< wait for the response before to end
  /// What a blocked caller waits for. Not in here: non-blocking.
  std::unordered_map<tlm::tlm_generic_payload*, blocked_call*> blocked_;
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< from BEGIN_REQ to END_REQ
  tlm::tlm_generic_payload* responding_ = nullptr;  ///< from BEGIN_RESP until END_RESP is effective
  bool response_ends_ = false;                      ///< END_RESP has been announced
};

/// An entry whose socket has this bus width.
template <unsigned Width>
class tlm_entry_of final : public tlm_entry {
 public:
  tlm_entry_of(const sc_core::sc_module_name& name, node_id node, const tlm_config& config,
               transfer_carrier& carrier)
      : tlm_entry(name, node, config, carrier) {
    socket.bind(*this);
  }
  tlm::tlm_target_socket<Width> socket{"target_socket"};

 private:
  tlm::tlm_bw_transport_if<>& initiator() override { return *socket.operator->(); }
};

}  // namespace toriscope
