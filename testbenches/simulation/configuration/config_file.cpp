// SPDX-License-Identifier: Apache-2.0
// Reading configuration files (parameters.h).
#include <algorithm>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/nearest_name.h"
#include "base/text_file.h"
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
      const auto [known, first] = known_.emplace(p.path, key);
      if (!first)
        refuse("'" + known->second + "' and '" + key + "' set the same parameter; keep one of them");
      if (keys_) (*keys_)[p.path] = key;
      return;
    }
    if (top_level && is_section(key)) refuse(key + ": expected an object, {...}");
    refuse(unknown_key(key, top_level));
  }

  static std::string name_of(const parameter& p) { return p.path.substr(p.path.find('.') + 1); }

  static std::string unknown_key(const std::string& key, bool top_level) {
    const auto it_is = [&key](const std::string& path) {
      return "unknown key '" + key + "'; did you mean '" + path + "'?";
    };
    // The same name in another section; the nearest key of all: a path, or on the top level an option; a near name in
    // another section.
    const std::string last = key.substr(key.rfind('.') + 1);
    std::vector<std::string> known;
    for (const parameter& p : parameters()) {
      if (last == name_of(p) || p.is_called(last)) return it_is(p.path);
      known.push_back(p.path);
      if (!top_level) continue;
      known.push_back(p.option);
      known.push_back(p.path.substr(0, p.path.find('.')));
    }
    if (nearest_name(key, known).empty())
      for (const parameter& p : parameters())
        if (!nearest_name(last, {name_of(p), p.option}).empty()) return it_is(p.path);
    return unknown_name("key", key, known, "'toriscope list parameters' lists those known");
  }

  const std::string& file_;
  run_config& config_;
  std::map<std::string, std::string>* keys_;
  std::map<std::string, std::string> known_;  ///< of this file: the key by path
};

}  // namespace

void set_from_file_text(const std::string& text, const std::string& path, run_config& config,
                        std::map<std::string, std::string>* keys) {
  json tree = parse_json(text, path);
  // The result of a run may be given as it is: its "config" counts.
  if (tree.is_object() && tree.contains("config") && tree.contains("results")) tree = json(tree["config"]);
  config_reader(path, config, keys).read(tree);
}

void set_from_file(const std::string& path, run_config& config, std::map<std::string, std::string>* keys) {
  if (path != "-")
    return set_from_file_text(text_of_file(path, "configuration file " + path), path, config, keys);
  std::string text;
  for (std::istreambuf_iterator<char> in(std::cin), end; in != end && text.size() <= max_bytes_of_stream; ++in)
    text += *in;
  if (text.size() > max_bytes_of_stream)
    throw std::invalid_argument("standard input has more than " + std::to_string(max_bytes_of_stream) +
                                " bytes, which is more than is read; expected a configuration (JSON)");
  if (text.empty()) throw std::invalid_argument("standard input is empty; expected a configuration (JSON)");
  set_from_file_text(text, "standard input", config, keys);
}

}  // namespace toriscope
