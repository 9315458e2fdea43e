// SPDX-License-Identifier: Apache-2.0
#include "router/network_state.h"

#include <string>

#include "base/hash.h"
#include "router/invariant.h"

namespace toriscope {

void network_state::receive(packet_id id, cycle_t cycle) {
  const packet_record& record = packets[id];
  ++counters.packets_received;
  packet_hash += mix(record.source, record.destination, record.created, cycle);
  end({id, packet_end::kind::received}, cycle);
}

void network_state::report(const packet_end& e, cycle_t cycle) {
  if (!packets.has(e.packet))  // of a state that was altered
    throw invariant_violation(e.where, "packet " + std::to_string(e.packet) + " has ended twice");
  const packet_record& record = packets[e.packet];
  const std::size_t count = sinks.size();  // a sink may add others, which are told of the packets after this one
  if (e.what == packet_end::kind::discarded) {
    for (std::size_t i = 0; i < count; ++i) sinks[i]->packet_discarded(e.packet, record, e.where, e.wanted, cycle);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    e.what == packet_end::kind::received ? sinks[i]->packet_received(e.packet, record, cycle)
                                         : sinks[i]->packet_gone(e.packet, record, cycle);
  packets.retire(e.packet);
}

}  // namespace toriscope
