// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/congestion_roots.h"

#include <algorithm>
#include <numeric>

namespace toriscope {

congestion_roots::congestion_roots(const netlist& wiring, unsigned vcs, cycle_t from, cycle_t to)
    : vcs_(vcs), from_(from), to_(to), waits_(wire_count(wiring)) {
  std::size_t ports = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    first_port_.push_back(ports);
    ports += wiring.port_count(n);
  }
  inputs_.resize(ports * vcs);
  buffers_.resize(ports * vcs);
  for (node_id n = 0; n < wiring.node_count(); ++n)
    for (port_id p = 0; p < wiring.port_count(n); ++p) {
      outputs_.push_back({static_cast<std::uint32_t>(wire_out_of(wiring, n, p))});
      if (wiring.is_local(n, p) || wiring.ports(n)[p].out == no_link) continue;
      const netlist_link& link = wiring.link(wiring.ports(n)[p].out);
      outputs_.back().first_vc = static_cast<std::uint32_t>(slot(link.to, link.to_port, 0));
    }
}

void congestion_roots::stepped(const router_step& step) {
  if (step.now < from_ || step.now >= to_) return;
  const node_id n = step.node->id();
  router_waits here = of_router(n);
  for (const front_event& e : step.fronts) {
    if (!is_stall(e.fate) || e.out_port < 0) continue;
    const auto out = static_cast<unsigned>(e.out_port);
    vc_set lacked;
    if (e.fate == stall_cause::no_credit) lacked = vc_set::of(static_cast<unsigned>(e.out_vc));
    if (e.fate == stall_cause::no_output_vc) {
      unsigned count = 0;
      lacked = vc_set(step.node->watched().options(e.port, e.vc, count)->vcs);
    }
    std::uint32_t root = here.root_of(out, lacked, step.now);
    if (e.fate == stall_cause::output_buffer)
      waited(buffers_[slot(n, out, static_cast<unsigned>(e.out_vc))], step.now, root);
    here.note(inputs_[slot(n, e.port, e.vc)], root, step.now);
  }
  for (const front_event& e : step.buffered) {
    if (!is_stall(e.fate)) continue;
    const vc_set lacked = e.fate == stall_cause::no_credit ? vc_set::of(e.vc) : vc_set();
    here.note(buffers_[slot(n, e.port, e.vc)], here.root_of(e.port, lacked, step.now), step.now);
  }
}

std::uint64_t congestion_roots::all_waits() const {
  return std::accumulate(waits_.begin(), waits_.end(), std::uint64_t{0});
}

std::vector<wire_id> congestion_roots::largest(std::size_t most) const {
  std::vector<wire_id> order(waits_.size());
  std::iota(order.begin(), order.end(), wire_id{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [this](wire_id a, wire_id b) {
    return waits_[a] != waits_[b] ? waits_[a] > waits_[b] : a < b;
  });
  order.erase(std::find_if(order.begin(), end, [this](wire_id w) { return waits_[w] == 0; }), order.end());
  return order;
}

}  // namespace toriscope
