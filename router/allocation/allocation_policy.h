// SPDX-License-Identifier: Apache-2.0
// The interface of allocators (docs/model.md, "Allocators"): requests in, a matching out. The same policy
// serves VA, SA and speculative SA, each with an object of its own that keeps the state of its arbiters.
//
// Finding a matching and moving the state are two calls, because speculative grants need not count.
// A new policy is a class like those beside this file and a line in registry.cpp.
#pragma once

#include "base/arena.h"
#include "router/allocation/allocation_space.h"
#include "router/router_config.h"

namespace toriscope {

/// What an allocator is made for.
struct allocation_shape {
  toriscope::arbiter arbiter;  ///< who is picked
  unsigned asking;             ///< how many may ask: VA P*V, SA P
  unsigned choices;            ///< of each of them: V
  unsigned asked;              ///< how many may be asked for: VA P*V, SA P
  bool shared_outputs;         ///< several choices of one may lead to the same one asked for (SA)
};

class allocation_policy {
 public:
  /// One iteration: appends the requests that are granted, at most one for each that asks and for each that
  /// is asked for. Some are granted if there are any.
  virtual void match(const request_list& requests, picks& space, request_list& grants) const = 0;

  /// A grant counts: the state of the arbiters moves.
  /// @param first  it comes from the first iteration of its cycle
  virtual void count(const allocation_request& grant, bool first) = 0;

 protected:
  ~allocation_policy() = default;  // policies stand in the arena
};

/// Calls visit(first, end) for each group of requests of the same `asking`.
template <class Visit>
void for_each_asking(const request_list& requests, Visit&& visit) {
  for (unsigned first = 0; first < requests.size();) {
    unsigned end = first + 1;
    while (end < requests.size() && requests[end].asking == requests[first].asking) ++end;
    visit(first, end);
    first = end;
  }
}

/// All iterations of an allocation whose requests stay what they are: what was granted, on either side, takes
/// no further part.
/// @param requests  is used up
/// @returns how many of the grants come from the first iteration; these stand first
unsigned match_all(const allocation_policy& policy, unsigned iterations, request_list& requests, picks& space,
                   request_list& grants);

}  // namespace toriscope
