// SPDX-License-Identifier: Apache-2.0
// For tests of files: a directory of each case, what is in it, and what is said of writing there.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"

namespace toriscope {

class scratch_files : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return scratch_.file(name); }
  void make(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  std::string read(const std::string& name) const { return text_if_there(file(name)).value_or("none"); }
  std::size_t count() const {
    namespace fs = std::filesystem;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(scratch_.path()), fs::directory_iterator()));
  }
  static std::string writing(const std::string& path) {
    return error_of([&] { write_text_file(path, "text"); });
  }

  const scratch_directory scratch_;
};

}  // namespace toriscope
