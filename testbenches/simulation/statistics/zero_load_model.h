// SPDX-License-Identifier: Apache-2.0
// The latency of a packet in an empty network (docs/model.md, "Zero-load latency").
//
//   T0 = H(P-1) + sum(D) + D_inj + D_ej + ser(S-1)
//   ser(n) = floor(n/B) * R + n mod B  if the buffer is shorter than the credit loop, B < R
//          = n                         otherwise
//   R = x + 2D + credit delay, with the largest D on the way, injection included
//
// P - 1 = rc' + va + x, where rc' is rc as adaptive headers and look-ahead have it in that router, and va
// does not count with speculation; x = sa + st - 1. paper2009: P = 2, B = 1 and the credit loop is 2D +
// credit delay, so ser(n) = n (2D + credit delay). With limited reception D_ej is on the way, too. A head
// needs rc' + va cycles more per router than the flits behind it, which therefore catch up behind a slow
// link, and the injection link has no x. With B < R the latency is then worked out flit by flit instead; it
// is the formula's when all delays are equal and H >= 2. Narrow links are worked out flit by flit as well. Of
// several routes (adaptive routing) it takes the first; dead links and reception gates it does not know.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/network_config.h"
#include "network/router_kinds.h"
#include "router/packet_table.h"
#include "router/pipeline_timing.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

class zero_load_model {
 public:
  zero_load_model(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> routing,
                  const network_config& config);

  /// Cycles from creation to the tail received. Remembers what it was asked lately.
  /// @param drawn  the route state at injection
  std::uint64_t latency(node_id source, node_id destination, std::uint32_t flits,
                        route_state drawn = 0) const;

  /// The same for a packet that has arrived. Where all that counts of a route is how many links it has, that
  /// has been counted, and no route is walked.
  std::uint64_t latency(packet_id id, const packet_record& arrived) const {
    return by_hops_ ? latency_over(arrived.hops, arrived.flits)
                    : latency(arrived.source, arrived.destination, arrived.flits,
                              injection_rule(*routing_).of(id, arrived));
  }

  /// Whether each pair has one route (or one for each drawn state), so that no packet is faster.
  bool one_route() const { return routing_->options_at_most() == 1; }
  /// Whether all that counts of a route is how many links it has.
  bool hops_tell() const { return by_hops_; }
  /// If so: the latency over that many links. No buffer is shorter than a credit loop, so that D makes no difference to
  /// the flits behind the head.
  std::uint64_t latency_over(std::uint32_t hops, std::uint32_t flits) const {
    return formula(hops + std::uint64_t{1}, hops * std::uint64_t{delay_}, delay_, flits);
  }

  /// The formula, for heads with one option in every router.
  /// @param routers  on the path, H
  /// @param delays   sum of D over the H-1 links
  /// @param longest  D on the way, injection included
  std::uint64_t formula(std::uint64_t routers, std::uint64_t delays, unsigned longest,
                        std::uint32_t flits) const;

 private:
  /// A link on the path: D and F.
  struct link_times {
    unsigned delay;
    unsigned flit_cycles;
  };
  struct router_times {
    unsigned head_cycles;  ///< a head, from shown to granted the switch
    unsigned to_sent;      ///< a flit, from there to sent
    unsigned depth;
  };
  struct path {
    std::vector<router_times> routers;
    std::vector<link_times> links;  ///< between them
  };

  struct answer {
    node_id source = 0, destination = 0;
    std::uint32_t flits = 0;  ///< 0: none yet
    route_state drawn = 0;
    std::uint64_t latency = 0;
  };

  std::uint64_t work_out(node_id source, node_id destination, std::uint32_t flits, route_state drawn) const;
  path walk(node_id source, node_id destination, route_state drawn) const;
  std::uint64_t serialisation(unsigned longest, std::uint32_t flits) const;
  /// Not for paper2009.
  std::uint64_t flit_by_flit(const path& way, std::uint32_t flits) const;
  std::uint64_t papers_flit_by_flit(const path& way, std::uint32_t flits) const;
  std::uint64_t credit_loop(unsigned delay) const {
    return timing_.credit_loop(delay, config_.credit_delay_cycles);
  }

  std::shared_ptr<const netlist> wiring_;
  std::shared_ptr<const routing_function> routing_;
  network_config config_;
  router_kinds kinds_;
  pipeline_timing timing_;
  bool by_hops_ = false;                 ///< one route for each pair, all links alike
  unsigned delay_ = 1;                   ///< D of all links, if so
  mutable std::vector<answer> answers_;  ///< by pair, modulo their number
};

}  // namespace toriscope
