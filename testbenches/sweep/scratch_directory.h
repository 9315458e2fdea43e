// SPDX-License-Identifier: Apache-2.0
// For tests: a fresh empty directory, removed at the end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace toriscope {

class scratch_directory {
 public:
  scratch_directory() : path_((std::filesystem::temp_directory_path() / "toriscope_test_XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw std::runtime_error("no temporary directory");
  }
  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace toriscope
