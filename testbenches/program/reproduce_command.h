// SPDX-License-Identifier: Apache-2.0
// `toriscope reproduce`: what papers print beside what we get, with a verdict on each item.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace toriscope {

struct reproduce_request {
  std::vector<std::string> papers;  ///< empty: all
  bool quick = false;
  bool list = false;  ///< the items, and nothing else
  std::string item;   ///< only this one; empty: all
  std::string out;    ///< directory for verdicts.json, verdicts.md and the points; none needed for one item
  unsigned jobs = 0;  ///< 0: as many as there are cores
};

/// Adds the options of `reproduce`; they are read into `request`.
void add_reproduce_options(CLI::App& reproduce, reproduce_request& request);

/// @returns an exit_status: fine whatever the verdicts are, check_failed when a simulation that they need failed
/// @throws std::exception one line
int reproduce_command(const reproduce_request& request);

}  // namespace toriscope
