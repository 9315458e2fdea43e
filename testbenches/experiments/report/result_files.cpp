// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/result_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "base/input_file.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + ": " + why);
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

json parsed(const std::string& path) {
  const std::string text = text_of(path);
  if (text.empty()) refuse(path, "is empty");
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    std::size_t line = 1;
    for (std::size_t i = 0; i + 1 < error.byte && i < text.size(); ++i) line += text[i] == '\n';
    const bool cut_off = error.byte > text.size();
    refuse(path + ":" + std::to_string(line), cut_off ? "the JSON ends too early" : "this is not JSON");
  } catch (const json::out_of_range& error) {
    refuse(path, json_complaint(error));
  }
}

std::optional<result_file::kind> kind_of(const json& content) {
  if (content.is_array()) {
    for (const json& row : content)
      if (!row.is_object() || !row.contains("verdict")) return {};
    return result_file::kind::verdicts;
  }
  if (!content.is_object()) return {};
  if (content.value("kind", json()) == "sweep") return result_file::kind::sweep;
  if (content.contains("config") && content.contains("results")) return result_file::kind::run;
  if (content.contains("from_cycle") && content.contains("links")) return result_file::kind::link_usage;
  return {};
}

result_file read_file(const std::string& path) {
  json content = parsed(path);
  const std::optional<result_file::kind> kind = kind_of(content);
  if (!kind)
    refuse(path,
           "neither a sweep, nor verdicts, nor a result of 'run --json', nor its --link-stats (.json); see toriscope "
           "report --help");
  return {*kind, path, std::move(content)};
}

}  // namespace

const char* to_string(result_file::kind k) {
  switch (k) {
    case result_file::kind::sweep:
      return "sweep";
    case result_file::kind::verdicts:
      return "verdicts";
    case result_file::kind::run:
      return "run";
    case result_file::kind::link_usage:
      break;
  }
  return "use of links";
}

std::vector<result_file> read_results(const std::vector<std::string>& paths) {
  std::vector<result_file> all;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      all.push_back(read_file(path));
      continue;
    }
    const std::size_t before = all.size();
    for (const char* name : {"sweep.json", "verdicts.json"})
      if (const fs::path file = fs::path(path) / name; fs::exists(file, ignored))
        all.push_back(read_file(file.string()));
    if (all.size() == before)
      refuse(path, "a directory without sweep.json and verdicts.json: no finished sweep, no reproduction");
  }
  return all;
}

}  // namespace toriscope
