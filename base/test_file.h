// SPDX-License-Identifier: Apache-2.0
// For tests: names of files in a directory of this process alone, which goes when the process ends.
#pragma once

#include <string>

#include "base/scratch_directory.h"

namespace toriscope {

inline std::string test_file(const std::string& name) {
  static const scratch_directory directory;
  return directory.file(name);
}

}  // namespace toriscope
