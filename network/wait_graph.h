// SPDX-License-Identifier: Apache-2.0
// Who waits for whom in a network: places where packets wait, and for each either that it can move, sooner
// or later, or the places that it waits for, any of which will do (network/watchdog.h). What cannot reach,
// along these waits, a place that can move will never move.
#pragma once

#include <cstdint>
#include <vector>

#include "router/packet_table.h"
#include "topologies/route.h"

namespace toriscope {

/// Where packets wait.
struct wait_place {
  enum class kind : std::uint8_t {
    input_vc,      ///< of a router
    reception,     ///< a VC's reception buffer
    source_queue,  ///< of a message class
  };
  node_id node = 0;
  port_id port = 0;     ///< input_vc; else which of the terminals of the node
  std::uint8_t vc = 0;  ///< source_queue: the class
  kind what = kind::input_vc;

  /// A number of its own, ascending by node, port and VC.
  std::uint64_t key() const {
    return std::uint64_t{node} << 32 | std::uint64_t{port} << 16 | std::uint64_t{vc} << 8 |
           static_cast<std::uint64_t>(what);
  }
  static wait_place with_key(std::uint64_t key) {
    return {static_cast<node_id>(key >> 32), static_cast<port_id>(key >> 16 & 0xffff),
            static_cast<std::uint8_t>(key >> 8), static_cast<kind>(key & 0xff)};
  }
};

/// A place that holds something.
struct wait_vertex {
  wait_place place;
  bool can_move = false;
  packet_id packet = no_packet;  ///< the one at its front; source_queue: how many there are
  node_id source = 0;            ///< of this packet
  node_id destination = 0;
  cycle_t front = 0;  ///< since when the flit at its front has been there
  cycle_t taken = 0;  ///< when the last flit came
};

/// `from`, the number of a vertex, waits for a place because that has no free slot (credit), or because it
/// owns what `from` wants. Where nothing stands it will come free, and `from` can move.
struct wait_arc {
  std::uint32_t from = 0;
  std::uint64_t to = 0;  ///< the key of a place
  bool credit = false;
};

class wait_graph {
 public:
  wait_graph() = default;
  /// @param waits  in ascending order of `from`; of several of a vertex the first is shown
  wait_graph(std::vector<wait_vertex> vertices, std::vector<wait_arc> waits);

  /// Vertices that wait for each other only.
  struct knot {
    std::vector<bool> members;
    cycle_t since = 0;  ///< the last flit among them moved in this cycle
  };

  /// The vertices that will never move again.
  std::vector<bool> dead() const;
  /// Of the dead, those that were the first to wait for each other only.
  knot first_knot(const std::vector<bool>& dead) const;
  /// The channels of a cycle of waits in a knot, in waiting order from the lowest on: the places that a packet lacks
  /// credit for, and the source queues.
  std::vector<wait_vertex> cycle(const knot& among) const;

 private:
  struct edge {
    std::uint32_t from, to;
    bool credit;
  };

  /// `reached`, and all that wait for one of them, directly or not.
  std::vector<bool> with_waiting(std::vector<bool> reached) const;

  std::vector<wait_vertex> vertices_;
  std::vector<edge> edges_;
  std::vector<edge> by_target_;  ///< the same
};

/// Vertices and waits of a part of a network as words, and the graph that the words of all parts make.
std::vector<std::uint64_t> stall_text(const std::vector<wait_vertex>& vertices,
                                      const std::vector<wait_arc>& waits);
wait_graph joined_wait_graph(const std::vector<std::vector<std::uint64_t>>& parts);

}  // namespace toriscope
