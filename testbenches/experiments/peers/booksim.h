// SPDX-License-Identifier: Apache-2.0
// BookSim 2 (Jiang et al., ISPASS 2013) as a peer: iq_router of four stages, channels of one cycle, which is
// a link delay D = 2 of ours (docs/model.md): its channel is written and read in cycles of their own.
//
// Its uniform traffic includes the own node; its latency includes an unbounded source queue.
#pragma once

#include <string>
#include <vector>

#include "base/measured_process.h"
#include "testbenches/experiments/peers/simulator.h"

namespace toriscope {

class booksim final : public simulator {
 public:
  /// @param program    path of the user's binary
  /// @param directory  where configuration files are written
  booksim(std::string program, std::string directory);

  std::string name() const override { return "BookSim2"; }
  outcome run(const workload& work) override;

  /// Packet latency of every pair (index source * nodes + destination) in an empty network, in cycles. It
  /// prints means of pairs: one that is not disturbed by another packet in at least one of the runs has its
  /// zero-load latency as its least mean. Infinite: no packet of that pair was measured.
  /// @param work  uniform traffic at a tiny rate
  /// @param runs  with seeds work.seed, work.seed + 1, ...
  std::vector<double> lone_pair_latencies(workload work, unsigned runs);

  /// The configuration file for a piece of work. The warm-up is a period of its own length, so the measured
  /// cycles are rounded up to a multiple of the warm-up.
  /// @param pairs  it also prints a mean latency for every pair of nodes
  static std::string configuration(const workload& work, bool pairs = false);
  /// What it printed. @throws std::runtime_error
  static outcome parse(const std::string& text);
  /// Mean packet latency of every pair, infinite where it has sent none. @throws std::runtime_error
  static std::vector<double> parse_pairs(const std::string& text);

 private:
  /// @throws std::runtime_error when it does not get to the end
  measured_process run_to_end(const std::string& configuration) const;

  std::string program_;
  std::string directory_;
};

}  // namespace toriscope
