// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/packet_explorer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace toriscope {

namespace {

bool equal(const route_option* a, const route_option* b, unsigned count) {
  return std::equal(a, a + count, b, [](const route_option& x, const route_option& y) {
    return x.out_port == y.out_port && x.vcs == y.vcs && x.state == y.state;
  });
}

}  // namespace

packet_explorer::packet_explorer(const netlist& net, const routing_function& routing, unsigned vcs)
    : net_(net),
      vcs_(vcs),
      route_(net, routing, vcs),
      dependencies_(net, vcs),
      visited_(net.links().size(), routing.state_bits()),
      vcs_used_(net.links().size(), 0) {
  node_id rest = net.node_count();
  for (const unsigned radix : net.radices()) {
    block_.push_back(rest);
    rest /= radix;
  }
  max_known_ = static_cast<unsigned>(net.radices().size()) - net.hierarchy().back().digits;
}

unsigned packet_explorer::ask(const route_request& request, route_option* options) {
  const unsigned count = route_(request, options);
  if (class_.size > 1) ask_again(request, options, count);
  return count;
}

void packet_explorer::ask_again(const route_request& request, const route_option* options, unsigned count) {
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  if (random_ >> 61 != 0) return;
  route_request other = request;
  other.destination = class_.first + static_cast<node_id>((random_ >> 20) % class_.size);
  route_option there[routing_function::max_options];
  if (route_(other, there) != count || !equal(options, there, count))
    throw std::logic_error("the routing function reads beyond the first digit that differs: at " +
                           net_.address(request.node) + ", to " + net_.address(request.destination) +
                           " and to " + net_.address(other.destination));
}

void packet_explorer::go_on(node_id node, const route_option* options, unsigned count) {
  const port_range ports = net_.ports(node);
  for (unsigned i = 0; i < count; ++i) {
    const route_option& option = options[i];
    if (option.out_port >= ports.size()) continue;
    const link_id link = ports[option.out_port].out;
    vcs_used_[link] |= option.vcs;
    const vc_mask added = visited_.add(link, option.state, option.vcs);
    if (added != 0) pending_.push_back({link, option.state, added});
  }
}

void packet_explorer::begin(terminal_id destination, node_range destinations) {
  visited_.clear();
  destination_ = destination;
  class_ = destinations;
}

void packet_explorer::inject_at(node_id source, port_id port, unsigned first_vc, unsigned end_vc) {
  route_option options[2][routing_function::max_options];
  for (route_state drawn = 0; drawn < route_.injection_states(); ++drawn) {
    unsigned last_count = 0;
    for (unsigned vc = first_vc; vc < end_vc; ++vc) {
      route_option* now = options[vc & 1];
      const unsigned count = ask({source, port, static_cast<std::uint8_t>(vc), destination_, drawn}, now);
      // Most routing functions do not care which VC that was.
      if (count != last_count || !equal(now, options[~vc & 1], count)) go_on(source, now, count);
      last_count = count;
    }
  }
}

void packet_explorer::follow() {
  route_option options[2][routing_function::max_options];
  while (!pending_.empty()) {
    const position at = pending_.back();
    pending_.pop_back();
    const netlist_link& wire = net_.link(at.link);
    if (class_.holds(wire.to)) {
      arrived_.push_back(at);
      continue;
    }
    unsigned last_count = 0;
    route_option *now = options[0], *before = options[1];
    for (const unsigned v : vc_set(at.vcs)) {
      const auto vc = static_cast<std::uint8_t>(v);
      const unsigned count = ask({wire.to, wire.to_port, vc, destination_, at.state}, now);
      for (unsigned i = 0; i < count; ++i)
        if (!net_.is_local(wire.to, now[i].out_port))
          dependencies_.add(at.link, vc, now[i].out_port, now[i].vcs);
      if (count != last_count || !equal(now, before, count)) go_on(wire.to, now, count);
      last_count = count;
      std::swap(now, before);
    }
  }
}

void packet_explorer::follow_packets_to(terminal_id destination, const talking_pairs* pairs) {
  begin(destination, {});
  for_each_entry(net_, pairs, vcs_, destination,
                 [&](node_id source, port_id port, unsigned first, unsigned end) {
                   inject_at(source, port, first, end);
                 });
  follow();
}

void packet_explorer::follow_classes() { follow_parts(0, {0, net_.node_count()}, {}); }

/// The packets to one class after the other of those that `destinations` are taken apart into.
/// @param arrivals  packets to the whole of it that have come to a node within
void packet_explorer::follow_parts(unsigned known, node_range destinations,
                                   const std::vector<position>& arrivals) {
  const unsigned next = known + 1;
  const bool single = known == max_known_;
  const node_id size = single ? 1 : block_[next];
  for (node_id part = 0; part < destinations.size; part += size)
    follow_class(next, destinations, {destinations.first + part, size}, arrivals);
}

/// @param siblings  the class that these were part of: new packets come from there; from farther off they
/// have
///                  been followed already, and are among the arrivals
void packet_explorer::follow_class(unsigned known, node_range siblings, node_range destinations,
                                   const std::vector<position>& arrivals) {
  const bool single = destinations.size == 1;
  begin(destinations.first, single ? node_range{} : destinations);
  for (node_id i = 0; i < siblings.size; ++i) {
    const node_id source = siblings.first + i;
    if (!class_.holds(source)) inject_at(source, net_.local_port(source), 0, vcs_);
  }
  for (const position& p : arrivals) {
    const vc_mask added = visited_.add(p.link, p.state, p.vcs);
    if (added != 0) pending_.push_back({p.link, p.state, added});
  }
  follow();
  if (single) return;
  const std::vector<position> within = std::exchange(arrived_, {});
  follow_parts(known, destinations, within);
}

}  // namespace toriscope
