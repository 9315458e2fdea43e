// SPDX-License-Identifier: Apache-2.0
// Where the program's texts go: files that appear whole or not at all, or standard output ("-").
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace toriscope {

/// "-", and the names that the system has for it: a file opened by those would be written over by what follows.
bool is_stdout(const std::string& path);
/// Tries the path before the simulation, which may take long. Empty and standard output are fine.
/// @throws std::runtime_error
void check_writable(const std::string& path);
/// The files of a command, by option; empty: none.
using named_outputs = std::vector<std::pair<std::string, std::string>>;
/// check_writable() of each, and that each has a place of its own, as have the words of GTKWave save files: another
/// name of the same file is none.
/// @param not_tried  files that may be written, too
/// @throws std::invalid_argument "A and B both write to FILE; only one of them can"; std::runtime_error
void check_outputs(named_outputs files, const named_outputs& not_tried = {});
/// For files that cannot go where results do.
/// @param content  what the file holds, with an article
/// @throws std::invalid_argument when the path is that of standard output
void refuse_stdout(const std::string& option, const std::string& content, const std::string& path);
/// Writes `text` to the file, or to standard output; an empty path: nowhere. @throws std::runtime_error
void write_text(const std::string& path, const std::string& text);
/// @throws std::runtime_error
void write_stdout(const std::string& text);
/// One output that cannot be written takes no other with it.
class each_output {
 public:
  template <class Write>
  void write(const Write& output) {
    try {
      output();
    } catch (const std::runtime_error& error) {
      if (error_.empty()) error_ = error.what();
    }
  }
  /// @throws std::runtime_error the first error
  void end() const {
    if (!error_.empty()) throw std::runtime_error(error_);
  }

 private:
  std::string error_;
};

/// Whether the name of a file ends in ".json".
bool is_json_name(const std::string& path);

}  // namespace toriscope
