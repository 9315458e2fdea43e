// SPDX-License-Identifier: Apache-2.0
// The account of a node whose router is not the model's: flits and credits that entered and left, by what its
// links show. From it the walks over a whole network (conservation.h, silence.h) know what such a node holds.
//
//   an error   a flit leaves that belongs to no packet inside, or without a credit for its VC; a credit
//              goes out for which no flit came in
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

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
  /// @param ports  of the node, the local one, which is the last, included
  node_account(unsigned ports, const network_state& network);

  // In a cycle: first what comes in, by any number of ports, then what goes out.
  void flit_in(port_id p, flit_word f, cycle_t now);
  void credits_in(port_id p, credit_word c);
  /// @returns what is wrong; empty: nothing
  std::string flit_out(port_id p, flit_word f);
  std::string credits_out(port_id p, credit_word c);

  /// Credits that the router has for VC v of output port p.
  unsigned credits(port_id p, unsigned v) const { return credits_[p * vcs_ + v]; }
  /// Slots of VC v of input port p that are taken, as its neighbour must see it.
  unsigned occupancy(port_id p, unsigned v) const { return occupancy_[p * vcs_ + v]; }
  node_contents contents() const;

 private:
  struct inside {
    cycle_t since;
    std::uint32_t flits;
  };

  const network_state& network_;
  const unsigned local_;
  const unsigned vcs_;
  std::vector<unsigned> credits_, occupancy_;  ///< by port and VC
  std::unordered_map<packet_id, inside> packets_;
  std::uint64_t flits_ = 0;
};

}  // namespace toriscope
