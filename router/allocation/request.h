// SPDX-License-Identifier: Apache-2.0
// Requests and grants of an allocation: pairs of a requester and a resource.
//
//        requester                  resource                    candidate
//   VA   input VC  i = p*V + v      output VC  j = p*V + v      VC w of the output port
//   SA   input port                 output port                 VC v of the input port
//
// A requester has at most V candidates, and each of them leads to one resource.
#pragma once

#include <cstdint>
#include <vector>

#include "router/packet_table.h"

namespace toriscope {

struct allocation_request {
  packet_id packet;         ///< of the input VC that requests; counts with age arbiters only
  std::uint16_t requester;  ///< VA: input VC, SA: input port
  std::uint16_t resource;   ///< VA: output VC, SA: output port
  std::uint8_t candidate;   ///< VA: the output VC's number in its port, SA: the input VC's in its port
  std::uint8_t option;      ///< VA: of the options that RC got; else 0
};

/// Requests of one cycle, ascending by `requester`, then by `candidate`.
using request_list = std::vector<allocation_request>;

}  // namespace toriscope
