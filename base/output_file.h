// SPDX-License-Identifier: Apache-2.0
// A file that appears complete or not at all: it is written under a temporary name and renamed when it is
// closed. Errors on the way (a full disk) are kept and reported by close(); nothing is written after the
// first one.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace toriscope {

class output_file {
 public:
  /// Opens the temporary, `path`.part. Devices and pipes are written directly.
  /// @throws std::runtime_error "cannot write PATH: reason"
  explicit output_file(std::string path);
  /// Without close(): the temporary is removed, and a file of that name that was there before stays as it
  /// was.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Buffered.
  void write(std::string_view text);
  /// Gives the file its name. @throws std::runtime_error the first error of all, as above
  void close();
  /// Removes what has been written.
  void discard();

  const std::string& path() const { return path_; }
  /// The first error so far, as close() will throw it; empty when there was none.
  const std::string& error() const { return error_; }

 private:
  void fail();
  void flush();

  std::string path_;
  std::string temporary_;  ///< the same as path_ when it is written directly
  std::FILE* file_ = nullptr;
  std::string buffer_;
  std::string error_;
};

}  // namespace toriscope
