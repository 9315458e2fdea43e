// SPDX-License-Identifier: Apache-2.0
// sv/router.sv in the places of some nodes of a network, built on demand: one build serves all of them that have the
// same VCs, depth and pipeline, for a router with more ports than a node has stands in for it with the others tied off.
//
//   use   const built_routers rtl(wiring, routing, config, nodes);
//         network net(name, wiring, routing, config, rtl.factory());
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "rtl_models/on_demand/rtl_design.h"
#include "rtl_models/on_demand/rtl_library.h"
#include "rtl_models/on_demand/traced_clock.h"
#include "rtl_models/route_table.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {

/// The design of a router with these parameters, for build_rtl(). @throws std::runtime_error: no sources
rtl_design router_design(const rtl_parameters& parameters);

/// A router of a library that build_rtl(router_design(parameters)) has made.
class built_router final : public rtl_router {
 public:
  /// Resets the RTL. @param name  of the instance in waves
  built_router(std::shared_ptr<const rtl_library> library, const rtl_parameters& parameters,
               const rtl_start& start, const std::string& name);

  const rtl_parameters& parameters() const override { return parameters_; }
  bool is_clocked_with_others() const override { return true; }
  void set_flit(port_id p, flit_word f) override { flit_i_.set(p * 64u, 64, f.bits); }
  void set_credit(port_id p, credit_word c) override {
    credit_i_.set(p * parameters_.vcs, parameters_.vcs, c.vcs);
  }
  void clock_edge() override { clock_.edge(); }
  flit_word flit(port_id p) const override { return {flit_o_.get(p * 64u, 64)}; }
  credit_word credit(port_id p) const override {
    return {static_cast<std::uint16_t>(credit_o_.get(p * parameters_.vcs, parameters_.vcs))};
  }

  rtl_instance& instance() { return instance_; }

  /// Its waveform, if the library was built with_trace.
  traced_clock& clock() { return clock_; }

 private:
  const rtl_parameters parameters_;
  rtl_instance instance_;
  traced_clock clock_;
  rtl_bits rst_i_, flit_i_, credit_i_, flit_o_, credit_o_;
};

class built_routers {
 public:
  struct options {
    int random_state_seed = 0;  ///< registers start with random bits, other ones in every node; 0: with zeros
    bool with_trace = false;    ///< they can write waveforms; slower
    bool with_registers = false;  ///< their registers can be seen and set; slower
    /// Called for each router made, with its node; may be null.
    std::function<void(node_id, built_router&)> made;
  };

  /// Makes the route tables, and the library if the cache does not have it. The references must outlive it.
  /// @throws std::invalid_argument one line: the network is none that the RTL can be part of
  /// @throws rtl_build_error (rtl_build.h)
  built_routers(const netlist& wiring, const routing_function& routing, const network_config& config,
                std::vector<node_id> nodes, const options& how);

  /// In ascending order.
  const std::vector<node_id>& nodes() const { return nodes_; }
  bool has(node_id n) const;
  /// Of the first node. Others may have IN_VCS, DEPTH and FOUR_STAGE of their own, nothing else.
  const rtl_parameters& parameters() const { return kinds_.front().parameters; }
  /// What was built, each once.
  std::vector<rtl_parameters> all_parameters() const;
  /// Files, each named by a hash of all that it was built from.
  std::vector<std::string> libraries() const;
  /// The router of a node, reset.
  std::unique_ptr<built_router> make(node_id n) const;
  /// Nodes with RTL (rtl_node.h), of which this must not be destroyed before. All other nodes are those of
  /// `others` (null: the model's).
  network::node_factory factory(network::node_factory others = {}) const;

 private:
  /// Routers that are alike.
  struct router_build {
    rtl_parameters parameters;
    std::shared_ptr<const rtl_library> library;
  };

  built_routers(const netlist& wiring, const routing_function& routing, const network_config& config,
                std::vector<node_id> nodes, const options& how, const router_kinds& kinds);

  const netlist& wiring_;
  const network_config& config_;
  const std::vector<node_id> nodes_;
  const options options_;
  route_tables tables_;
  std::vector<router_build> kinds_;
  std::vector<std::size_t> kind_of_;  ///< by place in nodes_
};

}  // namespace toriscope
