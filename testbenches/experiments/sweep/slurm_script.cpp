// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/slurm_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/words.h"
#include "testbenches/experiments/sweep/point.h"

namespace toriscope {

std::string slurm_script(const slurm_array& a) {
  const std::size_t tasks = std::min(a.units, max_array_tasks);
  const std::string name = std::filesystem::path(a.directory).filename().string();
  return fmt::format(
      R"(#!/bin/bash
# A sweep of {units} units as a job array: sbatch {file}
# Whichever task is last writes the tables. Submitted again, it does what is missing.
#SBATCH --job-name="{name}"
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={jobs}
#SBATCH --output="{directory}.logs/%A_%a.log"
#SBATCH --requeue
status=0
for ((unit = SLURM_ARRAY_TASK_ID; unit < {units}; unit += {tasks})); do
  {program} sweep --plan {plan} --out {quoted} --point $unit --jobs {jobs}{more} || status=$?
done
exit $status
)",
      fmt::arg("units", a.units), fmt::arg("file", quoted_for_shell(a.directory + ".sbatch")),
      fmt::arg("name", name), fmt::arg("last", tasks - 1), fmt::arg("jobs", a.jobs),
      fmt::arg("directory", a.directory), fmt::arg("tasks", tasks),
      fmt::arg("program", quoted_for_shell(a.program)),
      fmt::arg("plan", quoted_for_shell(a.directory + ".plan.json")),
      fmt::arg("quoted", quoted_for_shell(a.directory)), fmt::arg("more", a.more_options));
}

}  // namespace toriscope
