// SPDX-License-Identifier: Apache-2.0
#include "network/tlm/tlm_config.h"

#include <algorithm>

namespace toriscope {

std::vector<std::string> tlm_config::validate() const {
  std::vector<std::string> errors;
  const auto at_least_one = [&](unsigned value, const char* name) {
    if (value == 0) errors.push_back(std::string(name) + ": 0; expected at least 1");
  };
  at_least_one(header_flits, "header_flits");
  at_least_one(flit_bytes, "flit_bytes");
  at_least_one(packet_bytes, "packet_bytes");
  at_least_one(outstanding, "outstanding");
  at_least_one(target_outstanding, "target_outstanding");
  return errors;
}

std::vector<std::uint32_t> tlm_config::packet_flits(std::uint64_t bytes) const {
  std::vector<std::uint32_t> lengths;
  do {
    const std::uint64_t carried = std::min<std::uint64_t>(bytes, packet_bytes);
    lengths.push_back(header_flits + static_cast<std::uint32_t>((carried + flit_bytes - 1) / flit_bytes));
    bytes -= carried;
  } while (bytes > 0);
  return lengths;
}

}  // namespace toriscope
