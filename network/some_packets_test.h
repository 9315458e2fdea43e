// SPDX-License-Identifier: Apache-2.0
// For tests: traffic that depends on the cycle alone.
#pragma once

#include <vector>

#include "base/hash.h"
#include "network/traffic_source.h"

namespace toriscope {

/// A terminal sends a packet of 1 to 5 flits in every ninth cycle or so.
class some_packets final : public traffic_source {
 public:
  explicit some_packets(terminal_id terminals) : terminals_(terminals) {}
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (terminal_id t = 0; t < terminals_; ++t)
      if (mix(now, t) % 9 == 0)
        out.push_back({t, static_cast<terminal_id>(mix(now, t, 1) % terminals_),
                       1 + static_cast<unsigned>(mix(now, t, 2) % 5)});
  }

 private:
  const terminal_id terminals_;
};

}  // namespace toriscope
