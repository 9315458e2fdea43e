// SPDX-License-Identifier: Apache-2.0
// The hops of all packets, in routers with a plain pipeline and live links, from the sets of VCs that the stages leave
// (router/router_state.h): what counting_probe.h does for sums. A flit that passes in its cycle costs a few
// instructions. hop_follower tells the same of all routers, from every flit; the tests compare the two.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "network/probed_node.h"
#include "testbenches/simulation/observation/hop_record.h"

namespace toriscope {

class hop_probe final : public router_probe {
 public:
  /// Whether all routers of such a network are plain, and their links live.
  static bool supports(const network_config& config);

  /// @param listener  outlives the probe
  hop_probe(const netlist& wiring, const network_config& config, hop_listener& listener);

  void connected(const probed_node& node) override;
  void before_step(const probed_node& node, cycle_t now) override;
  bool after_step(const probed_node& node, cycle_t now) override;

  /// The run is over after `cycles_done` cycles: hops that have not ended are reported.
  void end_at(cycle_t cycles_done);

 private:
  struct head {
    packet_id packet;
    cycle_t shown;
    terminal_id source;
  };
  /// The packets in an input VC whose tails have not left; of the first, what it waited for.
  struct input_queue {
    std::uint32_t first_head = 0;  ///< `depth` of them, a ring
    std::uint8_t depth = 0, first = 0, count = 0;
    stall_counts waits{};
  };

  input_queue& queue(node_id n, unsigned p, unsigned v) { return queues_[(first_port_[n] + p) * vcs_ + v]; }
  void see(const probed_node& node, port_set arrived, port_set seen, cycle_t now);
  void open_hop(const probed_node& node, unsigned p, flit_word f, cycle_t now);
  void end_hop(const router_state& r, unsigned p, unsigned v, cycle_t end, hop_end how, bool has_output);
  void count_waits(const router_state& r, unsigned p, vc_set waiting);
  void count(const router_state& r, unsigned p, unsigned v, stall_cause why) {
    ++queue(r.node, p, v).waits[stall_index(why)];
  }

  const unsigned vcs_;
  hop_listener& listener_;
  std::vector<std::size_t> first_port_;  ///< by node
  std::vector<input_queue> queues_;
  std::vector<head> heads_;
  std::vector<const probed_node*> nodes_;
  // The router before the step.
  port_set occupied_;
  port_set allocating_;                          ///< ports with VCs that request VA
  port_set busy_outputs_;                        ///< narrow links that a flit occupies
  std::array<vc_set, max_ports> to_allocate_{};  ///< of these ports
  std::array<vc_set, max_ports> free_{};         ///< output VCs; where VA may be requested
};

}  // namespace toriscope
