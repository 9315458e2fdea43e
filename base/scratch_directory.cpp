// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_directory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace toriscope {
namespace {

namespace fs = std::filesystem;

// No name that a person gives a directory.
const std::string prefix = "toriscope_scratch_";
constexpr std::size_t drawn = 6;  // characters that mkdtemp draws

int open_directory(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Removes those below `parent` that killed processes of this user have left. Where directories have no locks, as on
/// some network file systems, they stay.
void remove_abandoned(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() != prefix.size() + drawn || name.compare(0, prefix.size(), prefix) != 0) continue;
    const int found = open_directory(entry.path().string());
    struct stat status {};
    if (found >= 0 && fstat(found, &status) == 0 && status.st_uid == geteuid() &&
        flock(found, LOCK_EX | LOCK_NB) == 0)
      fs::remove_all(entry.path(), ignored);
    if (found >= 0) close(found);
  }
}

}  // namespace

scratch_directory::scratch_directory(const std::string& parent) {
  remove_abandoned(parent);
  // Another process may take it for abandoned until it is locked.
  for (int tries = 0; tries < 100; ++tries) {
    path_ = parent + '/' + prefix + std::string(drawn, 'X');
    if (!mkdtemp(path_.data())) break;
    lock_ = open_directory(path_);
    if (lock_ >= 0) flock(lock_, LOCK_SH);
    std::error_code ignored;
    if (fs::exists(path_, ignored)) return;
    if (lock_ >= 0) close(lock_);
  }
  throw std::runtime_error("no scratch directory " + path_);
}

scratch_directory::~scratch_directory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

}  // namespace toriscope
