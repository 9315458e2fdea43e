// SPDX-License-Identifier: Apache-2.0
// Values of parameters: their types and ranges (parameters.h).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "base/nearest_name.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "topologies/link_models/link_delay.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

std::string shown(const json& value) {
  return one_line(value.dump(-1, ' ', false, json::error_handler_t::replace), 200);
}

[[noreturn]] void refuse_range(const parameter& p, const std::string& value) {
  const char* what = p.what == parameter::kind::whole ? "a whole number" : "a number";
  // A most value that few reach is told to those who do.
  const std::size_t digits = std::min(value.find_first_not_of('"'), value.size());
  if (p.most > 1e6 && std::strtod(value.c_str() + digits, nullptr) > p.most)
    throw std::invalid_argument(fmt::format("{} must be {} from {:.0f} to {:.0f}", value, what, p.least, p.most));
  throw std::invalid_argument(p.most > 1e6
                                  ? fmt::format("{} must be {} from {:.0f} on", value, what, p.least)
                                  : fmt::format("{} must be {} from {} to {}", value, what, p.least, p.most));
}

void check_widths(const json& value) {
  for (const json& item : value)
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() < 1)
      throw std::invalid_argument(shown(value) +
                                  " is not a list of link widths; expected whole numbers of bits from 1 on, "
                                  "one for all links or one per level");
}

/// Numbers and models, as the texts that a configuration keeps.
json checked_delays(const json& value) {
  json texts = json::array();
  for (const json& item : value) {
    if (!item.is_string() && !item.is_number_unsigned())
      throw std::invalid_argument(shown(value) +
                                  " must be whole numbers from 1 to 1000 or models like linear:0.5, one for "
                                  "all links or one per level");
    const std::string text = item.is_string() ? item.get<std::string>() : item.dump();
    make_delay_model(text);
    texts.push_back(text);
  }
  if (texts.empty()) throw std::invalid_argument("the list is empty; expected delays from 1 to 1000 cycles");
  return texts;
}

/// A number of the kind wanted, or else the text itself: set_from_json() then says what is wrong.
json number_in(const std::string& text, bool whole_only) {
  if (std::uint64_t whole_value = 0; to_number(text, whole_value)) return whole_value;
  if (whole_only) return text;
  double real_value = 0;
  const char* const end = text.data() + text.size();
  if (const auto r = std::from_chars(text.data(), end, real_value);
      r.ec == std::errc() && r.ptr == end && std::isfinite(real_value))
    return real_value;
  return text;
}

/// The value that is meant, which may be called by its name, with hyphens or underscores.
json checked_choice(const parameter& p, const json& value) {
  std::vector<std::string> known;  // an empty text, "the default", is a choice that help and messages leave out
  for (const parameter_value& choice : p.choices)
    if (!choice.name.empty()) known.push_back(choice.name);
  if (!value.is_string()) throw std::invalid_argument(shown(value) + " must be one of " + joined(known));
  const auto text = value.get<std::string>();
  std::string underscored = text;
  std::replace(underscored.begin(), underscored.end(), '-', '_');
  for (const parameter_value& choice : p.choices)
    if (choice.value == text || choice.name == text || choice.name == underscored) return choice.value;
  const std::string all = "known: " + joined(known);
  throw std::invalid_argument(fmt::format("'{}' is unknown; {}", one_line(text, 100),
                                          known.size() > 4 ? did_you_mean(text, known, all) : all));
}

}  // namespace

void set_from_json(const parameter& p, run_config& config, const json& value) {
  constexpr std::size_t max_items = 100000;
  if (value.is_array() && value.size() > max_items)
    throw std::invalid_argument("a list of " + std::to_string(value.size()) + " items; at most " +
                                std::to_string(max_items) + " are taken");
  switch (p.what) {
    case parameter::kind::whole:
      if (!value.is_number_unsigned() || value.get<double>() < p.least || value.get<double>() > p.most)
        refuse_range(p, shown(value));
      break;
    case parameter::kind::real:
      if (!value.is_number() || !(value.get<double>() >= p.least && value.get<double>() <= p.most))
        refuse_range(p, shown(value));
      break;
    case parameter::kind::flag:
      if (!value.is_boolean()) throw std::invalid_argument(shown(value) + " must be true or false");
      break;
    case parameter::kind::text:
      // A length alone may be written as a number.
      if (value.is_number_unsigned() && p.argument == "FLITS")
        return p.set(config, value.dump());
      if (!value.is_string()) throw std::invalid_argument(shown(value) + " must be a text");
      break;
    case parameter::kind::choice:
      return p.set(config, checked_choice(p, value));
    case parameter::kind::texts:
      if (!value.is_array() ||
          !std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_string(); }))
        throw std::invalid_argument(shown(value) + " must be a list of texts");
      break;
    case parameter::kind::wholes: {
      const json list = value.is_array() ? value : json::array({value});
      check_widths(list);
      return p.set(config, list);
    }
    case parameter::kind::delays:
      return p.set(config, checked_delays(value.is_array() ? value : json::array({value})));
  }
  p.set(config, value);
}

void set_from_text(const parameter& p, run_config& config, const std::string& text) {
  json value = text;
  try {
    static_cast<void>(value.dump());
  } catch (const json::type_error&) {
    throw std::invalid_argument(shown(value) + " is not UTF-8, as JSON and therefore configurations must be");
  }
  if (p.what == parameter::kind::whole || p.what == parameter::kind::real)
    value = number_in(text, p.what == parameter::kind::whole);
  if (p.argument == "P%" && !text.empty() && text.back() == '%')
    if (const json share = number_in(text.substr(0, text.size() - 1), false); share.is_number())
      value = share.get<double>() / 100;
  if (p.what == parameter::kind::flag) value = text == "true";
  if (p.what == parameter::kind::texts || p.what == parameter::kind::delays) value = split(text, ',');
  if (p.what == parameter::kind::wholes) {
    value = json::array();
    for (const std::string& item : split(text, ',')) value.push_back(number_in(item, true));
  }
  set_from_json(p, config, value);
}

}  // namespace toriscope
