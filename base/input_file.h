// SPDX-License-Identifier: Apache-2.0
// Files that are read as a whole: configurations, plans, certificates, networks.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace toriscope {

/// The standard library opens a directory as if it were a file.
/// @throws std::invalid_argument "PATH is a directory; a file is expected"
inline void refuse_directory(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw std::invalid_argument(path + " is a directory; a file is expected");
}

/// All that a file holds.
/// @param what  begins errors: "plan p.json"
/// @throws std::invalid_argument "WHAT cannot be read: reason", "WHAT is empty", and for directories
inline std::string text_of_file(const std::string& path, const std::string& what) {
  refuse_directory(path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::invalid_argument(what + " cannot be read: " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (text.empty()) throw std::invalid_argument(what + " is empty");
  return text;
}

/// The words of an error of the JSON library, without its tag "[json.exception.out_of_range.406] ".
inline std::string json_complaint(const std::exception& error) {
  const std::string words = error.what();
  return words.substr(words.front() == '[' ? words.find("] ") + 2 : 0);
}

}  // namespace toriscope
