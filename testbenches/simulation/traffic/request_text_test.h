// SPDX-License-Identifier: Apache-2.0
// For tests: a packet that a source asks for, as text.
#pragma once

#include <string>

#include "router/packet_table.h"

namespace toriscope {

/// "0>1 of 2 class 0": two flits from terminal 0 to 1.
inline std::string to_text(const packet_request& r) {
  return std::to_string(r.source) + ">" + std::to_string(r.destination) + " of " + std::to_string(r.flits) + " class " +
         std::to_string(r.message_class);
}

}  // namespace toriscope
