// SPDX-License-Identifier: Apache-2.0
// A source queue: packets that wait to be sent, the first of which goes out flit by flit. The packets' records are the
// list.
#pragma once

#include <cstdint>

#include "links/flit.h"
#include "router/packet_table.h"

namespace toriscope {

struct source_queue {
  packet_id first = no_packet;
  packet_id last = no_packet;
  std::uint64_t length = 0;  ///< packets, the one being sent included
  node_id destination = 0;   ///< of the packet being sent
  std::uint32_t flits = 0;   ///< its length
  std::uint32_t sent = 0;    ///< of them already sent
  route_state state = 0;     ///< of its head
  std::uint8_t vc = 0;
  std::uint8_t vc_pointer = 0;

  void enqueue(packet_table& packets, packet_id packet) {
    if (length++ == 0)
      first = packet;
    else
      packets[last].next = packet;
    last = packet;
  }
  /// The first packet is sent on VC `on`, from cycle `now` on.
  void start(packet_table& packets, unsigned on, cycle_t now, const injection_rule& injection) {
    packet_record& record = packets[first];
    record.head_sent = now;
    flits = record.flits;
    destination = record.destination;
    state = injection.of(first, record);
    vc = static_cast<std::uint8_t>(on);
  }
  flit_word next_flit(const flit_layout& layout) {
    const std::uint64_t tag = layout.tag_of(first);
    const bool tail = sent + 1 == flits;
    const flit_word f = sent == 0 ? layout.head(destination, state, tag, tail) : layout.body(sent, tag, tail);
    ++sent;
    return f.on_vc(vc);
  }
  /// After the tail. @returns the packet that has been sent
  packet_id finish(const packet_table& packets) {
    const packet_id done = first;
    first = packets[done].next;
    sent = 0;
    --length;
    return done;
  }
};

}  // namespace toriscope
