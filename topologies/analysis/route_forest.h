// SPDX-License-Identifier: Apache-2.0
// All routes to one destination at once. A head's way on depends on nothing but where it stands (the link it
// came by, its VC, its route state), so routes that meet stay together: every such place is asked for once
// per destination, and its distance kept, instead of once per source and hop.
//
//   options  the first that routing gives, and of its VCs the lowest, as in path.h: what an empty network
//            grants. What adaptive routing does under load is not seen here.
//   prices   O(places) calls of route() per destination: some 2 to 3 per node
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/checked_route.h"
#include "topologies/route.h"

namespace toriscope {

class route_forest {
 public:
  /// @param vcs  of each port, as the routing function was made for
  route_forest(const netlist& net, const routing_function& routing, unsigned vcs);

  /// Forgets all routes and starts anew.
  void aim_at(terminal_id destination);
  terminal_id destination() const { return destination_; }

  /// Links from the source to the destination. @throws std::logic_error when routing does what it may not
  unsigned hops(terminal_id source, route_state drawn = 0);

  /// Sends so much from the source to the destination, in equal parts by all states that may be drawn; a source may
  /// send several times.
  void send(terminal_id source, double amount);
  /// Adds what is carried to `loads`, by link, and forgets what was sent.
  void deliver(std::vector<double>& loads);

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  static constexpr std::uint32_t under_way = nowhere - 1;

  /// A head at the front of an input VC, or right after injection (places 0 .. N-1 with state 0).
  struct place {
    std::uint32_t hops = nowhere;  ///< nowhere: not known yet
    std::uint32_t next = nowhere;
    link_id out = no_link;
    double amount = 0;
  };
  struct slot {
    std::uint64_t key = 0;
    std::uint32_t age = 0;  ///< in use when it is that of the forest
    std::uint32_t place = 0;
  };

  std::uint32_t known_place(terminal_id source, route_state drawn);
  std::uint32_t place_at(link_id in, unsigned vc, route_state state);
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  const netlist& net_;
  checked_route route_;
  unsigned state_bits_;
  terminal_id destination_ = 0;
  std::vector<place> places_;
  std::vector<slot> slots_;  ///< a power of two, less than half of them in use
  std::uint32_t age_ = 0;
  std::vector<std::uint32_t> way_;
  std::vector<std::uint32_t> finished_;  ///< places with known distance, each behind the one it leads to
};

}  // namespace toriscope
