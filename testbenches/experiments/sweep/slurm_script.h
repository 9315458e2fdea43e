// SPDX-License-Identifier: Apache-2.0
// A sweep as a Slurm job array. The script stands beside the directory of the sweep, which holds nothing but
// results.
#pragma once

#include <string>

namespace toriscope {

struct slurm_array {
  std::string program;    ///< toriscope, as the nodes find it
  std::string directory;  ///< of the sweep; its plan stands beside, in DIRECTORY.plan.json
  std::size_t units = 1;
  unsigned jobs = 1;         ///< processors of a task
  std::string more_options;  ///< of the sweep, as text: " --timeout 600"
};

/// Tasks of an array are at most this number: Slurm's MaxArraySize is 1001 unless it was changed. Each
/// of N tasks works off every N-th unit.
inline constexpr std::size_t max_array_tasks = 1000;

std::string slurm_script(const slurm_array& a);

}  // namespace toriscope
