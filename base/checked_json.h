// SPDX-License-Identifier: Apache-2.0
// JSON of a file, read with care: what is not JSON, nests too deeply or repeats a key is rejected with the file and
// the line, and what is missing or of the wrong type with the file and the place,
// "results/sweep.json: curves[3].points[0].rate: expected a number".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"

namespace toriscope {

/// The value that a text holds; comments are allowed, and keys keep their order.
/// @param file  begins errors
/// @throws std::invalid_argument "FILE:LINE: ..." in one line
nlohmann::ordered_json parse_json(const std::string& text, const std::string& file);
/// Likewise of a file. @param what  begins errors when it cannot be read: "plan p.json"
nlohmann::ordered_json read_json(const std::string& path, const std::string& what);
/// Null instead of an error.
nlohmann::ordered_json json_or_null(const std::string& text);

/// A value and its place in the file.
class checked_json {
 public:
  using json = nlohmann::ordered_json;
  using strings = std::vector<std::string>;

  /// @param value  must outlive this; @param file  for errors
  checked_json(const json& value, std::string file, std::string place = {});

  // All throw std::invalid_argument with one line.
  const checked_json& only(const strings& keys) const;  ///< an object with no other keys
  bool has(const std::string& key) const;               ///< a member that is not null

  // Members. Those without `otherwise` must be there, unless it says so.
  checked_json at(const std::string& key) const;  ///< of any type
  checked_json object(const std::string& key) const;
  checked_json object_or_empty(const std::string& key) const;
  checked_json array(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::string text(const std::string& key, const std::string& otherwise) const;  ///< or a number
  std::string needed_text(const std::string& key) const;                         ///< or a number; not ""
  std::string choice(const std::string& key,
                     const strings& choices) const;  ///< the first, where it is missing
  strings texts(const std::string& key) const;       ///< a text or a list of texts, which may be missing
  /// Names and texts or numbers, in the order of the file; may be missing.
  std::vector<std::pair<std::string, std::string>> pairs(const std::string& key) const;
  json number(const std::string& key) const;          ///< five digits
  json number_or_null(const std::string& key) const;  ///< five digits; null where it is missing
  std::uint64_t whole(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                      std::uint64_t most) const;
  bool flag(const std::string& key, bool otherwise = false) const;  ///< also where it is null

  // The value itself.
  checked_json entry(std::size_t i) const;  ///< of an array; an object
  checked_json item(std::size_t i) const;   ///< of an array; of any type
  /// One of value().items(), without looking for it among many.
  checked_json part(const std::string& key, const json& value) const { return {value, file_, place_of(key)}; }
  std::string name() const;  ///< a text that is not empty
  std::uint64_t whole(std::uint64_t least, std::uint64_t most) const;
  std::size_t size() const { return value_->size(); }
  const json& value() const { return *value_; }
  const std::string& place() const { return place_; }

  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;
  /// "expected ..., not 0".
  [[noreturn]] void refuse_value(const std::string& expected) const;

 private:
  const json& member(const std::string& key) const;
  std::string place_of(const std::string& key) const;

  const json* value_;
  std::string file_;
  std::string place_;
};

/// With five significant digits, which is what the eye needs; whole numbers as they are.
nlohmann::ordered_json shortened(const nlohmann::ordered_json& number);

}  // namespace toriscope
