// SPDX-License-Identifier: Apache-2.0
#include "router/pipelines/paper2009.h"

#include "router/allocation/round_robin_vc_allocation.h"

namespace toriscope {
namespace {

/// SW: into output VC buffers that were empty at the start of the cycle.
void fill_output_buffers(router_state& r, cycle_t now) {
  for (const unsigned p : r.occupied) {
    input_unit& in = r.in[p];
    vc_set freed;
    vc_set moving = in.active & in.occupied;
    if (r.dropped) {
      moving -= r.dropped->vcs[p];
      freed = r.dropped->take_freed(p);
    }
    for (const unsigned v : moving) {
      output_unit& out = r.out[in.vcs[v].out_port];
      const unsigned w = in.vcs[v].out_vc;
      if (out.full.has(w)) continue;
      out.buffers(r.vcs)[w] = r.read_out(p, v, now);
      out.filled.add(w);
      freed.add(v);
    }
    if (freed) in.credits_back->send(now, {freed.mask()});
  }
}

/// LT: one flit for each link, from output VC buffers that were full at the start of the cycle.
void traverse_links(router_state& r, cycle_t now) {
  for (unsigned p = 0; p < r.ports; ++p) {
    output_unit& out = r.out[p];
    vc_set ready;
    for (const unsigned v : out.full) {
      if (!out.credits_in || out.credits[v] > 0) ready.add(v);
    }
    if (ready && !r.busy_outputs.has(p)) {
      const unsigned v = ready.first_at_or_after(out.sa_pointer);
      out.sa_pointer = static_cast<std::uint8_t>(v + 1);
      if (out.credits_in) --out.credits[v];
      out.full.remove(v);
      r.va_worthwhile = true;
      out.out->send(now, out.buffers(r.vcs)[v]);
      ++out.granted;
      --r.flits;
      if (out.flit_cycles > 1) r.occupy(p, now);
    }
    out.full |= out.filled;
    out.filled = {};
  }
}

}  // namespace

void step_paper2009(router_state& r, cycle_t now) {
  r.compute_routes();
  r.latch();
  if (r.dropped) drop_dead_options(r, now);
  if (r.va_worthwhile) allocate_vcs(r);
  r.latch();
  if (r.dropped) drop_flits(r, now);
  fill_output_buffers(r, now);
  if (r.dropped) return_credits(r, now);
  traverse_links(r, now);
}

}  // namespace toriscope
