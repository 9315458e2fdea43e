// SPDX-License-Identifier: Apache-2.0
// A program as a process of its own, and what it cost: SystemC elaborates once per process, so every
// configuration that is measured runs in a child.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

/// What a child left behind.
struct measured_process {
  int status = -1;         ///< exit status; 128 + signal when it was killed
  double cpu_seconds = 0;  ///< user and system, of the child alone
  double max_rss_bytes = 0;
  std::string out;  ///< its standard output
  std::string err;  ///< its standard error

  /// The last line that is not blank, of standard error, else of standard output: why it failed, as a rule.
  std::string last_words() const;
};

/// Runs arguments[0] (a path: no search) with the rest and waits for it. Its standard input is empty.
/// @param directory  where it runs; empty: here
/// @throws std::runtime_error when it cannot be started, in a line
measured_process run_measured(const std::vector<std::string>& arguments, const std::string& directory = {});

/// The path of the running program. @throws std::runtime_error
std::string own_program();

}  // namespace toriscope
