// SPDX-License-Identifier: Apache-2.0
// Reading configuration files (parameters.h).
#include <algorithm>
#include <stdexcept>

#include "base/input_file.h"
#include "base/nearest_name.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

class config_reader {
 public:
  config_reader(const std::string& file, run_config& config, std::map<std::string, std::string>* keys)
      : file_(file), config_(config), keys_(keys) {}

  void read(const json& tree) {
    if (!tree.is_object()) refuse("expected an object, {...}");
    for (const auto& [key, value] : tree.items()) {
      if (is_section(key) && value.is_object())
        for (const auto& [name, inner] : value.items()) set(key + "." + name, inner, false);
      else
        set(key, value, true);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw std::invalid_argument(file_ + ": " + why); }

  static bool is_section(const std::string& key) {
    return std::any_of(parameters().begin(), parameters().end(),
                       [&](const parameter& p) { return p.path.compare(0, key.size() + 1, key + ".") == 0; });
  }

  void set(const std::string& key, const json& value, bool top_level) {
    std::string option = key;
    std::replace(option.begin(), option.end(), '_', '-');
    for (const parameter& p : parameters()) {
      if (p.path != key && !(top_level && p.is_called(option))) continue;
      try {
        set_from_json(p, config_, value);
      } catch (const std::invalid_argument& error) {
        refuse(key + ": " + error.what());
      }
      if (keys_) (*keys_)[p.path] = key;
      return;
    }
    refuse(unknown_key(key, top_level));
  }

  static std::string unknown_key(const std::string& key, bool top_level) {
    // The nearest key of all: a path, or on the top level an option.
    std::vector<std::string> known;
    for (const parameter& p : parameters()) {
      known.push_back(p.path);
      if (!top_level) continue;
      known.push_back(p.option);
      known.push_back(p.path.substr(0, p.path.find('.')));
    }
    std::string nearest = nearest_name(key, known);
    if (nearest.empty()) {
      // It may stand in the wrong section.
      const std::string last = key.substr(key.rfind('.') + 1);
      for (const parameter& p : parameters())
        if (nearest.empty() && !nearest_name(last, {p.path.substr(p.path.find('.') + 1), p.option}).empty())
          nearest = p.path;
    }
    if (!nearest.empty()) return "unknown key '" + key + "'; did you mean '" + nearest + "'?";
    return "unknown key '" + key + "'; 'toriscope list parameters' lists those known";
  }

  const std::string& file_;
  run_config& config_;
  std::map<std::string, std::string>* keys_;
};

}  // namespace

void set_from_file_text(const std::string& text, const std::string& path, run_config& config,
                        std::map<std::string, std::string>* keys) {
  json tree;
  try {
    // Comments are allowed.
    tree = json::parse(text, nullptr, true, true);
  } catch (const json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line =
        1 + std::count(text.begin(), error.byte > 0 && end != text.begin() ? end - 1 : end, '\n');
    throw std::invalid_argument(path + ":" + std::to_string(line) + ": this is not JSON");
  } catch (const json::out_of_range& error) {
    throw std::invalid_argument(path + ": " + json_complaint(error));
  }
  // The result of a run may be given as it is: its "config" counts.
  if (tree.is_object() && tree.contains("config") && tree.contains("results")) tree = json(tree["config"]);
  config_reader(path, config, keys).read(tree);
}

void set_from_file(const std::string& path, run_config& config, std::map<std::string, std::string>* keys) {
  set_from_file_text(text_of_file(path, "configuration file " + path), path, config, keys);
}

}  // namespace toriscope
