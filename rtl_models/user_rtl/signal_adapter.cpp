// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/signal_adapter.h"

#include <stdexcept>
#include <utility>

namespace toriscope {
namespace {

/// A flit leaves the router while the one before it is being sent.
adapter_config with_room(adapter_config config) {
  if (config.vcs != 1 || config.clocks_per_cycle != 1)
    throw std::invalid_argument("a router behind signals has no VCs and one clock a cycle");
  config.output_flits = 2;
  return config;
}

}  // namespace

signal_adapter::signal_adapter(const node_context& context, adapter_config config,
                               std::unique_ptr<router_pins> signals,
                               std::unique_ptr<sc_core::sc_module> router)
    : router_adapter(context, with_room(std::move(config)), std::move(signals), false, true),
      router_(std::move(router)),
      offered_(router_ports()),
      ready_(router_ports()) {}

signal_adapter::~signal_adapter() = default;

/// At an edge, what the signals have agreed on since the last one happens; then they get their new values.
void signal_adapter::clock(cycle_t now) {
  for (unsigned r = 0; r < router_ports(); ++r)
    if (offered_[r] && pins().in_back(r)) ingress(r)->accepted();
  for (unsigned r = 0; r < router_ports(); ++r) {
    sample_out(r, ready_[r]);
    offered_[r] = drive_in(r, 1, now);
    ready_[r] = egress(r).ready();
    pins().set_out_back(r, ready_[r]);
  }
}

}  // namespace toriscope
