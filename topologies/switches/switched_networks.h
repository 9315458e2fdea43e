// SPDX-License-Identifier: Apache-2.0
// Networks whose routers carry several terminals, or none: wiring and routing. Digits are written d[0] d[1] ..., the
// most significant first.
#pragma once

#include <memory>

#include "topologies/netlist.h"

namespace toriscope {

struct switched_network {
  std::shared_ptr<netlist> wiring;
  std::shared_ptr<const routing_function> routing;
};

/// One router with `terminals` terminals and no link.
switched_network make_crossbar(unsigned terminals, unsigned vcs);

/// The k-ary n-tree (Petrini, Vanneschi 1997): n levels of k^(n-1) switches, level 0 at the top, k^n terminals at the
/// lowest. Switch w of level l is linked with the switches of level l + 1 that differ from it in digit l at most.
/// Routing: up to the nearest level of a common ancestor, then down. Down there is one way; up the port is given by the
/// destination (digit l at level l, which spreads destinations evenly), or drawn for each packet, or, adaptive, any.
enum class ways_up { by_destination, drawn, any };
switched_network make_fat_tree(unsigned k, unsigned n, unsigned vcs, ways_up ways);

/// The k-ary n-fly (Dally and Towles 2004, Sect. 4.1): n stages of k^(n-1) switches, links in one direction; terminals
/// send into the first stage and receive from the last. Output port j of switch w in stage s leads to the switch of
/// stage s + 1 that has digit s = j. Routing: by the digits of the destination.
switched_network make_butterfly(unsigned k, unsigned n, unsigned vcs);

/// The flattened butterfly (Kim, Dally, Abts 2007): k^n routers with `each` terminals, all routers that differ in one
/// digit linked. Routing: dimension order, one hop for each digit that differs, the most significant first.
switched_network make_flattened_butterfly(unsigned k, unsigned n, unsigned each, unsigned vcs);

/// The dragonfly (Kim, Dally, Scott, Abts 2008): a h + 1 groups of a routers, each with p terminals and h global links;
/// the routers of a group are all linked. Global link i = router * h + port of group G leads to group G + i + 1.
/// Routing: minimal, at most a local, a global and a local hop. Local links have two classes of VCs: one in the group
/// of the destination, one in the others.
switched_network make_dragonfly(unsigned a, unsigned p, unsigned h, unsigned vcs);

}  // namespace toriscope
