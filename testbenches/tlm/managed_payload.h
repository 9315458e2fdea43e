// SPDX-License-Identifier: Apache-2.0
// Payloads with data, byte enables and an expectation, and the pool that they go back to.
#pragma once

#include <memory>
#include <tlm>
#include <vector>

namespace toriscope {

struct managed_payload final : tlm::tlm_generic_payload {
  using tlm_generic_payload::tlm_generic_payload;
  std::vector<unsigned char> data;
  std::vector<unsigned char> enables;
  std::vector<unsigned char> expected;  ///< data, when all is done
  tlm::tlm_response_status expected_status = tlm::TLM_OK_RESPONSE;

  /// Makes the attributes those of a request.
  void prepare(tlm::tlm_command command, std::uint64_t address, unsigned streaming_width) {
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(static_cast<unsigned>(data.size()));
    set_streaming_width(streaming_width);
    set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    set_byte_enable_length(static_cast<unsigned>(enables.size()));
    set_dmi_allowed(false);
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
};

class payload_pool final : public tlm::tlm_mm_interface {
 public:
  /// A payload, acquired once for the caller.
  managed_payload& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<managed_payload>(this));
      free_.push_back(all_.back().get());
    }
    managed_payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    return payload;
  }
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(static_cast<managed_payload*>(payload));
  }
  /// Payloads that a module still holds.
  std::size_t held() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<managed_payload>> all_;
  std::vector<managed_payload*> free_;
};

}  // namespace toriscope
