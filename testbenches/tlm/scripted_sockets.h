// SPDX-License-Identifier: Apache-2.0
// An initiator and a target that do what a test tells them to.
#pragma once

#include <functional>
#include <systemc>
#include <tlm>

namespace toriscope {

using non_blocking_call =
    std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

inline tlm::tlm_sync_enum accept_call(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_ACCEPTED;
}

class scripted_initiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket{"socket"};
  non_blocking_call backward = accept_call;

  explicit scripted_initiator(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return backward(p, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

class scripted_target final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};
  non_blocking_call forward = accept_call;
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> blocking;
  std::function<unsigned(tlm::tlm_generic_payload&)> debug;

  explicit scripted_target(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }

  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override { blocking(p, delay); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return forward(p, phase, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return debug(p); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

}  // namespace toriscope
