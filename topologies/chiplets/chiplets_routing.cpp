// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/bits_for.h"
#include "topologies/chiplets/chiplets.h"
#include "topologies/path.h"
#include "topologies/proof/packet_explorer.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

/// To the networks inside, a packet that leaves them or comes back stands at the local port of a terminal: of the
/// gateway's on a die, of the die's on the interposer.
class chiplets_routing final : public routing_function {
 public:
  explicit chiplets_routing(const chiplet_parts& parts)
      : die_(parts.die),
        interposer_(parts.interposer),
        nodes_(die_.wiring->node_count()),
        first_router_(parts.dies() * nodes_),
        terminals_(die_.wiring->terminal_count()),
        die_bits_(die_.routing->state_bits()),
        gateway_of_(nodes_, none),
        up_(nodes_, 0),
        down_(terminals_, 0),
        shared_(die_.wiring->links().size(), false) {
    for (const node_id node : parts.gateways) {
      gateway_of_[node] = static_cast<std::uint8_t>(gateways_.size());
      gateways_.push_back(die_.wiring->entering(node, die_.wiring->local_port(node)));
    }
    for (terminal_id t = 0; t < terminals_; ++t) {
      up_[die_.wiring->terminal(t).node] = nearest([&](terminal_id g) { return hops(t, g); });
      down_[t] = nearest([&](terminal_id g) { return hops(g, t); });
    }
    mark_links_from_above();
  }

  unsigned route(const route_request& request, route_option* options) const override {
    return request.node < first_router_ ? on_die(request, options) : on_interposer(request, options);
  }
  unsigned state_bits() const override {
    return std::max(die_bits_ + bits_for(gateways_.size()), interposer_.routing->state_bits());
  }
  unsigned options_at_most() const override {
    return std::max(die_.routing->options_at_most(), interposer_.routing->options_at_most());
  }

 private:
  static constexpr std::uint8_t none = 0xff;

  unsigned hops(terminal_id from, terminal_id to) const {
    return routed_distance(*die_.wiring, *die_.routing, from, to, die_.vcs);
  }

  /// The first of the gateways with the fewest hops.
  template <class Hops>
  std::uint8_t nearest(Hops hops_of) const {
    std::uint8_t best = 0;
    if (gateways_.size() == 1) return best;
    for (std::uint8_t g = 1; g < gateways_.size(); ++g)
      if (hops_of(gateways_[g]) < hops_of(gateways_[best])) best = g;
    return best;
  }

  /// Marks all links that packets from above may take to a terminal.
  void mark_links_from_above() {
    talking_pairs pairs(die_.vcs, 1);
    for (terminal_id t = 0; t < terminals_; ++t) pairs.add(gateways_[down_[t]], t, 0);
    packet_explorer explorer(*die_.wiring, *die_.routing, die_.vcs);
    for (terminal_id t = 0; t < terminals_; ++t) explorer.follow_packets_to(t, &pairs);
    for (link_id l = 0; l < shared_.size(); ++l) shared_[l] = explorer.vcs_used()[l] != 0;
  }

  unsigned on_die(const route_request& request, route_option* options) const {
    const netlist& net = *die_.wiring;
    const node_id node = request.node % nodes_;
    const port_id links = net.local_port(node);
    const unsigned up = gateway_of_[node] == none ? 0 : 1;  // ports up, before the local ones
    const bool from_above = up == 1 && request.in_port == links;
    const bool sent_here = request.in_port >= links + up;
    const bool from_die = request.in_port < links;
    const bool after =
        from_above || (from_die && request.in_vc >= die_.vcs && shared_[net.ports(node)[request.in_port].in]);
    const bool arrives = request.destination / terminals_ == request.node / nodes_;
    const auto gateway = static_cast<std::uint8_t>(  // beyond the last one: of a state that was altered
        sent_here ? up_[node] : std::min<std::size_t>(request.state >> die_bits_, gateways_.size() - 1));

    route_request within = request;
    within.node = node;
    within.in_vc = static_cast<std::uint8_t>(request.in_vc % die_.vcs);
    within.destination = arrives ? request.destination % terminals_ : gateways_[gateway];
    within.state = request.state & ((route_state{1} << die_bits_) - 1);
    if (from_above) {
      within.in_port = net.terminal(gateways_[gateway_of_[node]]).port;
      within.state = 0;
    } else if (sent_here) {
      within.in_port = static_cast<port_id>(request.in_port - up);
    }
    const unsigned count = die_.routing->route(within, options);
    for (unsigned k = 0; k < count; ++k) {
      route_option& option = options[k];
      const bool leaves = net.is_local(node, option.out_port);
      if (leaves && !arrives) {
        option = {links, all_vcs(interposer_.vcs), 0};
        continue;
      }
      const vc_mask second_half = static_cast<vc_mask>(option.vcs << die_.vcs);
      if (leaves || !shared_[net.ports(node)[option.out_port].out])
        option.vcs |= second_half;
      else if (after)
        option.vcs = second_half;
      if (leaves) option.out_port = static_cast<port_id>(option.out_port + up);
      if (!arrives) option.state |= route_state{gateway} << die_bits_;
    }
    return count;
  }

  unsigned on_interposer(const route_request& request, route_option* options) const {
    const netlist& net = *interposer_.wiring;
    const node_id node = request.node - first_router_;
    const port_id links = net.local_port(node);
    const auto gateways = static_cast<unsigned>(gateways_.size());
    route_request within = request;
    within.node = node;
    within.destination = request.destination / terminals_;
    within.state &= (route_state{1} << interposer_.routing->state_bits()) - 1;
    if (request.in_port >= links)
      within.in_port = static_cast<port_id>(links + (request.in_port - links) / gateways);
    const unsigned count = interposer_.routing->route(within, options);
    for (unsigned k = 0; k < count; ++k)
      if (net.is_local(node, options[k].out_port))
        options[k] = {static_cast<port_id>(links + (options[k].out_port - links) * gateways +
                                           down_[request.destination % terminals_]),
                      all_vcs(interposer_.vcs), 0};
    return count;
  }

  const routed_wiring die_, interposer_;
  const node_id nodes_;          ///< of a die
  const node_id first_router_;   ///< of the interposer
  const terminal_id terminals_;  ///< of a die
  const unsigned die_bits_;
  std::vector<terminal_id> gateways_;     ///< a terminal of the die at each
  std::vector<std::uint8_t> gateway_of_;  ///< by node of the die: its number, or none
  std::vector<std::uint8_t> up_;          ///< by node of the die: the gateway nearest to it
  std::vector<std::uint8_t> down_;        ///< by terminal of the die: the gateway that is nearest
  std::vector<bool> shared_;              ///< by link of the die: packets from above may take it
};

}  // namespace

std::shared_ptr<const routing_function> make_chiplets_routing(const chiplet_parts& parts) {
  return std::make_shared<chiplets_routing>(parts);
}

}  // namespace toriscope
