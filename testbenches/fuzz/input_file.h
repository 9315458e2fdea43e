// SPDX-License-Identifier: Apache-2.0
// Inputs of parsers that are given paths.
#pragma once

#include <fstream>
#include <string>

#include "base/scratch_directory.h"

namespace toriscope {

/// Of this process.
inline const scratch_directory& directory() {
  static const scratch_directory made;
  return made;
}

/// The path of a file with these bytes.
inline std::string file_with(const std::string& name, const std::string& bytes) {
  std::ofstream(directory().file(name), std::ios::binary) << bytes;
  return directory().file(name);
}

}  // namespace toriscope
