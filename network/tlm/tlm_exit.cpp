// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // the threads of blocking exits
#include "network/tlm/tlm_exit.h"

#include "network/tlm/protocol_error.h"

namespace toriscope {

tlm_exit::tlm_exit(const sc_core::sc_module_name& name, target_call call, const tlm_config& config,
                   transfer_carrier& carrier)
    : sc_module(name), call_(call), config_(config), carrier_(carrier) {
  if (call_ == target_call::non_blocking) {
    SC_METHOD(work);
    sensitive << wake_ << phases_.event();
    dont_initialize();
    return;
  }
  for (unsigned i = 0; i < config_.target_outstanding; ++i) sc_core::sc_spawn([this] { call_blocking(); });
}

void tlm_exit::arrived(const transfer_ptr& transfer) {
  line& from = lines_[transfer->source];
  from.early.emplace(transfer->sequence, transfer);
  while (!from.early.empty() && from.early.begin()->first == from.next) {
    const transfer_ptr next = from.early.begin()->second;
    from.early.erase(from.early.begin());
    ++from.next;
    if (!next->lost) waiting_.push_back(next);
  }
  wake_.notify(sc_core::SC_ZERO_TIME);
}

// --- blocking ---

void tlm_exit::call_blocking() {
  for (;;) {
    while (waiting_.empty()) wait(wake_);
    const transfer_ptr transfer = waiting_.front();
    waiting_.pop_front();
    sc_core::sc_time delay;
    target().b_transport(transfer->remote, delay);
    if (delay != sc_core::SC_ZERO_TIME) wait(delay);
    carrier_.send_response(transfer);
  }
}

// --- non-blocking ---

void tlm_exit::work() {
  for (phase_queue::entry e; phases_.next(e);) take_phase(*e.first, e.second);
  begin_requests();
}

void tlm_exit::begin_requests() {
  while (!requesting_ && !waiting_.empty() && active_.size() < config_.target_outstanding) {
    tlm::tlm_generic_payload& payload = waiting_.front()->remote;
    active_[&payload].transfer = waiting_.front();
    waiting_.pop_front();
    begin_request(payload);
  }
}

void tlm_exit::begin_request(tlm::tlm_generic_payload& payload) {
  requesting_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum status = target().nb_transport_fw(payload, phase, delay);
  const bool extended = phase != tlm::END_REQ && phase != tlm::BEGIN_RESP;  // may be ignored
  if (status == tlm::TLM_ACCEPTED || (status == tlm::TLM_UPDATED && extended)) return;
  active_[&payload].responding = status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_COMPLETED) {
    active_[&payload].ended = true;
    phase = tlm::BEGIN_RESP;
  }
  phases_.notify(payload, phase, delay);
}

tlm::tlm_sync_enum tlm_exit::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)
    return protocol_error(*this, "a target does not send BEGIN_REQ or END_RESP");
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
    return tlm::TLM_ACCEPTED;  // extended; may be ignored
  const auto known = active_.find(&payload);
  if (known == active_.end() || known->second.responding)
    return protocol_error(*this, "END_REQ or BEGIN_RESP for a transaction that is not under way");
  phases_.notify(payload, phase, delay);
  known->second.responding = phase == tlm::BEGIN_RESP;
  if (phase == tlm::END_REQ || config_.phases == phase_style::full) return tlm::TLM_ACCEPTED;
  known->second.ended = true;
  return tlm::TLM_COMPLETED;
}

void tlm_exit::take_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (requesting_ == &payload) requesting_ = nullptr;  // BEGIN_RESP says END_REQ, too
  if (phase == tlm::BEGIN_RESP) finish(payload);
}

void tlm_exit::finish(tlm::tlm_generic_payload& payload) {
  const auto done = active_.find(&payload);
  const access ended = done->second;
  active_.erase(done);
  if (!ended.ended) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    target().nb_transport_fw(payload, phase, delay);
  }
  carrier_.send_response(ended.transfer);
}

}  // namespace toriscope
