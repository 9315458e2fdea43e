// SPDX-License-Identifier: Apache-2.0
// The state of a router, and what all pipelines do with it. A pipeline (pipelines/) is a function on it: one cycle of
// RC, VA, SA and ST, between the taking of what arrived and the end of the router's step.
//
// Input VCs and output VCs have numbers (router_shape.h). Each array has what the ports, VCs and depth need, no
// more; they stand one behind the other.
#pragma once

#include <cassert>
#include <cstdint>

#include "router/drop_unreachable.h"
#include "router/input_unit.h"
#include "router/invariant.h"
#include "router/network_state.h"
#include "router/output_unit.h"

namespace toriscope {

class network_archive;

struct router_state {
  /// @param kind    outlives the router
  /// @param inputs  ports that have an incoming side
  router_state(node_id node, unsigned ports, network_state& network, const router_kind& kind,
               unsigned local_ports, unsigned inputs);

  const router_shape shape;
  network_state& network;
  const router_kind& kind;

  input_sets* in_sets;     ///< by group
  output_sets* out_sets;   ///< by group
  input_unit* in;          ///< by port
  output_unit* out;        ///< by port
  vc_numbers* owners;      ///< by output port and group: input VCs that own a VC of the port
  std::uint16_t* credits;  ///< by output VC: free slots downstream; not counted where they are unlimited
  output_vc* out_vcs;      ///< by output VC
  input_vc* in_vcs;        ///< by input VC
  flit_word* slots;        ///< of the buffers
  flit_word* out_buffers = nullptr;  ///< paper2009: by output VC

  port_set busy_outputs;    ///< output ports whose narrow link a flit occupies
  std::uint32_t flits = 0;  ///< in its buffers
  std::uint16_t depth;      ///< flits per VC
  std::uint16_t slot_mask;  ///< slots per VC - 1 (vc_buffer.h)
  std::uint16_t ports;
  std::uint16_t first_local;  ///< the local ports are the last
  std::uint16_t inputs_wired = 0;
  bool va_worthwhile = false;  ///< since VA last found nothing, an output VC came free or a new request came
  bool has_drained = false;    ///< some output VC is in `drained`
  bool plain = true;           ///< no output has a narrow link or is dead
  dropped_packets* dropped = nullptr;  ///< null while none of its links is dead
  node_id node;
  unsigned vcs;  ///< per port, of a router without a number of its own: others leave the last ones idle
  route_option* all_options;

  /// The options that RC got for an input VC; the granted one is put first.
  route_option* options(unsigned i) const { return all_options + i * network.options_per_vc; }

  // --- what observers ask ---
  /// Of an input set, the VCs of port p.
  vc_set in_port(vc_numbers input_sets::*set, unsigned p) const {
    return shape.of_port(in_sets[shape.group(shape.number(p, 0))].*set, p);
  }
  /// Of an output set, the VCs of port p.
  vc_set out_port(vc_numbers output_sets::*set, unsigned p) const {
    return shape.of_port(out_sets[shape.group(shape.number(p, 0))].*set, p);
  }
  const input_vc& in_vc(unsigned p, unsigned v) const { return in_vcs[shape.number(p, v)]; }
  const output_vc& out_vc(unsigned p, unsigned v) const { return out_vcs[shape.number(p, v)]; }
  unsigned credits_of(unsigned p, unsigned v) const { return credits[shape.number(p, v)]; }
  /// The port and the VC of the output VC that input VC (p, v) owns.
  unsigned output_port(unsigned p, unsigned v) const { return shape.port(in_vc(p, v).output); }
  unsigned output_vc_of(unsigned p, unsigned v) const { return shape.vc(in_vc(p, v).output); }
  /// The flit at the front of an input VC that is not empty.
  flit_word front(unsigned i) const {
    return in_vcs[i].buffer.front(slots + in_vcs[i].first_slot, slot_mask);
  }
  /// Input ports that hold a flit.
  port_set occupied_ports() const;

  // --- wiring: see router.h ---
  void connect_input(port_id p, flit_wire& flits_in, credit_wire& credits_back);
  void connect_output(port_id p, flit_wire& flits_out, credit_wire* credits_in, unsigned flit_cycles,
                      unsigned depth_behind = 0);

  // --- arrivals ---
  /// The flit that arrives at port p goes into its buffer. @throws invariant_violation
  void take_flit(router_shape n, unsigned p, cycle_t now);
  /// The credits that arrive at port p count. @throws invariant_violation
  void take_credits(router_shape n, unsigned p, cycle_t now);

  // --- stages and the registers between them ---
  /// RC: the options of every head in to_route.
  void compute_routes(router_shape n) {
    for (unsigned g = 0; g < n.groups; ++g)
      if (in_sets[g].to_route) compute_routes_of(g);
  }
  /// The registers between RC and VA and between VA and SA take their values.
  void latch(router_shape n);
  /// Input VC i owns output VC j by its option `option`: what VA grants.
  void grant_vc(router_shape n, unsigned i, unsigned j, unsigned option);
  /// SA has granted input VC i output port o: its front flit leaves the buffer, to be sent `ahead`
  /// cycles from now, and the credit of its slot goes upstream.
  void forward(router_shape n, unsigned i, unsigned o, cycle_t now, unsigned ahead);
  /// The flit at the front of input VC i leaves its buffer, marked for the output VC that it goes to.
  flit_word read_out(router_shape n, unsigned i, cycle_t now);
  /// The flit at the front of input VC i leaves its buffer.
  flit_word pop(router_shape n, unsigned i, cycle_t now);
  /// The packet at the front of input VC i has gone, with its tail.
  void end_packet(unsigned i);
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

  /// At the end of a cycle (network_archive.h).
  void archive(network_archive& s);

 private:
  void archive_output(network_archive& s, unsigned p);
  void archive_dropped(network_archive& s);
  /// @param owned  by group: gets the output VC that input VC i owns
  void archive_input(network_archive& s, unsigned i, vc_numbers* owned);
  void compute_routes_of(unsigned group);
  /// The head keeps the option that the routing function chooses.
  void choose_by_queues(const route_request& request, unsigned i);
  void count_hop(flit_word head);
  /// A head or a tail has come for input VC i.
  void take_end(router_shape n, unsigned i, flit_word f);
  /// Output VC j has got a credit that may be its last one.
  void take_last_credit(unsigned j);
  /// In a router that is not plain: what a flit granted output port o does beside. @returns slots of input port p that
  /// have come free in addition
  vc_set forward_beside(unsigned p, unsigned o, cycle_t now);
  flit_word read_out_end(unsigned i, flit_word f);
  void release_output_vc(unsigned j);
  [[noreturn, gnu::noinline]] void reject(unsigned i, flit_word f) const;
};

// --- what every pipeline does with every flit ---

[[gnu::always_inline]] inline void router_state::take_flit(router_shape n, unsigned p, cycle_t now) {
  const flit_word f = in[p].in->arrived(now, n.near);
  assert(f.valid());
  const unsigned i = n.number(p, f.vc());
  input_sets& sets = in_sets[n.group(i)];
  input_vc& vc = in_vcs[i];
  vc.taken_at = static_cast<std::uint16_t>(now);
  const unsigned size = vc.buffer.size();
  if (size == depth || f.head() == static_cast<bool>(sets.open & n.only(i))) reject(i, f);
  if (size == 0) {
    vc.front_since = static_cast<std::uint32_t>(now);
    sets.occupied |= n.only(i);
  }
  vc.buffer.push(slots + vc.first_slot, slot_mask, f);
  ++flits;
  if (f.head() || f.tail()) take_end(n, i, f);
}

[[gnu::always_inline]] inline void router_state::take_credits(router_shape n, unsigned p, cycle_t now) {
  const output_unit& unit = out[p];
  for (const unsigned v : bits_of(unit.credits_in->arrived(now, n.near).vcs)) {
    const unsigned j = n.number(p, v);
    const unsigned count = ++credits[j];
    if (count == 1 && !((out_sets[n.group(j)].free | out_sets[n.group(j)].draining) & n.only(j)))
      in_sets[n.group(out_vcs[j].owner)].with_credit |= n.only(out_vcs[j].owner);
    if (count > unit.plain_credits) take_last_credit(j);
  }
}

[[gnu::always_inline]] inline void router_state::latch(router_shape n) {
  for (unsigned g = 0; g < n.groups; ++g) {
    input_sets& sets = in_sets[g];
    if (!(sets.routed | sets.granted)) continue;
    if (sets.routed) va_worthwhile = true;
    sets.to_allocate |= sets.routed;
    sets.active |= sets.granted;
    sets.routed = sets.granted = {};
  }
}

inline void router_state::grant_vc(router_shape n, unsigned i, unsigned j, unsigned option) {
  const unsigned group = n.group(i);
  const vc_numbers winner = n.only(i);
  input_sets& sets = in_sets[group];
  sets.to_allocate -= winner;
  sets.granted |= winner;
  if (credits[j] > 0) sets.with_credit |= winner;
  route_option* const all = options(i);
  all[0] = all[option];
  in_vcs[i].output = static_cast<std::uint16_t>(j);

  out_sets[n.group(j)].free -= n.only(j);
  out_vcs[j].owner = static_cast<std::uint16_t>(i);
  owners[n.port(j) * n.groups + group] |= winner;
}

inline flit_word router_state::pop(router_shape n, unsigned i, cycle_t now) {
  input_vc& vc = in_vcs[i];
  const flit_word f = vc.buffer.pop(slots + vc.first_slot, slot_mask);
  vc.front_since = static_cast<std::uint32_t>(now);
  if (vc.buffer.empty()) in_sets[n.group(i)].occupied -= n.only(i);
  return f;
}

[[gnu::always_inline]] inline flit_word router_state::read_out(router_shape n, unsigned i, cycle_t now) {
  const flit_word f = pop(n, i, now).on_vc(n.vc(in_vcs[i].output));
  return f.head() || f.tail() ? read_out_end(i, f) : f;
}

[[gnu::always_inline]] inline void router_state::forward(router_shape n, unsigned i, unsigned o, cycle_t now,
                                                         unsigned ahead) {
  output_unit& to = out[o];
  if (to.credits_in && --credits[in_vcs[i].output] == 0) in_sets[n.group(i)].with_credit -= n.only(i);
  vc_set freed = vc_set::of(n.vc(i));
  if (!plain) freed |= forward_beside(n.port(i), o, now);
  in[n.port(i)].credits_back->send_word(now, {freed.mask()}, n.near);
  to.out->send_word(now + ahead, read_out(n, i, now), n.near);
  ++to.granted;
  --flits;
}

}  // namespace toriscope
