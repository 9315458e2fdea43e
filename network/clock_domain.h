// SPDX-License-Identifier: Apache-2.0
// The clock domain: what happens at a rising edge. It asks the traffic source, steps the nodes that have
// something to do, and lets the links show the next cycle. A node that has nothing to do costs nothing.
#pragma once

#include <memory>
#include <vector>

#include "links/link_clock.h"
#include "network/failure.h"
#include "network/link_failures.h"
#include "network/node.h"
#include "network/traffic_source.h"
#include "router/network_state.h"

namespace toriscope {

class clock_domain final : private clocked_link {
 public:
  clock_domain(const netlist& wiring, network_state& network, std::vector<node*>& nodes, link_clock& links);

  /// To be called in the evaluation phase of every rising edge: does one cycle.
  /// @throws invariant_violation; the cycle is then unfinished and must not be gone on with
  void edge();

  /// Links die as `failures` says; null: none does.
  void set_failures(link_failures* failures) { failures_ = failures; }
  void set_source(traffic_source* source) { source_ = source; }
  /// From a process: a packet to be created in the next cycle. @throws std::invalid_argument (packet_check.h)
  void send(const packet_request& request);

  /// Lists node n in stepped_watched() of every cycle in which it is stepped.
  void watch(node_id n);
  const std::vector<node_id>& stepped_watched() const { return stepped_watched_; }

 private:
  /// Networks up to this size stay in the caches anyway.
  static constexpr std::size_t cached_nodes = 256;

  void step_awake_nodes(cycle_t now);
  bool step(node& n, cycle_t now);
  static void prefetch(node* const* next, std::size_t count, cycle_t now);
  void check(const packet_request& request) const;
  void create(const packet_request& request, cycle_t now);
  void refuse(packet_id packet);
  void sample(cycle_t now) override;
  void refresh(cycle_t) override {}

  const netlist& wiring_;
  network_state& network_;
  std::vector<node*>& nodes_;
  link_clock& links_;
  link_failures* failures_ = nullptr;
  traffic_source* source_ = nullptr;
  turns_of_pairs turns_;
  std::vector<node*> awake_;             ///< room for the nodes of a cycle, where they are prefetched
  std::vector<packet_request> created_;  ///< by the source, in this cycle
  std::vector<packet_request> pending_;  ///< by processes, since the last update phase
  std::vector<packet_request> ready_;    ///< by processes, to be created at the next edge
  bool sends_ = false;                   ///< some process has sent a packet
  std::vector<bool> watched_;
  bool watching_ = false;
  std::vector<node_id> stepped_watched_;
};

}  // namespace toriscope
