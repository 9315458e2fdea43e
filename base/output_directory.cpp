// SPDX-License-Identifier: Apache-2.0
#include "base/output_directory.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace toriscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + path + ": " + reason);
}

}  // namespace

void check_writable_directory(const std::string& path) {
  for (fs::path there = fs::absolute(path);; there = there.parent_path()) {
    std::error_code error;
    const fs::file_status status = fs::status(there, error);
    const bool leads_nowhere = status.type() == fs::file_type::not_found && fs::is_symlink(there, error);
    if (status.type() == fs::file_type::not_found && !leads_nowhere && there != there.root_path()) continue;
    if (status.type() == fs::file_type::none) cannot_write(path, error.message());
    if (!fs::is_directory(status)) cannot_write(path, there.string() + " is not a directory");
    if (access(there.c_str(), W_OK | X_OK) != 0) cannot_write(path, std::strerror(errno));
    return;
  }
}

}  // namespace toriscope
