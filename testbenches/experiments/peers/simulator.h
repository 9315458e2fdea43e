// SPDX-License-Identifier: Apache-2.0
// A simulator that can be asked to do a piece of work: one file per simulator, each with the configuration
// that it needs for the work and the words in which it answers.
#pragma once

#include <cstdint>
#include <string>

namespace toriscope {

/// The work: k x k nodes, 4 VCs of 8 flits, dimension order.
struct workload {
  bool wraps = true;                     ///< torus; else mesh
  unsigned k = 8;                        ///< nodes in a dimension
  double rate_flits_per_node_cycle = 0;  ///< offered
  std::uint64_t warmup_cycles = 0;
  std::uint64_t measured_cycles = 0;
  unsigned seed = 1;
  std::string traffic = "uniform";  ///< the pattern, by toriscope's name
  unsigned packet_flits = 16;
  unsigned depth_flits = 8;          ///< of a VC's buffer
  unsigned credit_delay_cycles = 0;  ///< of credits, beyond the delay of their link

  double nodes() const { return static_cast<double>(k) * k; }
};

/// What a simulator made of it.
struct outcome {
  double cycles = 0;           ///< simulated, all of them
  double accepted = 0;         ///< flits ejected per node and measured cycle
  double visits_per_flit = 0;  ///< routers that a flit passes, its source's and destination's included
  double latency_mean = 0;     ///< cycles; of a packet as the simulator defines it
  double latency_min = 0;      ///< cycles
  double cpu_seconds = 0;      ///< of the whole process, user and system
};

class simulator {
 public:
  virtual ~simulator() = default;
  virtual std::string name() const = 0;
  /// Runs the work in a process of its own.
  /// @throws std::runtime_error in a line: it does not start, it fails, its output is not understood
  virtual outcome run(const workload& work) = 0;
};

/// The number behind the last `label` in `text`. @throws std::runtime_error naming `who` and the label
double number_after(const std::string& text, const std::string& label, const std::string& who);

}  // namespace toriscope
