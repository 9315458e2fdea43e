// SPDX-License-Identifier: Apache-2.0
// Starvation: a packet that a router never serves while others pass.
//
// A packet in front of an input - of those that came in there on its VC the oldest - waits for nothing but its
// output. It is starved when that output has been open in `patience` cycles since it came to the front - no flit
// waited there, no other packet was coming out, every VC had a credit - and other packets have left meanwhile.
// Cycles in which the output is taken do not count, so that congestion is not taken for starvation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rtl_models/user_rtl/egress_port.h"
#include "rtl_models/user_rtl/ingress_port.h"
#include "rtl_models/user_rtl/packet_scoreboard.h"

namespace toriscope {

class starvation_watch {
 public:
  starvation_watch(const node_context& context, const adapter_config& config);

  /// A cycle is over. @param open  whether output r was open in it, by port of the router
  template <class Open>
  void cycle_done(Open&& open) {
    bool all = true;
    for (unsigned r = 0; r < open_cycles_.size(); ++r) {
      const bool is_open = open(r);
      open_cycles_[r] += is_open;
      all = all && (is_open || config_.ports[r].of_node < 0);
    }
    all_open_cycles_ += all;
  }

  /// To be called now and then. @param comes  whether the flits of a packet that are not inside yet wait right
  /// in front of the router
  /// @returns a starved packet, in a line; empty: there is none
  std::string look(const packet_scoreboard& scoreboard, cycle_t now,
                   const std::function<bool(const packet_inside&)>& comes);

 private:
  /// The packet at the front of an input.
  struct front {
    packet_id packet = no_packet;
    std::uint64_t open_cycles = 0;  ///< of its output, when it was first seen there
    std::uint64_t finished = 0;     ///< other packets, likewise
  };
  std::uint64_t open_cycles(const packet_inside& p) const;
  std::string output_name(const packet_inside& p) const;
  std::string input_name(const packet_inside& p) const;

  const node_context context_;
  const adapter_config& config_;
  std::vector<std::uint64_t> open_cycles_;  ///< by port of the router
  std::uint64_t all_open_cycles_ = 0;       ///< in which all ports were
  std::vector<front> fronts_;               ///< by port of the node and VC of the router
};

}  // namespace toriscope
