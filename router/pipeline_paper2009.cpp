// SPDX-License-Identifier: Apache-2.0
// The two-cycle router of the papers (Rahman et al. 2009, Sect. 5; docs/model.md, "paper2009"): input VC to
// output VC buffer, output VC buffer to the next input VC; one flit each.
#include "router/discard_unit.h"
#include "router/round_robin.h"
#include "router/router.h"

namespace toriscope {

void router::step_paper2009(cycle_t now) {
  compute_routes();
  latch();
  if (discards_) drop_dead_options(now);
  if (ports_.va_worthwhile) allocate_vcs(ports_, chip_);
  latch();
  if (discards_) drop_flits(now);
  fill_output_buffers(now);
  if (discards_) return_credits(now);
  traverse_links(now);
}

/// SW: into output VC buffers that were empty at the start of the cycle.
void router::fill_output_buffers(cycle_t now) {
  for (const unsigned p : bits_of(ports_.occupied)) {
    input_unit& in = ports_.in[p];
    vc_mask freed = 0;
    vc_mask moving = static_cast<vc_mask>(in.active & in.occupied);
    if (discards_) {
      moving &= ~discards_->discarding[p];
      freed = discards_->take_freed(p);
    }
    for (const unsigned v : bits_of(moving)) {
      output_unit& out = ports_.out[in.vcs[v].out_port];
      const unsigned w = in.vcs[v].out_vc;
      if (out.full >> w & 1u) continue;
      out.buffers(ports_.vcs)[w] = read_out(in, p, v, now);
      out.filled |= static_cast<vc_mask>(1u << w);
      freed |= static_cast<vc_mask>(1u << v);
    }
    if (freed) in.credits_back->send(now, {freed});
  }
}

/// LT: one flit for each link, from output VC buffers that were full at the start of the cycle.
void router::traverse_links(cycle_t now) {
  for (unsigned p = 0; p < ports_.count; ++p) {
    output_unit& out = ports_.out[p];
    vc_mask ready = 0;
    for (const unsigned v : bits_of(out.full)) {
      if (!out.credits_in || out.credits[v] > 0) ready |= static_cast<vc_mask>(1u << v);
    }
    if (ready && !(ports_.sending >> p & 1u)) {
      const unsigned v = first_at_or_after(ready, out.sa_pointer);
      out.sa_pointer = static_cast<std::uint8_t>(v + 1);
      if (out.credits_in) --out.credits[v];
      out.full &= ~static_cast<vc_mask>(1u << v);
      ports_.va_worthwhile = true;
      out.out->send(now, out.buffers(ports_.vcs)[v]);
      ++out.granted;
      --flits_;
      if (out.flit_cycles > 1) occupy(p, now);
    }
    out.full |= out.filled;
    out.filled = 0;
  }
}

}  // namespace toriscope
