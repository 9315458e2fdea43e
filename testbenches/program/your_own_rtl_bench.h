// SPDX-License-Identifier: Apache-2.0
// For tests: runs with a router that a description tells of.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "testbenches/program/program_process.h"
#include "traces/vcd_reader.h"

namespace toriscope {

/// The directory of the routers of tests, and the description of one that is shipped.
extern const std::string test_rtl, description;

std::string contents(const std::string& path);
void replace_all(std::string& text, const std::string& old, const std::string& now);

class your_own_rtl : public testing::Test {
 protected:
  your_own_rtl();
  /// In node 1,1 of a mesh, unless the options say other.
  process_result run(std::string options, const std::string& router = description);
  vcd_contents wave(const std::string& name);

  program_directory dir_;
};

}  // namespace toriscope
