// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/export_directory.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/output_directory.h"
#include "base/output_file.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"

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

/// Whether the list may name it: a plain path from the directory downward.
bool is_listed_name(const std::string& file) {
  const std::vector<std::string> parts = split(file, '/');
  return file != list_name && std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
           return !part.empty() && part != "." && part != "..";
         });
}

/// In place of a pipe or a device, too, which is never opened.
void write_file(const std::string& path, const std::string& text) {
  std::error_code error;
  fs::is_other(path, error) ? replace_text_file(path, text) : write_text_file(path, text);
}

}  // namespace

export_directory::export_directory(const std::string& option, const std::string& path, kind k)
    : option_(option), path_(path), kind_(k), last_(files_of_last_export()) {
  std::error_code ignored;
  if (kind_ == kind::listed && fs::is_directory(path_, ignored) && !fs::is_empty(path_, ignored) &&
      !fs::is_regular_file(place_of(list_name), ignored))
    throw std::invalid_argument(option_ + ": " + path_ + " holds files, and toriscope export has not written them " +
                                "(no file " + list_name +
                                "); expected a new or an empty directory, or that of an earlier export");
}

void export_directory::refuse(const std::string& place, const std::string& why) const {
  throw std::invalid_argument(option_ + ": " + place + ' ' + why + "; move it away, or give another directory");
}

export_directory::hashes export_directory::files_of_last_export() const {
  hashes files;
  if (kind_ == kind::free) return files;
  std::istringstream list(text_if_there(place_of(list_name)).value_or(""));
  for (std::string line; std::getline(list, line);) {
    if (line.size() <= hash_digits) continue;
    const std::string file = line.substr(hash_digits + 1);
    if (!is_listed_name(file))
      throw std::invalid_argument(option_ + ": " + place_of(list_name) + " names '" + one_line(file, 200) +
                                  "', which is not a file of an export; expected paths of files below " + path_);
    files[file].insert(line.substr(0, hash_digits));
  }
  return files;
}

export_directory::hashes export_directory::files_written() const {
  hashes files;
  for (const auto& entry : fs::recursive_directory_iterator(staging()))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(staging()).string()] = {hash_of(entry.path().string())};
  return files;
}

/// The directories below ours that the file is in.
void export_directory::check_parents(const std::string& file) const {
  fs::path within;
  for (const fs::path& part : fs::path(file).parent_path()) {
    const std::string parent = place_of((within /= part).string());
    std::error_code error;
    const fs::file_status status = fs::symlink_status(parent, error);
    if (fs::is_symlink(status)) refuse(parent, "is a symbolic link where a directory is expected");
    if (fs::exists(status) && !fs::is_directory(status)) refuse(parent, "is not a directory");
  }
  check_writable_directory(fs::path(place_of(file)).parent_path().string());
}

/// @param known  hashes of what exports wrote there
void export_directory::check_place(const std::string& file, const std::set<std::string>& known) const {
  check_parents(file);
  const std::string place = place_of(file);
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (status.type() == fs::file_type::none) throw std::runtime_error("cannot write " + place + ": " + error.message());
  if (fs::is_directory(status)) refuse(place, "is a directory where a file is expected");
  if (kind_ == kind::listed && fs::exists(status) && known.count(hash_of(place)) == 0)
    refuse(place, "is not as an export wrote it");
  if (!fs::is_other(status) && fs::is_directory(fs::path(place).parent_path(), error)) output_file probe(place);
}

void export_directory::check() {
  written_ = files_written();
  both_ = last_;
  for (const auto& [file, hash] : written_) both_[file].insert(hash.begin(), hash.end());
  if (kind_ == kind::listed) check_place(list_name, {hash_of(place_of(list_name))});
  for (const auto& [file, known] : both_) check_place(file, known);
}

void export_directory::write_list(const hashes& files) const {
  std::string list;
  for (const auto& [file, all] : files)
    for (const std::string& hash : all) list += hash + ' ' + file + '\n';
  if (kind_ == kind::listed) write_file(place_of(list_name), list);
}

void export_directory::install() const {
  make_directory(path_);
  write_list(both_);
  std::error_code ignored;
  for (const auto& [file, hash] : last_)
    if (written_.count(file) == 0) {
      fs::remove(place_of(file), ignored);
      fs::remove(fs::path(place_of(file)).parent_path(), ignored);  // if it is empty
    }
  for (const auto& [file, hash] : written_) {
    make_directory(fs::path(place_of(file)).parent_path().string());
    const std::string staged = staging() + '/' + file;
    write_file(place_of(file), text_of_file(staged, staged));
  }
  write_list(written_);
}

}  // namespace toriscope
