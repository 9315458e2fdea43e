// SPDX-License-Identifier: Apache-2.0
// A directory of its own that is gone afterwards.
#pragma once

#include <string>

#include "base/cache_directory.h"

namespace toriscope {

/// Made below `parent`, of this user alone, and removed at the end. Where the process is killed, the next scratch
/// directory that any process makes there removes it: its owner holds a lock on it.
class scratch_directory {
 public:
  scratch_directory() : scratch_directory(temporary_directory()) {}
  /// @param parent  is there already
  /// @throws std::runtime_error
  explicit scratch_directory(const std::string& parent);
  ~scratch_directory();
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
  int lock_ = -1;  ///< the directory, open
};

}  // namespace toriscope
