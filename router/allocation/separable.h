// SPDX-License-Identifier: Apache-2.0
// What the separable allocators share: a bank of arbiters for those who ask, one for those who are asked, and
// the two halves of an allocation.
#pragma once

#include "router/allocation/allocation_policy.h"

namespace toriscope {

class separable : public allocation_policy {
 public:
  separable(arena& memory, const allocation_shape& shape);
  void count(const allocation_request& grant, bool first) override;

 protected:
  /// Whether `a` comes before `b`, another choice of the same one who asks.
  bool choice_before(const allocation_request& a, const allocation_request& b) const {
    return inputs_.before(a.asking, {a.choice, a.packet}, {b.choice, b.packet});
  }

  /// Each that is asked for picks one of those that ask; each that asks accepts, by `before`, one of its
  /// requests that were picked.
  template <class Before>
  void pick_and_accept(const request_list& requests, picks& space, request_list& grants,
                       Before before) const {
    for (unsigned r = 0; r < requests.size(); ++r) space.put(outputs_, requests, r);
    for_each_asking(requests, [&](unsigned first, unsigned end) {
      const allocation_request* best = nullptr;
      for (unsigned r = first; r < end; ++r) {
        const allocation_request& request = requests[r];
        if (requests[space.of(request.asked)].asking != request.asking) continue;  // another was picked
        if (!best || before(request, *best)) best = &request;
      }
      if (best) grants.push_back(*best);
    });
    space.clear();
  }

  arbiter_array& inputs_;   ///< of those who ask, over their choices
  arbiter_array& outputs_;  ///< of those asked for, over those who ask
};

}  // namespace toriscope
