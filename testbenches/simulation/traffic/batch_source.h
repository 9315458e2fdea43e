// SPDX-License-Identifier: Apache-2.0
// A batch: every node has K packets ready in cycle 0, and the time to deliver all of them is what counts. The
// packets of a node are drawn as those of synthetic_source are: for each its length (if there are several),
// then its destination. Within the cycle they come round by round, node by node.
#pragma once

#include <memory>

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/draw_packet.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "testbenches/simulation/traffic/traffic_pattern.h"

namespace toriscope {

class batch_source : public traffic_source {
 public:
  struct config {
    std::uint64_t packets_per_node = 100;
    packet_lengths lengths;
    std::uint64_t seed = 1;
  };

  batch_source(node_id nodes, std::shared_ptr<const traffic_pattern> pattern, const config& settings)
      : nodes_(nodes), pattern_(std::move(pattern)), settings_(settings) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now != 0) return;
    std::vector<random_stream> random;
    for (node_id n = 0; n < nodes_; ++n) random.emplace_back(settings_.seed, n);
    out.reserve(packets());
    for (std::uint64_t k = 0; k < settings_.packets_per_node; ++k)
      for (node_id n = 0; n < nodes_; ++n)
        out.push_back(draw_packet(n, settings_.lengths, *pattern_, random[n]));
  }

  cycle_t next_packet_cycle(cycle_t from) const override { return from == 0 ? 0 : ~cycle_t{0}; }

  /// Packets altogether.
  std::uint64_t packets() const { return nodes_ * settings_.packets_per_node; }

 private:
  const node_id nodes_;
  const std::shared_ptr<const traffic_pattern> pattern_;
  const config settings_;
};

}  // namespace toriscope
