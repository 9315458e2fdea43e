// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/text_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "base/output_file.h"
#include "base/text_file.h"
#include "base/words.h"

namespace toriscope {

bool is_stdout(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

void check_writable(const std::string& path) {
  if (path.empty() || is_stdout(path)) return;
  std::error_code ignored;
  // Pipes and devices cannot be tried without a trace.
  if (std::filesystem::is_other(std::filesystem::status(path, ignored))) return;
  output_file probe(path);
}

void refuse_stdout(const std::string& option, const std::string& content, const std::string& path) {
  if (is_stdout(path))
    throw std::invalid_argument(option + ": " + content + " cannot go to standard output (-); name a file");
}

void write_stdout(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::runtime_error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (is_stdout(path)) return write_stdout(text);
  write_text_file(path, text);
}

bool is_json_name(const std::string& path) { return ends_in(path, ".json"); }

}  // namespace toriscope
