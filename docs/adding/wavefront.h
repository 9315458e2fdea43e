// SPDX-License-Identifier: Apache-2.0
// An allocator in 30 lines: wavefront (Tamir & Chi 1993). The pairs on a diagonal of the matrix of requesters and
// resources share neither; so the diagonals are granted one after the other, from one that moves on.
#pragma once

#include <algorithm>

#include "router/allocation/registry.h"

namespace toriscope {

class wavefront final : public allocator {
 public:
  wavefront(arena& memory, const allocator_shape& shape)
      : candidates_(make_arbiters(memory, shape.arbiter, shape.requesters, shape.candidates)),
        size_(std::max(shape.requesters, shape.resources)) {}

  void allocate(const request_list& requests, tentative_grants&, request_list& grants) const override {
    std::vector<bool> requester_matched(size_), resource_matched(size_);
    for (unsigned d = 0; d < size_; ++d)
      for_each_requester(requests, [&](unsigned first, unsigned end) {
        const allocation_request* best = nullptr;  // of the candidates that lead to the resource on the diagonal
        for (unsigned r = first; r < end; ++r) {
          const allocation_request& a = requests[r];
          if (diagonal_of(a) != (first_ + d) % size_) continue;
          if (requester_matched[a.requester] || resource_matched[a.resource]) continue;
          if (!best || candidates_.before(a.requester, {a.candidate, a.packet}, {best->candidate, best->packet}))
            best = &a;
        }
        if (!best) return;
        requester_matched[best->requester] = resource_matched[best->resource] = true;
        grants.push_back(*best);
      });
  }
  void update_priorities(const allocation_request& grant, bool) override {
    candidates_.granted(grant.requester, grant.candidate);
    first_ = (diagonal_of(grant) + 1) % size_;
  }
  void archive(state_archive& a, const allocator_shape& shape) override {
    candidates_.archive(a, shape.requesters, shape.candidates);
    a.below(first_, size_);
  }

 private:
  unsigned diagonal_of(const allocation_request& a) const { return (a.requester + a.resource) % size_; }

  arbiter_array& candidates_;  ///< of the requesters
  unsigned size_;
  unsigned first_ = 0;  ///< the diagonal that goes first
};

}  // namespace toriscope
