// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/result_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/output_file.h"
#include "base/text_hash.h"
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
    if (name.rfind("performance.", 0) != 0) units[name] = unit;
  document["units"] = std::move(units);
  return document;
}

/// The name under which this process writes a file before it has its own.
std::string own_name(const std::string& path) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return fmt::format("{}.{}.{}.tmp", path, host, getpid());
}

bool is_hash_name(const std::string& name) {
  return name.size() >= 16 && name.find_first_not_of("0123456789abcdef") >= 16;
}

}  // namespace

void write_whole(const std::string& path, const std::string& text) {
  const std::string own = own_name(path);
  // Somebody who tidies up may take our file for one that was left behind: then it is written again.
  for (int attempt = 0; attempt < 3; ++attempt) {
    try {
      output_file file(own);
      file.write(text);
      file.close();
    } catch (const std::runtime_error& error) {
      std::string reason = error.what();
      if (const std::size_t at = reason.find(own); at != std::string::npos)
        reason.replace(at, own.size(), path);
      throw std::runtime_error(reason);
    }
    if (std::rename(own.c_str(), path.c_str()) == 0) return;
  }
  const std::string reason = std::strerror(errno);
  std::remove(own.c_str());
  throw std::runtime_error("cannot write " + path + ": " + reason);
}

result_store::result_store(std::string directory, std::function<void(const std::string&)> tell)
    : directory_(std::move(directory)), tell_(std::move(tell)) {
  std::error_code error;
  fs::create_directories(directory_ + "/points", error);
  if (error) throw std::runtime_error("cannot make directory " + directory_ + "/points: " + error.message());
  if (!tell_) tell_ = [](const std::string& line) { std::fprintf(stderr, "toriscope: %s\n", line.c_str()); };
}

bool result_store::has_file(const point& p) const {
  std::error_code ignored;
  return fs::exists(directory_ + "/" + file_name(p), ignored);
}

std::optional<point_result> result_store::load(const point& p) const {
  const std::string path = directory_ + "/" + file_name(p);
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  json document = json::parse(text, nullptr, false);
  if (document.is_object() && document.contains("checksum")) {
    const json checksum = document["checksum"];
    document.erase("checksum");
    if (checksum == checksum_of(document) && document["config"].dump() == p.config_text())
      return point_result(std::move(document));
  }
  tell_(path + " is corrupt: the point is run again");
  return std::nullopt;
}

point_result result_store::save(const point& p, const std::string& text) const {
  json document = json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("results") || !document.contains("config"))
    throw std::invalid_argument("its output is not a result");
  if (document["config"].dump() != p.config_text())
    throw std::invalid_argument("it simulated another configuration than it was asked for");
  document = timeless(std::move(document));
  if (document.contains("observation")) document["stalls"] = document["observation"]["fronts"];
  document["command"] = p.command();
  json written = document;
  written["checksum"] = checksum_of(document);
  write_whole(directory_ + "/" + file_name(p), written.dump(1) + "\n");
  return point_result(std::move(document));
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
