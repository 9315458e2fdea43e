// SPDX-License-Identifier: Apache-2.0
// For tests: files that this process holds open, those without a name included.
#pragma once

#include <filesystem>
#include <system_error>

namespace toriscope {

inline bool open_files_are_shown() { return std::filesystem::exists("/proc/self/fd"); }

/// How many there are in a directory.
inline unsigned open_files_in(const std::filesystem::path& directory) {
  unsigned count = 0;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // what the iterator itself has open
    count += std::filesystem::read_symlink(file, gone).parent_path() == directory;
  }
  return count;
}

}  // namespace toriscope
