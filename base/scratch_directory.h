// SPDX-License-Identifier: Apache-2.0
// A directory of its own that is gone afterwards.
#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "base/cache_directory.h"

namespace toriscope {

class scratch_directory {
 public:
  scratch_directory() : scratch_directory(temporary_directory()) {}
  /// @param parent  is there already
  /// @throws std::runtime_error
  explicit scratch_directory(const std::string& parent) : path_(parent + "/toriscope_XXXXXX") {
    if (!mkdtemp(path_.data())) throw std::runtime_error("no scratch directory " + path_);
  }
  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

/// Removes those below `parent` that killed processes have left: not touched for a day.
inline void remove_abandoned_scratch(const std::string& parent) {
  std::error_code ignored;
  const auto day_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored))
    if (entry.path().filename().string().rfind("toriscope_", 0) == 0 && entry.is_directory(ignored) &&
        entry.last_write_time(ignored) < day_ago)
      std::filesystem::remove_all(entry.path(), ignored);
}

}  // namespace toriscope
