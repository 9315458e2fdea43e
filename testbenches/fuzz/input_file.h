// SPDX-License-Identifier: Apache-2.0
// Inputs of parsers that are given paths.
#pragma once

#include <fstream>
#include <string>

#include "base/test_file.h"

namespace toriscope {

/// The path of a file with these bytes.
inline std::string file_with(const std::string& name, const std::string& bytes) {
  std::ofstream(test_file(name), std::ios::binary) << bytes;
  return test_file(name);
}

}  // namespace toriscope
