// SPDX-License-Identifier: Apache-2.0
// Whether the packets that wait at sources grow beyond what chance explains (docs/model.md, "Stable").
//
//   test   A source queue that was never empty in the second half of the window has sent what the network
//          takes from it. It grows when that is less than the load that it is offered. Growth of the queue
//          itself would tell the same with the noise of the arrivals on top, and in a queue that only fills up
//          to its steady state: here the load is known, and so is the moment when the queue was last empty (a
//          packet was sent in the cycle of its creation)
//   queue  of a node and message class: node * classes + class
//   cost   a few additions per packet; 88 bytes per queue
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/state_archive.h"
#include "base/word_reader.h"
#include "router/packet_table.h"

namespace toriscope {

/// What sources are offered.
struct source_load {
  enum class kind {
    known,    ///< the mean load is `flits_per_cycle`
    counted,  ///< the packets created are all that is known of it: from a file, or with dead links
    limited,  ///< sources wait for what they sent before: their queues cannot grow
  };
  kind what = kind::counted;
  double flits_per_cycle = 0;  ///< of a queue
  double burst_packets = 1;    ///< created one after the other, on average; 1: without bursts
};

/// Flits per cycle.
struct backlog_growth {
  double growth = 0;          ///< of all queues that were not empty since the middle of the window
  double standard_error = 0;  ///< of it
  bool growing = false;       ///< more than chance explains: these, or what waits in all queues
  double in_all = 0;          ///< growth of what waits in all queues in the second half
  std::uint64_t sources = 0;  ///< with a queue that grows
  node_id worst = 0;          ///< where it grows fastest, when `sources` > 0
  double worst_growth = 0;
};

class source_backlogs {
 public:
  static constexpr unsigned bins = 16;

  /// @param window  cycles, from `begin` on
  source_backlogs(node_id nodes, unsigned classes, const source_load& load, cycle_t begin, cycle_t window);

  /// Of every packet once, by the end of the run.
  void created(const packet_record& record);
  /// Of every packet whose head was sent (then or later).
  void sent(const packet_record& record);
  /// Of every packet that is not sent by the end of the run.
  void waits(const packet_record& record);
  /// The window becomes twice as long. What was told of packets sent after its end is to be told again.
  void double_window();

  backlog_growth growth() const;

  void append_to(std::vector<std::uint64_t>& words) const;
  void add_from(word_reader& words);
  void archive(state_archive& a);

 private:
  struct queue {
    std::array<std::uint32_t, bins> sent{};  ///< flits, by the cycle in which their packet's head was sent
    std::uint64_t empty_until = 0;  ///< the last cycle of the window in which it was empty, + 1; 0: none
    std::uint64_t earliest = ~std::uint64_t{0};  ///< creation of the oldest packet sent in the window or later
    std::uint32_t waiting = 0;      ///< packets that waited at the end of the window
  };

  std::size_t queue_of(const packet_record& record) const {
    return std::size_t{record.source} * classes_ + record.message_class;
  }
  cycle_t end() const { return begin_ + window_; }
  double offered(std::size_t queue, unsigned bin) const;
  cycle_t begin_of(unsigned bin) const { return (window_ * bin + bins - 1) / bins; }
  unsigned bin_of(cycle_t moment) const { return static_cast<unsigned>(moment * bins / window_); }

  unsigned classes_;
  source_load load_;
  cycle_t begin_;
  cycle_t window_;
  std::uint32_t longest_ = 1;  ///< packet, in flits
  std::array<std::uint64_t, bins> all_created_{};  ///< flits, of all queues
  std::vector<queue> queues_;  ///< none where they are limited
  std::vector<std::array<std::uint32_t, bins>> created_;  ///< flits; only where the load is counted
};

}  // namespace toriscope
