// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/congestion_roots.h"

#include <algorithm>
#include <numeric>

namespace toriscope {

congestion_roots::congestion_roots(const netlist& wiring, unsigned vcs, cycle_t from, cycle_t to)
    : wiring_(wiring), vcs_(vcs), from_(from), to_(to), waits_(wire_count(wiring)) {
  std::size_t ports = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    first_port_.push_back(ports);
    ports += wiring.port_count(n);
  }
  inputs_.resize(ports * vcs);
  buffers_.resize(ports * vcs);
}

bool congestion_roots::waited(const front& f, cycle_t now, wire_id& root) const {
  const unsigned before = (now - 1) & 1;
  if (f.cycle[before] != static_cast<std::uint32_t>(now - 1)) return false;
  root = f.root[before];
  return true;
}

/// Of flits that lack one of these VCs, or a credit for it.
wire_id congestion_roots::root_downstream(node_id n, port_id out, vc_set vcs, cycle_t now) const {
  wire_id root = wire_out_of(wiring_, n, out);
  if (wiring_.is_local(n, out)) return root;
  const netlist_link& link = wiring_.link(wiring_.ports(n)[out].out);
  for (const unsigned v : vcs)
    if (waited(inputs_[slot(link.to, link.to_port, v)], now, root)) break;
  return root;
}

wire_id congestion_roots::root_of(const router_step& step, const front_event& e) const {
  const node_id n = step.node->id();
  const auto out = static_cast<port_id>(e.out_port);
  wire_id root = wire_out_of(wiring_, n, out);
  if (e.fate == stall_cause::no_credit)
    return root_downstream(n, out, vc_set::of(static_cast<unsigned>(e.out_vc)), step.now);
  if (e.fate == stall_cause::no_output_vc) {
    unsigned count = 0;
    const route_option* const options = step.node->watched().options(e.port, e.vc, count);
    return root_downstream(n, out, vc_set(options[0].vcs), step.now);
  }
  if (e.fate == stall_cause::output_buffer)
    waited(buffers_[slot(n, out, static_cast<unsigned>(e.out_vc))], step.now, root);
  return root;
}

void congestion_roots::note(front& f, wire_id root, cycle_t now) {
  f.root[now & 1] = static_cast<std::uint32_t>(root);
  f.cycle[now & 1] = static_cast<std::uint32_t>(now);
  ++waits_[root];
  ++all_;
}

void congestion_roots::stepped(const router_step& step) {
  if (step.now < from_ || step.now >= to_) return;
  const node_id n = step.node->id();
  for (const front_event& e : step.fronts)
    if (is_stall(e.fate) && e.out_port >= 0) note(inputs_[slot(n, e.port, e.vc)], root_of(step, e), step.now);
  for (const front_event& e : step.buffered) {
    if (!is_stall(e.fate)) continue;
    const wire_id root = e.fate == stall_cause::no_credit
                             ? root_downstream(n, e.port, vc_set::of(e.vc), step.now)
                             : wire_out_of(wiring_, n, e.port);
    note(buffers_[slot(n, e.port, e.vc)], root, step.now);
  }
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
