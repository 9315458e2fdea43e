// SPDX-License-Identifier: Apache-2.0
// The account of a node whose router is not the model's: flits and credits that entered and left, by what its
// links show. From it the walks over a whole network (conservation.h, silence.h) know what such a node holds.
//
//   an error   a flit leaves that belongs to no packet inside, without a credit for its VC, or while a narrow link
//              carries the one before; a credit goes out for which no flit came in
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/credit_watch.h"
#include "router/network_state.h"
#include "topologies/netlist.h"

namespace toriscope {

/// Packets of which at least one flit is inside.
struct node_contents {
  std::uint64_t flits = 0;
  std::uint64_t packets = 0;
  packet_id oldest = no_packet;  ///< the one that has been there for longest, of several the lowest number
  cycle_t since = 0;             ///< cycle from which on flits of it have been inside without a break
};

class node_account {
 public:
  /// @param ports  of the node, the local ones, which are the last, included
  node_account(unsigned ports, const network_state& network, unsigned local_ports = 1);
  /// The link out of port p: the router behind it, and the cycles that a flit occupies it (F), where they are not what
  /// the network has for all, and 1. Before cycle 0.
  void set_link(port_id p, const router_config& behind, unsigned flit_cycles);

  // In a cycle: first what comes in, by any number of ports, then what goes out.
  void flit_in(port_id p, flit_word f, cycle_t now);
  void credits_in(port_id p, credit_word c);
  /// @returns what is wrong; empty: nothing
  std::string flit_out(port_id p, flit_word f, cycle_t now);
  std::string credits_out(port_id p, credit_word c);

  /// Credits that the router has for VC v of output port p.
  unsigned credits(port_id p, unsigned v) const { return credits_[p * vcs_ + v]; }
  /// Slots of VC v of input port p that are taken, as its neighbour must see it.
  unsigned occupancy(port_id p, unsigned v) const { return slots_.taken(p * vcs_ + v); }
  /// Slots of VC v of input port p.
  struct input_slot {
    port_id p;
    unsigned v;
  };
  /// One for which the router owes a credit now; and one for which it has since the look before (credit_watch.h).
  std::optional<input_slot> owing() const { return input_of(slots_.owing()); }
  std::optional<input_slot> look_for_lost_credits() { return input_of(slots_.look()); }
  node_contents contents() const;

 private:
  struct inside {
    cycle_t since;
    std::uint32_t flits;
    std::size_t slot;  ///< by which it came in
  };
  std::optional<input_slot> input_of(std::optional<std::size_t> slot) const {
    if (!slot || revisited_) return std::nullopt;
    return input_slot{static_cast<port_id>(*slot / vcs_), static_cast<unsigned>(*slot % vcs_)};
  }

  const network_state& network_;
  const unsigned first_local_;
  const unsigned vcs_;
  struct output_link {
    unsigned flit_cycles = 1;
    unsigned vcs = ~0u;     ///< of the router behind it
    cycle_t free_from = 0;  ///< cycle in which it can take the next flit
  };
  std::vector<output_link> links_;  ///< by port
  std::vector<unsigned> credits_;   ///< by port and VC
  credit_watch slots_;              ///< likewise
  std::unordered_map<packet_id, inside> packets_;
  std::uint64_t flits_ = 0;
  bool revisited_ =
      false;  ///< a packet was inside by two inputs at once: which of its flits leave is unknown
};

}  // namespace toriscope
