// SPDX-License-Identifier: Apache-2.0
// What is asked for in an allocation, and what is granted: pairs of one who asks and one who is asked for.
//
//   VA   those who ask are the input VCs i = p*V + v, those asked for the output VCs j = p*V + v;
//        a choice is the VC w of the output port
//   SA   those who ask are the input ports, those asked for the output ports;
//        a choice is the VC v of the input port
//
// So in both cases somebody who asks has at most V choices, and each choice leads to one that is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "router/packet_table.h"

namespace toriscope {

struct allocation_request {
  packet_id packet;      ///< of the input VC that asks; counts with age arbiters only
  std::uint16_t asking;  ///< VA: input VC, SA: input port
  std::uint16_t asked;   ///< VA: output VC, SA: output port
  std::uint8_t choice;   ///< VA: the output VC's number in its port, SA: the input VC's in its port
  std::uint8_t option;   ///< VA: of the options that RC got; else 0
};

/// Requests of one cycle, ascending by `asking`, then by `choice`.
using request_list = std::vector<allocation_request>;

}  // namespace toriscope
