// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/local_pattern.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "testbenches/simulation/traffic/terminal_index.h"

namespace toriscope {

local_pattern::local_pattern(std::shared_ptr<const netlist> wiring, unsigned side, std::uint64_t probability,
                             bool include_self)
    : wiring_(std::move(wiring)),
      side_(side),
      probability_(probability),
      include_self_(include_self),
      uniform_(wiring_->terminal_count(), include_self),
      at_each_(require_equal_terminals(*wiring_, "local traffic")),
      terminals_in_square_(at_each_) {
  if (side < 1) throw std::invalid_argument("local-square: the side of the square is at least 1");
  const auto& levels = wiring_->hierarchy();
  for (const hierarchy_level& level : levels)
    if (level.digits != levels.front().digits)
      throw std::invalid_argument("local traffic: the levels of '" + wiring_->name() +
                                  "' do not all have as many dimensions");
  dimensions_.resize(levels.front().digits);
  for (std::size_t i = 0; i < wiring_->radices().size(); ++i)
    dimensions_[i % dimensions_.size()].size *= wiring_->radices()[i];
  for (dimension& d : dimensions_) {
    d.width = std::min(side_, d.size);
    terminals_in_square_ *= d.width;
  }
  if (terminals_in_square_ == 1 && !include_self)
    throw std::invalid_argument(
        "local-square: a square of one node leaves no destination, unless nodes may send "
        "to themselves (--include-self)");
  find_rings();
}

/// A dimension is a ring when a link joins the first and the last place of its highest digit, and no other
/// digit of that level differs.
void local_pattern::find_rings() {
  const std::size_t count = dimensions_.size();
  const std::vector<unsigned>& radices = wiring_->radices();
  std::vector<node_id> place(count, 1);  // value of each digit of the highest level
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < radices.size(); ++j) place[i] *= radices[j];
  for (const netlist_link& l : wiring_->links())
    for (std::size_t i = 0; i < count; ++i) {
      if (radices[i] < 3 || dimensions_[i].ring) continue;
      bool joins = true;
      for (std::size_t j = 0; j < count && joins; ++j) {
        const unsigned from = l.from / place[j] % radices[j];
        const unsigned to = l.to / place[j] % radices[j];
        joins = j != i ? from == to : std::min(from, to) == 0 && std::max(from, to) + 1 == radices[j];
      }
      dimensions_[i].ring = joins;
    }
}

std::vector<unsigned> local_pattern::position(node_id node) const {
  const std::vector<unsigned> digits = wiring_->digits(node);
  std::vector<unsigned> at(dimensions_.size(), 0);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    unsigned& coordinate = at[i % at.size()];
    coordinate = coordinate * wiring_->radices()[i] + digits[i];
  }
  return at;
}

node_id local_pattern::node_at(const std::vector<unsigned>& position) const {
  std::vector<unsigned> rest = position;
  std::vector<unsigned> digits(wiring_->radices().size());
  for (std::size_t i = digits.size(); i-- > 0;) {
    unsigned& coordinate = rest[i % rest.size()];
    digits[i] = coordinate % wiring_->radices()[i];
    coordinate /= wiring_->radices()[i];
  }
  return wiring_->node_at(digits);
}

unsigned local_pattern::first_of(const dimension& d, unsigned coordinate) const {
  const unsigned before = (d.width - 1) / 2;
  if (d.ring) return (coordinate + d.size - before) % d.size;
  return std::min(coordinate > before ? coordinate - before : 0u, d.size - d.width);
}

node_id local_pattern::destination(node_id source, random_stream& random) const {
  if (probability_ < certain && !random.chance(probability_)) return uniform_.destination(source, random);
  const std::vector<unsigned> own = position(wiring_->terminal(source).node);
  std::vector<unsigned> first(own.size());
  std::uint64_t own_place = 0;  // of the source within its square
  for (std::size_t i = 0; i < own.size(); ++i) {
    const dimension& d = dimensions_[i];
    first[i] = first_of(d, own[i]);
    own_place = own_place * d.width + (own[i] + d.size - first[i]) % d.size;
  }
  own_place = own_place * at_each_ + index_of(*wiring_, source);
  std::uint64_t drawn = random.below(terminals_in_square_ - (include_self_ ? 0 : 1));
  if (!include_self_ && drawn >= own_place) ++drawn;
  return terminal_in_square(std::move(first), drawn);
}

terminal_id local_pattern::terminal_in_square(std::vector<unsigned> first, std::uint64_t place) const {
  const auto index = static_cast<unsigned>(place % at_each_);
  place /= at_each_;
  for (std::size_t i = first.size(); i-- > 0;) {
    const dimension& d = dimensions_[i];
    first[i] = static_cast<unsigned>((first[i] + place % d.width) % d.size);
    place /= d.width;
  }
  return terminal_at(*wiring_, node_at(first), index);
}

destination_weights local_pattern::weights(node_id source) const {
  const double local_share = static_cast<double>(probability_) / static_cast<double>(certain);
  std::vector<unsigned> first = position(wiring_->terminal(source).node);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = first_of(dimensions_[i], first[i]);
  const double share = local_share / static_cast<double>(terminals_in_square_ - (include_self_ ? 0 : 1));
  destination_weights result;
  for (std::uint64_t place = 0; place < terminals_in_square_; ++place) {
    const terminal_id to = terminal_in_square(first, place);
    if (to != source || include_self_) result.points.emplace_back(to, share);
  }
  add_share(result, uniform_.weights(source), 1 - local_share);
  return result;
}

}  // namespace toriscope
