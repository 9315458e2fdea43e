// SPDX-License-Identifier: Apache-2.0
// One run shared by several ranks: when it is over, and what it comes to (docs/ranks.md). The ranks meet at
// the ends of windows, but a run may end in the midst of one, with the last measured packet: the hashes of
// each cycle are remembered until then, so that the results are those of that very cycle.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "network/network.h"
#include "network/silence.h"
#include "testbenches/simulation/statistics/flow_statistics.h"
#include "testbenches/simulation/statistics/lost_packets.h"
#include "testbenches/simulation/statistics/measurement.h"

namespace toriscope {

/// What is known of a run at its end beyond what was measured.
struct run_totals {
  cycle_t cycles = 0;
  network_counters counters;
  std::uint64_t packet_hash = 0;
  std::uint64_t wire_hash = 0;       ///< 0 without
  std::uint64_t flits_sent = 0;      ///< over all links
  std::uint64_t cpu_us = 0;          ///< of the simulation; of ranks the busiest one's
  std::uint64_t working_cpu_us = 0;  ///< ranks: likewise, less what they spent on synchronisation
  unsigned ranks = 1;
  foreign_contents in_foreign_routers;
};

/// What was counted so far in this rank, and adds up.
struct run_counts {
  measurement& measured;
  flow_statistics* flows;  ///< null: there are none
  lost_packets& lost;

  void append_to(std::vector<std::uint64_t>& words) const;
  void add(word_reader& words) const;
  void forget() const;
};

class distributed_run final : private cycle_listener {
 public:
  /// @throws std::invalid_argument when the network has fewer nodes than there are ranks
  distributed_run(process_transport& transport, const netlist& wiring);

  /// What the network is to be made with.
  partition part();
  /// After it has been made.
  void watch(network& net);
  const std::vector<std::uint32_t>& rank_of() const { return rank_of_; }
  bool leads() const { return transport_.rank() == 0; }

  /// The simulation begins: what ranks waited before does not count.
  void start() { waited_before_ = transport_.waiting_cpu_seconds(); }

  /// @param outstanding  packets that the run waits for: created here less those that ended here. The run is
  /// over when the sum over all ranks is 0; `over` is called then, at the end of a window
  /// @param last_ended  the cycle in which the last of those has ended here
  void until_none(std::function<std::int64_t()> outstanding, std::function<cycle_t()> last_ended,
                  std::function<void()> over);
  bool over() const { return over_; }

  /// No cycle follows. @returns the number of cycles of the run, the same on all ranks
  cycle_t end(cycle_t last_ended, cycle_t at_least);
  /// Of a run that is over, the same; between two cycles.
  cycle_t length(cycle_t last_ended, cycle_t at_least);

  /// Moves all that was counted to the rank that leads.
  void bring_together(const run_counts& counts);
  /// All ranks have read the state of the whole. @param over  all that the run waits for had happened
  void go_on(const run_counts& counts, bool over);
  /// @param error  what is wrong here, one line; empty: nothing @throws rank_disagreement what is wrong on some rank
  void agree(const std::string& error);
  /// On the rank that leads, adds to `counts`, `totals` and `error` what the others have; leaves them alone elsewhere.
  /// @param totals  what is counted in this rank, all but the hashes and the cycles
  /// @param error   what is wrong here, empty: nothing; then what is wrong on some rank
  void gather(const run_counts& counts, run_totals& totals, std::string& error);

 private:
  struct sums {
    std::uint64_t packet = 0;  ///< hash
    std::uint64_t wire = 0;    ///< likewise
    std::uint64_t flits_discarded = 0;
    foreign_contents in_foreign_routers;
  };

  void cycle_done(cycle_t done) override;
  sums& at(cycle_t cycle) { return history_[cycle % history_.size()]; }

  process_transport& transport_;
  const std::vector<std::uint32_t> rank_of_;
  network* net_ = nullptr;
  std::function<std::int64_t()> outstanding_;
  std::function<cycle_t()> last_ended_;
  std::function<void()> on_over_;
  bool over_ = false;
  cycle_t cycles_ = 0;
  double waited_before_ = 0;       ///< CPU seconds
  std::array<sums, 128> history_;  ///< by cycle, longer than any window
};

}  // namespace toriscope
