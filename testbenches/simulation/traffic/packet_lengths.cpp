// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/packet_lengths.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::uint32_t max_flits = 65535;
constexpr std::size_t max_decimals = 6;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("packet length '" + text + "': " + why +
                              "; expected a number of flits (16) or lengths with weights (4:0.5,16:0.5)");
}

std::uint64_t whole_number(std::string_view digits, const std::string& text) {
  std::uint64_t value = 0;
  if (!to_number(digits, value)) refuse(text, "'" + std::string(digits) + "' is not a whole number");
  return value;
}

/// A weight in millionths.
std::uint64_t weight(std::string_view part, const std::string& text) {
  const std::size_t point = std::min(part.find('.'), part.size());
  if (part.empty()) refuse(text, "a weight is missing");
  std::string digits(part.substr(0, point));
  std::string decimals(point < part.size() ? part.substr(point + 1) : std::string_view());
  if (point < part.size() && decimals.empty()) refuse(text, "no digit after the point");
  if (decimals.size() > max_decimals) refuse(text, "a weight has more than 6 decimals");
  if (digits.size() > 6) refuse(text, "a weight is larger than 999999");
  decimals.resize(max_decimals, '0');
  return whole_number(digits + decimals, text);
}

std::uint32_t length(std::string_view part, const std::string& text) {
  const std::uint64_t flits = whole_number(part, text);
  if (flits < 1 || flits > max_flits)
    refuse(text, "a packet has 1 to " + std::to_string(max_flits) + " flits");
  return static_cast<std::uint32_t>(flits);
}

}  // namespace

packet_lengths::packet_lengths(std::uint32_t flits) { add(flits, 1); }

packet_lengths::packet_lengths(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  const bool alone = parts.size() == 1;
  for (const std::string_view part : parts) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos && !alone)
      refuse(
          text,
          "a length without a weight; for one length after the other in a sweep give --packet several times");
    const std::uint32_t flits = length(part.substr(0, std::min(colon, part.size())), text);
    const std::uint64_t of_it = colon == std::string_view::npos ? 1 : weight(part.substr(colon + 1), text);
    if (!has_room_for(flits, of_it))
      refuse(text.substr(0, 40) + "...",
             "the lengths times their weights add up to 2^64 millionths or more; divide all weights by 1000");
    add(flits, of_it);
  }
  if (total_weight_ == 0) refuse(text, "all weights are 0");
}

bool packet_lengths::has_room_for(std::uint32_t flits, std::uint64_t weight) const {
  std::uint64_t sum = 0;
  return !__builtin_mul_overflow(weight, std::uint64_t{flits}, &sum) &&
         !__builtin_add_overflow(weighted_flits_, sum, &sum);
}

std::uint32_t packet_lengths::longest() const {
  return std::max_element(entries_.begin(), entries_.end(),
                          [](const entry& a, const entry& b) { return a.flits < b.flits; })
      ->flits;
}

void packet_lengths::add(std::uint32_t flits, std::uint64_t weight) {
  if (weight == 0) return;  // it is never drawn
  total_weight_ += weight;
  weighted_flits_ += weight * flits;
  entries_.push_back({flits, total_weight_});
}

std::vector<std::pair<std::uint32_t, double>> packet_lengths::shares() const {
  std::vector<std::pair<std::uint32_t, double>> list;
  std::uint64_t below = 0;
  for (const entry& e : entries_) {
    list.emplace_back(e.flits,
                      static_cast<double>(e.weights_up_to - below) / static_cast<double>(total_weight_));
    below = e.weights_up_to;
  }
  return list;
}

}  // namespace toriscope
