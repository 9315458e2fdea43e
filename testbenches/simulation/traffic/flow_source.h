// SPDX-License-Identifier: Apache-2.0
// The packets of flows (flow.h).
//
//   contract   every flow draws from streams of its own, one for each of its sources, that depend on the seed
//              and on the flow's name: another flow beside it changes no packet of it
//   order      the packets of a cycle come flow by flow, and within a flow in order of their sources
//   cost       a flow is asked only in cycles in which it may have a packet; 2 KB for each flow, 4 bytes for each
//              packet under way; of several ranks each remembers all packets
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/flow.h"
#include "testbenches/simulation/traffic/synthetic_source.h"

namespace toriscope {

class flow_source final : public traffic_source {
 public:
  using flow_number = std::uint32_t;
  struct offered_load {
    std::uint64_t packets = 0;
    std::uint64_t flits = 0;
  };

  /// It is the network's only source.
  /// @param flows  outlive this
  /// @param first, cycles  the window whose packets are counted
  flow_source(const std::vector<flow>& flows, std::uint64_t seed, cycle_t first, cycle_t cycles);

  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  cycle_t next_packet_cycle(cycle_t from) const override;

  /// Between two cycles. @param now  the next one; reading, the source has not been asked yet
  /// @param packets  under way
  void archive(state_archive& a, cycle_t now, const packet_table& packets);

  /// The flow of a packet that has been received, or lost; to be asked once.
  flow_number take(packet_id id);
  /// What a flow created in the window.
  const offered_load& offered(flow_number f) const { return offered_[f]; }

 private:
  static constexpr flow_number taken = ~flow_number{0};
  static constexpr cycle_t never = ~cycle_t{0};
  using turn = std::pair<cycle_t, flow_number>;

  const std::vector<flow>& flows_;
  const cycle_t first_cycle_;
  const cycle_t cycles_;
  std::vector<std::unique_ptr<synthetic_source>> sources_;  ///< by flow; their nodes are places in flow::from
  std::priority_queue<turn, std::vector<turn>, std::greater<>> next_;  ///< when a flow is to be asked
  std::vector<offered_load> offered_;
  std::deque<flow_number> flow_of_;  ///< packets first_packet_, first_packet_ + 1, ...
  packet_id first_packet_ = 0;
};

}  // namespace toriscope
