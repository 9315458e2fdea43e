// SPDX-License-Identifier: Apache-2.0
// BookSim 2 (Jiang et al., ISPASS 2013) as a peer: iq_router of four stages, channels of one cycle, which is
// a link delay D = 2 of ours (docs/model.md): its channel is written and read in cycles of their own.
//
// Its uniform traffic includes the own node; its latency includes an unbounded source queue.
#pragma once

#include "testbenches/compare_peers/simulator.h"

namespace toriscope {

class booksim final : public simulator {
 public:
  /// @param program    path of the user's binary
  /// @param directory  where configuration files are written
  booksim(std::string program, std::string directory);

  std::string name() const override { return "BookSim2"; }
  outcome run(const workload& work) override;

  /// The configuration file for a piece of work. The warm-up is a period of its own length, so the measured
  /// cycles are rounded up to a multiple of the warm-up.
  static std::string configuration(const workload& work);
  /// What it printed. @throws std::runtime_error
  static outcome parse(const std::string& text);

 private:
  std::string program_;
  std::string directory_;
};

}  // namespace toriscope
