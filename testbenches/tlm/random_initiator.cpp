// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "testbenches/tlm/random_initiator.h"

#include <algorithm>

#include "testbenches/tlm/byte_access.h"

namespace toriscope {

namespace {
constexpr std::size_t max_differences = 10;
constexpr unsigned char untouched = 0xee;
}  // namespace

/// Draws transactions, and knows what they should do.
struct random_initiator::stream {
  stream(const config& c, unsigned n)
      : settings(c), number(n), random(c.seed, n), reference(c.targets.size()) {
    for (auto& bytes : reference) bytes.resize(slice_bytes);
  }

  void draw(managed_payload& p) {
    const std::size_t t = random.below(settings.targets.size());
    const target_view& target = settings.targets[t];
    const bool write = random.below(2) == 0;
    const bool enables = random.below(4) == 0;
    const auto length = 1 + static_cast<unsigned>(random.below(settings.max_bytes));
    const bool streams = random.below(8) == 0;
    const unsigned width = streams ? 1 + static_cast<unsigned>(random.below(length)) : length;
    p.data.resize(length);
    for (unsigned char& byte : p.data) byte = write ? static_cast<unsigned char>(random.next()) : untouched;
    p.enables.resize(enables ? 1 + random.below(length) : 0);
    for (unsigned char& byte : p.enables) byte = random.below(2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    const std::uint64_t slice = target.base + std::uint64_t{number} * slice_bytes;
    const bool unmapped = random.below(64) == 0;
    p.prepare(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
              unmapped ? settings.unmapped : slice + random.below(slice_bytes - width + 1), width);
    p.expected = p.data;
    p.expected_status = unmapped                              ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                        : write && !target.writable           ? tlm::TLM_COMMAND_ERROR_RESPONSE
                        : enables && !target.byte_enables     ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                        : width < length && !target.streaming ? tlm::TLM_BURST_ERROR_RESPONSE
                                                              : tlm::TLM_OK_RESPONSE;
    if (p.expected_status == tlm::TLM_OK_RESPONSE)
      access_bytes(p, reference[t].data(), slice, p.expected.data());
  }

  const config& settings;
  const unsigned number;
  random_stream random;
  std::vector<std::vector<unsigned char>> reference;  ///< by target
};

random_initiator::random_initiator(const sc_core::sc_module_name& name, const config& settings)
    : sc_module(name), settings_(settings), random_(settings.seed, ~0u) {
  socket.bind(*this);
  for (unsigned i = 0; i <= settings_.callers; ++i)
    streams_.push_back(std::make_unique<stream>(settings_, settings_.first_stream + i));
  SC_THREAD(run_non_blocking);
  for (unsigned i = 1; i <= settings_.callers; ++i)
    sc_core::sc_spawn([this, i] { run_blocking(*streams_[i]); });
  SC_METHOD(work);
  sensitive << phases_.event();
  dont_initialize();
}

random_initiator::~random_initiator() = default;

sc_core::sc_time random_initiator::pause(random_stream& random) {
  const bool none = random.below(3) == 0;
  return {static_cast<double>(none ? 0 : random.below(settings_.pause_ns + 1)), sc_core::SC_NS};
}

void random_initiator::answered(managed_payload& p) {
  ++done_;
  if (p.expected_status != tlm::TLM_OK_RESPONSE) ++errors_;
  if (p.get_response_status() == p.expected_status && p.data == p.expected) return;
  if (differences_.size() >= max_differences) return;
  differences_.push_back(std::string(name()) + " at " + sc_core::sc_time_stamp().to_string() + ": " +
                         (p.is_write() ? "write" : "read") + " of " + std::to_string(p.data.size()) +
                         " bytes at " + std::to_string(p.get_address()) + ": " + p.get_response_string() +
                         (p.data == p.expected ? "" : ", other bytes than the reference has"));
}

void random_initiator::run_blocking(stream& s) {
  managed_payload payload;
  for (unsigned i = 0; i < settings_.transactions; ++i) {
    wait(pause(s.random));
    s.draw(payload);
    sc_core::sc_time delay = pause(s.random);
    socket->b_transport(payload, delay);
    answered(payload);
    wait(delay);
  }
}

void random_initiator::run_non_blocking() {
  stream& s = *streams_[0];
  for (unsigned i = 0; i < settings_.transactions; ++i) {
    wait(pause(s.random));
    while (requesting_ || under_way_ >= settings_.outstanding) wait(changed_);
    managed_payload& payload = pool_.take();
    s.draw(payload);
    ++under_way_;
    requesting_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = pause(s.random);
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) continue;
    requesting_ = nullptr;
    if (status == tlm::TLM_COMPLETED)
      phases_.notify(payload, tlm::END_RESP, delay);
    else if (phase == tlm::BEGIN_RESP)
      phases_.notify(payload, phase, delay);
  }
}

tlm::tlm_sync_enum random_initiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (requesting_ == &payload) requesting_ = nullptr;
  changed_.notify(sc_core::SC_ZERO_TIME);
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  const std::uint64_t shape = random_.below(3);
  if (shape == 0) {
    phases_.notify(payload, tlm::BEGIN_RESP, delay + pause(random_));
    return tlm::TLM_ACCEPTED;
  }
  delay += pause(random_);
  phases_.notify(payload, tlm::END_RESP, delay);
  phase = tlm::END_RESP;
  return shape == 1 ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;
}

void random_initiator::work() {
  for (phase_queue::entry e; phases_.next(e);) {
    if (e.second == tlm::BEGIN_RESP) {
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay;
      socket->nb_transport_fw(*e.first, phase, delay);
    }
    answered(static_cast<managed_payload&>(*e.first));
    --under_way_;
    changed_.notify(sc_core::SC_ZERO_TIME);
    e.first->release();
  }
}

}  // namespace toriscope
