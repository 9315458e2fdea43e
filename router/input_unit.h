// SPDX-License-Identifier: Apache-2.0
// The input side of a router: its ports, their VCs, and the state of each VC.
//
// The states are kept as one set of VCs per state, of all ports together (router_shape.h), because the stages ask
// "which VCs wait for this?" far more often than "what does this VC wait for?".
//
//   set          state of its VCs (vc_state)              set by                     cleared by
//   ----------------------------------------------------------------------------------------------------------
//   occupied     holds a flit                             take_flit                  read_out, drop_flits: last flit
//   open         the last flit taken was not a tail       take_flit, of a head       take_flit, of the tail
//   to_route     routing: the front is an unrouted head   take_flit, after a tail    RC
//   routed       waiting_vc, not before the next stage    RC                         latch, end_waits
//   to_allocate  waiting_vc: requests an output VC        latch, end_waits           VA, dropping its packet
//   granted      active, not before the next stage        VA                         latch, end_waits, speculation
//   active       active: owns an output VC, or drops      latch, end_waits, dropping end of the packet
//   with_credit  that output VC has a credit              VA, take_credits           forward, end of the packet
//
// to_route, routed, to_allocate, granted and active exclude each other; a VC in none of them is idle, or holds nothing.
// with_credit is a subset of granted | active. routed and granted are the registers between the stages.
#pragma once

#include <cstdint>

#include "links/delay_line.h"
#include "router/router_shape.h"
#include "router/vc_buffer.h"

namespace toriscope {

/// Where an input VC stands, as waves show it.
enum class vc_state : std::uint8_t {
  idle,        ///< no packet
  routing,     ///< its head waits for RC
  waiting_vc,  ///< routed; requests an output VC
  active,      ///< owns an output VC
};

/// The sets of a group of input VCs.
struct input_sets {
  vc_numbers occupied, open, to_route, routed, to_allocate, granted, active, with_credit;  // the table above
  vc_numbers behind_pointer;  ///< SA: at or after the pointer of their port

  /// The VCs that request the switch: they own an output VC that has a credit, and hold a flit.
  vc_numbers ready() const { return active & occupied & with_credit; }
};

/// One input VC.
struct input_vc {
  vc_buffer buffer;
  std::uint16_t first_slot = 0;   ///< of the buffer
  std::uint16_t output = 0;       ///< active: the number of the output VC that it owns
  std::uint16_t taken_at = 0;     ///< low bits of the cycle in which the last flit came
  std::uint8_t option_count = 0;  ///< options that RC got
  std::uint8_t va_pointer = 0;    ///< the VC it requests first
  std::uint32_t front_since = 0;  ///< low bits of the cycle since which its front flit is at the front
};

struct input_unit {
  flit_wire* in = nullptr;              ///< null: the port has no incoming side
  credit_wire* credits_back = nullptr;  ///< to the router upstream
};

}  // namespace toriscope
