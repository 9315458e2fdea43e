// SPDX-License-Identifier: Apache-2.0
// What a generic payload does to bytes: the one definition that memories and reference of the tests share.
#pragma once

#include <cstdint>
#include <tlm>

namespace toriscope {

/// Reads from or writes to `memory`, whose first byte has address `base`, the enabled bytes of the payload.
/// @param data  instead of the payload's data
inline void access_bytes(const tlm::tlm_generic_payload& p, unsigned char* memory, std::uint64_t base,
                         unsigned char* data) {
  const unsigned char* const enables = p.get_byte_enable_ptr();
  for (unsigned i = 0; i < p.get_data_length(); ++i) {
    if (enables && enables[i % p.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    unsigned char& byte = memory[p.get_address() - base + i % p.get_streaming_width()];
    if (p.is_write()) byte = data[i];
    if (p.is_read()) data[i] = byte;
  }
}

}  // namespace toriscope
