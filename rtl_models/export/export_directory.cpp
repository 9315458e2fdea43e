// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/export_directory.h"

#include <filesystem>
#include <iterator>
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

const std::string& made(const std::string& directory) {
  make_directory(directory);
  return directory;
}

}  // namespace

export_directory::export_directory(const std::string& path) : path_(path), staging_(made(path)) {
  const fs::directory_iterator files(path_);
  if (!fs::exists(place_of(list_name)) && std::distance(begin(files), end(files)) > 1)  // beside the staging directory
    throw std::invalid_argument("--sv: " + path_ + " holds files, and toriscope export has not written them (no " +
                                list_name + "); expected a new or an empty directory, or that of an earlier export");
}

export_directory::hashes export_directory::files_of_last_export() const {
  hashes files;
  std::istringstream list(text_if_there(place_of(list_name)).value_or(""));
  for (std::string line; std::getline(list, line);)
    if (line.size() > hash_digits) files[line.substr(hash_digits + 1)] = line.substr(0, hash_digits);
  return files;
}

export_directory::hashes export_directory::files_written() const {
  hashes files;
  for (const auto& entry : fs::recursive_directory_iterator(staging()))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(staging()).string()] = hash_of(entry.path().string());
  return files;
}

void export_directory::install() {
  const hashes last = files_of_last_export(), written = files_written();
  hashes touched = last;
  touched.insert(written.begin(), written.end());
  for (const auto& [file, hash] : touched) {
    const std::string found = hash_of(place_of(file));
    const auto is_of = [&, &name = file](const hashes& files) { return files.count(name) && files.at(name) == found; };
    if (fs::exists(place_of(file)) && !is_of(last) && !is_of(written))
      throw std::invalid_argument("--sv: " + place_of(file) +
                                  " is not as an export wrote it; move it away, or give another directory");
  }
  std::error_code ignored;
  for (const auto& [file, hash] : last)
    if (written.count(file) == 0) {
      fs::remove(place_of(file), ignored);
      fs::remove(fs::path(place_of(file)).parent_path(), ignored);  // if it is empty
    }
  for (const auto& [file, hash] : written) {
    make_directory(fs::path(place_of(file)).parent_path().string());
    fs::rename(staging() + '/' + file, place_of(file));
  }
  write_text_file(place_of(list_name), [&](std::ostream& out) {
    for (const auto& [file, hash] : written) out << hash << ' ' << file << '\n';
  });
}

}  // namespace toriscope
