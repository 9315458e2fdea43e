// SPDX-License-Identifier: Apache-2.0
// Switch allocation, separable input-first with round-robin arbiters (docs/model.md, "SA").
#pragma once

#include <algorithm>
#include <cstdint>

#include "router/round_robin.h"
#include "router/vc_allocator.h"

namespace toriscope {

/// One pass: every input port picks one of its VCs when it is made, then every output port that was asked for
/// grants one input port.
class switch_allocation {
 public:
  [[gnu::always_inline]] explicit switch_allocation(const router_ports& ports)
      : in_(ports.in), out_(ports.out) {
    std::fill_n(asking_ports_, few_ports, 0u);
    if (ports.count > few_ports) std::fill(asking_ports_ + few_ports, asking_ports_ + max_ports, 0u);
    for (const unsigned p : bits_of(ports.occupied)) {
      const input_unit& in = in_[p];
      const vc_mask asking = ports.sending ? without_sending(in, in.ready(), ports.sending) : in.ready();
      if (!asking) continue;
      const unsigned v = first_at_or_after(asking, in.sa_pointer);
      const unsigned o = in.vcs[v].out_port;
      picked_vc_[p] = static_cast<std::uint8_t>(v);
      asking_ports_[o] |= 1u << p;
      asked_ |= 1u << o;
    }
  }

  /// The output ports that somebody asks for (bit o).
  std::uint32_t asked() const { return asked_; }

  struct winner {
    unsigned in_port, in_vc;
  };
  /// Who may send through output port o, which was asked for. To be called once for each.
  winner grant(unsigned o) {
    const unsigned p = first_at_or_after(asking_ports_[o], out_[o].sa_pointer);
    const unsigned v = picked_vc_[p];
    out_[o].sa_pointer = static_cast<std::uint8_t>(p + 1);
    in_[p].sa_pointer = static_cast<std::uint8_t>(v + 1);
    return {p, v};
  }

 private:
  /// Of the VCs `asking`, those whose output port is not occupied by a flit on a narrow link.
  [[gnu::noinline]] static vc_mask without_sending(const input_unit& in, vc_mask asking,
                                                   std::uint32_t sending) {
    vc_mask left = 0;
    for (const unsigned v : bits_of(asking))
      if (!(sending >> in.vcs[v].out_port & 1u)) left |= bit_of(v);
    return left;
  }

  static constexpr unsigned few_ports = 8;  ///< most routers have fewer

  input_unit* const in_;
  output_unit* const out_;
  std::uint32_t asked_ = 0;
  std::uint32_t asking_ports_[max_ports + 1];  ///< by output port asked for
  std::uint8_t picked_vc_[max_ports];          ///< by asking input port
};

}  // namespace toriscope
