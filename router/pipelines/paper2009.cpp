// SPDX-License-Identifier: Apache-2.0
#include "router/pipelines/paper2009.h"

#include "router/allocation/round_robin_vc_allocation.h"

namespace toriscope {
namespace {

/// SW: into output VC buffers that were empty at the start of the cycle.
void fill_output_buffers(router_state& r, cycle_t now) {
  const router_shape n = r.shape;
  for (const unsigned p : r.occupied_ports()) {
    vc_set freed;
    vc_set moving = r.in_port(&input_sets::active, p) & r.in_port(&input_sets::occupied, p);
    if (r.dropped) {
      moving -= r.dropped->vcs[p];
      freed = r.dropped->take_freed(p);
    }
    for (const unsigned v : moving) {
      const unsigned i = n.number(p, v);
      const unsigned j = r.in_vcs[i].output;
      output_sets& to = r.out_sets[n.group(j)];
      if (to.full & n.only(j)) continue;
      r.out_buffers[j] = r.read_out(n, i, now);
      to.filled |= n.only(j);
      freed.add(v);
    }
    if (freed) r.in[p].credits_back->send(now, {freed.mask()});
  }
}

/// LT: one flit for each link, from output VC buffers that were full at the start of the cycle.
void traverse_links(router_state& r, cycle_t now) {
  const router_shape n = r.shape;
  for (unsigned p = 0; p < r.ports; ++p) {
    output_unit& out = r.out[p];
    vc_set ready;
    for (const unsigned v : r.out_port(&output_sets::full, p)) {
      if (!out.credits_in || r.credits_of(p, v) > 0) ready.add(v);
    }
    if (!ready || r.busy_outputs.has(p)) continue;
    const unsigned v = ready.first_at_or_after(out.lt_pointer);
    const unsigned j = n.number(p, v);
    out.lt_pointer = static_cast<std::uint8_t>(v + 1);
    if (out.credits_in) --r.credits[j];
    r.out_sets[n.group(j)].full -= n.only(j);
    r.va_worthwhile = true;
    out.out->send(now, r.out_buffers[j]);
    ++out.granted;
    --r.flits;
    r.occupy(p, now);
  }
  for (unsigned g = 0; g < n.groups; ++g) {
    r.out_sets[g].full |= r.out_sets[g].filled;
    r.out_sets[g].filled = {};
  }
}

}  // namespace

void step_paper2009(router_state& r, cycle_t now) {
  r.compute_routes(r.shape);
  r.latch(r.shape);
  if (r.dropped) drop_dead_options(r, now);
  if (r.va_worthwhile) allocate_vcs(r);
  r.latch(r.shape);
  if (r.dropped) drop_flits(r, now);
  fill_output_buffers(r, now);
  if (r.dropped) return_credits(r, now);
  traverse_links(r, now);
}

}  // namespace toriscope
