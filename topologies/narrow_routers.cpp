// SPDX-License-Identifier: Apache-2.0
#include "topologies/narrow_routers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

class fitted_routing final : public routing_function {
 public:
  fitted_routing(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> routing,
                 unsigned vcs, const vc_fit& fit)
      : wiring_(std::move(wiring)), routing_(std::move(routing)) {
    const std::size_t sets = std::size_t{1} << vcs;
    std::vector<std::size_t> table_of(vcs + 1, none);  // by number of VCs, into fitted_
    for (node_id n = 0; n < wiring_->node_count(); ++n) {
      const unsigned own = wiring_->vcs_of(n, vcs);
      if (table_of[own] == none) {
        table_of[own] = fitted_.size();
        for (std::size_t set = 0; set < sets; ++set) fitted_.push_back(fit(static_cast<vc_mask>(set), own));
      }
      first_.push_back(table_of[own]);
    }
  }

  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = routing_->route(request, options);
    const port_range ports = wiring_->ports(request.node);
    for (unsigned k = 0; k < count; ++k) {
      const port_id out = options[k].out_port;
      const node_id behind = out < ports.size() ? wiring_->link(ports[out].out).to : request.node;
      options[k].vcs = fitted_[first_[behind] + options[k].vcs];
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
  static constexpr std::size_t none = ~std::size_t{0};

  const std::shared_ptr<const netlist> wiring_;
  const std::shared_ptr<const routing_function> routing_;
  std::vector<vc_mask> fitted_;     ///< for each number of VCs, by set
  std::vector<std::size_t> first_;  ///< by node
};

}  // namespace

vc_mask cut_off(vc_mask set, unsigned vcs) { return static_cast<vc_mask>(set & all_vcs(vcs)); }

vc_fit by_class(unsigned classes, unsigned vcs) {
  return [classes, vcs](vc_mask set, unsigned own) {
    if (set == 0 || set == all_vcs(vcs)) return cut_off(set, own);
    unsigned c = 0;
    while ((vc_class(c, classes, vcs) & set) == 0) ++c;
    return vc_class(c, classes, own);
  };
}

std::shared_ptr<const routing_function> fit_to_routers(std::shared_ptr<const netlist> wiring,
                                                       std::shared_ptr<const routing_function> routing,
                                                       unsigned vcs, const vc_fit& fit) {
  for (node_id n = 0; n < wiring->node_count(); ++n)
    if (wiring->vcs_of(n, vcs) != vcs)
      return std::make_shared<fitted_routing>(std::move(wiring), std::move(routing), vcs, fit);
  return routing;
}

}  // namespace toriscope
