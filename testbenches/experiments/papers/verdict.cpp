// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "testbenches/experiments/sweep/point.h"

namespace toriscope {

const char* to_string(ruling r) {
  static const std::array<const char*, ruling_count> words = {"reproduced", "differs", "undetermined",
                                                              "not run", "not evidence"};
  return words[static_cast<std::size_t>(r)];
}

const char* to_string(provenance p) {
  static const std::array<const char*, provenance_count> words = {"simulated", "built", "proven", "equation",
                                                                  "arithmetic", "none"};
  return words[static_cast<std::size_t>(p)];
}

std::string to_text(const shown_value& value, provenance source) {
  if (const double* number = std::get_if<double>(&value))
    return source == provenance::simulated ? fmt::format("{:.6g}", *number) : fmt::format("{:.7g}", *number);
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
      return std::abs(ours - printed) <= 0.5 * std::pow(10, -value_) * rounding;
    case kind::share:
      return std::abs(ours - printed) <= value_ * std::abs(printed) * rounding;
    case kind::difference:
      return std::abs(ours - printed) <= value_ * rounding;
  }
  return false;
}

verdict judge_number(const std::string& item, provenance source, double printed, double ours,
                     const tolerance& allowed, const std::string& reason) {
  verdict v;
  v.item = item;
  v.source = source;
  v.printed = printed;
  v.ours = ours;
  v.tolerance = allowed.words();
  v.result = allowed.holds(printed, ours) ? ruling::reproduced : ruling::differs;
  if (v.result == ruling::differs) v.reason = reason;
  return v;
}

verdict judge_readings(const std::string& item, provenance source, double printed,
                       const std::vector<number_reading>& readings, const tolerance& allowed,
                       const std::string& reason, left_open what) {
  std::size_t holding = 0;
  std::size_t known = 0;
  std::size_t above = 0;
  std::string others;
  std::string giving;
  for (const number_reading& r : readings) {
    if (&r != &readings.front())
      append(others, r.words + ": " + (r.value ? to_text(*r.value, source) : "none"));
    if (!r.value) continue;
    ++known;
    above += *r.value > printed;
    if (!allowed.holds(printed, *r.value)) continue;
    ++holding;
    append(giving, r.words);
  }
  const std::optional<double> first = readings.front().value;
  verdict v = first ? judge_number(item, source, printed, *first, allowed, all_miss(reason))
                    : undetermined(item, printed, "this reading has no such value");
  v.source = source;
  v.reading = readings.front().words;
  v.others = others;
  if (what == left_open::quantity && holding == 0 && above > 0 && above < known)
    return undetermined(std::move(v), between_readings);
  if (holding == 0 || holding == known) return v;
  return undetermined(v,
                      "the text admits all of these readings, and only some give what is printed: " + giving);
}

std::string all_miss(const std::string& reason) {
  return all_readings_miss + (reason.empty() ? "" : "; " + reason);
}

verdict judge_claim(const std::string& item, provenance source, const std::string& words, bool holds,
                    const std::string& figures, const std::string& reason) {
  verdict v;
  v.item = item;
  v.source = source;
  v.printed = words;
  v.ours = figures;
  v.tolerance = "true of our figures";
  v.result = holds ? ruling::reproduced : ruling::differs;
  if (!holds) v.reason = reason.empty() ? "our figures contradict it" : reason;
  return v;
}

verdict undetermined(verdict v, const std::string& missing) {
  v.result = ruling::undetermined;
  v.reason = missing;
  return v;
}

verdict undetermined(const std::string& item, const shown_value& printed, const std::string& missing) {
  verdict v;
  v.item = item;
  v.printed = printed;
  return undetermined(std::move(v), missing);
}

verdict not_run(const std::string& item, const shown_value& printed, const std::string& why) {
  verdict v = undetermined(item, printed, why);
  v.result = ruling::not_run;
  return v;
}

void append(std::string& list, const std::string& piece, const char* separator) {
  list += (list.empty() ? "" : separator) + piece;
}

void add_reading(verdict& v, const std::string& words, const verdict& other, const std::string& why_open) {
  append(v.others, words + ": " + to_text(other.ours));
  if (other.result != v.result) v = undetermined(std::move(v), why_open);
}

verdict completed(verdict v, const std::string& paper) {
  v.paper = paper;
  if (v.source == provenance::arithmetic && v.result != ruling::not_run) {
    v.reason = std::string(v.result == ruling::reproduced ? "agrees" : "does not agree") +
               (v.reason.empty() ? "" : ": " + v.reason);
    v.result = ruling::not_evidence;
  }
  if (v.result == ruling::differs && v.reason.empty()) v.reason = "no explanation is known";
  if (v.tolerance.empty()) v.tolerance = "-";
  if (v.command.empty())
    v.command = fmt::format("toriscope reproduce {} --item {}", paper, quoted_for_shell(v.item));
  return v;
}

std::size_t ruling_counts::of(ruling r) const {
  std::size_t sum = 0;
  for (const std::size_t n : by[static_cast<std::size_t>(r)]) sum += n;
  return sum;
}

std::string ruling_counts::words() const {
  return fmt::format("{} reproduced, {} differ, {} undetermined, {} not run, {} not evidence",
                     of(ruling::reproduced), of(ruling::differs), of(ruling::undetermined),
                     of(ruling::not_run), of(ruling::not_evidence));
}

ruling_counts count_rulings(const std::vector<verdict>& verdicts) {
  ruling_counts counts;
  for (const verdict& v : verdicts) ++counts.by[std::size_t(v.result)][std::size_t(v.source)];
  return counts;
}

}  // namespace toriscope
