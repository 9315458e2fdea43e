// SPDX-License-Identifier: Apache-2.0
// The router as a plain state machine: input units, RC, VA, SA, crossbar, output units.
//
//   contract   step(t, ...) does cycle t as docs/model.md says: it takes what its wires show in t, sends what
//              is due. It must be called in every cycle in which a wire shows something, and in the next one
//              after it returned true; in all others it would do nothing.
//   ports      in netlist order, the local ports last; at most 31
//   limits     1..16 VCs, 1..64 flits per VC; state is taken from the shared arena and sized to the ports
//              there are
#pragma once

#include <cstdint>
#include <optional>

#include "router/router_state.h"

namespace toriscope {

class configurable_pipeline;
class network_archive;

/// A VC of an output port.
struct output_vc_ref {
  port_id port;
  unsigned vc;
};

class router {
 public:
  /// @param node         whose router it is
  /// @param ports        number of ports, the local ones included
  /// @param network      shared by all routers of the network; must outlive the router
  /// @param kind         outlives the router
  /// @param local_ports  that lead to terminals, the last ones
  /// @param inputs       ports with an incoming side
  router(node_id node, unsigned ports, network_state& network, const router_kind& kind, unsigned local_ports,
         unsigned inputs);
  router(const router&) = delete;
  router& operator=(const router&) = delete;

  // --- wiring, before the first step ---
  /// @param in            shows flits that arrive at port p
  /// @param credits_back  takes the credits of port p's buffers
  void connect_input(port_id p, flit_wire& in, credit_wire& credits_back) {
    state_.connect_input(p, in, credits_back);
  }
  /// @param credits_in   shows the credits for port p's flits; null: they are unlimited
  /// @param flit_cycles   F, cycles that a flit occupies the link; the wire's delay is then D + F - 1
  /// @param depth_behind  flits per VC downstream; 0: as many as here
  void connect_output(port_id p, flit_wire& out, credit_wire* credits_in, unsigned flit_cycles = 1,
                      unsigned depth_behind = 0) {
    state_.connect_output(p, out, credits_in, flit_cycles, depth_behind);
  }

  // --- behaviour ---
  /// Whether there is something to do in a cycle with these arrivals.
  bool has_work(arrival_mask arrivals) const {
    return (state_.flits | state_.busy_outputs.mask()) != 0 || (arrivals & of_router) != 0;
  }
  /// Does cycle `now`. Returns whether flits are left in its buffers, or on their way over a narrow link.
  /// @param arrivals  the wires that show something (links/arrival_schedule.h); bits of the interface are ignored
  /// @throws invariant_violation
  bool step(cycle_t now, arrival_mask arrivals);

  // always_inline: g++ 12 takes a function that only prefetches for one without effect, and leaves out the
  // call.

  /// Fetches the ports at which something arrives, and the sets, into the caches.
  [[gnu::always_inline]] void prefetch_ports(arrival_mask arrivals) const {
    __builtin_prefetch(state_.in_sets);
    for (const unsigned p : bits_of(flits_of(arrivals))) __builtin_prefetch(state_.in + p);
    for (const unsigned p : bits_of(credits_of(arrivals))) __builtin_prefetch(state_.out + p);
  }
  /// Fetches the wires that show something, and the VCs that it is for.
  [[gnu::always_inline]] void prefetch_wires(arrival_mask arrivals) const {
    for (const unsigned p : bits_of(flits_of(arrivals))) {
      __builtin_prefetch(state_.in[p].in);
      __builtin_prefetch(state_.in_vcs + state_.shape.number(p, 0));
    }
    for (const unsigned p : bits_of(credits_of(arrivals))) __builtin_prefetch(state_.out[p].credits_in);
  }
  /// Fetches the buffers that flits of cycle `now` go into, and where packets under way go on to.
  [[gnu::always_inline]] void prefetch_buffers(arrival_mask arrivals, cycle_t now) const {
    for (const unsigned p : bits_of(flits_of(arrivals))) {
      const input_unit& in = state_.in[p];
      const input_vc& vc = state_.in_vc(p, in.in->arrived(now).vc());
      __builtin_prefetch(state_.slots + vc.first_slot);
      __builtin_prefetch(state_.out + state_.shape.port(vc.output));
      __builtin_prefetch(in.credits_back);
    }
  }

  /// At the end of a cycle. Reading: before the first one, with the ports closed that were.
  void archive(network_archive& s);

  /// The link behind output port p is dead from the next step on (docs/model.md, "Dead links").
  void close_output(port_id p);

  // --- observers: the state after the last step ---
  unsigned port_count() const { return state_.ports; }
  unsigned vc_count() const { return state_.vcs; }
  /// A VC that gives up its packet is `active` without an output VC.
  vc_state input_state(port_id p, unsigned v) const;
  /// Flits in the buffer of input VC (p, v).
  unsigned occupancy(port_id p, unsigned v) const { return state_.in_vc(p, v).buffer.size(); }
  /// All of it, for probes that read sets of VCs.
  const router_state& state() const { return state_; }
  /// The input ports that flits arrive at.
  static port_set ports_with_flits(arrival_mask arrivals) { return port_set(flits_of(arrivals)); }
  /// The VCs of input port p that hold a flit, or whose packet owns an output VC.
  vc_set in_use(port_id p) const {
    return state_.in_port(&input_sets::occupied, p) | state_.in_port(&input_sets::active, p) |
           state_.in_port(&input_sets::granted, p);
  }
  /// The VCs of output port p that VA can grant.
  vc_set grantable(port_id p) const { return state_.out_port(&output_sets::free, p) - buffered(p); }
  /// The flit at the front of input VC (p, v); no flit when the buffer is empty.
  flit_word front(port_id p, unsigned v) const {
    return occupancy(p, v) > 0 ? state_.front(state_.shape.number(p, v)) : flit_word{};
  }
  /// Cycles since which that flit has been at the front.
  std::uint32_t front_age(port_id p, unsigned v, cycle_t now) const;
  /// The cycle in which the last flit came into input VC v, which is not empty. Kept modulo 2^16: exact when
  /// that is less than 2^15 cycles before or after its front flit came there (full: 2^16 after).
  cycle_t last_taken(port_id p, unsigned v, cycle_t now) const;
  /// The output VC that input VC (p, v) owns, if it does.
  std::optional<output_vc_ref> assigned(port_id p, unsigned v) const {
    if (input_state(p, v) != vc_state::active || is_discarding(p, v)) return std::nullopt;
    return output_vc_ref{static_cast<port_id>(state_.output_port(p, v)), state_.output_vc_of(p, v)};
  }
  /// The options of a routed head at the front of input VC (p, v): pointer and number.
  const route_option* options(port_id p, unsigned v, unsigned& count) const;
  /// Input VC (p, v) gives up the packet at its front, which has no way on over live links.
  bool is_discarding(port_id p, unsigned v) const { return state_.dropped && state_.dropped->vcs[p].has(v); }
  /// The input VC i = p*V + v that owns output VC (p, v); -1 when it is free.
  int output_owner(port_id p, unsigned v) const {
    if (!owned(p).has(v)) return -1;
    const unsigned i = state_.out_vc(p, v).owner;
    return static_cast<int>(state_.shape.port(i) * state_.vcs + state_.shape.vc(i));
  }
  /// The VCs of output port p that have an owner.
  vc_set owned(port_id p) const {
    if (!state_.out[p].out) return {};
    return vc_set::below(state_.vcs) - state_.out_port(&output_sets::free, p) -
           state_.out_port(&output_sets::draining, p);
  }
  /// atomic VC reallocation: output VC (p, v) has no owner but waits for credits.
  bool is_draining(port_id p, unsigned v) const { return state_.out_port(&output_sets::draining, p).has(v); }
  /// Free slots downstream as output VC (p, v) knows them; 0 for local ports, whose credits are unlimited.
  unsigned credits(port_id p, unsigned v) const {
    return state_.out[p].credits_in ? state_.credits_of(p, v) : 0;
  }
  /// The flit that is sent `ahead` cycles after the last one done, 1 .. x, as SA has decided; or no flit.
  flit_word output_register(port_id p, unsigned ahead = 1) const {
    const flit_wire* const out = state_.out[p].out;
    return out && out->reach_cycles() >= out->delay_cycles() + ahead
               ? out->shown(state_.network.now + out->delay_cycles() + ahead)
               : flit_word{};
  }
  /// paper2009: the VCs of output port p whose buffers hold a flit.
  vc_set buffered(port_id p) const { return state_.out_port(&output_sets::full, p); }
  /// paper2009: the flit in the output VC's buffer; else no flit.
  flit_word output_buffer(port_id p, unsigned v) const {
    return buffered(p).has(v) ? state_.out_buffers[state_.shape.number(p, v)] : flit_word{};
  }
  /// Flits that SA has let go by port p since the start: those sent, and those in its output registers.
  std::uint64_t flits_granted(port_id p) const { return state_.out[p].granted; }
  /// Flits sent by port p since the start.
  std::uint64_t flits_sent(port_id p) const;
  /// Whether flits that SA let go have yet to be sent.
  bool has_flits_in_output_registers() const;

  // --- all VCs at once, by number (router_shape.h): for observers that look in every cycle ---
  const router_shape& shape() const { return state_.shape; }
  /// The input VCs of a group that are in use.
  vc_numbers numbers_in_use(unsigned group) const {
    const input_sets& sets = state_.in_sets[group];
    return sets.occupied | sets.active | sets.granted;
  }
  /// The output VCs of a group that have an owner, or a flit in their buffer. Of ports that have an outgoing side.
  vc_numbers numbers_held(unsigned group) const {
    const output_sets& sets = state_.out_sets[group];
    return vc_numbers(~(sets.free | sets.draining).mask()) | sets.full;
  }
  /// By output VC: credits(); without a meaning for local ports.
  const std::uint16_t* credits_by_number() const { return state_.credits; }

  /// Flits in the router's buffers.
  unsigned flits() const { return state_.flits; }

 private:
  static constexpr arrival_mask of_ports = (1u << max_ports) - 1;
  static constexpr arrival_mask of_router = of_ports | of_ports << credit_arrival(0);

  static std::uint32_t flits_of(arrival_mask arrivals) {
    return static_cast<std::uint32_t>(arrivals & of_ports);
  }
  static std::uint32_t credits_of(arrival_mask arrivals) {
    return static_cast<std::uint32_t>(arrivals >> credit_arrival(0) & of_ports);
  }

  bool step_as(router_shape n, cycle_t now, arrival_mask arrivals);

  router_state state_;
  configurable_pipeline* configurable_ = nullptr;  ///< where the configuration has no fast path
};

}  // namespace toriscope
