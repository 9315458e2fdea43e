// SPDX-License-Identifier: Apache-2.0
// SA: separable input-first switch allocation with round-robin arbiters (docs/model.md, step 4).
#pragma once

#include "router/round_robin.h"
#include "router/vc_allocator.h"

namespace toriscope {

/// Of the VCs `asking`, those whose output port is not occupied by a flit on a narrow link.
inline vc_mask without_sending(const router_ports& ports, const input_unit& in, vc_mask asking) {
  vc_mask left = 0;
  for_each_bit(asking, [&](unsigned v) {
    if (!(ports.sending >> in.vcs[v].out_port & 1u)) left |= static_cast<vc_mask>(1u << v);
  });
  return left;
}

/// Calls granted(p, v) for each input VC (p, v) that may send a flit through the switch in this cycle: at
/// most one for each input port and one for each output port.
template <class Granted>
void allocate_switch(const router_ports& ports, chip_context& chip, Granted&& granted) {
  std::uint32_t asked_outputs = 0;
  for_each_bit(ports.occupied, [&](unsigned p) {
    const input_unit& in = ports.in[p];
    vc_mask asking = static_cast<vc_mask>(in.active & in.occupied & in.with_credit);
    if (ports.sending) asking = without_sending(ports, in, asking);
    if (!asking) return;
    const unsigned v = first_at_or_after(asking, in.sa_pointer);
    const unsigned o = in.vcs[v].out_port;
    chip.picked_vc[p] = static_cast<std::uint8_t>(v);
    chip.asking_ports[o] = (asked_outputs >> o & 1u ? chip.asking_ports[o] : 0u) | 1u << p;
    asked_outputs |= 1u << o;
  });
  for_each_bit(asked_outputs, [&](unsigned o) {
    output_unit& out = ports.out[o];
    const unsigned p = first_at_or_after(chip.asking_ports[o], out.sa_pointer);
    const unsigned v = chip.picked_vc[p];
    out.sa_pointer = static_cast<std::uint8_t>(next_of(p, ports.count));
    ports.in[p].sa_pointer = static_cast<std::uint8_t>(next_of(v, ports.vcs));
    granted(p, v, o);
  });
}

}  // namespace toriscope
