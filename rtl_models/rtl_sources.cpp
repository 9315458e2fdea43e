// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_sources.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/text_file.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

/// The parent of the directory of the running program; empty when the system does not tell.
fs::path program_prefix() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : program.parent_path().parent_path();
}

/// The first of these directories that holds `file`.
std::string first_with(const char* file, const std::vector<fs::path>& directories) {
  std::string looked_at;
  for (const fs::path& directory : directories) {
    if (directory.empty()) continue;
    std::error_code failed;
    if (fs::exists(directory / file, failed)) return directory.lexically_normal().string();
    looked_at += (looked_at.empty() ? "" : ", ") + directory.string();
  }
  throw std::runtime_error(
      std::string("no ") + file + " in " + looked_at +
      "; is toriscope installed in full? TORISCOPE_RTL may name the directory of router.sv");
}

}  // namespace

std::string rtl_source_directory() {
  const char* const asked = std::getenv("TORISCOPE_RTL");
  if (asked && *asked) return first_with("router.sv", {asked});
  const fs::path prefix = program_prefix();
  return first_with("router.sv", {prefix.empty() ? prefix : prefix / TORISCOPE_DATA "/rtl/sv",
                                  TORISCOPE_SOURCE_DIRECTORY "/rtl_models/sv",
                                  TORISCOPE_INSTALL_PREFIX "/" TORISCOPE_DATA "/rtl/sv"});
}

std::vector<std::string> rtl_router_sources() {
  const fs::path directory = rtl_source_directory();
  std::istringstream list(text_if_there(directory / "router.f").value_or(""));
  std::vector<std::string> paths;
  for (std::string name; list >> name;) paths.push_back((directory / name).string());
  if (paths.empty()) throw std::runtime_error((directory / "router.f").string() + " cannot be read");
  return paths;
}

std::string rtl_export_directory() {
  return first_with("delay_line.sv", {fs::path(rtl_source_directory()).parent_path() / "export"});
}

std::string rtl_include_directory() {
  const fs::path prefix = program_prefix();
  return first_with("rtl_models/rtl_router.h",
                    {prefix.empty() ? prefix : prefix / TORISCOPE_HEADERS, TORISCOPE_SOURCE_DIRECTORY,
                     TORISCOPE_INSTALL_PREFIX "/" TORISCOPE_HEADERS});
}

}  // namespace toriscope
