// SPDX-License-Identifier: Apache-2.0
// The directory of an export. Its files are complete in a scratch directory before the first one gets its place, and
// what is in the way of one of them is found before that, too: an export that fails changes nothing.
//
//   listed    export.txt has a line "HASH FILE" for each file that the last export wrote; while one takes the place of
//             another, or if it is killed then, the lines of both. An export replaces the files of the earlier one and
//             removes those that it does not write itself. What an export has not written, or what has been edited
//             since, is never overwritten
//   free      files are replaced, and so are pipes and devices; all others stay
//   security  export.txt may come from others: it names nothing but files below the directory, and no symbolic link
//             leads there. A pipe is never opened
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/scratch_directory.h"

namespace toriscope {

class export_directory {
 public:
  enum class kind { listed, free };

  /// @param option  which names the directory; begins errors
  /// @param path    is made by install() if need be
  /// @throws std::invalid_argument one line: it holds files, and is not the directory of an export; or its list names a
  /// file elsewhere
  export_directory(const std::string& option, const std::string& path, kind k);

  /// Where files are written until they are complete.
  const std::string& staging() const { return staging_.path(); }

  /// Looks for what is in the way of the files written. @throws std::invalid_argument one line: a file has been edited
  /// or is not of an export, or a directory or a link has its place
  /// @throws std::runtime_error one line: the directory cannot be written to
  void check();

  /// All files get their places, after check().
  void install() const;

 private:
  using hashes = std::map<std::string, std::set<std::string>>;  ///< by the file's path from there

  std::string place_of(const std::string& file) const { return path_ + '/' + file; }
  [[noreturn]] void refuse(const std::string& place, const std::string& why) const;
  hashes files_of_last_export() const;
  hashes files_written() const;
  void check_parents(const std::string& file) const;
  void check_place(const std::string& file, const std::set<std::string>& known) const;
  void write_list(const hashes& files) const;

  const std::string option_, path_;
  const kind kind_;
  const scratch_directory staging_;
  const hashes last_;
  hashes written_, both_;  ///< since check()
};

}  // namespace toriscope
