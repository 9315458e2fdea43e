// SPDX-License-Identifier: Apache-2.0
#include "topologies/narrow_routers.h"

#include <utility>

#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

class fitted_routing final : public routing_function {
 public:
  fitted_routing(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> routing,
                 unsigned vcs)
      : wiring_(std::move(wiring)), routing_(std::move(routing)), vcs_(vcs) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = routing_->route(request, options);
    const port_range ports = wiring_->ports(request.node);
    for (unsigned k = 0; k < count; ++k) {
      const port_id out = options[k].out_port;
      const node_id behind = out < ports.size() ? wiring_->link(ports[out].out).to : request.node;
      options[k].vcs = cut_off(options[k].vcs, wiring_->vcs_of(behind, vcs_));
    }
    return count;
  }
  unsigned state_bits() const override { return routing_->state_bits(); }
  route_state injection_states() const override { return routing_->injection_states(); }
  bool takes_states_in_turn() const override { return routing_->takes_states_in_turn(); }
  unsigned options_at_most() const override { return routing_->options_at_most(); }
  bool compares_queues() const override { return routing_->compares_queues(); }
  void weigh(const route_request& request, unsigned count, unsigned* weights) const override {
    routing_->weigh(request, count, weights);
  }
  vc_mask escape_vcs() const override { return routing_->escape_vcs(); }

 private:
  const std::shared_ptr<const netlist> wiring_;
  const std::shared_ptr<const routing_function> routing_;
  const unsigned vcs_;
};

}  // namespace

vc_mask cut_off(vc_mask set, unsigned vcs) { return static_cast<vc_mask>(set & all_vcs(vcs)); }

std::shared_ptr<const routing_function> fit_to_routers(std::shared_ptr<const netlist> wiring,
                                                       std::shared_ptr<const routing_function> routing,
                                                       unsigned vcs) {
  for (node_id n = 0; n < wiring->node_count(); ++n)
    if (wiring->vcs_of(n, vcs) != vcs)
      return std::make_shared<fitted_routing>(std::move(wiring), std::move(routing), vcs);
  return routing;
}

}  // namespace toriscope
