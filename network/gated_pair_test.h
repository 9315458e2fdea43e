// SPDX-License-Identifier: Apache-2.0
// For tests: two nodes, and gates that keep out what they send each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "network/simulation_context.h"
#include "topologies/registry.h"

namespace toriscope {

/// Admits no packet.
class shut_gate : public reception_gate {
 public:
  bool admit(packet_id, const packet_record&, cycle_t) override { return false; }
};

/// Admits none before source queue 0 at its destination has sent.
class queue_gate final : public shut_gate {
 public:
  std::uint32_t waits_for_queues(packet_id, const packet_record&) const override { return 1; }
};

/// Without the kernel. Message classes have VCs of their own unless they share them.
struct gated_pair {
  /// @param spec  of two nodes
  gated_pair(network_config config, reception_gate& gate, const std::string& spec = "mesh:2x1") {
    topology_options options;
    options.vcs = config.router.vcs;
    if (!config.shared_classes) options.message_classes = config.message_classes;
    mesh = make_topology(spec, options);
    config.limited_reception = true;
    net = std::make_unique<network>("mesh", mesh.wiring, mesh.routing, config,
                                    [this](const char*, const node_context& c) {
                                      wires = &c.wires;
                                      state = &c.network;
                                      return std::unique_ptr<node>();
                                    });
    net->set_gate(&gate);
    net->leave_kernel({1, sc_core::SC_NS});
    nodes = {&net->at(0), &net->at(1)};
  }
  /// Either node sends the other one a packet.
  void send_both(std::uint32_t flits, std::uint8_t message_class = 0) const {
    for (const node_id from : {0u, 1u}) net->send({from, 1 - from, flits, message_class});
  }

  simulation_context context;
  simulation_context::entry here{context};
  topology mesh;
  wire_table* wires = nullptr;
  network_state* state = nullptr;
  std::unique_ptr<network> net;
  std::vector<node*> nodes;
};

}  // namespace toriscope
