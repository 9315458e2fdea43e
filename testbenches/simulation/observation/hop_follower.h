// SPDX-License-Identifier: Apache-2.0
// The hops of all packets, in all routers of the model, from what router_observer tells of every flit.
#pragma once

#include <deque>
#include <vector>

#include "testbenches/simulation/observation/hop_record.h"
#include "testbenches/simulation/observation/router_observer.h"

namespace toriscope {

class hop_follower final : public step_listener {
 public:
  /// @param listener  outlives it
  hop_follower(const netlist& wiring, const router_observer& observer, hop_listener& listener);

  void stepped(const router_step& step) override;
  /// The run is over after `cycles_done` cycles: hops that have not ended are reported.
  void end_at(cycle_t cycles_done);

 private:
  std::size_t slot(node_id n, unsigned p, unsigned v) const { return (first_port_[n] + p) * vcs_ + v; }
  void see_front(const router_step& step, const front_event& e);
  void see_buffered(const router_step& step, const front_event& e);
  void end(hop_record& hop, cycle_t cycle, hop_end how);

  const router_observer& observer_;
  hop_listener& listener_;
  const unsigned vcs_;
  std::vector<std::size_t> first_port_;          ///< by node
  std::vector<std::deque<hop_record>> inputs_;   ///< by input VC: the packets whose tails are not read out
  std::vector<std::deque<hop_record>> leaving_;  ///< paper2009, by output VC: the tail is in its buffer
  std::vector<std::size_t> owners_;  ///< paper2009, by output VC: the input VC that owns it, or did last
};

}  // namespace toriscope
