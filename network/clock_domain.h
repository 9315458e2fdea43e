// SPDX-License-Identifier: Apache-2.0
// The clock domain: what happens at a rising edge. It asks the traffic source, steps the nodes that have
// something to do, and lets the links show the next cycle. A node that has nothing to do costs nothing.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/thread_team.h"
#include "links/link_clock.h"
#include "network/failure.h"
#include "network/link_failures.h"
#include "network/network_part.h"
#include "network/node.h"
#include "network/traffic_source.h"
#include "topologies/node_ranges.h"

namespace toriscope {

class clock_domain final : private clocked_link {
 public:
  /// @param parts    of the network, each for a thread to step
  /// @param ranges   their nodes
  /// @param threads  no less than there are parts
  clock_domain(const netlist& wiring, const std::vector<std::unique_ptr<network_part>>& parts,
               const node_ranges& ranges, unsigned threads, std::vector<node*>& nodes, link_clock& links);

  /// To be called in the evaluation phase of every rising edge: does one cycle.
  /// @throws invariant_violation; the cycle is then unfinished and must not be gone on with
  void edge();

  /// Links die as `failures` says; null: none does.
  void set_failures(link_failures* failures) { failures_ = failures; }
  void set_source(traffic_source* source) { source_ = source; }
  /// Nodes that do work of their own at an edge, beside step(): `work` is called with the number of each that has it,
  /// once, of several nodes at the same time where that can be.
  void share_work(const std::vector<node_id>& of, const std::function<void(node_id)>& work);
  /// From a process: a packet to be created in the next cycle. @throws std::invalid_argument (packet_check.h)
  void send(const packet_request& request);
  /// Whether packets of processes wait to be created.
  bool has_sent() const { return sends_; }
  turns_of_pairs& turns() { return turns_; }

  /// Lists node n in stepped_watched() of every cycle in which it is stepped.
  void watch(node_id n);
  const std::vector<node_id>& stepped_watched() const { return stepped_watched_; }

 private:
  void step_parts(cycle_t now);
  void step_together(cycle_t now);
  void begin();
  bool must_be_stepped_alone() const;
  void check(const packet_request& request) const;
  void create(const packet_request& request, cycle_t now);
  void refuse(packet_id packet);
  void sample(cycle_t now) override;
  void refresh(cycle_t) override {}

  const netlist& wiring_;
  const std::vector<std::unique_ptr<network_part>>& parts_;
  const node_ranges& ranges_;
  const unsigned threads_;
  network_state& network_;  ///< of the first part: what they have in common
  std::vector<node*>& nodes_;
  link_clock& links_;
  link_failures* failures_ = nullptr;
  traffic_source* source_ = nullptr;
  traffic_source* sharing_ = nullptr;  ///< that leaves draws to the team
  turns_of_pairs turns_;
  std::unique_ptr<thread_team> team_;  ///< null: one thread steps all parts
  bool begun_ = false;
  std::size_t least_to_share_ = 0;
  std::size_t stepped_ = 0;              ///< nodes, in the cycle before, where there are several parts
  std::vector<packet_request> created_;  ///< by the source, in this cycle
  std::vector<packet_request> pending_;  ///< by processes, since the last update phase
  std::vector<packet_request> ready_;    ///< by processes, to be created at the next edge
  bool sends_ = false;                   ///< some process has sent a packet
  std::vector<bool> watched_;            ///< by node; empty: none is
  std::vector<node_id> stepped_watched_;
};

}  // namespace toriscope
