// SPDX-License-Identifier: Apache-2.0
// An input port: the VC buffers and the state of each VC.
//
// The states are kept as one set of VCs per state and port, because the stages ask "which VCs wait for this?" far more
// often than "what does this VC wait for?".
//
//   set          state of its VCs (vc_state)              set by                     cleared by
//   ----------------------------------------------------------------------------------------------------------
//   occupied     holds a flit                             take                       pop, of the last flit
//   open         the last flit taken was not a tail       take, of a head            take, of the tail
//   to_route     routing: the front is an unrouted head   take, pop (of a tail)      RC
//   routed       waiting_vc, not before the next stage    RC                         latch, end_waits
//   to_allocate  waiting_vc: requests an output VC        latch, end_waits           VA, dropping its packet
//   granted      active, not before the next stage        VA                         latch, end_waits, speculation
//   active       active: owns an output VC, or drops      latch, end_waits, dropping pop (of a tail)
//   with_credit  that output VC has a credit              VA, take_credits           forward, pop (of a tail)
//
// to_route, routed, to_allocate, granted and active exclude each other; a VC in none of them is idle, or holds nothing.
// with_credit is a subset of granted | active. routed and granted are the registers between the stages.
#pragma once

#include <cstdint>

#include "links/delay_line.h"
#include "router/invariant.h"
#include "router/port_set.h"
#include "router/vc_buffer.h"

namespace toriscope {

/// Where an input VC stands, as waves show it.
enum class vc_state : std::uint8_t {
  idle,        ///< no packet
  routing,     ///< its head waits for RC
  waiting_vc,  ///< routed; requests an output VC
  active,      ///< owns an output VC
};

/// One VC of an input port.
struct input_vc {
  vc_buffer buffer;
  std::uint8_t option_count = 0;  ///< options that RC got
  std::uint8_t va_pointer = 0;    ///< the VC it requests first
  std::uint8_t out_port = 0;      ///< active: the output VC that it owns
  std::uint8_t out_vc = 0;
  std::uint16_t taken_at = 0;     ///< low bits of the cycle in which the last flit came
  std::uint32_t front_since = 0;  ///< low bits of the cycle since which its front flit is at the front
};

struct input_unit {
  flit_wire* in = nullptr;              ///< null: the port has no incoming side
  credit_wire* credits_back = nullptr;  ///< to the router upstream
  input_vc* vcs = nullptr;
  flit_word* slots = nullptr;       ///< of the buffers: depth slots for each VC
  route_option* options = nullptr;  ///< options_at_most() for each VC; the granted one is put first

  vc_set occupied, open, to_route, routed, to_allocate, granted, active, with_credit;  // the table above
  std::uint8_t sa_pointer = 0;
  std::uint8_t depth = 0;  ///< slots per VC

  flit_word front(unsigned v) const { return vcs[v].buffer.front(slots + v * depth); }

  /// The VCs that request the switch: they own an output VC that has a credit, and hold a flit.
  vc_set ready() const { return active & occupied & with_credit; }

  /// A flit of this cycle goes into its buffer.
  void take(node_id node, flit_word f, std::uint32_t now) {
    const unsigned v = f.vc();
    input_vc& vc = vcs[v];
    vc.taken_at = static_cast<std::uint16_t>(now);
    if (vc.buffer.size() == depth || f.head() == open.has(v)) reject(node, f);
    if (f.tail())
      open.remove(v);
    else
      open.add(v);
    if (vc.buffer.empty()) {
      vc.front_since = now;
      occupied.add(v);
      if (f.head()) to_route.add(v);
    }
    vc.buffer.push(slots + v * depth, depth, f);
  }

  /// The front flit of VC v leaves.
  flit_word pop(unsigned v, std::uint32_t now) {
    input_vc& vc = vcs[v];
    const flit_word f = vc.buffer.pop(slots + v * depth, depth);
    vc.front_since = now;
    if (f.tail()) {
      active.remove(v);
      with_credit.remove(v);
    }
    if (vc.buffer.empty())
      occupied.remove(v);
    else if (f.tail())
      to_route.add(v);  // take() lets only a head follow
    return f;
  }

  /// The registers between the stages take their values.
  void latch() {
    to_allocate |= routed;
    routed = {};
    active |= granted;
    granted = {};
  }

  vc_state state_of(unsigned v) const {
    if ((active | granted).has(v)) return vc_state::active;
    if ((to_allocate | routed).has(v)) return vc_state::waiting_vc;
    return to_route.has(v) ? vc_state::routing : vc_state::idle;
  }

 private:
  [[noreturn, gnu::noinline]] void reject(node_id node, flit_word f) const {
    if (vcs[f.vc()].buffer.size() == depth)
      throw invariant_violation(node, "a flit arrived for a full VC buffer");
    throw invariant_violation(node, f.head() ? "a head arrived within another packet of its VC"
                                             : "a body flit arrived without its head");
  }
};

}  // namespace toriscope
