// SPDX-License-Identifier: Apache-2.0
#include "base/files_read.h"

#include <sys/stat.h>

#include <mutex>
#include <set>
#include <utility>

namespace toriscope {
namespace {

struct noted_files {
  std::mutex mutex;  ///< the points of a sweep are read by several threads
  bool wanted = false;
  std::set<std::pair<dev_t, ino_t>> files;
};

noted_files& noted() {
  static noted_files all;
  return all;
}

}  // namespace

void protect_files_read() {
  const std::lock_guard<std::mutex> lock(noted().mutex);
  noted().wanted = true;
}

void note_file_read(const std::string& path) {
  struct stat s {};
  const std::lock_guard<std::mutex> lock(noted().mutex);
  if (noted().wanted && stat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode)) noted().files.emplace(s.st_dev, s.st_ino);
}

void release_file_read(const std::string& path) {
  struct stat s {};
  const std::lock_guard<std::mutex> lock(noted().mutex);
  if (noted().wanted && stat(path.c_str(), &s) == 0) noted().files.erase({s.st_dev, s.st_ino});
}

bool is_file_read(const std::string& path) {
  struct stat s {};
  const std::lock_guard<std::mutex> lock(noted().mutex);
  return noted().wanted && lstat(path.c_str(), &s) == 0 && noted().files.count({s.st_dev, s.st_ino}) > 0;
}

}  // namespace toriscope
