// SPDX-License-Identifier: Apache-2.0
// What the transaction-level network consists of: channels, their lanes, and the segments of packets.
//
//   channel  one direction of a link, or the way from an interface into its router, or out of it
//   lane     a VC of a channel with the buffer behind it
//   segment  a packet on one lane, from the grant of the VC until its last flit has left the buffer behind.
//            The segments of a packet form a chain from its head to its tail
//
// A segment is either *uncontended* - alone on its way through the router, so that the cycles in which its flits
// pass follow from the cycle of the head - or *shared*: it competes with others, flit by flit, and counts.
#pragma once

#include <cstdint>

#include "network/transaction/event_calendar.h"
#include "router/packet_table.h"
#include "router/port_set.h"
#include "topologies/route.h"

namespace toriscope {

using lane_id = std::uint32_t;
using segment_id = std::uint32_t;
inline constexpr segment_id no_segment = ~segment_id{0};
inline constexpr std::uint32_t no_channel = ~std::uint32_t{0};

struct transaction_channel {
  std::uint32_t from = 0;          ///< steps it: a router, or an interface (node count + terminal)
  node_id to = 0;                  ///< the router behind it
  std::uint16_t to_port = 0;       ///< the input port of that router
  std::uint16_t lag = 1;           ///< cycles from a flit's slot to where it can have its next slot
  std::uint16_t credit_lag = 1;    ///< cycles from a flit's slot behind the channel to the credit usable here
  std::uint8_t flit_cycles = 1;    ///< F
  std::uint8_t vcs = 1;            ///< of the router behind it,
  std::uint8_t depth = 1;          ///< flits per VC there,
  std::uint8_t rc = 0;             ///< and its timing: from a head's arrival to VA,
  std::uint8_t head_va = 0;        ///< and from there to the head's first slot
  bool limited = true;             ///< the buffer behind it is; not that of an interface
  bool can_be_uncontended = true;  ///< the buffer never delays flits: make_channel()
  bool crosses_link = true;        ///< of the netlist
  bool into_interface = false;     ///< an ejection channel
  bool by_vc = false;              ///< VCs do not share it: an interface takes a flit of each in a cycle
  std::uint16_t senders = 0;       ///< segments with flits to send over it
  std::uint16_t readers = 0;       ///< segments with flits to send that come in by it
  std::uint16_t vc_pointer = 0;    ///< of the input port behind it
  std::uint16_t port_pointer = 0;  ///< of the output port before it
  vc_set owned;                    ///< VCs that no packet can get
  cycle_t busy_until = 0;          ///< narrow links: no slot before
  std::uint64_t flits = 0;         ///< sent by segments that are done
};

struct transaction_lane {
  segment_id first = no_segment;    ///< at the front of the buffer
  segment_id last = no_segment;     ///< the latest packet that got the VC
  std::uint16_t vc_pointer = 0;     ///< of VC allocation: as an input VC,
  std::uint16_t owner_pointer = 0;  ///< and as an output VC
  std::uint32_t left_flits = 0;     ///< of the packet that left the buffer last,
  cycle_t left = 0;                 ///< and the slot of its tail
};

struct segment {
  packet_id packet = no_packet;
  cycle_t start = 0;    ///< slot of the head, or the first cycle in which it may have one
  cycle_t end = never;  ///< slot of the tail, once that is known
  cycle_t alone_from =
      0;  ///< of an uncontended one that was shared before: its slots from there on follow from `start`
  cycle_t head_due = never;  ///< when the head takes part in VC allocation behind the channel
  std::uint32_t flits = 1;
  std::uint32_t sent = 0;  ///< of a shared segment: flits that have had their slot
  lane_id lane = 0;
  std::uint32_t channel = 0;              ///< of the lane
  std::uint32_t in_channel = no_channel;  ///< by which it comes in; `no_channel` from an interface
  segment_id up = no_segment;             ///< the packet's segment before, whose buffer feeds this one
  segment_id down = no_segment;           ///< the one behind, once the head has got a VC
  segment_id behind = no_segment;         ///< the next packet in the same lane
  route_state state = 0;
  node_id destination = 0;
  std::uint32_t hops = 0;     ///< links of the netlist that the head has been given, up to here
  std::uint16_t lag = 0;      ///< of in_channel
  std::uint8_t held = 0;      ///< cycles that flits of an uncontended segment keep behind their head
  std::uint8_t every = 1;     ///< F of the channel
  std::uint16_t in_port = 0;  ///< for arbitration: where it comes from,
  std::uint16_t in_vc = 0;    ///< and on which VC
  std::uint8_t kept =
      all_options;  ///< which option the head behind the channel has, where queues are compared
  static constexpr std::uint8_t all_options = 255;
  bool shared = false;
  bool done = false;     ///< the tail has had its slot
  bool waiting = false;  ///< the head wants a VC behind the channel
};

}  // namespace toriscope
