// SPDX-License-Identifier: Apache-2.0
#include "base/cache_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace toriscope {

std::string user_cache_directory() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::string(cache) + "/toriscope";
  const char* const home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/toriscope" : "";
}

std::string temporary_directory() {
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
