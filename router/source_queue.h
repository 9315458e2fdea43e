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
  flit_word head;            ///< of the packet being sent
  flit_word body;            ///< its body flits, but for the index
  std::uint32_t flits = 0;   ///< its length
  std::uint32_t sent = 0;    ///< of them already sent
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
  void start(packet_table& packets, const flit_layout& layout, unsigned on, cycle_t now,
             const injection_rule& injection) {
    packet_record& record = packets[first];
    record.head_sent = now;
    flits = record.flits;
    vc = static_cast<std::uint8_t>(on);
    const std::uint64_t tag = layout.tag_of(first);
    head = layout.head(record.destination, injection.of(first, record), tag, false).on_vc(on);
    body = layout.body(0, tag, false).on_vc(on);
  }
  flit_word next_flit(const flit_layout& layout) {
    const flit_word f = sent == 0 ? head : layout.with_index(body, sent);
    return ++sent == flits ? f.as_tail() : f;
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
