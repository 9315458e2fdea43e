// SPDX-License-Identifier: Apache-2.0
// Routing for N message classes (docs/model.md, "Message classes"): class m owns the VCs mV/N .. (m+1)V/N - 1
// of every port, and within them the VC rule of the routing function it wraps, made for V/N VCs, holds. So a
// packet's class follows from the VC that it stands in, and no packet of one class ever waits for a VC of
// another: what is acyclic for one class is acyclic for all.
#pragma once

#include <memory>

#include "topologies/route.h"

namespace toriscope {

class message_class_routing final : public routing_function {
 public:
  /// @param inner          made for `vcs_per_class` VCs
  /// @param vcs_per_class  V / N, at least 1
  message_class_routing(std::shared_ptr<const routing_function> inner, unsigned vcs_per_class);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return inner_->state_bits(); }
  route_state injection_states() const override { return inner_->injection_states(); }
  bool takes_states_in_turn() const override { return inner_->takes_states_in_turn(); }
  bool compares_queues() const override { return inner_->compares_queues(); }
  void weigh(const route_request& request, unsigned count, unsigned* weights) const override {
    inner_->weigh(request, count, weights);
  }
  unsigned options_at_most() const override { return inner_->options_at_most(); }
  vc_mask escape_vcs() const override;
  bool reads_to_first_difference() const override { return inner_->reads_to_first_difference(); }

 private:
  std::shared_ptr<const routing_function> inner_;
  unsigned vcs_per_class_;
};

}  // namespace toriscope
