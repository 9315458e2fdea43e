// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/result_files.h"

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "base/checked_json.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + ": " + why);
}

std::optional<result_file::kind> kind_of(const json& content) {
  if (content.is_array()) {
    for (const json& row : content)
      if (!row.contains("verdict")) return {};  // false of other values, too
    return result_file::kind::verdicts;
  }
  if (!content.is_object()) return {};
  if (content.value("kind", json()) == "sweep") return result_file::kind::sweep;
  if (content.contains("config") && content.contains("results")) return result_file::kind::run;
  if (content.contains("from_cycle") && content.contains("links")) return result_file::kind::link_usage;
  return {};
}

result_file read_file(const std::string& path) {
  json content = read_json(path, path);
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
      if (const fs::path file = fs::path(path) / name; fs::exists(file, ignored)) {
        // Where a user named only the directory, nothing waits for a pipe.
        if (fs::is_other(file, ignored)) refuse(file.string(), "a pipe or device; expected a file");
        all.push_back(read_file(file.string()));
      }
    if (all.size() == before)
      refuse(path, "a directory without sweep.json and verdicts.json: no finished sweep, no reproduction");
  }
  return all;
}

}  // namespace toriscope
