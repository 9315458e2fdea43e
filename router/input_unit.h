// SPDX-License-Identifier: Apache-2.0
// An input port: the VC buffers and what each VC is waiting for.
//
// The state of the VCs is kept as one bit mask per state and port, because the stages ask "which VCs want
// something?" far more often than "what does this VC want?".
#pragma once

#include <cstdint>

#include "links/wire.h"
#include "router/invariant.h"
#include "router/vc_buffer.h"
#include "topologies/route.h"

namespace toriscope {

/// The mask of one VC.
inline vc_mask bit_of(unsigned vc) { return static_cast<vc_mask>(1u << vc); }

/// Where an input VC stands, as waves show it.
enum class vc_state : std::uint8_t {
  idle,        ///< no packet
  routing,     ///< its head waits for RC
  waiting_vc,  ///< routed; asks for an output VC
  active,      ///< owns an output VC
};

/// One VC of an input port.
struct input_vc {
  vc_buffer buffer;
  std::uint8_t option_count = 0;  ///< options that RC got
  std::uint8_t va_pointer = 0;    ///< the VC it asks for first
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

  vc_mask occupied = 0;     ///< holds a flit
  vc_mask open = 0;         ///< the flit that came last was no tail
  vc_mask to_route = 0;     ///< routing: its front is a head that has not been routed
  vc_mask routed = 0;       ///< routed in this cycle: the register between RC and VA
  vc_mask to_allocate = 0;  ///< waiting_vc
  vc_mask granted = 0;      ///< granted an output VC in this cycle: the register between VA and SA
  vc_mask active = 0;       ///< owns an output VC
  vc_mask with_credit = 0;  ///< active, and the output VC has a credit
  std::uint8_t sa_pointer = 0;
  std::uint8_t depth = 0;  ///< slots per VC

  flit_word front(unsigned v) const { return vcs[v].buffer.front(slots + v * depth); }

  /// VC asks for the switch: it owns an output VC that has a credit, and holds a flit.
  vc_mask ready() const { return static_cast<vc_mask>(active & occupied & with_credit); }

  /// A flit of this cycle goes into its buffer.
  void take(node_id node, flit_word f, std::uint32_t now) {
    const unsigned v = f.vc();
    const vc_mask bit = static_cast<vc_mask>(1u << v);
    input_vc& vc = vcs[v];
    vc.taken_at = static_cast<std::uint16_t>(now);
    if (vc.buffer.size() == depth || f.head() == bool(open & bit)) refuse(node, f);
    if (f.tail())
      open &= ~bit;
    else
      open |= bit;
    if (vc.buffer.empty()) {
      vc.front_since = now;
      occupied |= bit;
      if (f.head()) to_route |= bit;
    }
    vc.buffer.push(slots + v * depth, depth, f);
  }

  /// The front flit of VC v leaves.
  flit_word pop(unsigned v, std::uint32_t now) {
    const vc_mask bit = static_cast<vc_mask>(1u << v);
    input_vc& vc = vcs[v];
    const flit_word f = vc.buffer.pop(slots + v * depth, depth);
    vc.front_since = now;
    if (f.tail()) {
      active &= ~bit;
      with_credit &= ~bit;
    }
    if (vc.buffer.empty())
      occupied &= ~bit;
    else if (f.tail())
      to_route |= bit;  // take() lets only a head follow
    return f;
  }

  /// The registers between the stages take their values.
  void latch() {
    to_allocate |= routed;
    routed = 0;
    active |= granted;
    granted = 0;
  }

  vc_state state_of(unsigned v) const {
    const vc_mask bit = static_cast<vc_mask>(1u << v);
    if ((active | granted) & bit) return vc_state::active;
    if ((to_allocate | routed) & bit) return vc_state::waiting_vc;
    return to_route & bit ? vc_state::routing : vc_state::idle;
  }

 private:
  [[noreturn, gnu::noinline]] void refuse(node_id node, flit_word f) const {
    if (vcs[f.vc()].buffer.size() == depth)
      throw invariant_violation(node, "a flit arrived for a full VC buffer");
    throw invariant_violation(node, f.head() ? "a head arrived within another packet of its VC"
                                             : "a body flit arrived without its head");
  }
};

}  // namespace toriscope
