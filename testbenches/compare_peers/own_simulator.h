// SPDX-License-Identifier: Apache-2.0
// toriscope itself, as shipped: the program as a user would run it, statistics on.
#pragma once

#include <vector>

#include "testbenches/compare_peers/simulator.h"

namespace toriscope {

class own_simulator final : public simulator {
 public:
  /// @param program            path of the toriscope program
  /// @param link_delay_cycles  D of links, injection and ejection
  /// @param include_self       uniform traffic includes the own node
  own_simulator(std::string program, unsigned link_delay_cycles, bool include_self);

  std::string name() const override { return "toriscope"; }
  outcome run(const workload& work) override;

  /// The program's arguments for a piece of work.
  std::vector<std::string> arguments(const workload& work) const;
  /// Its JSON result. @throws std::runtime_error
  static outcome parse(const std::string& text, const workload& work);

 private:
  std::string program_;
  unsigned link_delay_cycles_;
  bool include_self_;
};

}  // namespace toriscope
