// SPDX-License-Identifier: Apache-2.0
// The clock of all links of a clock domain: which cycle they show.
//
// The visible cycle advances in the update phase of each rising edge, never during evaluation: in the
// evaluation phase of edge t every reader sees cycle t, whatever runs first; after its update phase the links
// show cycle t+1, as registers clocked by that edge would. Observed links are brought up to date here, and
// only those on which something happens.
#pragma once

#include <cstddef>
#include <systemc>
#include <utility>
#include <vector>

#include "links/flit.h"

namespace toriscope {

/// The side of a link that the link clock sees.
class clocked_link {
 public:
  virtual ~clocked_link() = default;
  /// Shows the word of cycle `now`. Update phase only.
  virtual void refresh(cycle_t now) = 0;
  /// Sends what was written, or is held, in cycle `now`. Update phase only.
  virtual void sample(cycle_t now) = 0;
};

/// Wants to know when a cycle is over.
class cycle_listener {
 public:
  virtual ~cycle_listener() = default;
  /// The update phase of edge `done` is over for all links: the state is that after `done`, the links show
  /// done+1.
  virtual void cycle_done(cycle_t done) = 0;
};

class link_clock : public sc_core::sc_prim_channel {
 public:
  explicit link_clock(const char* name);

  /// The cycle that the links show: t during the evaluation phase of edge t, t+1 afterwards.
  cycle_t visible() const { return visible_; }

  /// To be called once in the evaluation phase of every rising edge.
  void edge();
  /// Before the first cycle: `cycles` were done in an earlier run.
  void resume(cycle_t cycles) { visible_ = cycles; }

  /// Before the first cycle: no kernel runs, and the caller of edge() calls update_now() after it. Processes that wait
  /// for events of links do not run; all else is as ever.
  /// @param period  of a cycle, in units of time stamps
  void leave_kernel(std::uint64_t period) { period_ = period; }
  bool in_kernel() const { return period_ == 0; }
  /// Without a kernel: the update phase of the edge, or of what was written since the last one; nothing without those.
  void update_now() {
    if (edge_ || !written_.empty()) update();
  }
  /// The present time, in units of SystemC's resolution: without a kernel that of the last edge.
  std::uint64_t time_stamp() const;

  /// `link` shows another word in cycle `shown` > visible() or, if `shown` == visible(), from this update on.
  /// @param part  the part of the network that sends on the link (begin_parts())
  void refresh_at(clocked_link& link, cycle_t shown, unsigned part = 0);
  /// The parts of a network, `parts` in all, are stepped at the same time from now on ...
  void begin_parts(unsigned parts);
  /// ... until now. All is as if they had been stepped one after the other.
  void end_parts();
  /// `link` was written by a process in this evaluation phase.
  void written(clocked_link& link);
  /// `link` is driven by a process from now on: its value is held until the next write.
  void drive(clocked_link& link) { driven_.push_back(&link); }
  /// Calls `listener`, the only one, in the update phase of each edge before links show another word: it may send what
  /// is to be shown from this update on.
  void listen_before_links(cycle_listener& listener) { before_links_ = &listener; }
  /// Calls `listener` at the end of the update phase of each edge.
  void listen(cycle_listener& listener) { listeners_.push_back(&listener); }
  /// Makes room for refreshes up to `delay_cycles` ahead.
  void reserve_delay(unsigned delay_cycles);

  const char* kind() const override { return "link_clock"; }

 private:
  void update() override;
  std::vector<clocked_link*>& due(cycle_t cycle) { return due_[cycle & (due_.size() - 1)]; }

  cycle_t visible_ = 0;
  std::uint64_t period_ = 0;  ///< without a kernel; 0: there is one
  bool edge_ = false;
  bool in_parts_ = false;
  std::vector<std::vector<clocked_link*>> due_;  ///< by cycle, modulo a power of two
  std::vector<std::vector<std::pair<cycle_t, clocked_link*>>> refreshed_by_;  ///< by part, while they are stepped
  std::vector<clocked_link*> refreshing_;
  std::vector<clocked_link*> written_;
  std::vector<clocked_link*> driven_;
  cycle_listener* before_links_ = nullptr;
  std::vector<cycle_listener*> listeners_;
};

}  // namespace toriscope
