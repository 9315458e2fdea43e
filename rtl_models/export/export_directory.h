// SPDX-License-Identifier: Apache-2.0
// The directory of an export. An export into the directory of an earlier one replaces its files and removes those that
// it does not write itself. What an export has not written, or what has been edited since, is never overwritten.
//
//   export.txt   what the last export has written: a line "HASH FILE" for each file. While one takes the place of
//                another, or if it is killed then, the lines of both
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/scratch_directory.h"

namespace toriscope {

class export_directory {
 public:
  /// Made if need be. @throws std::invalid_argument one line: it holds files, and is not the directory of an export
  explicit export_directory(const std::string& path);

  /// Where files are written until they are complete.
  const std::string& staging() const { return staging_.path(); }

  /// All files written get their places. @throws std::invalid_argument one line, and nothing has changed: a file in the
  /// way has been edited or is not of an export
  void install();

 private:
  using hashes = std::map<std::string, std::set<std::string>>;  ///< by the file's path from there

  std::string place_of(const std::string& file) const { return path_ + '/' + file; }
  hashes files_of_last_export() const;
  hashes files_written() const;
  void write_list(const hashes& files) const;

  const std::string path_;
  const scratch_directory staging_;
};

}  // namespace toriscope
