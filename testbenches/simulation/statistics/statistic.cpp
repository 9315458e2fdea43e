// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/statistic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace toriscope {

std::string to_text(const statistic::value_type& value) {
  if (const auto* number = std::get_if<double>(&value))
    return std::isfinite(*number) ? fmt::format("{:.6g}", *number) : "-";
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value))
    return numbers->empty() ? "unknown" : fmt::format("{:.6g}", fmt::join(*numbers, " .. "));
  return std::get<std::string>(value);
}

}  // namespace toriscope
