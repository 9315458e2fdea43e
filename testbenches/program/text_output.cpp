// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/text_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "base/output_file.h"
#include "base/text_file.h"
#include "base/words.h"
#include "traces/gtkw.h"

namespace toriscope {
namespace {

/// The same for every name of a file; standard output and no file are themselves.
std::string place_of(const std::string& file) {
  if (file.empty()) return file;
  if (is_stdout(file)) return "-";
  std::error_code ignored;
  const auto directory = std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path(), ignored);
  return (directory / std::filesystem::path(file).filename()).string();
}

}  // namespace

bool is_stdout(const std::string& path) {
  if (path == "-") return true;
  std::error_code error;
  const std::string plain = std::filesystem::absolute(path, error).lexically_normal().string();
  return plain == "/dev/stdout" || plain == "/dev/fd/1" || plain == "/proc/self/fd/1";
}

void check_writable(const std::string& path) {
  if (path.empty() || is_stdout(path)) return;
  std::error_code ignored;
  // Pipes and devices cannot be tried without a trace.
  if (std::filesystem::is_other(std::filesystem::status(path, ignored))) return;
  output_file probe(path);
}

void check_outputs(named_outputs files, const named_outputs& not_tried) {
  for (const auto& [option, file] : files) check_writable(file);
  files.insert(files.end(), not_tried.begin(), not_tried.end());
  for (auto file = files.begin(); file != files.end(); ++file) {
    const std::string place = place_of(file->second);
    const auto same = std::find_if(files.begin(), file, [&](const auto& f) { return place_of(f.second) == place; });
    if (same != file && !place.empty() && place != "/dev/null")
      throw std::invalid_argument(fmt::format("{} and {} both write to {}; only one of them can", same->first,
                                              file->first, place == "-" ? "standard output (-)" : file->second));
    for (const auto& [option, other] : files)
      if (is_file_of_words(place_of(other), place))
        throw std::invalid_argument(fmt::format(
            "{} and the words of {} both write to {}; only one of them can", option, file->first, other));
  }
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
