// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_directory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "base/scratch_directory.h"
#include "testbenches/experiments/sweep/sweep_plan.h"

namespace toriscope {
namespace {

/// Only what the lock itself says counts, not what went wrong before.
TEST(sweep_directory, takes_a_free_directory_after_an_error_elsewhere) {
  const scratch_directory scratch;
  const sweep_plan plan = sweep_plan::from({}, R"({"topology": "torus:4x4"})", "plan.json");
  const std::string path = scratch.path() + "/sweep";
  std::filesystem::create_directories(path + "/points");  // to make it would change errno
  errno = EWOULDBLOCK;
  EXPECT_NO_THROW(sweep_directory(path, plan, sweep_directory::share::alone));
}

}  // namespace
}  // namespace toriscope
