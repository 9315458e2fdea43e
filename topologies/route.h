// SPDX-License-Identifier: Apache-2.0
// What a router asks a routing function, in plain types. This is the only header of topologies/ that
// the router core includes (and it route_arithmetic.h).
#pragma once

#include <cstdint>

#include "base/bit_set.h"
#include "topologies/route_arithmetic.h"

namespace toriscope {

using node_id = std::uint32_t;  ///< 0 .. N-1: the address digits read as one number, most significant first
using terminal_id =
    std::uint32_t;  ///< 0 .. T-1: a source and destination of packets; of most networks, each node's
inline constexpr terminal_id no_terminal = ~terminal_id{0};
using port_id =
    std::uint8_t;  ///< 0 .. ports-1 in netlist order; the number of ports itself is the local port
using vc_mask = std::uint16_t;      ///< bit v: VC v
using vc_set = bit_set<vc_mask>;    ///< the same with its operations
using route_state = std::uint32_t;  ///< the few bits that a head carries from hop to hop

/// Ports of a node, the local one included, at most.
inline constexpr unsigned max_ports = 31;

/// A head flit that stands at the front of an input VC.
struct route_request {
  node_id node;             ///< where the head is
  port_id in_port;          ///< the input port it came in by; the local port right after injection
  std::uint8_t in_vc;       ///< the VC it stands in
  terminal_id destination;  ///< where it wants to go; may be at `node` itself
  route_state state;        ///< as set by the hop before; right after injection: as drawn
};

/// One way on.
struct route_option {
  port_id out_port;   ///< the local port of the destination where that is reached
  vc_mask vcs;        ///< the VCs of that port that the packet may take; never empty
  route_state state;  ///< the route state that the head carries over that hop
};

/// A routing algorithm together with its VC rule. Immutable; one object serves every router, the reference model
/// network, the deadlock proof and the route tables of RTL.
class routing_function {
 public:
  static constexpr unsigned max_options = 8;

  virtual ~routing_function() = default;

  /// Writes the options in order of preference and returns how many (1 .. options_at_most()).
  /// A pure function of the request.
  virtual unsigned route(const route_request& request, route_option* options) const = 0;

  /// Bits of route_state in use.
  virtual unsigned state_bits() const = 0;

  /// The route state of a head that is injected is drawn from 0 .. n-1, each equally likely (docs/model.md, "Drawn
  /// routes"); 1: it is 0.
  virtual route_state injection_states() const { return 1; }
  /// Whether the packets of each pair get them in turn instead; there are 64 at most then.
  virtual bool takes_states_in_turn() const { return false; }

  /// The largest number that route() ever returns.
  virtual unsigned options_at_most() const { return 1; }

  /// Whether RC keeps one of several options by what waits at their output ports: that of the least queue times
  /// weight, of equal ones the first (docs/model.md, "Comparing queues").
  virtual bool compares_queues() const { return false; }

  /// The weights, by option, 0 .. 65535. A pure function of the request.
  virtual void weigh(const route_request& /*request*/, unsigned count, unsigned* weights) const {
    while (count > 0) weights[--count] = 1;
  }

  /// The VCs whose channels make up the escape routing. All of them: the dependencies of all options together
  /// are acyclic. Fewer: options without these VCs may wait for each other in a circle, for wherever a head
  /// stands, one option with nothing but these VCs is among its options, and these are acyclic (Duato 1993).
  virtual vc_mask escape_vcs() const { return static_cast<vc_mask>(~0u); }

  /// Whether route() reads the destination's address, most significant digit first, no further than to the
  /// first digit that differs from the node's - or to the end, where the first that differs belongs to the
  /// last hierarchy level of the netlist. So all destinations that agree up to there have the same options.
  virtual bool reads_to_first_difference() const { return false; }

  /// The constants of an RTL route unit that computes what route() answers, where there is one.
  virtual route_arithmetic arithmetic() const {
    return {route_arithmetic::none, "dimension order in a mesh, torus or cube, and a TTN with q = 0 have one"};
  }
};

}  // namespace toriscope
