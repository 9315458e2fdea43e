// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/round_robin_vc_allocation.h"

#include <algorithm>

namespace toriscope {
namespace {

/// The first option with a free output VC in its set, and in it the first free VC at or after the pointer.
void request_vc(router_state& r, unsigned i) {
  const router_shape n = r.shape;
  const input_vc& vc = r.in_vcs[i];
  const route_option* const options = r.options(i);
  for (unsigned k = 0; k < vc.option_count; ++k) {
    const unsigned j = n.number(options[k].out_port, 0);
    const vc_set available =
        vc_set(options[k].vcs) & n.of_port(r.out_sets[n.group(j)].available(), options[k].out_port);
    if (!available) continue;
    r.network.requests.push_back({static_cast<std::uint16_t>(i),
                                  static_cast<std::uint16_t>(j + available.first_at_or_after(vc.va_pointer)),
                                  static_cast<std::uint8_t>(k)});
    return;
  }
}

/// How far the input VC is behind the pointer of the output VC that it requests.
unsigned distance_from_pointer(const router_state& r, const vc_request& q) {
  const unsigned pointer = r.out_vcs[q.out].va_pointer;
  return q.in >= pointer ? q.in - pointer : q.in + r.shape.groups * 64 - pointer;
}

}  // namespace

void allocate_vcs(router_state& r) {
  std::vector<vc_request>& requests = r.network.requests;
  requests.clear();
  for (unsigned g = 0; g < r.shape.groups; ++g)
    for (const unsigned place : r.in_sets[g].to_allocate) request_vc(r, g * 64 + place);
  if (requests.empty()) {
    r.va_worthwhile = false;
    return;
  }

  // Each output VC grants the nearest to its pointer. Requests of one cycle are few, so pairs are compared.
  for (const vc_request& q : requests) {
    const router_shape n = r.shape;
    const bool beaten =
        !(r.out_sets[n.group(q.out)].free & n.only(q.out)) ||
        (requests.size() > 1 && std::any_of(requests.begin(), requests.end(), [&](const vc_request& other) {
           return other.out == q.out && distance_from_pointer(r, other) < distance_from_pointer(r, q);
         }));
    if (beaten) continue;
    r.grant_vc(q.in, q.out, q.option);
    r.in_vcs[q.in].va_pointer = static_cast<std::uint8_t>(n.vc(q.out) + 1);
    r.out_vcs[q.out].va_pointer = static_cast<std::uint16_t>(q.in + 1);
  }
}

}  // namespace toriscope
