// SPDX-License-Identifier: Apache-2.0
// The state that all routers of a network share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "links/wake_calendar.h"
#include "router/allocation/allocation_space.h"
#include "router/packet_sink.h"
#include "router/packet_table.h"
#include "router/pipeline_timing.h"
#include "router/port_set.h"
#include "router/router_config.h"

namespace toriscope {

/// Counted from cycle 0 on.
struct network_counters {
  std::uint64_t flits_created = 0;    ///< in source queues and beyond; not those of refused packets
  std::uint64_t flits_injected = 0;   ///< sent by network interfaces
  std::uint64_t flits_ejected = 0;    ///< received by network interfaces
  std::uint64_t flits_discarded = 0;  ///< given up by routers
  std::uint64_t flits_imported = 0;   ///< from another part of the network, simulated elsewhere
  std::uint64_t flits_exported = 0;   ///< to it
  std::uint64_t packets_created = 0;  ///< as flits_created
  std::uint64_t packets_received = 0;
  std::uint64_t packets_discarded = 0;  ///< found no way on over live links
  std::uint64_t packets_refused = 0;    ///< had none when they were created
  std::uint64_t router_steps = 0;       ///< nodes stepped

  network_counters& operator+=(const network_counters& more);
};

inline constexpr std::uint64_t network_counters::*all_counters[] = {
    &network_counters::flits_created,    &network_counters::flits_injected,    &network_counters::flits_ejected,
    &network_counters::flits_discarded,  &network_counters::flits_imported,    &network_counters::flits_exported,
    &network_counters::packets_created,  &network_counters::packets_received,  &network_counters::packets_discarded,
    &network_counters::packets_refused,  &network_counters::router_steps};

inline network_counters& network_counters::operator+=(const network_counters& more) {
  for (std::uint64_t network_counters::*const count : all_counters) this->*count += more.*count;
  return *this;
}

/// What the sinks of a network are told, or the end of a record.
struct packet_end {
  enum class kind : std::uint8_t {
    received,
    discarded,  ///< its flits go on to be given up
    gone,       ///< they have been
  };
  packet_id packet;
  kind what;
  port_id wanted = 0;  ///< discarded: see packet_sink
  node_id where = 0;   ///< likewise
};

/// The state that all routers of a network share, or of a part of it (network/network_part.h): a part has its own
/// memory, calendar and counts, but the packets are those of the whole.
struct network_state {
  /// @param furthest_cycles  how far ahead of the present cycle something may be due
  /// @param expected_bytes   that the state of all nodes and wires will take, about
  /// @param packets_of_whole  of the network that this is a part of; null: this is all of it
  network_state(const router_config& c, const flit_layout& l, const routing_function& r, std::uint32_t nodes,
                unsigned furthest_cycles, std::size_t expected_bytes = 0,
                std::shared_ptr<packet_table> packets_of_whole = nullptr)
      : node_count(nodes),
        kind(c),
        layout(l),
        routing(r),
        options_per_vc(r.options_at_most()),
        injection(r),
        compares_queues(r.compares_queues()),
        memory(std::max(expected_bytes, std::size_t{1024}), huge_pages()),
        wakes(nodes, furthest_cycles),
        packets_of_all(packets_of_whole ? std::move(packets_of_whole) : std::make_shared<packet_table>()) {}

  const std::uint32_t node_count;
  const router_kind kind;  ///< of routers without values of their own
  const router_config& config = kind.config;
  const pipeline_timing& timing = kind.timing;
  const flit_layout layout;
  const routing_function& routing;
  const unsigned options_per_vc;
  const injection_rule injection;
  const bool compares_queues;
  unsigned message_classes = 1;                 ///< docs/model.md, "Message classes"
  bool shared_classes = false;                  ///< all classes on all VCs
  bool limited_reception = false;               ///< docs/model.md, "Limited reception"
  bool near_wires = false;                      ///< all wires are near (links/delay_line.h)
  reception_gate* gate = nullptr;               ///< null: all packets are admitted
  std::uint32_t hop_limit = ~std::uint32_t{0};  ///< a packet that crosses more links is a broken invariant

  cycle_t now = ~cycle_t{0};  ///< the cycle that is, or was last, done; set before the routers are stepped

  arena memory;  ///< state of all nodes and wires
  wake_calendar wakes;
  const std::shared_ptr<packet_table> packets_of_all;
  packet_table& packets = *packets_of_all;
  std::vector<packet_sink*> sinks;
  network_counters counters;
  std::uint64_t packet_hash = 0;

  allocation_space allocation;  ///< space for one pass of configurable_pipeline, of one router at a time

  bool reports_later = false;    ///< other parts are stepped at the same time: ends wait for report_ends()
  std::vector<packet_end> ends;  ///< in the order of the nodes

  /// Packet `id`, all of it, has been received in cycle `now`.
  void receive(packet_id id, cycle_t cycle);
  void end(const packet_end& e, cycle_t cycle) {
    if (reports_later) return ends.push_back(e);
    report(e, cycle);
  }
  void report_ends() {
    for (const packet_end& e : ends) report(e, now);
    ends.clear();
  }

  void report(const packet_end& e, cycle_t cycle);

  /// The packet that a flit belongs to.
  packet_id packet_of(flit_word f) const { return packets.find(layout.tag(f), layout.tag_bits()); }
  /// The VCs of a port.
  vc_set all_vcs() const { return vc_set::below(config.vcs); }
};

}  // namespace toriscope
