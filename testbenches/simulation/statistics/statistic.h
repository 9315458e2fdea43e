// SPDX-License-Identifier: Apache-2.0
// A figure of a run: a value with its name, unit and description. Formatters (report.h) print any list of
// them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace toriscope {

struct statistic {
  /// A double that is not finite means that there is no value. Several numbers, [low, high]: none means that
  /// they are not known.
  using value_type = std::variant<std::uint64_t, double, bool, std::string, std::vector<double>>;

  std::string name;         ///< dots make groups: "latency.mean"
  std::string unit;         ///< "cycles", "flits/node/cycle"; empty for a pure number
  std::string description;  ///< one line
  value_type value;
};

using statistics = std::vector<statistic>;

/// A value for people; "-" for none, "unknown" for an interval that is not known.
std::string to_text(const statistic::value_type& value);

}  // namespace toriscope
