// SPDX-License-Identifier: Apache-2.0
#include "base/cache_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace toriscope {
namespace {

/// Makes the directory where it is not there. @returns whether this user alone may write it
bool is_private(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  mkdir(path.c_str(), S_IRWXU);
  struct stat link {
  }, found{};
  if (lstat(path.c_str(), &link) != 0 || stat(path.c_str(), &found) != 0) return false;
  if (!S_ISDIR(found.st_mode) || link.st_uid != geteuid() || found.st_uid != geteuid()) return false;
  if ((found.st_mode & S_IWOTH) != 0) return false;
  return (found.st_mode & S_IWGRP) == 0 || chmod(path.c_str(), S_IRWXU) == 0;
}

}  // namespace

std::string user_cache_directory() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const std::string path = cache && *cache ? std::string(cache) + "/toriscope"
                           : home && *home ? std::string(home) + "/.cache/toriscope"
                                           : "";
  return !path.empty() && is_private(path) ? path : "";
}

std::string temporary_directory() {
  // The library takes an empty name for that of a directory.
  if (const char* const named = std::getenv("TMPDIR"); named && !*named) return "/tmp";
  std::error_code error;
  const std::filesystem::path path = std::filesystem::temp_directory_path(error);
  if (error) throw std::runtime_error("TMPDIR names no directory for temporary files: " + error.message());
  return path.string();
}

std::string private_temporary_directory() {
  const std::string path = temporary_directory() + "/toriscope-" + std::to_string(geteuid());
  mkdir(path.c_str(), S_IRWXU);
  struct stat found {};
  constexpr mode_t of_others = S_IWGRP | S_IWOTH;
  if (lstat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid() ||
      (found.st_mode & of_others) != 0)
    throw std::runtime_error("others may write " + path +
                             ", so it is not used; set HOME, or XDG_CACHE_HOME to a directory of your own");
  return path;
}

}  // namespace toriscope
