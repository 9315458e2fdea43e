// SPDX-License-Identifier: Apache-2.0
// toriscope itself, as shipped: the program as a user would run it, statistics on.
#pragma once

#include <vector>

#include "base/measured_process.h"
#include "testbenches/experiments/peers/simulator.h"

namespace toriscope {

class own_simulator final : public simulator {
 public:
  /// @param program            path of the toriscope program
  /// @param link_delay_cycles  D of links, injection and ejection
  /// @param include_self       uniform traffic includes the own node
  /// @param more               arguments of `toriscope run` for all work
  own_simulator(std::string program, unsigned link_delay_cycles, bool include_self,
                std::vector<std::string> more = {});

  std::string name() const override { return "toriscope"; }
  outcome run(const workload& work) override;

  /// What became of the packets of a file; only hash and least latency are known then.
  struct file_outcome {
    std::string packet_hash;  ///< of source, destination, creation and reception of all (docs/model.md)
    double latency_min = 0;   ///< cycles
  };
  /// Runs a file of packets (`toriscope run --traffic-file`) on the network of `work`, to its end.
  file_outcome run_packets(const workload& work, const std::string& file);

  /// The program's arguments for a piece of work.
  std::vector<std::string> arguments(const workload& work) const;
  /// Its JSON result. @throws std::runtime_error
  static outcome parse(const std::string& text, const workload& work);

 private:
  std::vector<std::string> network_arguments(const workload& work) const;
  /// @throws std::runtime_error when it fails
  measured_process run_to_end(std::vector<std::string> arguments) const;

  std::string program_;
  unsigned link_delay_cycles_;
  bool include_self_;
  std::vector<std::string> more_;
};

}  // namespace toriscope
