// SPDX-License-Identifier: Apache-2.0
// The directory of a sweep: who works in it, for which plan, and how it is left.
#pragma once

#include <string>

#include "testbenches/experiments/sweep/result_store.h"
#include "testbenches/experiments/sweep/sweep_tables.h"

namespace toriscope {

class sweep_directory {
 public:
  enum class share {
    alone,  ///< one process for the whole sweep
    some,   ///< one of several, each with its units
  };

  /// Makes the directory if need be, and writes the plan into it.
  /// @throws std::invalid_argument when others are at work there, or it holds another plan's results;
  /// std::runtime_error when it cannot be written; a line
  sweep_directory(std::string path, const sweep_plan& plan, share how);
  sweep_directory(const sweep_directory&) = delete;
  sweep_directory& operator=(const sweep_directory&) = delete;

  const std::string& path() const { return path_; }
  const result_store& store() const { return store_; }

  /// Writes the tables, and removes what they are not made of: results beyond saturation, and what
  /// interrupted processes left. All searches must be done.
  void finish(const curve_searches& searches) const;

 private:
  /// Locked as long as this lives.
  struct open_directory {
    ~open_directory();
    int file = -1;
  };

  bool lock(share how) const;
  void claim(share how);
  bool has_plan() const;
  void put_plan() const;

  std::string path_;
  const sweep_plan& plan_;
  open_directory lock_;
  result_store store_;
};

}  // namespace toriscope
