// SPDX-License-Identifier: Apache-2.0
// Papers reproduced: their curves measured, their items judged. What is done is kept in a directory, runs as
// DIR/points/HASH.json and costly static items as DIR/items/HASH.json: the same call after a kill goes on
// where it was.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

struct reproduction_settings {
  std::string directory;  ///< empty: nothing is kept, and there may be no curves
  unsigned jobs = 0;      ///< 0: as many as there are cores
  bool quick = false;     ///< costly items are not run
  std::function<void(const std::string&)> tell = [](const std::string&) {};  ///< how far it is, in a line
};

/// All verdicts, paper by paper and item by item. The same whatever the number of jobs and however often it
/// was begun.
/// @throws std::exception one line
std::vector<verdict> reproduce(const std::vector<paper>& papers, const reproduction_settings& settings);

}  // namespace toriscope
