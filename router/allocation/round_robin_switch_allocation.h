// SPDX-License-Identifier: Apache-2.0
// SA of the plain pipelines: separable input-first switch allocation with round-robin arbiters (docs/model.md, "SA").
#pragma once

#include <algorithm>
#include <cstdint>

#include "router/router_state.h"

namespace toriscope {

/// One pass: arbitrate_inputs(), then arbitrate_output(o) once for each output port in requested().
class round_robin_switch_allocation {
 public:
  [[gnu::always_inline]] explicit round_robin_switch_allocation(const router_state& r) : in_(r.in), out_(r.out) {
    std::fill_n(requesters_, few_ports, 0u);
    if (r.ports > few_ports) std::fill(requesters_ + few_ports, requesters_ + max_ports, 0u);
  }

  /// Every input port picks one of its VCs.
  [[gnu::always_inline]] void arbitrate_inputs(port_set occupied, port_set busy_outputs) {
    for (const unsigned p : occupied) {
      const input_unit& in = in_[p];
      const vc_set requests = busy_outputs ? without_busy(in, in.ready(), busy_outputs) : in.ready();
      if (!requests) continue;
      const unsigned v = requests.first_at_or_after(in.sa_pointer);
      const unsigned o = in.vcs[v].out_port;
      picked_vc_[p] = static_cast<std::uint8_t>(v);
      requesters_[o] |= 1u << p;
      requested_.add(o);
    }
  }

  port_set requested() const { return requested_; }

  struct winner {
    unsigned in_port, in_vc;
  };
  /// The input VC that may send through output port o.
  winner arbitrate_output(unsigned o) {
    const unsigned p = first_at_or_after(requesters_[o], out_[o].sa_pointer);
    const unsigned v = picked_vc_[p];
    out_[o].sa_pointer = static_cast<std::uint8_t>(p + 1);
    in_[p].sa_pointer = static_cast<std::uint8_t>(v + 1);
    return {p, v};
  }

 private:
  /// Of the VCs in `requests`, those whose output port is not occupied by a flit on a narrow link.
  [[gnu::noinline]] static vc_set without_busy(const input_unit& in, vc_set requests, port_set busy_outputs) {
    vc_set left;
    for (const unsigned v : requests)
      if (!busy_outputs.has(in.vcs[v].out_port)) left.add(v);
    return left;
  }

  static constexpr unsigned few_ports = 8;  ///< most routers have fewer

  input_unit* const in_;
  output_unit* const out_;
  port_set requested_;
  std::uint32_t requesters_[max_ports + 1];  ///< sets of input ports, by output port; as words they are cleared faster
  std::uint8_t picked_vc_[max_ports];   ///< by input port
};

}  // namespace toriscope
