// SPDX-License-Identifier: Apache-2.0
// The state of a router, and what all pipelines do with it. A pipeline (pipelines/) is a function on it: one cycle of
// RC, VA, SA and ST, between the taking of what arrived and the end of the router's step.
//
//   set of ports   members                                            set by             cleared by
//   -------------------------------------------------------------------------------------------------------
//   occupied       input ports that hold a flit                       take_flit          read_out, drop_flits
//   to_route       ... with VCs in to_route (input_unit.h)            take_flit, pops    RC
//   to_allocate    ... with VCs in to_allocate                        latch, end_waits   VA, drop_unreachable
//   to_latch       ... with VCs in routed or granted                  RC, VA             latch, end_waits
//   busy_outputs   output ports whose narrow link a flit occupies     occupy             end_busy
//   drained        output ports with VCs in drained                   take_credits       free_drained
#pragma once

#include <cstdint>

#include "router/drop_unreachable.h"
#include "router/input_unit.h"
#include "router/network_state.h"
#include "router/output_unit.h"

namespace toriscope {

struct router_state {
  router_state(node_id node, unsigned ports, network_state& network, unsigned local_ports = 1)
      : router_state(node, ports, network, network.kind, local_ports) {}
  /// @param kind  outlives the router
  router_state(node_id node, unsigned ports, network_state& network, const router_kind& kind,
               unsigned local_ports);

  network_state& network;
  const router_kind& kind;
  input_unit* in;
  output_unit* out;
  std::uint16_t ports;
  std::uint16_t first_local;  ///< the local ports are the last
  unsigned vcs;  ///< per port, of a router without a number of its own: others leave the last ones idle
  port_set occupied, to_route, to_allocate, to_latch, busy_outputs, drained;  // the table above
  bool va_worthwhile = false;  ///< since VA last found nothing, an output VC came free or a new request came
  dropped_packets* dropped = nullptr;  ///< null while none of its links is dead
  node_id node;
  std::uint32_t flits = 0;  ///< in its buffers

  /// The options that RC got for input VC (p, v).
  route_option* options(unsigned p, unsigned v) const { return in[p].options + v * network.options_per_vc; }

  // --- wiring: see router.h ---
  void connect_input(port_id p, flit_wire& flits_in, credit_wire& credits_back);
  void connect_output(port_id p, flit_wire& flits_out, credit_wire* credits_in, unsigned flit_cycles,
                      unsigned depth_behind = 0);

  // --- arrivals ---
  /// The flit that arrives at port p goes into its buffer. @throws invariant_violation
  void take_flit(unsigned p, cycle_t now);
  /// The credits that arrive at port p count. @throws invariant_violation
  void take_credits(unsigned p, cycle_t now);

  // --- stages and the registers between them ---
  /// RC: the options of every head in to_route.
  void compute_routes();
  /// The head keeps the option that the routing function chooses.
  void choose_by_queues(const route_request& request);
  /// The registers between RC and VA and between VA and SA take their values.
  void latch();
  /// Input VC (p, v) owns output VC (o, w) by its option `option`: what VA grants.
  void grant_vc(unsigned p, unsigned v, unsigned o, unsigned w, unsigned option);
  /// SA has granted input VC (p, v) output port o: its front flit leaves the buffer, to be sent `ahead` cycles from
  /// now, and the credit of its slot goes upstream.
  void forward(unsigned p, unsigned v, unsigned o, cycle_t now, unsigned ahead);
  /// The flit at the front of input VC (p, v) leaves its buffer, marked for the output VC that it goes to.
  flit_word read_out(unsigned p, unsigned v, cycle_t now);
  /// A flit granted in cycle `now` occupies a narrow link.
  void occupy(unsigned out_port, cycle_t now);

  // --- the end of the step ---
  /// Narrow links whose flit is through may be granted again. The router is stepped in every cycle until then, so that
  /// the low bits of the cycle say enough.
  void end_busy(cycle_t now) { busy_outputs = busy_at(now); }
  /// Those whose flit is not through in cycle `now`, the next one at the earliest.
  port_set busy_at(cycle_t now) const;
  /// Output VCs whose last credit came back in this cycle are free from the next one on.
  void free_drained();

 private:
  void count_hop(flit_word head);
  [[noreturn]] void too_many_credits() const;
  void release_output_vc(output_unit& out, unsigned vc);
};

// --- what every pipeline does with every flit ---

[[gnu::always_inline]] inline void router_state::take_flit(unsigned p, cycle_t now) {
  input_unit& unit = in[p];
  const flit_word f = unit.in->arrived(now);
  if (!f.valid()) return;
  unit.take(node, f, static_cast<std::uint32_t>(now));
  occupied.add(p);
  ++flits;
  if (!f.head()) return;
  if (unit.to_route) to_route.add(p);
  if (p < first_local) count_hop(f);
}

[[gnu::always_inline]] inline void router_state::take_credits(unsigned p, cycle_t now) {
  output_unit& unit = out[p];
  const unsigned depth = unit.depth_behind;
  for (const unsigned v : bits_of(unit.credits_in->arrived(now).vcs)) {
    const unsigned credits = unit.credits[v]++;
    if (credits >= depth) too_many_credits();
    if (credits == 0 && !(unit.free | unit.draining).has(v))
      in[unit.vcs[v].owner_port].with_credit.add(unit.vcs[v].owner_vc);
    if (unit.draining.has(v) && credits + 1 == depth && !unit.full.has(v)) {
      unit.drained.add(v);
      drained.add(p);
    }
  }
}

/// The owner of an output VC has sent its tail.
inline void router_state::release_output_vc(output_unit& unit, unsigned vc) {
  if (kind.config.vc_reallocation == vc_reallocation::non_atomic || !unit.credits_in) {
    unit.free.add(vc);
    va_worthwhile = true;
  } else {
    unit.draining.add(vc);
  }
}

inline flit_word router_state::read_out(unsigned p, unsigned v, cycle_t now) {
  input_unit& unit = in[p];
  const input_vc& vc = unit.vcs[v];
  const flit_word f = unit.pop(v, static_cast<std::uint32_t>(now)).on_vc(vc.out_vc);
  if (!unit.occupied) occupied.remove(p);
  if (f.tail()) {
    release_output_vc(out[vc.out_port], vc.out_vc);
    if (unit.to_route) to_route.add(p);
  }
  return f.head() ? network.layout.with_state(f, options(p, v)->state) : f;
}

[[gnu::always_inline]] inline void router_state::forward(unsigned p, unsigned v, unsigned o, cycle_t now,
                                                         unsigned ahead) {
  input_unit& from = in[p];
  output_unit& to = out[o];
  if (to.credits_in && --to.credits[from.vcs[v].out_vc] == 0) from.with_credit.remove(v);
  const vc_set freed = dropped ? vc_set::of(v) | dropped->take_freed(p) : vc_set::of(v);
  from.credits_back->send(now, {freed.mask()});
  to.out->send(now + ahead, read_out(p, v, now));
  ++to.granted;
  --flits;
  if (to.flit_cycles > 1) occupy(o, now);
}

}  // namespace toriscope
