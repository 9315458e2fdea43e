// SPDX-License-Identifier: Apache-2.0
// A user's routers in a network, from their description alone: reads the pins, writes the wrapper, builds
// what is not built yet, and puts an adapter around each instance.
//
//   use   user_rtl_routers users(router_description::read("my_router.json"), wiring, routing, config, nodes);
//         network net("mesh", wiring, routing, config, users.factory());
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "rtl_models/on_demand/rtl_library.h"
#include "rtl_models/user_rtl/adapter_config.h"
#include "rtl_models/user_rtl/pin_wrapper.h"

namespace toriscope {

class built_pins;
class router_adapter;

/// A router in its node, for waveforms. The references live as long as the network.
struct user_rtl_made {
  node_id node;
  built_pins& pins;
  const adapter_config& config;
  const std::vector<std::string>& pin_names;  ///< of the user's module
};

class user_rtl_routers {
 public:
  /// Builds the router for these nodes; nodes for which it has the same parameters share what is built.
  /// @param traced  called for each router made, which then can write waveforms and is slower; null: none
  /// @throws std::invalid_argument one line: what does not fit; the tools' messages are in the file it names
  user_rtl_routers(router_description description, const netlist& wiring, const routing_function& routing,
                   const network_config& config, const std::vector<node_id>& nodes,
                   std::function<void(const user_rtl_made&)> traced = {});

  /// The router of one of the nodes, reset. @param random_state_seed  registers start with random bits; 0:
  /// zeros
  std::unique_ptr<router_adapter> make(const node_context& context, int random_state_seed = 0) const;

  /// Puts them into the nodes; the others are the model's. It holds what it needs.
  network::node_factory factory(int random_state_seed = 0) const;

  const router_description& description() const;
  /// What Verilator warned of, in one line; empty: of nothing.
  std::string warnings() const;
  /// In ascending order.
  const std::vector<node_id>& nodes() const;
  /// Files, each named by a hash of all that it was built from.
  std::vector<std::string> libraries() const;

 private:
  struct impl;
  std::shared_ptr<const impl> impl_;
};

}  // namespace toriscope
