// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tlm/base_protocol_checker.h"

#include <sstream>

namespace toriscope {

namespace {
constexpr std::size_t max_violations = 100;

tlm::tlm_phase_enum kind_of(const tlm::tlm_phase& phase) {
  return static_cast<tlm::tlm_phase_enum>(static_cast<unsigned>(phase));
}

const char* name_of(tlm::tlm_phase_enum phase) {
  switch (phase) {
    case tlm::BEGIN_REQ:
      return "BEGIN_REQ";
    case tlm::END_REQ:
      return "END_REQ";
    case tlm::BEGIN_RESP:
      return "BEGIN_RESP";
    case tlm::END_RESP:
      return "END_RESP";
    default:
      return "no phase";
  }
}
}  // namespace

base_protocol_checker::base_protocol_checker(const sc_core::sc_module_name& name) : sc_module(name) {
  from_initiator.bind(*this);
  to_target.bind(*this);
}

void base_protocol_checker::forget() {
  violations_.clear();
  active_.clear();
  requesting_ = responding_ = nullptr;
}

void base_protocol_checker::violation(const std::string& what) {
  if (violations_.size() >= max_violations) return;
  std::ostringstream line;
  line << name() << " at " << sc_core::sc_time_stamp() << ": " << what;
  violations_.push_back(line.str());
}

// --- payloads ---

base_protocol_checker::request::request(const payload& p)
    : command(p.get_command()),
      address(p.get_address()),
      data(p.get_data_ptr()),
      length(p.get_data_length()),
      enables(p.get_byte_enable_ptr()),
      enable_length(p.get_byte_enable_length()),
      streaming_width(p.get_streaming_width()) {
  if (p.is_write() && data) bytes.assign(data, data + length);
  if (enables) bytes.insert(bytes.end(), enables, enables + enable_length);
}

bool base_protocol_checker::request::operator==(const request& other) const {
  return command == other.command && address == other.address && data == other.data &&
         length == other.length && enables == other.enables && enable_length == other.enable_length &&
         streaming_width == other.streaming_width && bytes == other.bytes;
}

void base_protocol_checker::check_request(const payload& p) {
  if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    violation("a request has the response status " + p.get_response_string());
  if (p.is_dmi_allowed()) violation("a request has the DMI hint set");
}

void base_protocol_checker::check_response(const payload& p, const char* where) {
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    violation(std::string(where) + " with the response status TLM_INCOMPLETE_RESPONSE");
}

void base_protocol_checker::check_call(const payload& p) {
  if (!p.has_mm()) violation("a non-blocking transaction without a memory manager");
  if (p.has_mm() && p.get_ref_count() < 1) violation("a non-blocking transaction without a reference");
}

// --- blocking and debug ---

void base_protocol_checker::b_transport(payload& p, sc_core::sc_time& delay) {
  if (active_.count(&p) != 0) violation("b_transport of a transaction that is under way");
  check_request(p);
  const request asked(p);
  const sc_core::sc_time before = sc_core::sc_time_stamp() + delay;
  to_target->b_transport(p, delay);
  if (sc_core::sc_time_stamp() + delay < before) violation("b_transport returned before its own time");
  if (!(request(p) == asked)) violation("b_transport changed the request");
  check_response(p, "b_transport returned");
  ++ended_;
}

unsigned base_protocol_checker::transport_dbg(payload& p) {
  const unsigned bytes = to_target->transport_dbg(p);
  if (bytes > p.get_data_length()) violation("transport_dbg did more bytes than it was asked for");
  return bytes;
}

// --- non-blocking ---

tlm::tlm_sync_enum base_protocol_checker::nb_transport_fw(payload& p, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay) {
  return pass(p, phase, delay, true);
}

tlm::tlm_sync_enum base_protocol_checker::nb_transport_bw(payload& p, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay) {
  return pass(p, phase, delay, false);
}

tlm::tlm_sync_enum base_protocol_checker::pass(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay,
                                               bool forward) {
  const tlm::tlm_phase sent = phase;
  const sc_core::sc_time sent_delay = delay;
  check_call(p);
  enter(p, kind_of(phase), forward, delay);
  const tlm::tlm_sync_enum status = forward ? to_target->nb_transport_fw(p, phase, delay)
                                            : from_initiator->nb_transport_bw(p, phase, delay);
  check_return(p, status, sent, phase, sent_delay, delay, forward);
  return status;
}

void base_protocol_checker::check_return(payload& p, tlm::tlm_sync_enum status, const tlm::tlm_phase& sent,
                                         const tlm::tlm_phase& returned, const sc_core::sc_time& sent_delay,
                                         const sc_core::sc_time& returned_delay, bool forward) {
  if (status == tlm::TLM_ACCEPTED) {
    if (sent != returned) violation("TLM_ACCEPTED, but the phase was changed");
    if (sent_delay != returned_delay) violation("TLM_ACCEPTED, but the delay was changed");
    return;
  }
  if (returned_delay < sent_delay) violation("a callee took time from the annotated delay");
  // What the return value says was done by the other side.
  if (status == tlm::TLM_UPDATED) {
    enter(p, kind_of(returned), !forward, returned_delay);
    return;
  }
  const auto known = active_.find(&p);
  if (known == active_.end()) return;  // after END_RESP nothing is left to complete
  if (sent == tlm::END_REQ) violation("TLM_COMPLETED in answer to END_REQ");
  if (sent == tlm::BEGIN_REQ) check_response(p, "TLM_COMPLETED");
  if (!(request(p) == known->second.asked)) violation("the request was changed before TLM_COMPLETED");
  end(p);
}

void base_protocol_checker::enter(payload& p, tlm::tlm_phase_enum phase, bool forward,
                                  const sc_core::sc_time& delay) {
  if (phase < tlm::BEGIN_REQ || phase > tlm::END_RESP) return;  // extended, to be ignored
  const std::string name = name_of(phase);
  if (forward != (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)) {
    violation(name + " by the wrong side");
    return;
  }
  if (phase == tlm::BEGIN_REQ) return begin(p, delay);
  const auto known = active_.find(&p);
  if (known == active_.end()) {
    violation(name + " of a transaction that is not under way");
    return;
  }
  transaction& t = known->second;
  const bool in_order = t.phase < phase && (phase != tlm::END_RESP || t.phase == tlm::BEGIN_RESP);
  if (!in_order) violation(name + " after " + name_of(t.phase));
  const sc_core::sc_time effective = sc_core::sc_time_stamp() + delay;
  if (effective < t.last) violation(name + " is effective before the phase before it");
  t.last = effective;
  if (!(request(p) == t.asked)) violation("the request was changed before " + name);
  if (t.status != tlm::TLM_INCOMPLETE_RESPONSE && t.status != p.get_response_status())
    violation("the response status was changed before " + name);
  t.phase = phase;
  if (phase == tlm::END_REQ) leave_request(p);
  if (phase == tlm::BEGIN_RESP) begin_response(p, t);
  if (phase == tlm::END_RESP) end(p);
}

void base_protocol_checker::begin(payload& p, const sc_core::sc_time& delay) {
  if (requesting_ && requesting_ != &p) violation("BEGIN_REQ before the END_REQ of another transaction");
  if (active_.count(&p) != 0) violation("BEGIN_REQ of a transaction that is under way");
  check_request(p);
  requesting_ = &p;
  active_.erase(&p);
  active_.emplace(&p, transaction{request(p), tlm::BEGIN_REQ, tlm::TLM_INCOMPLETE_RESPONSE,
                                  sc_core::sc_time_stamp() + delay});
}

void base_protocol_checker::begin_response(payload& p, transaction& t) {
  leave_request(p);
  if (responding_ && responding_ != &p) violation("BEGIN_RESP before the END_RESP of another transaction");
  responding_ = &p;
  check_response(p, "BEGIN_RESP");
  t.status = p.get_response_status();
}

void base_protocol_checker::leave_request(const payload& p) {
  if (requesting_ == &p) requesting_ = nullptr;
}

void base_protocol_checker::end(payload& p) {
  leave_request(p);
  if (responding_ == &p) responding_ = nullptr;
  active_.erase(&p);
  ++ended_;
}

}  // namespace toriscope
