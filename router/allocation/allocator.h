// SPDX-License-Identifier: Apache-2.0
// The interface of allocators (docs/model.md, "Allocators"): requests in, a matching out. One class serves VA, SA and
// speculative SA, each with an object of its own that keeps the priorities of its arbiters.
//
// allocate() and update_priorities() are two calls, because speculative grants need not count.
// CONTRIBUTING.md shows how to add one.
#pragma once

#include "base/arena.h"
#include "router/allocation/allocation_space.h"
#include "router/router_config.h"

namespace toriscope {

/// What an allocator is made for.
struct allocator_shape {
  arbiter_kind arbiter;  ///< of requesters and resources
  unsigned requesters;   ///< VA P*V, SA P
  unsigned candidates;   ///< of each requester: V
  unsigned resources;    ///< VA P*V, SA P
  bool shared_outputs;   ///< several candidates of a requester may lead to the same resource (SA)
};

class allocator {
 public:
  /// One iteration: appends the requests that are granted, at most one per requester and per resource, and at least
  /// one if there is any request.
  virtual void allocate(const request_list& requests, tentative_grants& space, request_list& grants) const = 0;

  /// A grant counts: the arbiters that made it move.
  /// @param first_iteration  it comes from the first iteration of its cycle
  virtual void update_priorities(const allocation_request& grant, bool first_iteration) = 0;

  /// The state of its arbiters. @param shape  that it was made for
  virtual void archive(state_archive& a, const allocator_shape& shape) = 0;

 protected:
  ~allocator() = default;  // allocators stand in the arena
};

/// Calls visit(first, end) for each group of requests of the same requester.
template <class Visit>
void for_each_requester(const request_list& requests, Visit&& visit) {
  for (unsigned first = 0; first < requests.size();) {
    unsigned end = first + 1;
    while (end < requests.size() && requests[end].requester == requests[first].requester) ++end;
    visit(first, end);
    first = end;
  }
}

/// All iterations of an allocation whose requests do not change: requesters and resources with a grant take no further
/// part.
/// @param requests  is used up
/// @returns how many of the grants come from the first iteration; these stand first
unsigned allocate_in_iterations(const allocator& one, unsigned iterations, request_list& requests,
                                tentative_grants& space, request_list& grants);

}  // namespace toriscope
