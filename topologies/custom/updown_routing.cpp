// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/updown_routing.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "topologies/custom/forwarding_table.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

/// What is up, and the next port of the shortest legal way.
class updown_table {
 public:
  static constexpr route_state down = 1;  ///< bit of the route state: the head has gone down

  updown_table(std::shared_ptr<const netlist> wiring, const network_file& file)
      : wiring_(std::move(wiring)), net_(*wiring_) {
    find_duplex();
    number_nodes(file);
    for (forwarding_table& next : next_) next = forwarding_table(net_.node_count());
    for (node_id destination = 0; destination < net_.node_count(); ++destination) add_ways_to(destination);
  }

  const netlist& net() const { return net_; }

  /// @param gone_down  `down` or 0
  route_option next(node_id node, node_id destination, route_state gone_down, vc_mask vcs) const {
    port_id port = next_[gone_down].at(node, destination);
    if (port == forwarding_table::none) port = next_[0].at(node, destination);  // of a state that was altered
    return {port, vcs, is_up(net_.link(net_.ports(node)[port].out)) ? 0 : down};
  }

 private:
  bool is_up(const netlist_link& l) const { return place_[l.to] < place_[l.from]; }

  void find_duplex() {
    for (const netlist_link& l : net_.links()) {
      const port_range back = net_.ports(l.to);
      duplex_.push_back(std::any_of(back.begin(), back.end(), [&](const netlist_port& p) {
        return p.out != no_link && net_.link(p.out).to == l.from;
      }));
    }
  }

  void number_nodes(const network_file& file) {
    std::vector<unsigned> best, distance;
    std::uint64_t least = ~std::uint64_t{0};
    for (node_id root = 0; root < net_.node_count(); ++root) {
      distances_to(net_, root, distance, &duplex_);
      const auto cut = std::find(distance.begin(), distance.end(), no_way);
      if (cut != distance.end())
        throw std::invalid_argument(file.where + ": no way of full-duplex links leads from '" +
                                    file.nodes[static_cast<std::size_t>(cut - distance.begin())].name +
                                    "' to '" + file.nodes[root].name +
                                    "', as up*/down* routing needs; use routing table");
      const std::uint64_t sum = std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
      if (sum >= least) continue;
      least = sum;
      best = distance;
    }
    std::vector<node_id> order(net_.node_count());
    std::iota(order.begin(), order.end(), node_id{0});
    std::stable_sort(order.begin(), order.end(), [&](node_id a, node_id b) { return best[a] < best[b]; });
    place_.resize(order.size());
    for (node_id i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  /// Backwards from the destination: first with down links alone, then with up links before them.
  void add_ways_to(node_id destination) {
    std::array<std::vector<unsigned>, 2> links;  // by whether the head has gone down
    for (auto& l : links) l.assign(net_.node_count(), no_way);
    links[0][destination] = links[down][destination] = 0;
    queue_ = {{destination, 0}, {destination, down}};
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const auto [node, state] = queue_[i];
      for (const netlist_port& port : net_.ports(node)) {
        if (port.in == no_link || !duplex_[port.in]) continue;
        const netlist_link& l = net_.link(port.in);
        // In state 0 at `node` the head has come by an up link; in state 1 by a down one, and in either state before.
        if (is_up(l) != (state == 0)) continue;
        for (const route_state before : {route_state{0}, down}) {
          if ((is_up(l) && before == down) || links[before][l.from] != no_way) continue;
          links[before][l.from] = links[state][node] + 1;
          queue_.emplace_back(l.from, before);
        }
      }
    }
    for (node_id node = 0; node < net_.node_count(); ++node)
      for (const route_state state : {route_state{0}, down})
        if (node != destination && links[state][node] != no_way) choose(node, destination, state, links);
  }

  void choose(node_id node, node_id destination, route_state state,
              const std::array<std::vector<unsigned>, 2>& links) {
    std::array<port_id, max_ports> nearer;
    unsigned count = 0;
    const port_range ports = net_.ports(node);
    for (port_id p = 0; p < ports.size(); ++p) {
      if (ports[p].out == no_link || !duplex_[ports[p].out]) continue;
      const netlist_link& l = net_.link(ports[p].out);
      if (is_up(l) && state == down) continue;
      const unsigned behind = links[is_up(l) ? 0 : down][l.to];
      if (behind != no_way && behind + 1 == links[state][node]) nearer[count++] = p;
    }
    next_[state].set(node, destination, nearer[destination % count]);
  }

  const std::shared_ptr<const netlist> wiring_;
  const netlist& net_;
  std::vector<bool> duplex_;    ///< by link: has a way back; others are not used
  std::vector<node_id> place_;  ///< by node
  std::array<forwarding_table, 2> next_{forwarding_table(0), forwarding_table(0)};
  std::vector<std::pair<node_id, route_state>> queue_;
};

class updown_routing : public routing_function {
 public:
  updown_routing(std::shared_ptr<const netlist> wiring, const network_file& file, unsigned vcs)
      : table_(std::move(wiring), file), all_vcs_(all_vcs(vcs)) {}

  unsigned route(const route_request& request, route_option* options) const final {
    if (request.node != request.destination) return go_on(request, options);
    options[0] = {table_.net().local_port(request.node), all_vcs_, 0};
    return 1;
  }
  unsigned state_bits() const override { return 1; }

 protected:
  virtual unsigned go_on(const route_request& request, route_option* options) const {
    options[0] = table_.next(request.node, request.destination, request.state, all_vcs_);
    return 1;
  }

  const updown_table table_;
  const vc_mask all_vcs_;
};

class adaptive_updown final : public updown_routing {
 public:
  adaptive_updown(const std::shared_ptr<const netlist>& wiring, const network_file& file, unsigned vcs)
      : updown_routing(wiring, file, vcs), nearer_(std::size_t{wiring->node_count()} * wiring->node_count()) {
    const netlist& net = *wiring;
    std::vector<unsigned> distance;
    for (node_id destination = 0; destination < net.node_count(); ++destination) {
      distances_to(net, destination, distance);
      for (const netlist_link& l : net.links())
        if (distance[l.to] + 1 == distance[l.from]) nearer_[index(l.from, destination)] |= 1u << l.from_port;
    }
  }

  unsigned state_bits() const override { return 2; }
  unsigned options_at_most() const override { return max_options; }
  vc_mask escape_vcs() const override { return escape; }

 private:
  static constexpr vc_mask escape = 1;
  static constexpr route_state escaped = 2;

  unsigned go_on(const route_request& request, route_option* options) const override {
    unsigned count = 0;
    if ((request.state & escaped) == 0) {
      for (const unsigned p : bits_of(nearer_[index(request.node, request.destination)]))
        if (count + 1 < max_options)
          options[count++] = {static_cast<port_id>(p), static_cast<vc_mask>(all_vcs_ & ~escape), 0};
      std::rotate(options, options + request.destination % count, options + count);
    }
    options[count] =
        table_.next(request.node, request.destination, request.state & updown_table::down, escape);
    options[count].state |= escaped;
    return count + 1;
  }

  std::size_t index(node_id node, node_id destination) const {
    return std::size_t{destination} * table_.net().node_count() + node;
  }

  std::vector<std::uint32_t> nearer_;  ///< ports on shortest paths
};

}  // namespace

std::shared_ptr<const routing_function> make_updown(std::shared_ptr<const netlist> wiring,
                                                    const network_file& file, unsigned vcs, bool adaptive) {
  if (adaptive) return std::make_shared<adaptive_updown>(wiring, file, vcs);
  return std::make_shared<updown_routing>(std::move(wiring), file, vcs);
}

}  // namespace toriscope
