// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/round_robin_vc_allocation.h"

#include <algorithm>

#include "router/common_shapes.h"

namespace toriscope {
namespace {

/// A request: an input VC asks for an output VC.
struct vc_request {
  std::uint16_t in, out;  ///< their numbers
  std::uint8_t option;    ///< of the options that RC got
};

/// Of input VC i: the first option with a free output VC in its set, and in it the first free VC at or after the
/// pointer. @returns whether there is any
[[gnu::always_inline]] inline bool request_vc(const router_state& r, router_shape n, unsigned i,
                                              vc_request& request) {
  const input_vc& vc = r.in_vcs[i];
  const route_option* const options = r.options(i);
  for (unsigned k = 0; k < vc.option_count; ++k) {
    const unsigned j = n.number(options[k].out_port, 0);
    const vc_set available =
        vc_set(options[k].vcs) & n.of_port(r.out_sets[n.group(j)].available(), options[k].out_port);
    if (!available) continue;
    request = {static_cast<std::uint16_t>(i),
               static_cast<std::uint16_t>(j + available.first_at_or_after(vc.va_pointer)),
               static_cast<std::uint8_t>(k)};
    return true;
  }
  return false;
}

/// How far the input VC is behind the pointer of the output VC that it requests.
unsigned distance_from_pointer(const router_state& r, const vc_request& q) {
  const unsigned pointer = r.out_vcs[q.out].va_pointer;
  return q.in >= pointer ? q.in - pointer : q.in + r.shape.groups * 64 - pointer;
}

[[gnu::always_inline]] inline void allocate(router_state& r, router_shape n) {
  vc_request requests[64 * router_shape::most_groups];
  unsigned count = 0;
  for (unsigned g = 0; g < n.groups; ++g)
    for (const unsigned place : r.in_sets[g].to_allocate)
      count += request_vc(r, n, g * 64 + place, requests[count]);
  if (count == 0) r.va_worthwhile = false;

  // Each output VC grants the nearest to its pointer. Requests of one cycle are few, so pairs are compared.
  for (unsigned k = 0; k < count; ++k) {
    const vc_request& q = requests[k];
    const bool beaten = count > 1 && (!(r.out_sets[n.group(q.out)].free & n.only(q.out)) ||
                                      std::any_of(requests, requests + count, [&](const vc_request& other) {
                                        return other.out == q.out &&
                                               distance_from_pointer(r, other) < distance_from_pointer(r, q);
                                      }));
    if (beaten) continue;
    r.grant_vc(n, q.in, q.out, q.option);
    r.in_vcs[q.in].va_pointer = static_cast<std::uint8_t>(n.vc(q.out) + 1);
    r.out_vcs[q.out].va_pointer = static_cast<std::uint16_t>(q.in + 1);
  }
}

}  // namespace

void allocate_vcs(router_state& r) {
  in_shape(
      r.shape, [&](router_shape n) __attribute__((always_inline)) { allocate(r, n); });
}

}  // namespace toriscope
