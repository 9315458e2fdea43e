// SPDX-License-Identifier: Apache-2.0
#include "router/vc_allocator.h"

#include <algorithm>

#include "router/round_robin.h"

namespace toriscope {
namespace {

/// The first option with a free output VC in its set, and in it the first free VC at or after the pointer.
void ask(const router_ports& ports, unsigned p, unsigned v, network_state& chip) {
  const input_unit& in = ports.in[p];
  const input_vc& vc = in.vcs[v];
  const route_option* const options = in.options + v * chip.options_per_vc;
  for (unsigned k = 0; k < vc.option_count; ++k) {
    const output_unit& out = ports.out[options[k].out_port];
    const vc_mask available = static_cast<vc_mask>(options[k].vcs & out.free & ~out.full);
    if (!available) continue;
    chip.requests.push_back({static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(v), options[k].out_port,
                             static_cast<std::uint8_t>(first_at_or_after(available, vc.va_pointer)),
                             static_cast<std::uint8_t>(k)});
    return;
  }
}

void grant(router_ports& ports, const vc_request& r, const network_state& chip) {
  input_unit& in = ports.in[r.in_port];
  output_unit& out = ports.out[r.out_port];
  input_vc& ivc = in.vcs[r.in_vc];
  output_vc& ovc = out.vcs[r.out_vc];
  const vc_mask in_bit = static_cast<vc_mask>(1u << r.in_vc);

  in.to_allocate &= ~in_bit;
  if (!in.to_allocate) ports.to_allocate &= ~(1u << r.in_port);
  in.granted |= in_bit;
  ports.to_latch |= 1u << r.in_port;
  if (out.credits[r.out_vc] > 0) in.with_credit |= in_bit;
  route_option* const options = in.options + r.in_vc * chip.options_per_vc;
  options[0] = options[r.option];
  ivc.out_port = r.out_port;
  ivc.out_vc = r.out_vc;
  ivc.va_pointer = static_cast<std::uint8_t>(r.out_vc + 1);

  out.free &= ~static_cast<vc_mask>(1u << r.out_vc);
  ovc.owner_port = r.in_port;
  ovc.owner_vc = r.in_vc;
  ovc.va_pointer = static_cast<std::uint16_t>(r.in_port * ports.vcs + r.in_vc + 1);
}

/// How far input VC i is behind the pointer of the output VC that it asks for.
unsigned rank(const router_ports& ports, const vc_request& r) {
  const unsigned i = r.in_port * ports.vcs + r.in_vc;
  const unsigned pointer = ports.out[r.out_port].vcs[r.out_vc].va_pointer;
  return i >= pointer ? i - pointer : i + ports.count * ports.vcs - pointer;
}

bool same_output(const vc_request& a, const vc_request& b) {
  return a.out_port == b.out_port && a.out_vc == b.out_vc;
}

bool still_free(const router_ports& ports, const vc_request& r) {
  return ports.out[r.out_port].free >> r.out_vc & 1;
}

}  // namespace

void allocate_vcs(router_ports& ports, network_state& chip) {
  std::vector<vc_request>& requests = chip.requests;
  requests.clear();
  for (const unsigned p : bits_of(ports.to_allocate))
    for (const unsigned v : bits_of(ports.in[p].to_allocate)) ask(ports, p, v, chip);
  if (requests.empty()) {
    ports.va_worthwhile = false;
    return;
  }

  // All have asked; now each output VC grants the best placed. Few ask in one cycle, so pairs are compared.
  for (const vc_request& r : requests) {
    const bool beaten =
        !still_free(ports, r) || std::any_of(requests.begin(), requests.end(), [&](const vc_request& other) {
          return same_output(other, r) && rank(ports, other) < rank(ports, r);
        });
    if (!beaten) grant(ports, r, chip);
  }
}

}  // namespace toriscope
