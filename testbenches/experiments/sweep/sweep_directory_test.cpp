// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_directory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "base/scratch_directory.h"
#include "testbenches/experiments/sweep/sweep_plan.h"

namespace toriscope {
namespace {

const sweep_plan& plan() {
  static const sweep_plan torus = sweep_plan::from({}, R"({"topology": "torus:4x4"})", "plan.json");
  return torus;
}

TEST(sweep_directory, has_one_sweep_or_several_that_share_it) {
  using share = sweep_directory::share;
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  const auto refusal = [&](share how) -> std::string {
    try {
      sweep_directory(path, plan(), how);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const std::string taken =
      path + ": another sweep is at work there; wait for it, or give another directory by --out";
  {
    const sweep_directory alone(path, plan(), share::alone);
    EXPECT_EQ(refusal(share::alone), taken);
    EXPECT_EQ(refusal(share::some), taken);
  }
  {
    const sweep_directory some(path, plan(), share::some);
    EXPECT_EQ(refusal(share::some), "");
    EXPECT_EQ(refusal(share::alone), taken);
  }
  EXPECT_EQ(refusal(share::alone), "") << "they have ended";
}

/// Only what the lock itself says counts, not what went wrong before.
TEST(sweep_directory, takes_a_free_directory_after_an_error_elsewhere) {
  const scratch_directory scratch;
  const std::string path = scratch.path() + "/sweep";
  std::filesystem::create_directories(path + "/points");  // to make it would change errno
  errno = EWOULDBLOCK;
  EXPECT_NO_THROW(sweep_directory(path, plan(), sweep_directory::share::alone));
}

}  // namespace
}  // namespace toriscope
