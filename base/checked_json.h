// SPDX-License-Identifier: Apache-2.0
// A place in a JSON file that is read with care: whatever is missing or of the wrong type is refused with the name of
// the file and the place, "results/sweep.json: curves[3].points[0].rate: expected a number".
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace toriscope {

class checked_json {
 public:
  using json = nlohmann::ordered_json;

  /// @param value  must outlive this; @param file  for errors
  checked_json(const json& value, std::string file, std::string place = {});

  // All throw std::invalid_argument with one line.
  checked_json object(const std::string& key) const;  ///< must be there
  checked_json array(const std::string& key) const;   ///< likewise
  checked_json entry(std::size_t i) const;            ///< of an array; an object
  std::string text(const std::string& key) const;     ///< must be there
  json number(const std::string& key) const;          ///< must be there; five digits
  json number_or_null(const std::string& key) const;  ///< five digits; null where it is missing
  bool flag(const std::string& key) const;            ///< false where it is missing or null
  /// An object or array that may be missing: whether it is there, and not null.
  bool has(const std::string& key) const;
  std::size_t size() const { return value_->size(); }
  const json& value() const { return *value_; }
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

 private:
  const json& member(const std::string& key) const;

  const json* value_;
  std::string file_;
  std::string place_;
};

/// With five significant digits, which is what the eye needs; whole numbers as they are.
nlohmann::ordered_json shortened(const nlohmann::ordered_json& number);

}  // namespace toriscope
