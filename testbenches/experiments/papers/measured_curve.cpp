// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/measured_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {

option_list with_options(option_list options, const option_list& more) {
  for (const auto& [name, value] : more) {
    const auto known = std::find_if(options.begin(), options.end(),
                                    [&name = name](const auto& option) { return option.first == name; });
    if (known != options.end())
      known->second = value;
    else
      options.emplace_back(name, value);
  }
  return options;
}

std::optional<double> measured_point::figure(const std::string& name) const {
  const auto found = figures.find(name);
  if (found == figures.end()) return std::nullopt;
  return found->second;
}

const measured_point& measured_curve::at(double load) const {
  for (const measured_point& p : points)
    if (p.load == load) return p;
  throw std::out_of_range(fmt::format("curve '{}' has no point at load {}", name, load));
}

order compare_throughputs(const measured_curve& a, const measured_curve& b) {
  const auto least = [](const measured_curve& c) { return c.saturation_throughput.value_or(0); };
  // Stable at every load: above any other.
  const auto most = [](const measured_curve& c) {
    return c.saturation_upper.value_or(std::numeric_limits<double>::infinity());
  };
  if (least(a) > most(b)) return order::higher;
  if (most(a) < least(b)) return order::lower;
  return order::open;
}

std::string bracket_text(const measured_curve& curve) {
  const auto text = [](const std::optional<double>& load) {
    return load ? fmt::format("{:.4g}", *load) : std::string("-");
  };
  return text(curve.saturation_throughput) + " .. " + text(curve.saturation_upper);
}

std::string joined_commands(const std::vector<std::string>& commands) {
  std::string text;
  std::size_t number = 0;
  for (const std::string& command : commands) {
    text += (text.empty() ? "" : "; ") + command;
    // A directory holds one sweep.
    if (++number > 1 && ends_in(command, "DIR")) text += fmt::format("_{}", number);
  }
  return text;
}

}  // namespace toriscope
