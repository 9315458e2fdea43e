// SPDX-License-Identifier: Apache-2.0
// For tests: lines that are as ever.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace toriscope {

/// Compares the lines with those of the file. Where they differ, `name` in the working directory gets the new ones.
/// @returns whether they are equal
inline bool expect_golden(const std::vector<std::string>& lines, const std::string& file, const std::string& name) {
  std::vector<std::string> golden;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) golden.push_back(line);
  EXPECT_EQ(lines, golden);
  if (lines == golden) return true;
  std::ofstream written(name);
  for (const std::string& line : lines) written << line << '\n';
  return false;
}

}  // namespace toriscope
