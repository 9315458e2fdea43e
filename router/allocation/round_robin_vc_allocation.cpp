// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/round_robin_vc_allocation.h"

#include <algorithm>

namespace toriscope {
namespace {

/// The first option with a free output VC in its set, and in it the first free VC at or after the pointer.
void request_vc(router_state& r, unsigned p, unsigned v) {
  const input_vc& vc = r.in[p].vcs[v];
  const route_option* const options = r.options(p, v);
  for (unsigned k = 0; k < vc.option_count; ++k) {
    const output_unit& out = r.out[options[k].out_port];
    const vc_set available = (vc_set(options[k].vcs) & out.free) - out.full;
    if (!available) continue;
    r.network.requests.push_back({static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(v),
                                  options[k].out_port,
                                  static_cast<std::uint8_t>(available.first_at_or_after(vc.va_pointer)),
                                  static_cast<std::uint8_t>(k)});
    return;
  }
}

void grant(router_state& r, const vc_request& q) {
  r.grant_vc(q.in_port, q.in_vc, q.out_port, q.out_vc, q.option);
  r.in[q.in_port].vcs[q.in_vc].va_pointer = static_cast<std::uint8_t>(q.out_vc + 1);
  r.out[q.out_port].vcs[q.out_vc].va_pointer = static_cast<std::uint16_t>(q.in_port * r.vcs + q.in_vc + 1);
}

/// How far the input VC is behind the pointer of the output VC that it requests.
unsigned distance_from_pointer(const router_state& r, const vc_request& q) {
  const unsigned i = q.in_port * r.vcs + q.in_vc;
  const unsigned pointer = r.out[q.out_port].vcs[q.out_vc].va_pointer;
  return i >= pointer ? i - pointer : i + r.ports * r.vcs - pointer;
}

bool same_output(const vc_request& a, const vc_request& b) {
  return a.out_port == b.out_port && a.out_vc == b.out_vc;
}

}  // namespace

void allocate_vcs(router_state& r) {
  std::vector<vc_request>& requests = r.network.requests;
  requests.clear();
  for (const unsigned p : r.to_allocate)
    for (const unsigned v : r.in[p].to_allocate) request_vc(r, p, v);
  if (requests.empty()) {
    r.va_worthwhile = false;
    return;
  }

  // Each output VC grants the nearest to its pointer. Requests of one cycle are few, so pairs are compared.
  for (const vc_request& q : requests) {
    const bool beaten = !r.out[q.out_port].free.has(q.out_vc) ||
                        std::any_of(requests.begin(), requests.end(), [&](const vc_request& other) {
                          return same_output(other, q) &&
                                 distance_from_pointer(r, other) < distance_from_pointer(r, q);
                        });
    if (!beaten) grant(r, q);
  }
}

}  // namespace toriscope
