// SPDX-License-Identifier: Apache-2.0
#include "base/checked_json.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

#include "base/nearest_name.h"
#include "base/text_file.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t deepest = 100;
constexpr std::size_t max_values = 10000000;
constexpr std::size_t few_keys = 16;  // which are compared one by one

/// Makes the value of what the parser of the library finds. (The library's own recurses without a limit when
/// a deep value is printed or copied, keeps the last of equal keys, and looks for each key among all others.)
class tree_builder final : public nlohmann::json_sax<json> {
 public:
  tree_builder(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  json take() { return std::move(tree_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override {
    refuse_nul(value);
    return add(std::move(value));
  }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    refuse_nul(name);
    level& here = open_.back();
    const auto& members = here.value->get_ref<json::object_t&>();
    bool fresh = true;
    if (members.size() < few_keys) {
      fresh = std::none_of(members.begin(), members.end(), [&](const auto& m) { return m.first == name; });
    } else {
      if (here.known.empty())
        for (const auto& m : members) here.known.insert(m.first);
      fresh = here.known.insert(name).second;
    }
    if (!fresh) refuse(": " + place() + "the key '" + one_line(name, 100) + "' is given twice");
    here.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // Before what is wrong; positions are counted from 1.
    const std::string_view before(text_.data(), std::min(position - 1, text_.size()));
    const std::size_t column = before.size() - before.rfind('\n');  // npos is -1
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string at = ":" + std::to_string(line) + ": ";
    std::string why = error.what();  // "[json.exception...] parse error at line ..., column ...: why"
    why.erase(0, why.find(' ') + 1);
    if (error.id == out_of_range) refuse(at + one_line(why, 200));
    if (position > text_.size()) refuse(at + "the JSON ends too early");
    why.erase(0, why.find(": ") + 2);
    refuse(at + "this is not JSON: column " + std::to_string(column) + ": " + one_line(why, 300));
  }

 private:
  static constexpr int out_of_range = 406;

  struct level {
    json* value;
    std::string key;                        ///< of the member to come
    std::unordered_set<std::string> known;  ///< its keys, when they are many
  };

  /// @returns where it is now
  json& put(json value) {
    if (++values_ > max_values)
      refuse(": it has more than " + std::to_string(max_values) + " values, which no such file needs");
    if (open_.empty()) return tree_ = std::move(value);
    json& parent = *open_.back().value;
    if (parent.is_array()) return parent.get_ref<json::array_t&>().emplace_back(std::move(value));
    // The container below, which does not look for the key.
    json::object_t::Container& members = parent.get_ref<json::object_t&>();
    return members.emplace_back(std::move(open_.back().key), std::move(value)).second;
  }

  bool add(json value) {
    put(std::move(value));
    return true;
  }

  bool open(json value) {
    if (open_.size() == deepest)
      refuse(": it nests more than " + std::to_string(deepest) + " levels deep, which no such file needs");
    open_.push_back({&put(std::move(value)), {}, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// Names and paths would end there for some who read them, and not for others.
  void refuse_nul(const std::string& value) const {
    if (value.find('\0') != std::string::npos)
      refuse(": " + place() + "the text '" + one_line(value, 100) + "' has a character U+0000");
  }

  /// "links[3]: ", or "" at the top.
  std::string place() const {
    std::string place;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i)
      if (open_[i].value->is_array())
        place += "[" + std::to_string(open_[i].value->size() - 1) + "]";
      else
        place += (place.empty() ? "" : ".") + open_[i].value->get_ref<json::object_t&>().back().first;
    return place.empty() ? "" : one_line(place, 200) + ": ";
  }

  [[noreturn]] void refuse(const std::string& why) const { throw std::invalid_argument(file_ + why); }

  const std::string& text_;
  const std::string& file_;
  json tree_;
  std::size_t values_ = 0;
  std::vector<level> open_;
};

std::string shown(const json& value) {
  return one_line(value.dump(-1, ' ', false, json::error_handler_t::replace), 80);
}

std::string as_text(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string range_text(std::uint64_t least, std::uint64_t most) {
  return "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

bool is_whole(const json& value, std::uint64_t least, std::uint64_t most) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() >= least &&
         value.get<std::uint64_t>() <= most;
}

}  // namespace

json parse_json(const std::string& text, const std::string& file) {
  // The parser of the library takes it for the end.
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw std::invalid_argument(file + ":" + std::to_string(line) + ": this is not JSON: byte " +
                                std::to_string(nul + 1) + " is a character U+0000; expected a text file");
  }
  tree_builder builder(text, file);
  json::sax_parse(text, &builder, json::input_format_t::json, /*strict=*/true, /*ignore_comments=*/true);
  return builder.take();
}

json read_json(const std::string& path, const std::string& what) {
  return parse_json(text_of_file(path, what), path);
}

json json_or_null(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

checked_json::checked_json(const json& value, std::string file, std::string place)
    : value_(&value), file_(std::move(file)), place_(std::move(place)) {}

std::string checked_json::place_of(const std::string& key) const {
  return place_.empty() || key.empty() ? place_ + key : place_ + "." + key;
}

void checked_json::refuse(const std::string& key, const std::string& why) const {
  const std::string where = place_of(key);
  throw std::invalid_argument(file_ + ": " + (where.empty() ? "" : one_line(where, 300) + ": ") + why);
}

void checked_json::refuse(const std::string& why) const { refuse("", why); }

void checked_json::refuse_value(const std::string& expected) const {
  refuse(expected + ", not " + shown(*value_));
}

const json& checked_json::member(const std::string& key) const {
  static const json nothing;
  const auto found = value_->find(key);
  return found == value_->end() ? nothing : *found;
}

const checked_json& checked_json::only(const strings& keys) const {
  if (!value_->is_object()) refuse("expected an object {...} with: " + joined(keys));
  for (const auto& [key, value] : value_->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) refuse(unknown_name("key", key, keys));
  return *this;
}

bool checked_json::has(const std::string& key) const { return !member(key).is_null(); }

checked_json checked_json::at(const std::string& key) const {
  const json& value = member(key);
  if (value.is_null()) refuse("'" + key + "' is missing");
  return {value, file_, place_of(key)};
}

checked_json checked_json::object(const std::string& key) const {
  if (!member(key).is_object()) refuse(key, "expected an object, {...}");
  return {member(key), file_, place_of(key)};
}

checked_json checked_json::object_or_empty(const std::string& key) const {
  static const json empty = json::object();
  return has(key) ? object(key) : checked_json(empty, file_, place_of(key));
}

checked_json checked_json::array(const std::string& key) const {
  if (!member(key).is_array()) refuse(key, "expected a list, [...]");
  return {member(key), file_, place_of(key)};
}

checked_json checked_json::item(std::size_t i) const {
  return {(*value_)[i], file_, place_ + "[" + std::to_string(i) + "]"};
}

checked_json checked_json::entry(std::size_t i) const {
  checked_json result = item(i);
  if (!result.value().is_object()) result.refuse("expected an object, {...}");
  return result;
}

std::string checked_json::name() const {
  if (!value_->is_string() || value_->get_ref<const std::string&>().empty())
    refuse_value("expected a name in quotes");
  return value_->get<std::string>();
}

std::string checked_json::text(const std::string& key) const {
  if (!member(key).is_string()) refuse(key, "expected a text");
  return member(key).get<std::string>();
}

std::string checked_json::text(const std::string& key, const std::string& otherwise) const {
  const json& value = member(key);
  if (value.is_null()) return otherwise;
  if (!value.is_string() && !value.is_number()) refuse(key, "expected a text");
  return as_text(value);
}

std::string checked_json::needed_text(const std::string& key) const {
  const std::string value = text(key, "");
  if (value.empty()) refuse(key, "is missing");
  return value;
}

std::string checked_json::choice(const std::string& key, const strings& choices) const {
  const std::string value = text(key, choices.front());
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    refuse(key, unknown_name("value", value, choices));
  return value;
}

checked_json::strings checked_json::texts(const std::string& key) const {
  const json& value = member(key);
  if (value.is_null()) return {};
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) refuse(key, "expected a text or a list of texts");
  strings all;
  for (const json& item : value) {
    if (!item.is_string()) refuse(key, "expected a list of texts");
    all.push_back(item.get<std::string>());
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> checked_json::pairs(const std::string& key) const {
  const json& value = member(key);
  std::vector<std::pair<std::string, std::string>> all;
  if (value.is_null()) return all;
  if (!value.is_object()) refuse(key, "expected an object, {\"NAME\": VALUE, ...}");
  for (const auto& [name, item] : value.items()) {
    if (!item.is_string() && !item.is_number()) refuse(key + "." + name, "expected a text or a number");
    all.emplace_back(name, as_text(item));
  }
  return all;
}

json checked_json::number(const std::string& key) const {
  if (!member(key).is_number()) refuse(key, "expected a number");
  return shortened(member(key));
}

json checked_json::number_or_null(const std::string& key) const {
  if (!member(key).is_number() && !member(key).is_null()) refuse(key, "expected a number, or null");
  return shortened(member(key));
}

std::uint64_t checked_json::whole(std::uint64_t least, std::uint64_t most) const {
  if (!is_whole(*value_, least, most)) refuse_value(range_text(least, most));
  return value_->get<std::uint64_t>();
}

std::uint64_t checked_json::whole(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                                  std::uint64_t most) const {
  return has(key) ? at(key).whole(least, most) : otherwise;
}

bool checked_json::flag(const std::string& key, bool otherwise) const {
  const json& value = member(key);
  if (value.is_null()) return otherwise;
  if (!value.is_boolean()) refuse(key, "expected true or false");
  return value.get<bool>();
}

nlohmann::ordered_json shortened(const nlohmann::ordered_json& number) {
  if (!number.is_number_float()) return number;
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", number.get<double>());
  return std::strtod(text, nullptr);
}

}  // namespace toriscope
