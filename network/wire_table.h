// SPDX-License-Identifier: Apache-2.0
// All wires of a network by number (docs/model.md, "Hashes"): the links of the netlist 0 .. L-1, then the
// injection links by terminal, then the ejection links by terminal.
#pragma once

#include <cstddef>
#include <vector>

#include "links/delay_line.h"
#include "network/network_config.h"
#include "network/router_kinds.h"
#include "topologies/netlist.h"
#include "topologies/node_ranges.h"

namespace toriscope {

/// A wire between parts that several threads step (network_part.h): its words are noted in a schedule of its own, as
/// the reader's may be in use.
template <class Word>
struct cut_wire {
  delay_line<Word>* wire;
  node_id from;
  arrival_schedule* reader;
  unsigned arrival;  ///< the bit under which the reader notes it
  node_id to;
};

class wire_table {
 public:
  /// @param kinds  must outlive the table
  /// @param parts  likewise
  wire_table(const netlist& wiring, const network_config& config, const router_kinds& kinds,
             const node_ranges& parts);

  /// Makes the wires that the router of node n reads: flits of its incoming links, credits of its outgoing ones, and
  /// those of its local ports.
  void make_wires_of(node_id n, arrival_schedule& reader, arena& memory);
  /// Makes the wires that the network interface of terminal t reads.
  void make_wires_of_interface(terminal_id t, arrival_schedule& reader, arena& memory);

  /// Link l leaves this part of the network: makes its flit wire, which no node here reads.
  void make_wire_out(link_id l, arena& memory);
  /// Link l comes from another part of the network: makes its credit wire, which no node here reads.
  void make_credit_wire_out(link_id l, arena& memory);

  /// Those made so far.
  const std::vector<cut_wire<flit_word>>& cut_flits() const { return cut_flits_; }
  const std::vector<cut_wire<credit_word>>& cut_credits() const { return cut_credits_; }

  std::size_t injection(terminal_id t) const { return links_ + t; }
  std::size_t ejection(terminal_id t) const { return links_ + terminals_ + t; }
  std::size_t size() const { return flits_.size(); }

  flit_wire& flit(std::size_t number) { return *flits_[number]; }
  /// Whether wire `number` is there: all are, but where the network is one part of several (distributed/).
  bool has_flit(std::size_t number) const { return flits_[number]; }
  /// The credits that come back for wire `number`; null for ejection links, unless reception is limited.
  credit_wire* credit(std::size_t number) { return credits_[number]; }

  /// Whether they do, on some rank.
  bool has_credits(std::size_t number) const { return number < ejection(0) || limited_reception_; }

  /// VCs of wire `number`: those of the router that it leads to, or an ejection link comes from.
  unsigned vcs(std::size_t number) const;

  /// Cycles from sent to shown, whole: D + F - 1.
  static unsigned flit_delay(const netlist_link& l) { return l.delay_cycles + l.flit_cycles - 1u; }

  /// Cycles from sent to shown of the credits of a link.
  unsigned credit_delay(const netlist_link& l) const { return l.delay_cycles + credit_delay_; }

  /// Whether all wires are near (links/delay_line.h).
  bool all_near() const { return longest_delay_ == 1 && longest_reach_ < near_cycles; }
  /// How far ahead any wire may show something, in cycles.
  unsigned longest_reach() const { return longest_reach_; }
  /// Cycles from sent to shown, of any wire.
  unsigned longest_delay() const { return longest_delay_; }

 private:
  flit_wire* make_flits(arena& memory, unsigned delay, node_id from, node_id to, arrival_schedule& reader,
                        unsigned arrival, unsigned ahead_cycles = 0);
  credit_wire* make_credits(arena& memory, unsigned delay, node_id from, node_id to, arrival_schedule& reader,
                            unsigned arrival);
  /// Cycles between the switch allocation of a flit and its sending.
  unsigned ahead(node_id n) const { return kinds_.of(n).timing.send_ahead; }

  const netlist& wiring_;
  const unsigned injection_delay_;
  const unsigned ejection_delay_;
  const unsigned credit_delay_;
  const router_kinds& kinds_;
  const node_ranges& parts_;
  unsigned longest_reach_;
  unsigned longest_delay_;
  const bool limited_reception_;
  const std::size_t links_;
  const std::size_t terminals_;
  std::vector<flit_wire*> flits_;
  std::vector<credit_wire*> credits_;
  std::vector<cut_wire<flit_word>> cut_flits_;
  std::vector<cut_wire<credit_word>> cut_credits_;
};

}  // namespace toriscope
