// SPDX-License-Identifier: Apache-2.0
// Objects of a JSON description: every key is asked for by name, and those that nobody asks for are errors.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace toriscope {

class description_reader {
 public:
  using json = nlohmann::ordered_json;

  /// @param where  for messages: the file, then keys: "router.json: flit"
  description_reader(const json& object, std::string where);

  bool has(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise = {});
  /// @throws std::invalid_argument outside least .. most
  std::uint64_t number(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most);
  bool flag(const std::string& key, bool otherwise);
  /// A text, or a list of texts.
  std::vector<std::string> texts(const std::string& key);
  /// One of `choices`.
  std::string choice(const std::string& key, const std::vector<std::string>& choices);
  /// Names and texts or numbers, in the order of the file.
  std::vector<std::pair<std::string, std::string>> pairs(const std::string& key);
  description_reader object(const std::string& key);
  /// @throws std::invalid_argument when it is not there
  std::string needed_text(const std::string& key);

  /// All has been asked for. @throws std::invalid_argument for a key that nobody knows
  void finish() const;
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

 private:
  const json* find(const std::string& key);

  json object_;
  std::string where_;
  std::vector<std::string> known_;
};

}  // namespace toriscope
