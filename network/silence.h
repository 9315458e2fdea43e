// SPDX-License-Identifier: Apache-2.0
// Silence: no flit moves anywhere although packets are under way.
//
// In a network of the model's routers the wait-for graph (watchdog.h) finds every deadlock. It does not know what
// a router that is not the model's waits for, and takes it for one that can move. So where there are such
// routers, silence for long enough is a failure: nothing that can move stays where it is for that long.
//
//   counts as under way   flits that have been injected, and neither ejected nor discarded
//   does not count        a packet at its destination that the reception gate admits after some time
#pragma once

#include <optional>
#include <vector>

#include "base/word_reader.h"
#include "network/failure.h"
#include "network/node.h"
#include "network/watchdog.h"

namespace toriscope {

class silence_watch {
 public:
  /// To be called now and then. @param cycles  silence of this length is a failure
  /// @param nodes  null: in other parts of the network  @param share  gives the words of all parts; empty: there is one
  /// @returns the failure: one line, and a line for each place where packets wait
  std::optional<network_failure> look(const netlist& wiring, const std::vector<node*>& nodes,
                                      const network_state& network, const network_counters& counters, cycle_t done,
                                      cycle_t cycles, const part_sharer& share = {});

 private:
  std::uint64_t moves_ = 0;
  cycle_t since_ = 0;  ///< the call before which the last move was seen
};

/// What is inside the nodes whose router is not the model's, and in which of them the oldest packet stands.
struct foreign_contents {
  node_contents all;
  node_id node = 0;

  /// Those of other nodes.
  void add(const foreign_contents& more);
  void append_to(std::vector<std::uint64_t>& words) const;
  static foreign_contents from(word_reader& words);
};
/// @param nodes  null: not here
foreign_contents contents_of_foreign_routers(const std::vector<node*>& nodes);

}  // namespace toriscope
