// SPDX-License-Identifier: Apache-2.0
// The packets inside a user's router: what enters must leave, once, in order and unchanged.
//
// A packet has a tag while it is inside, a number that fits into the router's tag field; the model's flits
// wait here until those of the router leave.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "network/credit_watch.h"
#include "network/node.h"
#include "rtl_models/user_rtl/adapter_config.h"

namespace toriscope {

/// A packet of which some flits are inside.
struct packet_inside {
  packet_id packet = no_packet;  ///< no_packet: the tag is free
  flit_word head;                ///< as it came in
  port_id in_port = 0;
  std::uint8_t in_vc = 0;
  unsigned length = 0;
  unsigned entered = 0;         ///< 0: the tag is free, or the head is about to go in
  unsigned left = 0;
  bool leaving = false;         ///< its head has left
  cycle_t since = 0;            ///< cycle in which the head entered
  quantity_values values;       ///< of the head
  std::deque<flit_word> flits;  ///< entered and have not left
};

class packet_scoreboard {
 public:
  packet_scoreboard(const node_context& context, const adapter_config& config);

  /// A head is about to go in: gives its packet a tag. null: none is free now
  packet_inside* open(flit_word head, port_id in_port, unsigned in_vc, cycle_t now);
  /// The flit as the router wants it. @param number  of the flit in its packet
  wide_flit encode(const packet_inside& p, flit_word f, unsigned number) const;
  /// The flit has been accepted by the router.
  void enter(packet_inside& p, flit_word f);

  /// The packet of a head that left by `port`. @throws rtl_assertion when there is none
  packet_inside& find(const wide_flit& head, const std::string& port);
  /// The next flit of the packet has left. @returns the model's flit. @throws rtl_assertion
  flit_word leave(packet_inside& p, const wide_flit& flit, const std::string& port);

  std::size_t packets() const { return packets_; }
  /// Packets that have left, to the tail.
  std::uint64_t finished() const { return finished_; }
  std::size_t flits() const;
  /// The packets of which some flits have gone in, in no order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const packet_inside& p : by_tag_)
      if (p.entered > 0) visit(p);
  }
  /// The packet that has been inside for longest; null: there is none.
  const packet_inside* oldest() const;
  /// The router has given back a slot for VC v of the router at input port `in_port`.
  void credit(port_id in_port, unsigned v) { slots_.credit(in_port * std::size_t{config_.vcs} + v); }
  /// Slots of such a buffer in use: credits that have not come back, or else flits that have not left.
  unsigned taken(port_id in_port, unsigned v) const {
    const std::size_t slot = in_port * std::size_t{config_.vcs} + v;
    return config_.gives_credits ? slots_.taken(slot) : slots_.inside(slot);
  }
  /// For routers with credits: a credit that is owed now, in words; and one that was at the look before, too.
  std::string owed_credit() const { return describe_slot(slots_.owing()); }
  std::string look_for_lost_credits() { return describe_slot(slots_.look()); }
  /// "packet 17 (from node 3 to node 7, 4 flits)".
  std::string describe(const packet_inside& p) const;

 private:
  std::size_t slot_of(const packet_inside& p) const {
    return p.in_port * std::size_t{config_.vcs} + (config_.vcs > 1 ? p.in_vc : 0u);
  }
  /// "inside: 3, 4, 9", the tags.
  std::string tags_inside() const;
  std::string describe_slot(std::optional<std::size_t> slot) const;
  quantity_values flit_values(const packet_inside& p, flit_word f, unsigned number) const;

  const node_context context_;
  network_state& network_;
  const adapter_config& config_;
  std::vector<packet_inside> by_tag_;
  credit_watch slots_;  ///< by port of the node and VC of the router
  std::size_t next_tag_ = 0;
  std::size_t packets_ = 0;
  std::uint64_t finished_ = 0;
};

/// Quantities that belong to a node.
quantity_values node_values(const netlist& wiring, node_id node, unsigned vcs, unsigned depth);

/// The option of the routing function for a head that came in as `p` did, out of port `out`, and on `vc`;
/// none: the routing function does not go there. `out`, `vc` < 0: its first option, whatever port or VC that is.
std::optional<route_option> routed(const packet_inside& p, const node_context& context, int out, int vc = -1);

/// The VCs on which such a head may leave by port `out`.
vc_mask routed_vcs(const packet_inside& p, const node_context& context, int out);

}  // namespace toriscope
