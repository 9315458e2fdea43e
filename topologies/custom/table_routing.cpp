// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/table_routing.h"

#include <algorithm>
#include <utility>

#include "base/bits_for.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

std::vector<port_id> local_ports(const netlist& net) {
  std::vector<port_id> ports;
  for (node_id node = 0; node < net.node_count(); ++node) ports.push_back(net.local_port(node));
  return ports;
}

class layered_table final : public routing_function {
 public:
  layered_table(std::shared_ptr<const netlist> net, std::vector<forwarding_table> tables, lash_layers layers,
                unsigned vcs, bool in_turn)
      : net_(std::move(net)),
        vcs_(vcs),
        tables_(std::move(tables)),
        last_table_(static_cast<route_state>(tables_.size() - 1)),
        table_bits_(bits_for(tables_.size())),
        layers_(std::move(layers)),
        vcs_of_layers_(vcs_of_layers(*net_, tables_, layers_, vcs)),
        in_turn_(in_turn) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const node_id here = request.node;
    const port_id local = net_->local_port(here);
    if (here == request.destination) {
      options[0] = {local, all_vcs(net_->vcs_of(here, vcs_)), 0};
      return 1;
    }
    // A state that was altered may ask for others than there are.
    const route_state table = std::min<route_state>(request.state & ((1u << table_bits_) - 1), last_table_);
    const forwarding_table& paths = tables_[table];
    const std::size_t pair = paths.index(here, request.destination);
    const route_state layer =
        request.in_port == local ? layers_.layer[table][pair]
                                 : std::min<route_state>(request.state >> table_bits_, layers_.count - 1);
    const port_id out = paths.at(here, request.destination);
    const link_id link = net_->ports(here)[out].out;
    options[0] = {out, vcs_of_layers_[std::size_t{link} * layers_.count + layer],
                  layer << table_bits_ | table};
    return 1;
  }
  unsigned state_bits() const override { return table_bits_ + bits_for(layers_.count); }
  route_state injection_states() const override { return static_cast<route_state>(tables_.size()); }
  bool takes_states_in_turn() const override { return in_turn_; }

 private:
  const std::shared_ptr<const netlist> net_;
  const unsigned vcs_;
  const std::vector<forwarding_table> tables_;
  const route_state last_table_;
  const unsigned table_bits_;
  const lash_layers layers_;
  const std::vector<vc_mask> vcs_of_layers_;
  const bool in_turn_;
};

class spread_routing final : public routing_function {
 public:
  spread_routing(std::shared_ptr<const netlist> net, std::shared_ptr<const routing_function> tables)
      : net_(std::move(net)), tables_(std::move(tables)) {}

  unsigned route(const route_request& request, route_option* options) const override {
    route_request with_table = request;
    if (net_->is_local(request.node, request.in_port)) {
      const netlist_terminal to = net_->terminal(request.destination);
      with_table.state = (to.exit_port - net_->local_port(to.exit)) % tables_->injection_states();
    }
    return tables_->route(with_table, options);
  }
  unsigned state_bits() const override { return tables_->state_bits(); }

 private:
  const std::shared_ptr<const netlist> net_;
  const std::shared_ptr<const routing_function> tables_;
};

class given_table final : public routing_function {
 public:
  given_table(const netlist& net, forwarding_table paths, std::vector<vc_mask> vc_sets, unsigned vcs)
      : local_port_(local_ports(net)),
        paths_(std::move(paths)),
        vc_sets_(std::move(vc_sets)),
        all_vcs_(all_vcs(vcs)) {}

  unsigned route(const route_request& request, route_option* options) const override {
    if (request.node == request.destination)
      options[0] = {local_port_[request.node], all_vcs_, 0};
    else
      options[0] = {paths_.at(request.node, request.destination),
                    vc_sets_[paths_.index(request.node, request.destination)], 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  std::vector<port_id> local_port_;
  forwarding_table paths_;
  std::vector<vc_mask> vc_sets_;
  vc_mask all_vcs_;
};

}  // namespace

std::shared_ptr<const routing_function> make_layered_table(std::shared_ptr<const netlist> net,
                                                           std::vector<forwarding_table> tables,
                                                           lash_layers layers, unsigned vcs, bool in_turn) {
  return std::make_shared<layered_table>(std::move(net), std::move(tables), std::move(layers), vcs, in_turn);
}

std::shared_ptr<const routing_function> make_spread(
    std::shared_ptr<const netlist> net, std::shared_ptr<const routing_function> between_terminals) {
  return std::make_shared<spread_routing>(std::move(net), std::move(between_terminals));
}

std::shared_ptr<const routing_function> make_given_table(const netlist& net, forwarding_table paths,
                                                         std::vector<vc_mask> vc_sets, unsigned vcs) {
  return std::make_shared<given_table>(net, std::move(paths), std::move(vc_sets), vcs);
}

}  // namespace toriscope
