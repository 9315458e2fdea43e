// SPDX-License-Identifier: Apache-2.0
#include "base/checked_json.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace toriscope {

checked_json::checked_json(const json& value, std::string file, std::string place)
    : value_(&value), file_(std::move(file)), place_(std::move(place)) {}

void checked_json::refuse(const std::string& key, const std::string& why) const {
  const std::string where = place_.empty() || key.empty() ? place_ + key : place_ + "." + key;
  throw std::invalid_argument(file_ + ": " + (where.empty() ? "" : where + ": ") + why);
}

const checked_json::json& checked_json::member(const std::string& key) const {
  static const json nothing;
  const auto found = value_->find(key);
  return found == value_->end() ? nothing : *found;
}

checked_json checked_json::object(const std::string& key) const {
  if (!member(key).is_object()) refuse(key, "expected an object, {...}");
  return {member(key), file_, place_.empty() ? key : place_ + "." + key};
}

checked_json checked_json::array(const std::string& key) const {
  if (!member(key).is_array()) refuse(key, "expected a list, [...]");
  return {member(key), file_, place_.empty() ? key : place_ + "." + key};
}

checked_json checked_json::entry(std::size_t i) const {
  const std::string index = "[" + std::to_string(i) + "]";
  if (!(*value_)[i].is_object())
    checked_json(*value_, file_, place_ + index).refuse("", "expected an object, {...}");
  return {(*value_)[i], file_, place_ + index};
}

std::string checked_json::text(const std::string& key) const {
  if (!member(key).is_string()) refuse(key, "expected a text");
  return member(key).get<std::string>();
}

checked_json::json checked_json::number(const std::string& key) const {
  if (!member(key).is_number()) refuse(key, "expected a number");
  return shortened(member(key));
}

checked_json::json checked_json::number_or_null(const std::string& key) const {
  if (!member(key).is_number() && !member(key).is_null()) refuse(key, "expected a number, or null");
  return shortened(member(key));
}

bool checked_json::flag(const std::string& key) const {
  if (!member(key).is_boolean() && !member(key).is_null()) refuse(key, "expected true or false");
  return member(key).is_boolean() && member(key).get<bool>();
}

bool checked_json::has(const std::string& key) const { return !member(key).is_null(); }

nlohmann::ordered_json shortened(const nlohmann::ordered_json& number) {
  if (!number.is_number_float()) return number;
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", number.get<double>());
  return std::strtod(text, nullptr);
}

}  // namespace toriscope
