// SPDX-License-Identifier: Apache-2.0
#include "topologies/chiplets/chiplets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "topologies/analysis/planar_layout.h"
#include "topologies/link_models/link_delay.h"

namespace toriscope {
namespace {

constexpr double gap = 3;  ///< between dies, in node pitches

/// From (0, 0) on.
std::vector<node_position> positions_of(const netlist& net) {
  std::vector<node_position> all = net.positions();
  if (!all.empty()) {
    node_position least = all.front();
    for (const node_position& p : all) least = {std::min(least.x, p.x), std::min(least.y, p.y)};
    for (node_position& p : all) p = {p.x - least.x, p.y - least.y};
    return all;
  }
  const planar_layout layout(net);
  for (node_id node = 0; node < net.node_count(); ++node) {
    const planar_layout::place p = layout.at(node);
    all.push_back({static_cast<double>(p.x), static_cast<double>(p.y)});
  }
  return all;
}

/// Dies in rows and columns as their routers, those of one router side by side; the router beside their upper left
/// corner.
std::vector<node_position> placed(const chiplet_parts& parts) {
  const netlist& die = *parts.die.wiring;
  const netlist& interposer = *parts.interposer.wiring;
  const std::vector<node_position> on_die = positions_of(die), routers = positions_of(interposer);
  node_position extent;
  for (const node_position& p : on_die) extent = {std::max(extent.x, p.x), std::max(extent.y, p.y)};
  unsigned most = 1;  // dies at a router
  for (node_id router = 0; router < interposer.node_count(); ++router)
    most = std::max(most, interposer.local_ports(router));
  const node_position step{extent.x + gap, extent.y + gap};
  std::vector<node_position> all;
  for (terminal_id d = 0; d < parts.dies(); ++d) {
    const netlist_terminal place = interposer.terminal(d);
    const node_position& at = routers[place.node];
    const unsigned beside = place.port - interposer.local_port(place.node);
    for (const node_position& p : on_die)
      all.push_back({(at.x * most + beside) * step.x + p.x, at.y * step.y + p.y});
  }
  for (const node_position& at : routers)
    all.push_back({at.x * most * step.x - gap / 2, at.y * step.y - gap / 2});
  return all;
}

class chiplets_builder {
 public:
  explicit chiplets_builder(const chiplet_parts& parts)
      : parts_(parts),
        die_(*parts.die.wiring),
        interposer_(*parts.interposer.wiring),
        places_(placed(parts)),
        first_router_(parts.dies() * die_.node_count()),
        level_(link_levels(die_)),
        net_(std::make_shared<netlist>("chiplets",
                                       std::vector<unsigned>{first_router_ + interposer_.node_count()},
                                       std::vector<hierarchy_level>{{"node", 1}})) {}

  std::shared_ptr<netlist> build() {
    add_nodes();
    add_terminals();
    for (node_id d = 0; d < parts_.dies(); ++d) join_on_die(d * die_.node_count());
    join_interposer();
    copy_node_values();
    copy_comments();
    net_->set_positions(std::move(places_));
    if (!die_.has_places() || !interposer_.has_places()) net_->set_without_lengths();
    return net_;
  }

 private:
  void add_nodes() {
    std::vector<std::string> names, paths;
    const auto add = [&](const netlist& from, node_id node, const std::string& part,
                         const std::vector<std::string>& more) {
      std::vector<std::string> ports;
      for (port_id p = 0; p < from.local_port(node); ++p) ports.push_back(from.port_name(node, p));
      ports.insert(ports.end(), more.begin(), more.end());
      net_->add_node({ports.begin(), ports.end()});
      names.push_back(part + "." + from.address(node));
      paths.push_back(part + "." + (from.has_node_names() ? from.path(node) : from.address(node)));
    };
    for (node_id d = 0; d < parts_.dies(); ++d)
      for (node_id node = 0; node < die_.node_count(); ++node) {
        const bool gateway =
            std::find(parts_.gateways.begin(), parts_.gateways.end(), node) != parts_.gateways.end();
        add(die_, node, "die" + std::to_string(d),
            gateway ? std::vector<std::string>{"interposer"} : std::vector<std::string>{});
      }
    for (node_id router = 0; router < interposer_.node_count(); ++router) {
      std::vector<std::string> down;
      for (port_id p = interposer_.local_port(router); p < interposer_.port_count(router); ++p)
        for (std::size_t g = 0; g < parts_.gateways.size(); ++g)
          down.push_back("die" + std::to_string(interposer_.entering(router, p)) +
                         (parts_.gateways.size() > 1 ? "_" + std::to_string(g) : ""));
      add(interposer_, router, "interposer", down);
    }
    net_->set_node_names(std::move(names), std::move(paths));
  }

  void add_terminals() {
    std::vector<node_id> terminals;
    for (node_id d = 0; d < parts_.dies(); ++d)
      for (terminal_id t = 0; t < die_.terminal_count(); ++t)
        terminals.push_back(d * die_.node_count() + die_.terminal(t).node);
    net_->set_terminals(terminals);
  }

  void join_on_die(node_id first) {
    for (link_id l = 0; l < die_.links().size(); ++l) {
      const netlist_link& wire = die_.link(l);
      const link_id made = net_->connect(first + wire.from, wire.from_port, first + wire.to, wire.to_port,
                                         wire.level, wire.length);
      set_values(made, die_.own_values(l));
    }
  }

  void join_interposer() {
    for (link_id l = 0; l < interposer_.links().size(); ++l) {
      const netlist_link& wire = interposer_.link(l);
      join_slowly(first_router_ + wire.from, wire.from_port, first_router_ + wire.to, wire.to_port,
                  wire.level, interposer_.own_values(l));
    }
    for (node_id d = 0; d < parts_.dies(); ++d) {
      const netlist_terminal place = interposer_.terminal(d);
      const node_id router = first_router_ + place.node;
      const unsigned ports = interposer_.local_port(place.node);
      for (std::size_t g = 0; g < parts_.gateways.size(); ++g) {
        const node_id node = d * die_.node_count() + parts_.gateways[g];
        const port_id up = die_.local_port(parts_.gateways[g]);
        const auto down = static_cast<port_id>(ports + (place.port - ports) * parts_.gateways.size() + g);
        join_slowly(node, up, router, down, 1, {});
        join_slowly(router, down, node, up, 1, {});
      }
    }
  }

  void join_slowly(node_id from, port_id from_port, node_id to, port_id to_port, unsigned level,
                   own_link_values own) {
    const node_position &a = places_[from], &b = places_[to];
    const double length = std::abs(a.x - b.x) + std::abs(a.y - b.y);
    constexpr double longest = std::numeric_limits<std::uint32_t>::max();
    const link_id made =
        net_->connect(from, from_port, to, to_port, static_cast<std::uint8_t>(level_ + level),
                      static_cast<std::uint32_t>(std::clamp(std::round(length), 1.0, longest)));
    if (own.delay_cycles == 0) own.delay_cycles = parts_.delay_cycles;
    if (own.width_bits == 0) own.width_bits = parts_.width_bits;
    set_values(made, own);
  }

  /// Calls f(network, node) for all nodes, as their networks know them.
  template <class Function>
  void for_each_node(Function f) const {
    for (node_id d = 0; d < parts_.dies(); ++d)
      for (node_id node = 0; node < die_.node_count(); ++node) f(die_, node);
    for (node_id router = 0; router < interposer_.node_count(); ++router) f(interposer_, router);
  }

  void copy_node_values() {
    if (!die_.has_node_values() && !interposer_.has_node_values()) return;
    std::vector<own_node_values> values;
    for_each_node([&](const netlist& from, node_id node) {
      values.push_back(from.has_node_values() ? from.node_values(node) : own_node_values{});
    });
    net_->set_node_values(std::move(values));
  }

  void copy_comments() {
    const auto has_any = [](const netlist& net) {
      bool any = !net.comment().empty();
      for (node_id n = 0; n < net.node_count(); ++n) any = any || !net.node_comment(n).empty();
      for (link_id l = 0; l < net.links().size(); ++l) any = any || !net.link_comment(l).empty();
      return any;
    };
    if (!has_any(die_) && !has_any(interposer_)) return;
    const std::string between = die_.comment().empty() || interposer_.comment().empty() ? "" : "; ";
    std::vector<std::string> nodes, links;
    for_each_node([&](const netlist& from, node_id node) { nodes.push_back(from.node_comment(node)); });
    for (node_id d = 0; d < parts_.dies(); ++d)
      for (link_id l = 0; l < die_.links().size(); ++l) links.push_back(die_.link_comment(l));
    for (link_id l = 0; l < interposer_.links().size(); ++l) links.push_back(interposer_.link_comment(l));
    links.resize(net_->links().size());  // none up and down
    net_->set_comments(interposer_.comment() + between + die_.comment(), std::move(nodes), std::move(links));
  }

  void set_values(link_id l, own_link_values own) {
    if (own.delay_cycles != 0) net_->link(l).delay_cycles = own.delay_cycles;
    if (own.delay_cycles != 0 || own.width_bits != 0) net_->set_own_values(l, own);
  }

  const chiplet_parts& parts_;
  const netlist &die_, &interposer_;
  std::vector<node_position> places_;
  const node_id first_router_;
  const unsigned level_;  ///< of links on the die, the highest
  std::shared_ptr<netlist> net_;
};

}  // namespace

std::shared_ptr<netlist> build_chiplets(const chiplet_parts& parts) {
  return chiplets_builder(parts).build();
}

}  // namespace toriscope
