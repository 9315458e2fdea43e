// SPDX-License-Identifier: Apache-2.0
// The router chip as a plain state machine: input units, RC, VA, SA, crossbar, output units.
//
//   contract   step(t, ...) does cycle t as docs/model.md says: it takes what its wires show in t, sends what
//              is due. It must be called in every cycle in which a wire shows something, and in the next one
//              after it returned true; in all others it would do nothing.
//   ports      in netlist order, the local port last; at most 32
//   limits     1..16 VCs, 1..64 flits per VC; state is taken from the shared arena and sized to the ports
//              there are
#pragma once

#include <cstdint>
#include <optional>

#include "router/discard_unit.h"
#include "router/network_state.h"
#include "router/pipeline_staged.h"
#include "router/round_robin.h"
#include "router/vc_allocator.h"

namespace toriscope {

/// A VC of an output port.
struct output_vc_ref {
  port_id port;
  unsigned vc;
};

class router {
 public:
  /// @param node   whose router it is
  /// @param ports  number of ports, the local one included
  /// @param chip   shared by all routers of the network; must outlive the router
  router(node_id node, unsigned ports, network_state& chip);
  router(const router&) = delete;
  router& operator=(const router&) = delete;

  // --- wiring, before the first step ---
  /// @param in            shows flits that arrive at port p
  /// @param credits_back  takes the credits of port p's buffers
  void connect_input(port_id p, flit_wire& in, credit_wire& credits_back);
  /// @param credits_in   shows the credits for port p's flits; null: they are unlimited
  /// @param flit_cycles  F, cycles that a flit occupies the link; the wire's delay is then D + F - 1
  void connect_output(port_id p, flit_wire& out, credit_wire* credits_in, unsigned flit_cycles = 1);

  // --- behaviour ---
  /// Whether there is something to do in a cycle with these arrivals.
  bool has_work(arrival_mask arrivals) const {
    return (flits_ | ports_.sending) != 0 || (arrivals & of_router) != 0;
  }
  /// Does cycle `now`. Returns whether flits are left in its buffers, or on their way over a narrow link.
  /// @param arrivals  the wires that show something (links/arrival_schedule.h); bits of the interface are ignored
  /// @throws invariant_violation
  bool step(cycle_t now, arrival_mask arrivals);

  // always_inline: g++ 12 takes a function that only prefetches for one without effect, and leaves out the
  // call.

  /// Fetches the ports at which something arrives into the caches.
  [[gnu::always_inline]] void prefetch_ports(arrival_mask arrivals) const {
    for (const unsigned p : bits_of(flits_of(arrivals))) __builtin_prefetch(ports_.in + p);
    for (const unsigned p : bits_of(credits_of(arrivals))) __builtin_prefetch(ports_.out + p);
  }
  /// Fetches the wires that show something, and the VCs that it is for.
  [[gnu::always_inline]] void prefetch_wires(arrival_mask arrivals) const {
    for (const unsigned p : bits_of(flits_of(arrivals))) {
      __builtin_prefetch(ports_.in[p].in);
      __builtin_prefetch(ports_.in[p].vcs);
    }
    for (const unsigned p : bits_of(credits_of(arrivals))) __builtin_prefetch(ports_.out[p].credits_in);
  }
  /// Fetches the buffers that flits of cycle `now` go into, and where packets under way go on to.
  [[gnu::always_inline]] void prefetch_buffers(arrival_mask arrivals, cycle_t now) const {
    for (const unsigned p : bits_of(flits_of(arrivals))) {
      const input_unit& in = ports_.in[p];
      const unsigned v = in.in->arrived(now).vc();
      __builtin_prefetch(in.slots + v * in.depth);
      __builtin_prefetch(ports_.out + in.vcs[v].out_port);
      __builtin_prefetch(in.credits_back);
    }
  }

  /// The link behind output port p is dead from the next step on (docs/model.md, "Dead links").
  void close_output(port_id p);

  // --- observers: the state after the last step ---
  unsigned port_count() const { return ports_.count; }
  unsigned vc_count() const { return ports_.vcs; }
  /// A VC that gives up its packet is `active` without an output VC.
  vc_state input_state(port_id p, unsigned v) const { return ports_.in[p].state_of(v); }
  /// Flits in the buffer of input VC (p, v).
  unsigned occupancy(port_id p, unsigned v) const {
    return ports_.in[p].in ? ports_.in[p].vcs[v].buffer.size() : 0;
  }
  /// The flit at the front of input VC (p, v); no flit when the buffer is empty.
  flit_word front(port_id p, unsigned v) const;
  /// Cycles since which that flit has been at the front.
  std::uint32_t front_age(port_id p, unsigned v, cycle_t now) const;
  /// The cycle in which the last flit came into input VC v, which is not empty. Kept modulo 2^16: exact when
  /// that is less than 2^15 cycles before or after its front flit came there (full: 2^16 after).
  cycle_t last_taken(port_id p, unsigned v, cycle_t now) const;
  /// The output VC that input VC (p, v) owns, if it does.
  std::optional<output_vc_ref> assigned(port_id p, unsigned v) const;
  /// The options of a routed head at the front of input VC (p, v): pointer and number.
  const route_option* options(port_id p, unsigned v, unsigned& count) const;
  /// Input VC (p, v) gives up the packet at its front, which has no way on over live links.
  bool is_discarding(port_id p, unsigned v) const;
  /// The input VC i = p*V + v that owns output VC (p, v); -1 when it is free.
  int output_owner(port_id p, unsigned v) const;
  /// regrant drained: output VC (p, v) has no owner but waits for credits.
  bool is_draining(port_id p, unsigned v) const { return ports_.out[p].draining >> v & 1u; }
  /// Free slots downstream as output VC (p, v) knows them; 0 for the local port, whose credits are unlimited.
  unsigned credits(port_id p, unsigned v) const;
  /// The flit that is sent `ahead` cycles after the last one done, 1 .. x, as SA has decided; or no flit.
  flit_word staged(port_id p, unsigned ahead = 1) const;
  /// paper2009: the flit in the output VC's buffer; else no flit.
  flit_word output_buffer(port_id p, unsigned v) const;
  /// Flits sent by port p since the start.
  std::uint64_t flits_sent(port_id p) const;
  /// Whether flits that SA let go have yet to be sent.
  bool has_flits_in_output_registers() const;
  /// Flits in the router's buffers.
  unsigned flits() const { return flits_; }

 private:
  friend class staged_pipeline;

  static constexpr arrival_mask of_ports = (1u << max_ports) - 1;
  static constexpr arrival_mask of_router = of_ports | of_ports << credit_arrival(0);

  static std::uint32_t flits_of(arrival_mask arrivals) {
    return static_cast<std::uint32_t>(arrivals & of_ports);
  }
  static std::uint32_t credits_of(arrival_mask arrivals) {
    return static_cast<std::uint32_t>(arrivals >> credit_arrival(0) & of_ports);
  }

  void take_flit(unsigned p, cycle_t now);
  void take_credits(unsigned p, cycle_t now);
  void count_hop(flit_word head);
  [[noreturn]] void too_many_credits() const;
  void compute_routes();
  void latch();
  void free_drained();
  void switch_flits(cycle_t now, unsigned ahead);
  void forward(unsigned p, unsigned v, unsigned o, cycle_t now, unsigned ahead);
  flit_word read_out(input_unit& in, unsigned p, unsigned v, cycle_t now);
  void release_output_vc(output_unit& out, unsigned vc);
  void occupy(unsigned out_port, cycle_t now);
  void end_sending(cycle_t now);

  // discard.cpp
  void drop_dead_options(cycle_t now);
  void discard(unsigned p, unsigned v, port_id wanted, cycle_t now);
  void drop_flits(cycle_t now);
  void return_credits(cycle_t now);

  void set_free(output_unit& out, vc_mask vcs) {
    out.free |= vcs;
    ports_.va_worthwhile = true;
  }

  void step_single_cycle(cycle_t now);
  void step_four_stage(cycle_t now);
  void step_paper2009(cycle_t now);
  void fill_output_buffers(cycle_t now);
  void traverse_links(cycle_t now);

  network_state& chip_;
  staged_pipeline* staged_ = nullptr;  ///< where the configuration is not a plain one
  router_ports ports_;
  discard_unit* discards_ = nullptr;  ///< null while none of its links is dead
  node_id node_;
  std::uint32_t flits_ = 0;
  std::uint32_t drained_ports_ = 0;  ///< bit p: output VCs of port p were drained in this cycle
};

// --- what every pipeline does with every flit ---

/// The flit at the front of input VC (p, v) leaves its buffer, marked for the output VC that it goes to.
inline flit_word router::read_out(input_unit& in, unsigned p, unsigned v, cycle_t now) {
  const input_vc& vc = in.vcs[v];
  const flit_word f = in.pop(v, static_cast<std::uint32_t>(now)).on_vc(vc.out_vc);
  if (!in.occupied) ports_.occupied &= ~(1u << p);
  if (f.tail()) {
    release_output_vc(ports_.out[vc.out_port], vc.out_vc);
    if (in.to_route) ports_.to_route |= 1u << p;
  }
  return f.head() ? chip_.layout.with_state(f, in.options[v * chip_.options_per_vc].state) : f;
}

/// SA has granted input VC (p, v) output port o: its front flit leaves the buffer, to be sent `ahead` cycles
/// from now, and the credit of its slot goes upstream.
[[gnu::always_inline]] inline void router::forward(unsigned p, unsigned v, unsigned o, cycle_t now,
                                                   unsigned ahead) {
  input_unit& in = ports_.in[p];
  output_unit& out = ports_.out[o];
  if (out.credits_in && --out.credits[in.vcs[v].out_vc] == 0) in.with_credit &= ~bit_of(v);
  const vc_mask freed = discards_ ? bit_of(v) | discards_->take_freed(p) : bit_of(v);
  in.credits_back->send(now, {freed});
  out.out->send(now + ahead, read_out(in, p, v, now));
  ++out.granted;
  --flits_;
  if (out.flit_cycles > 1) occupy(o, now);
}

/// The owner of an output VC has sent its tail.
inline void router::release_output_vc(output_unit& out, unsigned vc) {
  if (chip_.config.regrant == regrant::tail || !out.credits_in)
    set_free(out, bit_of(vc));
  else
    out.draining |= bit_of(vc);
}

}  // namespace toriscope
