// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/verdict.h"

#include <fmt/format.h>

#include <cmath>

#include "topologies/analysis/comparison.h"

namespace toriscope {

const char* to_string(ruling r) {
  switch (r) {
    case ruling::reproduced:
      return "reproduced";
    case ruling::differs:
      return "differs";
    case ruling::undecided:
      return "cannot be decided";
  }
  return "";
}

std::string to_text(const shown_value& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return "-";
}

tolerance tolerance::as_printed(unsigned decimals) {
  return {kind::decimals, double(decimals), "as printed"};
}

tolerance tolerance::relative(double share) {
  return {kind::share, share, fmt::format("{:.4g} %", 100 * share)};
}

tolerance tolerance::absolute(double difference, const std::string& unit) {
  return {kind::difference, difference, fmt::format("{:.4g}{}{}", difference, unit.empty() ? "" : " ", unit)};
}

bool tolerance::holds(double printed, double ours) const {
  if (!std::isfinite(ours)) return false;
  const double rounding = 1 + 1e-9;
  switch (kind_) {
    case kind::decimals:
      return equals_printed(ours, printed, static_cast<unsigned>(value_));
    case kind::share:
      return std::abs(ours - printed) <= value_ * std::abs(printed) * rounding;
    case kind::difference:
      return std::abs(ours - printed) <= value_ * rounding;
  }
  return false;
}

verdict judge_number(const std::string& item, double printed, std::optional<double> ours,
                     const tolerance& allowed, const std::string& reason, const std::string& command) {
  if (!ours) return undecided(item, printed, reason, command);
  const ruling result = allowed.holds(printed, *ours) ? ruling::reproduced : ruling::differs;
  const bool unexplained = result == ruling::differs && reason.empty();
  return {
      "",     item, printed, *ours, allowed.words(), result, unexplained ? "no explanation is known" : reason,
      command};
}

verdict judge_claim(const std::string& item, const std::string& words, bool holds, const std::string& figures,
                    const std::string& reason, const std::string& command) {
  const ruling result = holds ? ruling::reproduced : ruling::differs;
  const std::string why = reason.empty() ? "our figures contradict it" : reason;
  return {"", item, words, figures, "true of our figures", result, holds ? "" : why, command};
}

verdict undecided(const std::string& item, const shown_value& printed, const std::string& missing,
                  const std::string& command) {
  return {"", item, printed, std::monostate{}, "-", ruling::undecided, missing, command};
}

ruling_counts count_rulings(const std::vector<verdict>& verdicts) {
  ruling_counts counts;
  for (const verdict& v : verdicts) switch (v.result) {
      case ruling::reproduced:
        ++counts.reproduced;
        break;
      case ruling::differs:
        ++counts.differs;
        break;
      case ruling::undecided:
        ++counts.undecided;
        break;
    }
  return counts;
}

}  // namespace toriscope
