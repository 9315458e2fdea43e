// SPDX-License-Identifier: Apache-2.0
// The results of points, a file each: DIR/points/HASH.json. A file appears complete or not at all, and has a
// checksum: one that is corrupt is told and counts as missing. Any number of processes may write at once.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "testbenches/experiments/sweep/point.h"
#include "testbenches/simulation/statistics/run_result.h"

namespace toriscope {

class result_store {
 public:
  /// @param tell  gets a line about each file that is corrupt; empty: standard error
  /// @throws std::runtime_error when the directory cannot be made
  explicit result_store(std::string directory, std::function<void(const std::string&)> tell = {});

  /// Nothing when it has to be run (again).
  std::optional<run_result> load(const point& p) const;
  /// Whether there is a file of that name, whatever it holds.
  bool has_file(const point& p) const;
  /// @param text  what `toriscope run --json -` printed for the point
  /// @throws std::runtime_error "cannot write FILE: reason"; std::invalid_argument for a text that is not a
  /// result of this point
  /// @returns the result; a broken one (run_result::broken) is not kept
  run_result save(const point& p, const std::string& text) const;
  /// Removes results that are not among these, and what interrupted writers left.
  void keep_only(const std::set<std::string>& hashes) const;

  /// "points/HASH.json", below the directory.
  static std::string file_name(const point& p) { return "points/" + p.hash() + ".json"; }

 private:
  std::string directory_;
  std::function<void(const std::string&)> tell_;
};

}  // namespace toriscope
