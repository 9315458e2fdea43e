// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/result_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/json.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/simulation/statistics/statistic.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string checksum_of(const json& document) { return hex_text(mix_text(document.dump())); }

/// A result without what depends on machine and time.
json timeless(json document) {
  document.erase("performance");
  json units = json::object();
  for (const auto& [name, unit] : document["units"].items())
    if (!begins_with(name, "performance.")) units[name] = unit;
  document["units"] = std::move(units);
  return document;
}

bool is_hash_name(const std::string& name) {
  return name.size() >= 16 && name.find_first_not_of("0123456789abcdef") >= 16;
}

}  // namespace

result_store::result_store(std::string directory, std::function<void(const std::string&)> tell)
    : directory_(std::move(directory)), tell_(std::move(tell)) {
  make_directory(directory_ + "/points");
  if (!tell_) tell_ = [](const std::string& line) { toriscope::tell(line); };
}

bool result_store::has_file(const point& p) const {
  std::error_code ignored;
  return fs::exists(directory_ + "/" + file_name(p), ignored);
}

std::optional<run_result> result_store::load(const point& p) const {
  const std::string path = directory_ + "/" + file_name(p);
  const std::optional<std::string> text = text_if_there(path);
  if (!text) return std::nullopt;
  json document = json_or_null(*text);
  if (document.contains("checksum")) {
    const json checksum = document["checksum"];
    document.erase("checksum");
    if (checksum == checksum_of(document) && document["config"].dump() == p.config_text()) {
      try {
        run_result known = from_json(std::move(document));
        if (!known.broken()) return known;
        tell_(path + ": " + known.failure()->message + ": the point is run again");
        return std::nullopt;
      } catch (const std::invalid_argument&) {  // its checksum fits: made by hand
      }
    }
  }
  tell_(path + " is corrupt: the point is run again");
  return std::nullopt;
}

run_result result_store::save(const point& p, const std::string& text) const {
  const run_result result = from_json(text);
  if (result.config().dump() != p.config_text())
    throw std::invalid_argument("it simulated another configuration than it was asked for");
  json document = timeless(result.document());
  if (result.broken()) return result;
  if (document.contains("observation")) document["stalls"] = document["observation"]["fronts"];
  document["command"] = p.command();
  json written = document;
  written["checksum"] = checksum_of(document);
  replace_text_file(directory_ + "/" + file_name(p), written.dump(1) + "\n");
  return from_json(std::move(document));
}

void result_store::keep_only(const std::set<std::string>& hashes) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory_ + "/points", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!is_hash_name(name)) continue;  // not ours
    if (name.substr(16) != ".json" || hashes.count(name.substr(0, 16)) == 0)
      fs::remove(entry.path(), ignored);
  }
}

}  // namespace toriscope
