// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/measured_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

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

}  // namespace toriscope
