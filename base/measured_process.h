// SPDX-License-Identifier: Apache-2.0
// Starts programs, and measures what they cost. SystemC elaborates once per process, so every configuration
// that is measured runs in a child; tools such as compilers run here, too.
//
//   input    a text, or nothing         output   kept in memory: the child never waits for us
//   life     a child is killed when its handle goes away, when the thread that started it ends, and when this
//            process dies in whatever way, a tool with all that it has started; it has no signals blocked
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

  /// The last line that is not blank of standard error, else of standard output, without indentation and without
  /// "toriscope: ": why it failed, as a rule.
  std::string last_words() const;
};

struct process_settings {
  std::string directory = {};  ///< where it runs; empty: here
  std::string input = {};      ///< what it reads from standard input
  bool search = false;  ///< the program is looked for in PATH; one that cannot be run ends with status 127
  bool one_output = false;     ///< standard error goes where standard output does
  std::string temporary = {};  ///< its TMPDIR; empty: ours
  bool with_offspring = false;  ///< what it has started is killed with it, and when it has ended
};

/// A child that is at work.
class running_process {
 public:
  /// Starts arguments[0] (a path: no search) with the rest.
  /// @throws std::runtime_error when it cannot be started, in a line
  explicit running_process(const std::vector<std::string>& arguments, const process_settings& settings = {});
  ~running_process();
  running_process(running_process&& other) noexcept;
  running_process& operator=(running_process&& other) noexcept;

  /// Waits for it.
  measured_process wait();
  /// Waits for it, but no longer than this; then it is killed and nothing is returned.
  std::optional<measured_process> wait_at_most(double seconds);
  /// What it left if it has ended, else nothing.
  /// @throws std::logic_error after that, as each of these does
  std::optional<measured_process> poll();

 private:
  [[noreturn]] void become(char* const* argv, char* const* environment, const process_settings& settings,
                           int input) const;
  measured_process finished(int status, const rusage& used);
  std::optional<measured_process> ended(int options);
  void kill_it();

  pid_t child_ = -1;
  int out_ = -1;
  int err_ = -1;
  int guard_ = -1;  ///< with_offspring: once it is closed, the child's process group is killed
};

/// Runs it and waits for it.
measured_process run_measured(const std::vector<std::string>& arguments,
                              const process_settings& settings = {});

/// Runs a tool, looked for in PATH, and waits for it; all that it says is in `out`.
/// @param temporary  its TMPDIR; empty: ours
measured_process run_tool(const std::vector<std::string>& arguments, const std::string& temporary = {});

/// The path of the running program. @throws std::runtime_error
std::string own_program();

}  // namespace toriscope
