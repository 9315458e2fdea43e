// SPDX-License-Identifier: Apache-2.0
#include "network/tlm/transfer.h"

#include <algorithm>

namespace toriscope {

remote_payload::remote_payload(const tlm::tlm_generic_payload& original, std::uint64_t address)
    : data_(original.get_data_length()) {
  set_mm(this);
  set_command(original.get_command());
  set_address(address);
  if (original.is_write()) std::copy_n(original.get_data_ptr(), data_.size(), data_.begin());
  set_data_ptr(data_.data());
  set_data_length(original.get_data_length());
  set_streaming_width(original.get_streaming_width());
  if (const unsigned char* const enables = original.get_byte_enable_ptr()) {
    byte_enables_.assign(enables, enables + original.get_byte_enable_length());
    set_byte_enable_ptr(byte_enables_.data());
    set_byte_enable_length(original.get_byte_enable_length());
  }
}

void remote_payload::respond_to(tlm::tlm_generic_payload& original) const {
  original.set_response_status(get_response_status());
  original.set_dmi_allowed(false);
  if (!is_read() || !is_response_ok()) return;
  unsigned char* const to = original.get_data_ptr();
  for (std::size_t i = 0; i < data_.size(); ++i)
    if (byte_enables_.empty() || byte_enables_[i % byte_enables_.size()] != TLM_BYTE_DISABLED)
      to[i] = data_[i];
}

std::uint64_t tlm_transfer::request_bytes() const {
  const std::uint64_t enables =
      remote.get_byte_enable_ptr() ? std::min(remote.get_byte_enable_length(), remote.get_data_length()) : 0;
  return (remote.is_write() ? remote.get_data_length() : 0) + (enables + 7) / 8;
}

std::uint64_t tlm_transfer::response_bytes() const {
  return remote.is_read() && remote.is_response_ok() ? remote.get_data_length() : 0;
}

}  // namespace toriscope
