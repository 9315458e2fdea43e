// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace toriscope {

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_text_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ofstream file(path);
  write(file);
  file.flush();
  if (!file) throw std::runtime_error("cannot write " + path);
}

void write_text_file(const std::string& path, const std::string& text) {
  write_text_file(path, [&](std::ostream& out) { out << text; });
}

}  // namespace toriscope
