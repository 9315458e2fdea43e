// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tlm/random_memory.h"

#include <algorithm>

#include "testbenches/tlm/byte_access.h"

namespace toriscope {

random_memory::random_memory(const sc_core::sc_module_name& name, const config& settings)
    : sc_module(name), bytes(settings.bytes), settings_(settings), random_(settings.seed) {
  socket.bind(*this);
  SC_METHOD(work);
  sensitive << phases_.event();
  dont_initialize();
}

sc_core::sc_time random_memory::latency() {
  const std::uint64_t ns = settings_.plain ? settings_.latency_ns : random_.below(settings_.latency_ns + 1);
  return {static_cast<double>(ns), sc_core::SC_NS};
}

void random_memory::access(tlm::tlm_generic_payload& p) {
  const std::uint64_t span = std::min(p.get_data_length(), p.get_streaming_width());
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  if (p.get_address() + span > bytes.size())
    status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  else if (p.is_write() && !settings_.commands)
    status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  else if (p.get_byte_enable_ptr() && !settings_.byte_enables)
    status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  else if (span < p.get_data_length() && !settings_.streaming)
    status = tlm::TLM_BURST_ERROR_RESPONSE;
  else
    access_bytes(p, bytes.data(), 0, p.get_data_ptr());
  p.set_response_status(status);
}

void random_memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  ++blocking_calls_;
  access(payload);  // before it waits: several callers may be in here
  if (!settings_.plain && random_.below(2) == 0) {
    wait(delay + latency());
    delay = sc_core::SC_ZERO_TIME;
  } else {
    delay += latency();
  }
}

unsigned random_memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() >= bytes.size()) return 0;
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(payload.get_address());
  const auto count = std::min<std::ptrdiff_t>(payload.get_data_length(), bytes.end() - first);
  if (payload.is_write()) std::copy_n(payload.get_data_ptr(), count, first);
  if (payload.is_read()) std::copy_n(first, count, payload.get_data_ptr());
  return static_cast<unsigned>(count);
}

// --- non-blocking ---

tlm::tlm_sync_enum random_memory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    responding_ = nullptr;
    payload.release();
    phases_.notify(payload, tlm::END_RESP, delay);
    return tlm::TLM_COMPLETED;
  }
  ++non_blocking_calls_;
  access(payload);
  const std::uint64_t shape = settings_.plain ? 5 : random_.below(6);
  if (shape == 0) {
    delay += latency();
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  if (shape == 1 && !responding_) {
    delay += latency();
    responding_ = &payload;
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  if (shape <= 2) {
    delay += latency();
    phases_.notify(payload, tlm::BEGIN_RESP, delay + latency());
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  const sc_core::sc_time accepted = delay + latency();
  if (settings_.holds_requests)
    held_ = &payload;
  else if (shape == 3)
    phases_.notify(payload, tlm::BEGIN_RESP, accepted);  // it says END_REQ, too
  else
    phases_.notify(payload, tlm::END_REQ, accepted);
  return tlm::TLM_ACCEPTED;
}

void random_memory::go_on() {
  if (held_) phases_.notify(*held_, tlm::END_REQ, sc_core::SC_ZERO_TIME);
  held_ = nullptr;
}

void random_memory::work() {
  for (phase_queue::entry e; phases_.next(e);) {
    if (e.second == tlm::BEGIN_RESP) ready_.push_back(e.first);
    if (e.second != tlm::END_REQ) continue;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = settings_.plain ? sc_core::SC_ZERO_TIME : latency();
    socket->nb_transport_bw(*e.first, phase, delay);
    phases_.notify(*e.first, tlm::BEGIN_RESP, delay + latency());
  }
  send_responses();
}

void random_memory::send_responses() {
  while (!responding_ && !ready_.empty()) {
    tlm::tlm_generic_payload& payload = *ready_.front();
    ready_.pop_front();
    responding_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = settings_.plain ? sc_core::SC_ZERO_TIME : latency();
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) continue;
    responding_ = nullptr;
    payload.release();
  }
}

}  // namespace toriscope
