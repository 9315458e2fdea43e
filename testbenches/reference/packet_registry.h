// SPDX-License-Identifier: Apache-2.0
// What routers and network interfaces of the reference model need from the network around them: the numbers
// and the ends of packets, which never travel on wires.
#pragma once

#include <cstdint>

#include "links/flit.h"
#include "topologies/route.h"

namespace toriscope::reference {

class packet_registry {
 public:
  virtual ~packet_registry() = default;
  /// Puts the packets created in cycle `now` into the queues of their sources. All interfaces call it at the
  /// start of their cycle and the first call does it, so the order of the processes does not matter.
  virtual void create_packets(cycle_t now) = 0;
  /// The sequence number of the packet under way with this tag.
  virtual std::uint64_t sequence_number(std::uint64_t tag) const = 0;
  /// Limited reception: may the packet with this tag be received? Asked in every cycle until it may.
  virtual bool admit_packet(std::uint64_t tag, cycle_t now) = 0;
  /// The tail of the packet with this tag has left its source queue.
  virtual void packet_sent(std::uint64_t tag, cycle_t now) = 0;
  /// The tail of the packet with this tag has been received by node `at` in cycle `now`.
  virtual void receive_packet(std::uint64_t tag, terminal_id at, cycle_t now) = 0;
  /// The packet with this tag is given up by the router of node `at` from cycle `now` on.
  virtual void discard_packet(std::uint64_t tag, node_id at, cycle_t now) = 0;
};

}  // namespace toriscope::reference
