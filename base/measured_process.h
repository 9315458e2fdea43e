// SPDX-License-Identifier: Apache-2.0
// A program as a process of its own, and what it cost: SystemC elaborates once per process, so every
// configuration that is measured runs in a child.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
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

struct process_settings {
  std::string directory;  ///< where it runs; empty: here
  std::string input;      ///< what it reads from standard input
};

/// A child that is at work. It is killed when this goes away, or when the thread that started it ends.
class running_process {
 public:
  /// Starts arguments[0] (a path: no search) with the rest. Its output is kept in memory; it has no signals
  /// blocked.
  /// @throws std::runtime_error when it cannot be started, in a line
  explicit running_process(const std::vector<std::string>& arguments, const process_settings& settings = {});
  ~running_process();
  running_process(running_process&& other) noexcept;
  running_process& operator=(running_process&& other) noexcept;

  /// Waits for it.
  measured_process wait();
  /// What it left if it has ended, else nothing. After that, or wait(), nothing else may be asked.
  std::optional<measured_process> poll();

 private:
  measured_process finished(int status, const rusage& used);
  void close_files();

  pid_t child_ = -1;
  int out_ = -1;
  int err_ = -1;
};

/// Runs it and waits for it.
measured_process run_measured(const std::vector<std::string>& arguments, const process_settings& settings = {});

/// The path of the running program. @throws std::runtime_error
std::string own_program();

}  // namespace toriscope
