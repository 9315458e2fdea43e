// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/description_reader.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/nearest_name.h"

namespace toriscope {
namespace {

std::string as_text(const description_reader::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

description_reader::description_reader(const json& object, std::string where)
    : object_(object), where_(std::move(where)) {
  if (!object_.is_object()) throw std::invalid_argument(where_ + ": an object, {...}, is expected");
}

void description_reader::refuse(const std::string& key, const std::string& why) const {
  throw std::invalid_argument(where_ + (where_.find(": ") == std::string::npos ? ": " : ".") + key + ": " +
                              why);
}

const description_reader::json* description_reader::find(const std::string& key) {
  known_.push_back(key);
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

bool description_reader::has(const std::string& key) { return find(key) != nullptr; }

std::string description_reader::text(const std::string& key, const std::string& otherwise) {
  const json* const value = find(key);
  if (!value) return otherwise;
  if (!value->is_string() && !value->is_number()) refuse(key, "a text is expected");
  return as_text(*value);
}

std::string description_reader::needed_text(const std::string& key) {
  const std::string value = text(key);
  if (value.empty()) refuse(key, "is missing");
  return value;
}

std::uint64_t description_reader::number(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                                         std::uint64_t most) {
  const json* const value = find(key);
  if (!value) return otherwise;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() < least ||
      value->get<std::uint64_t>() > most)
    refuse(key,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most) + " is expected");
  return value->get<std::uint64_t>();
}

bool description_reader::flag(const std::string& key, bool otherwise) {
  const json* const value = find(key);
  if (!value) return otherwise;
  if (!value->is_boolean()) refuse(key, "true or false is expected");
  return value->get<bool>();
}

std::vector<std::string> description_reader::texts(const std::string& key) {
  const json* const value = find(key);
  std::vector<std::string> all;
  if (!value) return all;
  if (value->is_string()) return {value->get<std::string>()};
  if (!value->is_array()) refuse(key, "a text or a list of texts is expected");
  for (const json& item : *value) {
    if (!item.is_string()) refuse(key, "a list of texts is expected");
    all.push_back(item.get<std::string>());
  }
  return all;
}

std::string description_reader::choice(const std::string& key, const std::vector<std::string>& choices) {
  const std::string value = text(key, choices.front());
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    refuse(key, unknown_name("value", value, choices));
  return value;
}

std::vector<std::pair<std::string, std::string>> description_reader::pairs(const std::string& key) {
  const json* const value = find(key);
  std::vector<std::pair<std::string, std::string>> all;
  if (!value) return all;
  if (!value->is_object()) refuse(key, "an object, {\"NAME\": VALUE, ...}, is expected");
  for (const auto& [name, item] : value->items()) {
    if (!item.is_string() && !item.is_number()) refuse(key + "." + name, "a text or a number is expected");
    all.emplace_back(name, as_text(item));
  }
  return all;
}

description_reader description_reader::object(const std::string& key) {
  const json* const value = find(key);
  return {value ? *value : json::object(),
          where_ + (where_.find(": ") == std::string::npos ? ": " : ".") + key};
}

void description_reader::finish() const {
  for (const auto& [key, value] : object_.items())
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      throw std::invalid_argument(where_ + ": " + unknown_name("key", key, known_));
}

}  // namespace toriscope
