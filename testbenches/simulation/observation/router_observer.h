// SPDX-License-Identifier: Apache-2.0
// Tells what happened in each step of each router, from outside: it compares the state before and after, and
// what its wires show and take. A flit has been read out when its slot's credit went upstream; an output VC
// has been granted when a packet owns it; all else follows from the contract (docs/model.md). So every
// pipeline that fulfils the contract can be observed, and the router pays nothing for it.
#pragma once

#include <array>
#include <vector>

#include "network/router_kinds.h"
#include "testbenches/simulation/observation/router_step.h"

namespace toriscope {

class router_observer final : public router_probe {
 public:
  router_observer(const netlist& wiring, const network_config& config);

  /// Tells `listener`, which must outlive the simulation, of every step.
  void listen(step_listener& listener) { listeners_.push_back(&listener); }

  /// Steps shall have the owners of output VCs.
  void keep_owners() { keeps_owners_ = true; }

  /// paper2009: output VCs have buffers.
  bool has_output_buffers() const { return config_.router.has_output_buffers(); }
  /// The packet that the input VC (p, v) of node n was occupied by last, or is: its head has been routed.
  packet_id packet_in(node_id n, port_id p, unsigned v) const { return vcs_[slot(n, p, v)].packet; }
  const pipeline_timing& timing(node_id n) const { return kinds_.of(n).timing; }
  const network_config& config() const { return config_; }

  void connected(const probed_node& node) override {
    for (step_listener* listener : listeners_) listener->sees(node.id());
  }
  void before_step(const probed_node& node, cycle_t now) override;
  bool after_step(const probed_node& node, cycle_t now) override;

 private:
  /// What has to be remembered of an input VC.
  struct vc_memory {
    packet_id packet = no_packet;
    cycle_t routed = 0;   ///< RC of the head of that packet
    cycle_t granted = 0;  ///< VA of it
    bool open = false;    ///< between its head routed and its tail read out
    bool has_grant = false;
    bool is_discarded = false;
  };
  struct port_memory {
    cycle_t free_from = 0;  ///< the port may be granted again (narrow links)
  };

  std::size_t slot(node_id n, port_id p, unsigned v) const {
    return (first_port_[n] + std::size_t{p}) * config_.router.vcs + v;
  }
  port_memory& port(const probed_node& node, unsigned p) { return ports_[first_port_[node.id()] + p]; }

  void see_arrival(const probed_node& node, port_id p, cycle_t now);
  void see_wires(const probed_node& node, cycle_t now);
  void see_fronts(const probed_node& node, port_id p, cycle_t now);
  void see_front(const probed_node& node, front_event& e, bool read, cycle_t now);
  void see_buffers(const probed_node& node, cycle_t now);
  stall_cause fate_in_va(const probed_node& node, front_event& e, const vc_memory& m, cycle_t now);
  stall_cause fate_in_sa(const probed_node& node, const front_event& e, const vc_memory& m, cycle_t now);
  bool has_credit(const probed_node& node, int port, int vc) const;
  static bool has_no_option(const probed_node& node, const front_event& e);

  const network_config config_;
  const router_kinds kinds_;
  std::vector<std::size_t> first_port_;  ///< by node, local ports counted
  std::vector<port_id> first_local_;     ///< by node
  std::vector<vc_memory> vcs_;
  std::vector<port_memory> ports_;
  std::vector<cycle_t> last_read_;  ///< by node
  std::vector<step_listener*> listeners_;
  bool keeps_owners_ = false;
  port_set arrived_;                                              ///< ports that a flit of this step came to
  std::array<flit_word, observed_state::max_router_ports> came_;  ///< to these
  observed_state before_;
  router_step step_;
};

}  // namespace toriscope
