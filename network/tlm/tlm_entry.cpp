// SPDX-License-Identifier: Apache-2.0
#include "network/tlm/tlm_entry.h"

#include <algorithm>
#include <string>

#include "network/tlm/protocol_error.h"

namespace toriscope {

/// A caller in b_transport(). When its process is killed or reset there, its payload and its event are gone, and
/// nothing may be left that knows them.
struct tlm_entry::blocked_call {
  blocked_call(tlm_entry& e, tlm::tlm_generic_payload& p) : entry(e), payload(p) { entry.blocked_[&payload] = this; }
  ~blocked_call() {
    entry.blocked_.erase(&payload);
    auto& waiting = entry.requests_;
    waiting.erase(std::remove(waiting.begin(), waiting.end(), &payload), waiting.end());
    if (transfer) transfer->abandoned = true;
  }
  blocked_call(const blocked_call&) = delete;
  blocked_call& operator=(const blocked_call&) = delete;

  tlm_entry& entry;
  tlm::tlm_generic_payload& payload;
  sc_core::sc_event done;
  transfer_ptr transfer;  ///< null: the request waits for its turn
};

tlm_entry::tlm_entry(const sc_core::sc_module_name& name, node_id node, const tlm_config& config,
                     transfer_carrier& carrier)
    : sc_module(name), node_(node), config_(config), carrier_(carrier) {
  SC_METHOD(work);
  sensitive << wake_ << phases_.event();
  dont_initialize();
}

// --- calls of the initiator ---

void tlm_entry::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  blocked_call call(*this, payload);
  take_phases();  // requests that came before it
  requests_.push_back(&payload);
  wake_.notify(sc_core::SC_ZERO_TIME);
  wait(call.done);
}

tlm::tlm_sync_enum tlm_entry::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(payload, phase, delay);
  if (phase == tlm::END_RESP) {
    if (&payload != responding_ || response_ends_)
      return protocol_error(*this, "END_RESP without a BEGIN_RESP before it");
    end_response(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
    return protocol_error(*this, "an initiator does not send END_REQ or BEGIN_RESP");
  return tlm::TLM_ACCEPTED;  // an extended phase; it may be ignored
}

tlm::tlm_sync_enum tlm_entry::begin_request(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                            const sc_core::sc_time& delay) {
  if (!payload.has_mm()) return protocol_error(*this, "BEGIN_REQ of a payload without a memory manager");
  if (requesting_) return protocol_error(*this, "BEGIN_REQ before the END_REQ of the transaction before");
  payload.acquire();
  const bool at_once = delay == sc_core::SC_ZERO_TIME && requests_.empty() && room();
  if (config_.phases == phase_style::early && at_once) {
    if (!carrier_.send_request(payload, node_)) {
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    ++outstanding_;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  requesting_ = &payload;
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

bool tlm_entry::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.init();  // nothing is allowed, anywhere
  return false;
}

// --- what comes back ---

void tlm_entry::answered(tlm::tlm_generic_payload& original) {
  const auto caller = blocked_.find(&original);
  if (caller == blocked_.end()) {
    responses_.push_back(&original);
  } else {
    --outstanding_;
    caller->second->done.notify(sc_core::SC_ZERO_TIME);
  }
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void tlm_entry::abandoned_ended() {
  --outstanding_;
  wake_.notify(sc_core::SC_ZERO_TIME);
}

// --- in a process of its own, so that no initiator is called from within its call ---

void tlm_entry::work() {
  take_phases();
  give_responses();
  take_requests();
}

void tlm_entry::take_phases() {
  for (phase_queue::entry e; phases_.next(e);) {
    if (e.second == tlm::BEGIN_REQ) {
      requests_.push_back(e.first);
    } else {
      responding_ = nullptr;
      response_ends_ = false;
      e.first->release();
    }
  }
}

void tlm_entry::take_requests() {
  while (!requests_.empty() && room()) {
    tlm::tlm_generic_payload& payload = *requests_.front();
    requests_.pop_front();
    ++outstanding_;
    const auto caller = blocked_.find(&payload);
    const transfer_ptr sent = carrier_.send_request(payload, node_);
    if (caller != blocked_.end())
      caller->second->transfer = sent;
    else if (sent || config_.phases == phase_style::full || responding_ || !responses_.empty())
      end_request(payload);  // a response that is held says it too late
    if (!sent) answered(payload);
  }
}

void tlm_entry::end_request(tlm::tlm_generic_payload& payload) {
  requesting_ = nullptr;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay;
  initiator().nb_transport_bw(payload, phase, delay);
}

void tlm_entry::give_responses() {
  if (responding_ || responses_.empty()) return;
  tlm::tlm_generic_payload& payload = *responses_.front();
  responses_.pop_front();
  // From here on its place is free: an initiator may hold END_RESP until it is rid of its next request.
  --outstanding_;
  responding_ = &payload;
  if (requesting_ == &payload) requesting_ = nullptr;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum status = initiator().nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    end_response(payload, delay);
}

void tlm_entry::end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  response_ends_ = true;
  phases_.notify(payload, tlm::END_RESP, delay);
}

}  // namespace toriscope
