// SPDX-License-Identifier: Apache-2.0
// What is special to paper2009 in the reference router. The quoted sentences are those of docs/model.md.
#include "testbenches/reference/reference_router.h"

namespace toriscope::reference {

// SW: "finds that output VC's buffer empty at the start of the cycle, moves the flit there"
void router::move_to_output_buffers() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      const input_vc& in = inputs_[p][v];
      if (!in.owns || in.buffer.empty()) continue;
      output_vc& out = outputs_[in.out_port][in.out_vc];
      if (out.full_at_start) continue;
      out.buffer = read_out(p, v);
      out.full = true;
    }
  }
}

// LT: "of the output VCs whose buffer was full at the start of the cycle and that have a credit, the first at
// or after the port's pointer"; "after LT in t, not before t + F"
void router::traverse_links() {
  for (unsigned p = 0; p < ports_; ++p) {
    std::vector<contender> candidates;
    for (unsigned v = 0; v < outputs_[p].size(); ++v) {
      if (outputs_[p][v].full_at_start && has_credit(p, v)) candidates.push_back({v, 0});
    }
    flit_word sent;
    if (!candidates.empty() && now_ >= sending_until_[p]) {
      const unsigned v = candidates[link_arbiters_[p].pick(candidates)].number;
      link_arbiters_[p].granted(v);
      sent = outputs_[p][v].buffer;
      outputs_[p][v].full = false;
      use_credit(p, v);
      sending_until_[p] = now_ + links_[p].flit_cycles;
    }
    flit_out[p].write(sent);
  }
}

}  // namespace toriscope::reference
