// SPDX-License-Identifier: Apache-2.0
// Points as child processes, several at a time: `toriscope run` of each, which reads the configuration that was
// hashed and writes its result, which is put into the store. A child that crashes or hangs is run once more,
// then reported; one that finds a broken invariant is reported at once. A deadlock is a result. Children write no
// files, and die with us.
#pragma once

#include <string>
#include <vector>

#include "base/resources.h"
#include "testbenches/experiments/sweep/point_search.h"
#include "testbenches/experiments/sweep/result_store.h"

namespace toriscope {

struct job_settings {
  unsigned jobs = 0;                   ///< at a time; 0: as many as there are processors
  unsigned tries = 2;                  ///< of a point whose child crashes or hangs
  double timeout_seconds = 24 * 3600;  ///< a child that takes longer hangs
  std::string program;                 ///< empty: this one
  bool progress = true;                ///< lines on standard error
  double (*now)() = wall_seconds;      ///< seconds since some time
};

/// A point that cannot be had.
struct failed_point {
  std::string hash;
  std::string command;
  std::string reason;  ///< "killed by signal 11, twice"; one line
};

class job_pool {
 public:
  explicit job_pool(const job_settings& settings);

  /// Runs until no search wants more of the points that can be had. Points that the store has are not run.
  /// Searches go on side by side; of the points wanted most, the most expensive is run first.
  /// @throws std::invalid_argument when a point is rejected (its configuration is wrong): a line;
  /// std::runtime_error when a result cannot be written, or no process be started. No child is left then.
  std::vector<failed_point> run(const std::vector<point_search*>& searches, const result_store& store) const;

  unsigned jobs() const { return settings_.jobs; }

 private:
  job_settings settings_;
};

/// Gives the searches what the store has. @returns whether all of them are done with that
bool take_from_store(const std::vector<point_search*>& searches, const result_store& store);

}  // namespace toriscope
