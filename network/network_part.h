// SPDX-License-Identifier: Apache-2.0
// A part of a network in one process: a range of its nodes, which one thread steps in each cycle (docs/threads.md). A
// network that one thread steps is one part.
//
//   border          links: what a node does in a cycle concerns the node, its part, and the wires that it sends on,
//                   which show nothing of it in this cycle
//   crossing wires  have schedules of their own. The part that sends notes what was sent; the one that reads takes the
//                   notes before its next cycle, and only then its schedules and calendar say so
//   order           what must be known in the order of the nodes - packets that end - is kept, and told when all parts
//                   are through
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "network/node.h"
#include "network/wire_table.h"
#include "router/invariant.h"
#include "router/network_state.h"

namespace toriscope {

class network_part {
 public:
  /// @param parts  of the network, this one included
  template <class... Args>
  explicit network_part(unsigned parts, Args&&... args) : state(std::forward<Args>(args)...), notes_(parts) {}

  network_state state;
  std::uint64_t wire_hash = 0;                ///< of the words that its nodes sent
  std::vector<node_id> stepped_watched;       ///< in this cycle
  std::optional<invariant_violation> broken;  ///< in this cycle, at the first such node

  /// What is asked for after each cycle, in a cache line of its own.
  struct summary {
    alignas(64) std::size_t stepped = 0;  ///< nodes
    bool ends = false, watched = false, broken = false;
  };
  summary done;

  /// A wire from this part, number `own`, to another one: its words are noted from now on.
  template <class Word>
  void add_crossing(const cut_wire<Word>& wire, unsigned to);

  /// Before step() of cycle `now`: takes what `all` parts sent to this one, number `own`, in the cycle before.
  void take_notes(const std::vector<std::unique_ptr<network_part>>& all, unsigned own, cycle_t now);
  /// Does cycle `now` of the nodes that have something to do.
  /// @param watched  by node: listed in stepped_watched; empty: none are
  void step(const std::vector<node*>& nodes, cycle_t now, const std::vector<bool>& watched);

 private:
  /// A crossing wire shows something, or does not after all.
  struct note {
    arrival_schedule* reader;
    cycle_t shown;
    unsigned arrival;
    bool valid;
  };
  template <class Word>
  class crossing;

  /// Notes of one cycle are read while those of the next are written; only who writes them clears them.
  struct alignas(64) note_list {
    std::vector<note> notes;
  };
  std::vector<note>& notes_for(unsigned part, cycle_t sent) { return notes_[part][sent & 1].notes; }
  bool step_node(node& n, cycle_t now, const std::vector<bool>& watched);

  std::vector<std::array<note_list, 2>> notes_;  ///< by the part that reads, and by cycle
  std::vector<std::unique_ptr<wire_watcher>> crossings_;
  std::vector<node*> awake_;  ///< the nodes of a cycle, where they are prefetched
};

/// Fewer nodes that have something to do are not worth a meeting of threads in a cycle. Tests set the environment
/// variable TORISCOPE_SHARED_NODES to another number.
std::size_t nodes_worth_a_meeting();
/// How many parts a network of this number of nodes has for some threads.
unsigned parts_for(unsigned threads, std::size_t nodes);

/// The parts of a network, `count` in all.
std::vector<std::unique_ptr<network_part>> make_parts(const netlist& wiring, const routing_function& routing,
                                                      const network_config& config, const wire_table& wires,
                                                      unsigned count);

}  // namespace toriscope
