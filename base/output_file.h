// SPDX-License-Identifier: Apache-2.0
// A file that appears complete or not at all, whatever happens to the process: it is written without a name and gets
// its name when it is closed. Where the file system has no files without a name, it is written as NAME.XXXXXXXX.part.
// Errors on the way (a full disk) are kept and reported by close(); nothing is written after the first one.
//
//   security   a link or file that others have put in the way of the temporary is never opened
//   sharing    several processes may write the same file at once: the last one to close it wins
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toriscope {

class output_file {
 public:
  /// Devices and pipes are written directly, unless a symbolic link leads to them: a link is replaced.
  /// @param always_replaces  a file of our own - in a cache, in a directory of results -: so are pipes and devices
  /// @throws std::runtime_error "cannot write PATH: reason"; also for a file that was read (files_read.h)
  explicit output_file(std::string path, bool always_replaces = false);
  /// Without close(): nothing is left of it, and a file of that name that was there before stays as it was.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Buffered.
  void write(std::string_view text);
  /// Writes over what has been written, from `place` on. Pipes have no places.
  void overwrite(std::uint64_t place, std::string_view text);
  /// Gives the file its name. @throws std::runtime_error the first error of all, as above
  void close();
  /// Removes what has been written.
  void discard();

  const std::string& path() const { return path_; }
  /// The first error so far, as close() will throw it; empty when there was none.
  const std::string& error() const { return error_; }

 private:
  void open_temporary();
  void open_named_temporary();
  bool give_name();
  void fail();
  bool is_input() const;
  void flush();

  std::string path_;
  std::string temporary_;  ///< its name until it is closed, if it has one
  bool direct_ = false, always_replaces_ = false;
  int file_ = -1;
  std::string buffer_;
  std::string error_;
};

/// Whether a file NAME that was found is a temporary of a writer of `of`, which was killed.
bool is_abandoned_part(const std::string& name, const std::string& of);

}  // namespace toriscope
