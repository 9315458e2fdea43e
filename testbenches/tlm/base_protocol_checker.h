// SPDX-License-Identifier: Apache-2.0
// A checker of the base protocol of TLM-2.0 (IEEE 1666-2011, 14 and 15.2), in line between an initiator and a
// target: it passes everything on as it is and writes down what neither of them may do.
//
//   phases      per transaction BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, each by the side that may send it;
//               what return values imply counts. On the socket one BEGIN_REQ until END_REQ, one BEGIN_RESP
//               until END_RESP
//   payload     an initiator leaves its attributes, write data and byte enables alone until the response; a
//               target leaves them alone altogether. The status is INCOMPLETE in a request, set in a
//               response, and set once
//   time        of the phases of a transaction never goes back; a callee only adds to the annotated delay,
//               and TLM_ACCEPTED leaves phase and delay alone
//   memory      non-blocking transactions have a memory manager and have a holder at every call
//   stricter    than the standard: the address is unchanged, too (only interconnects may change it)
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace toriscope {

class base_protocol_checker final : public sc_core::sc_module,
                                    public tlm::tlm_fw_transport_if<>,
                                    public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<> from_initiator{"from_initiator"};
  tlm::tlm_initiator_socket<> to_target{"to_target"};

  explicit base_protocol_checker(const sc_core::sc_module_name& name);

  /// What was done wrong, a line each, in order; the first hundred.
  const std::vector<std::string>& violations() const { return violations_; }
  /// Transactions begun and not ended.
  std::size_t under_way() const { return active_.size(); }
  /// Transactions that ended, blocking ones included.
  std::uint64_t ended() const { return ended_; }
  /// Forgets all.
  void forget();

  // --- tlm_fw_transport_if, tlm_bw_transport_if ---
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
    return to_target->get_direct_mem_ptr(p, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    from_initiator->invalidate_direct_mem_ptr(first, last);
  }

 private:
  using payload = tlm::tlm_generic_payload;
  /// The attributes that stay as they are, and the bytes that the initiator gave.
  struct request {
    explicit request(const payload& p);
    bool operator==(const request& other) const;

    tlm::tlm_command command;
    std::uint64_t address;
    const unsigned char* data;
    unsigned length;
    const unsigned char* enables;
    unsigned enable_length;
    unsigned streaming_width;
    std::vector<unsigned char> bytes;
  };
  struct transaction {
    request asked;
    tlm::tlm_phase_enum phase = tlm::UNINITIALIZED_PHASE;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    sc_core::sc_time last;  ///< when the latest phase is effective
  };

  void violation(const std::string& what);
  void check_request(const payload& p);
  void check_response(const payload& p, const char* where);
  void check_call(const payload& p);
  /// A call of nb_transport, in either direction.
  tlm::tlm_sync_enum pass(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay, bool forward);
  /// One phase, by a call or by what a call returned.
  void enter(payload& p, tlm::tlm_phase_enum phase, bool forward, const sc_core::sc_time& delay);
  void begin(payload& p, const sc_core::sc_time& delay);
  void begin_response(payload& p, transaction& t);
  void leave_request(const payload& p);
  void check_return(payload& p, tlm::tlm_sync_enum status, const tlm::tlm_phase& sent,
                    const tlm::tlm_phase& returned, const sc_core::sc_time& sent_delay,
                    const sc_core::sc_time& returned_delay, bool forward);
  void end(payload& p);

  std::vector<std::string> violations_;
  std::unordered_map<payload*, transaction> active_;
  std::uint64_t ended_ = 0;
  const payload* requesting_ = nullptr;
  const payload* responding_ = nullptr;
};

}  // namespace toriscope
