// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/counting_probe.h"

namespace toriscope {

bool counting_probe::supports(const network_config& config) {
  return config.dead_links.empty() && !config.router.has_output_buffers() && config.router.has_fast_path();
}

void counting_probe::before_step(const probed_node& node, cycle_t now) {
  if (!counts_.covers(now) && !counts_.covers(now + 1)) return;
  const router_state& r = node.watched().state();
  seen_ = r.occupied_ports() | router::ports_with_flits(node.arrivals(now));
  if (!seen_) return;
  for (const unsigned p : seen_)
    before_[p] = {r.in_port(&input_sets::occupied, p), r.in_port(&input_sets::to_allocate, p),
                  r.in_port(&input_sets::active, p)};
  for (unsigned o = 0; o < r.ports; ++o) free_[o] = r.out_port(&output_sets::free, o);
  busy_outputs_ = r.busy_at(now);
}

bool counting_probe::after_step(const probed_node& node, cycle_t now) {
  const bool counted = counts_.covers(now);
  if (!counted && !counts_.covers(now + 1)) return false;
  const router_state& r = node.watched().state();
  const port_set arrived = router::ports_with_flits(node.arrivals(now));
  if (counted)
    for (unsigned p = r.first_local; p < r.ports; ++p)
      if (const flit_wire* const injection = node.wires(static_cast<port_id>(p)).in)
        if (const flit_word f = injection->shown(now + injection->delay_cycles()); f.valid())
          counts_.count_injected(r.node, static_cast<port_id>(p), f.vc());
  router_counts counts = counts_.of_router(r.node);
  router_waits waits = roots_.of_router(r.node);
  for (const unsigned p : seen_) see_port(r, p, arrived.has(p), now, counts, waits);
  return false;
}

[[gnu::always_inline]] inline void counting_probe::see_port(const router_state& r, unsigned p, bool arrived,
                                                            cycle_t now, router_counts& counts,
                                                            router_waits& waits) {
  const input_unit& in = r.in[p];
  const port_before before = before_[p];
  const bool single_cycle = r.kind.config.pipeline == pipeline::single_cycle;
  vc_set fronts = before.occupied;
  if (arrived) fronts.add(in.in->arrived(now).vc());
  const credit_wire& credits = *in.credits_back;
  const vc_set moved = fronts & vc_set(credits.shown(now + credits.delay_cycles()).vcs);

  if (single_cycle ? counts_.covers(now) : counts_.covers(now + 1))
    for (const unsigned v : moved) ++counts.sent[r.output_port(p, v) * counts.vcs + r.output_vc_of(p, v)];
  if (!counts_.covers(now)) return;

  counts.events.buffer_writes += arrived;
  vc_set others = fronts - moved;
  for (const unsigned v : moved) counts.count(p, v, r.output_port(p, v), stall_cause::moved);
  vc_set in_sa = before.active & others;
  if (const vc_set heads = fronts - before.active) {  // without an output VC at the beginning of the cycle
    const vc_set granted = heads & (moved | r.in_port(&input_sets::active, p));
    for ([[maybe_unused]] const unsigned v : granted) ++counts.events.vc_grants;
    for ([[maybe_unused]] const unsigned v : heads - before.to_allocate) ++counts.events.route_computations;
    if (single_cycle) in_sa |= granted & others;
    const vc_set in_va = (single_cycle ? heads : heads & before.to_allocate) - granted;
    for (const unsigned v : in_va) see_va(r, p, v, now, counts, waits);
    others -= in_va;
    for (const unsigned v : others - in_sa)
      counts.count(p, v, r.options(r.shape.number(p, v))->out_port, stall_cause::pipeline);
  }
  if (busy_outputs_)
    for (const unsigned v : in_sa) {
      const unsigned out = r.output_port(p, v);
      if (!busy_outputs_.has(out)) continue;
      in_sa.remove(v);
      counts.count(p, v, out, stall_cause::link_busy);
      waits.add(p, v, out, {}, now);
    }
  const vc_set with_credit = r.in_port(&input_sets::with_credit, p);
  for (const unsigned v : in_sa& with_credit) {
    counts.count(p, v, r.output_port(p, v), stall_cause::lost_switch);
    waits.add(p, v, r.output_port(p, v), {}, now);
  }
  for (const unsigned v : in_sa - with_credit) {
    counts.count(p, v, r.output_port(p, v), stall_cause::no_credit);
    waits.add(p, v, r.output_port(p, v), vc_set::of(r.output_vc_of(p, v)), now);
  }
}

/// A head that requested an output VC and was not granted one.
void counting_probe::see_va(const router_state& r, unsigned p, unsigned v, cycle_t now, router_counts& counts,
                            router_waits& waits) {
  const route_option* const options = r.options(r.shape.number(p, v));
  for (unsigned k = 0; k < r.in_vc(p, v).option_count; ++k)
    if (vc_set(options[k].vcs) & free_[options[k].out_port]) {
      counts.count(p, v, options[k].out_port, stall_cause::lost_vc_allocation);
      return waits.add(p, v, options[k].out_port, {}, now);
    }
  counts.count(p, v, options[0].out_port, stall_cause::no_output_vc);
  waits.add(p, v, options[0].out_port, vc_set(options[0].vcs), now);
}

void counting_probe::end_at(cycle_t cycles_done) {
  if (counts_.covers(cycles_done))
    for (const probed_node* const node : nodes_) {
      router_counts counts = counts_.of_router(node->id());
      for (unsigned p = 0; p < node->watched().port_count(); ++p)
        if (const flit_word f = node->watched().output_register(static_cast<port_id>(p)); f.valid())
          --counts.sent[p * counts.vcs + f.vc()];
    }
  counts_.complete_events();
}

}  // namespace toriscope
