// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/export_directory.h"

#include <filesystem>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "base/text_file.h"
#include "base/text_hash.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "export.txt";
constexpr std::size_t hash_digits = 16;

/// Empty: there is none.
std::string hash_of(const std::string& file) {
  const auto hash = hash_of_file(file);
  return hash ? hex_text(*hash) : "";
}

}  // namespace

export_directory::export_directory(const std::string& path) : path_(path) {
  make_directory(path_);
  if (!fs::exists(place_of(list_name)) && !fs::is_empty(path_))
    throw std::invalid_argument("--sv: " + path_ + " holds files, and toriscope export has not written them (no " +
                                list_name + "); expected a new or an empty directory, or that of an earlier export");
}

export_directory::hashes export_directory::files_of_last_export() const {
  hashes files;
  std::istringstream list(text_if_there(place_of(list_name)).value_or(""));
  for (std::string line; std::getline(list, line);)
    if (line.size() > hash_digits) files[line.substr(hash_digits + 1)].insert(line.substr(0, hash_digits));
  return files;
}

export_directory::hashes export_directory::files_written() const {
  hashes files;
  for (const auto& entry : fs::recursive_directory_iterator(staging()))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(staging()).string()] = {hash_of(entry.path().string())};
  return files;
}

void export_directory::write_list(const hashes& files) const {
  write_text_file(place_of(list_name), [&](std::ostream& out) {
    for (const auto& [file, all] : files)
      for (const std::string& hash : all) out << hash << ' ' << file << '\n';
  });
}

void export_directory::install() {
  const hashes last = files_of_last_export(), written = files_written();
  hashes both = last;
  for (const auto& [file, hash] : written) both[file].insert(hash.begin(), hash.end());
  for (const auto& [file, known] : both)
    if (fs::exists(place_of(file)) && known.count(hash_of(place_of(file))) == 0)
      throw std::invalid_argument("--sv: " + place_of(file) +
                                  " is not as an export wrote it; move it away, or give another directory");
  write_list(both);
  std::error_code ignored;
  for (const auto& [file, hash] : last)
    if (written.count(file) == 0) {
      fs::remove(place_of(file), ignored);
      fs::remove(fs::path(place_of(file)).parent_path(), ignored);  // if it is empty
    }
  for (const auto& [file, hash] : written) {
    make_directory(fs::path(place_of(file)).parent_path().string());
    const std::string staged = staging() + '/' + file;
    write_text_file(place_of(file), text_of_file(staged, staged));
  }
  write_list(written);
}

}  // namespace toriscope
