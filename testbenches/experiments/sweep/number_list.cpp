// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <unordered_set>

#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::size_t max_items = 100000;

double number(const std::string& text, const std::string& of) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value))
    throw std::invalid_argument(
        "'" + of + "' is not a number or a list of numbers; expected 0.1,0.2,0.4 or 0.01:0.5:0.01 " +
        "(first:last:step)");
  return value;
}

std::uint64_t whole(const std::string& text, const std::string& of) {
  std::uint64_t value = 0;
  if (!to_number(text, value))
    throw std::invalid_argument("'" + of + "' is not a list of seeds; expected 1,2,3 or 1:3 (first:last)");
  return value;
}

/// @param what  "loads"
void refuse_many(std::size_t count, const char* what) {
  if (count > max_items)
    throw std::invalid_argument(fmt::format("the list has more than {} {}", max_items, what));
}

/// first:last:step.
void add_range(std::vector<double>& list, const std::vector<std::string>& parts, const std::string& item) {
  if (parts.size() != 3) number("", item);
  const double first = number(parts[0], item);
  const double last = number(parts[1], item);
  const double step = number(parts[2], item);
  const double count = std::floor((last - first) / step + 1e-9) + 1;
  if (!(step > 0) || !(count >= 1) || count > static_cast<double>(max_items))
    throw std::invalid_argument("'" + item +
                                "' is not a range first:last:step with a step above 0 and at most " +
                                std::to_string(max_items) + " loads");
  // Numbers of few digits, not sums of rounding errors.
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    list.push_back(
        std::strtod(fmt::format("{:.10g}", first + static_cast<double>(i) * step).c_str(), nullptr));
}

}  // namespace

std::vector<double> load_list(const std::string& text) {
  std::vector<double> list;
  for (const std::string& item : split(text, ',')) {
    const std::vector<std::string> parts = split(item, ':');
    if (parts.size() == 1)
      list.push_back(number(item, item));
    else
      add_range(list, parts, item);
    refuse_many(list.size(), "loads");
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<std::uint64_t> seed_list(const std::string& text) {
  std::vector<std::uint64_t> list;
  std::unordered_set<std::uint64_t> known;
  for (const std::string& item : split(text, ',')) {
    const std::vector<std::string> parts = split(item, ':');
    if (parts.size() > 3) whole("", item);
    const std::uint64_t first = whole(parts.front(), item);
    const std::uint64_t last = parts.size() > 1 ? whole(parts[1], item) : first;
    const std::uint64_t step = parts.size() > 2 ? whole(parts[2], item) : 1;
    if (step == 0 || last < first || (last - first) / step >= max_items)
      throw std::invalid_argument("'" + item + "' is not a range first:last or first:last:step of at most " +
                                  std::to_string(max_items) + " seeds");
    for (std::uint64_t n = (last - first) / step + 1, seed = first; n > 0; --n, seed += step)
      if (known.insert(seed).second) list.push_back(seed);
    refuse_many(list.size(), "seeds");
  }
  return list;
}

}  // namespace toriscope
