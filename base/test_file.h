// SPDX-License-Identifier: Apache-2.0
// For tests: names of files in a directory of this process alone, which goes when the process ends.
#pragma once

#include <filesystem>
#include <string>

#include "base/scratch_directory.h"
#include "base/text_file.h"

namespace toriscope {

inline std::string test_file(const std::string& name) {
  static const scratch_directory directory;
  return directory.file(name);
}

/// A program of these commands of a shell, which can stand for a tool.
inline void write_script(const std::string& path, const std::string& commands) {
  write_text_file(path, "#!/bin/sh\n" + commands + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace toriscope
