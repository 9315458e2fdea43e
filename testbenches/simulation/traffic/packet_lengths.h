// SPDX-License-Identifier: Apache-2.0
// The lengths of packets: one, or several with exact integer weights.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/simulation/traffic/random.h"

namespace toriscope {

class packet_lengths {
 public:
  /// All packets have this many flits.
  explicit packet_lengths(std::uint32_t flits = 16);

  /// "16", or lengths with weights: "4:0.5,16:0.5" or "4:1,16:3". Decimal fractions are taken exactly; what
  /// counts is how the weights compare. @throws std::invalid_argument with one line
  explicit packet_lengths(const std::string& text);

  /// A length; a fixed one draws nothing.
  std::uint32_t draw(random_stream& random) const {
    if (entries_.size() == 1) return entries_.front().flits;
    const std::uint64_t r = random.below(total_weight_);
    std::size_t i = 0;
    while (r >= entries_[i].weights_up_to) ++i;
    return entries_[i].flits;
  }

  /// The mean length is weighted_flits() / total_weight().
  std::uint64_t weighted_flits() const { return weighted_flits_; }
  std::uint64_t total_weight() const { return total_weight_; }
  double mean() const { return static_cast<double>(weighted_flits_) / static_cast<double>(total_weight_); }
  std::uint32_t longest() const;
  /// Lengths in flits, and the shares of packets that have them.
  std::vector<std::pair<std::uint32_t, double>> shares() const;

 private:
  struct entry {
    std::uint32_t flits;
    std::uint64_t weights_up_to;  ///< of the entries up to this one
  };
  /// The sum of lengths times weights stays below 2^64.
  bool has_room_for(std::uint32_t flits, std::uint64_t weight) const;
  void add(std::uint32_t flits, std::uint64_t weight);

  std::vector<entry> entries_;
  std::uint64_t total_weight_ = 0;
  std::uint64_t weighted_flits_ = 0;
};

}  // namespace toriscope
