// SPDX-License-Identifier: Apache-2.0
// For tests: the built program as a process of its own, in a directory of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace toriscope {

using strings = std::vector<std::string>;

struct process_result {
  int status = -1;  ///< exit status; 128 + signal when it was killed
  std::string out;
  std::string err;
};

/// A fresh empty directory, removed at the end; programs run in it, with a cache of verdicts of their own.
class program_directory {
 public:
  program_directory();
  ~program_directory();
  program_directory(const program_directory&) = delete;
  program_directory& operator=(const program_directory&) = delete;

  /// Runs the toriscope program.
  process_result run(const strings& arguments) const;
  /// Runs a shell command in which $T is the program.
  process_result shell(const std::string& command) const;

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  std::string file(const std::string& name) const { return path_ + "/work/" + name; }
  /// Names of the files there are, sorted; those of the harness left out.
  strings files() const;

 private:
  process_result start(strings command) const;

  std::string path_;
};

/// What the program prints as JSON, which must succeed without a message.
nlohmann::json json_of(const program_directory& directory, const strings& arguments);

/// What a command of the program, whose status is 0, writes to standard error while that is a terminal;
/// nothing where no terminal can be made, as in a plain chroot.
std::optional<std::string> shown_on_a_terminal(const program_directory& dir, const std::string& command);

/// The groups of a save file of GTKWave that do not end, or end as others; empty: none.
std::string unended_groups(const std::string& save_file);

/// `list`, then `more`.
strings with(strings list, const strings& more);

}  // namespace toriscope
