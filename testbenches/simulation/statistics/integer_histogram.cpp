// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/integer_histogram.h"

#include <limits>

namespace toriscope {

template <class F>
void integer_histogram::for_each(F f) const {
  for (std::size_t value = 0; value < dense_.size(); ++value)
    if (dense_[value] != 0 && !f(std::uint64_t{value}, dense_[value])) return;
  for (const auto& [value, count] : sparse_)
    if (!f(value, count)) return;
}

double integer_histogram::mean() const {
  return count_ ? static_cast<double>(sum_) / static_cast<double>(count_)
                : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t integer_histogram::percentile(unsigned percent) const {
  const std::uint64_t rank = (count_ * percent + 99) / 100;
  std::uint64_t seen = 0;
  std::uint64_t result = min();
  for_each([&](std::uint64_t value, std::uint64_t count) {
    result = value;
    seen += count;
    return seen < rank;
  });
  return result;
}

integer_histogram::bins integer_histogram::binned(std::size_t at_most) const {
  bins result;
  if (count_ == 0) return result;
  while (max_ / result.width - min_ / result.width >= at_most) result.width *= 2;
  result.first = min_ / result.width * result.width;
  result.counts.resize(static_cast<std::size_t>(max_ / result.width - min_ / result.width + 1));
  for_each([&](std::uint64_t value, std::uint64_t count) {
    result.counts[static_cast<std::size_t>((value - result.first) / result.width)] += count;
    return true;
  });
  return result;
}

void integer_histogram::append_to(std::vector<std::uint64_t>& words) const {
  const std::size_t place = words.size();
  words.push_back(0);
  for_each([&](std::uint64_t value, std::uint64_t count) {
    ++words[place];
    words.insert(words.end(), {value, count});
    return true;
  });
}

void integer_histogram::add_from(word_reader& words) {
  for (std::uint64_t left = words.next(); left > 0; --left) {
    const std::uint64_t value = words.next();
    add(value, words.next());
  }
}

void integer_histogram::archive(state_archive& a) {
  std::vector<std::uint64_t> words;
  if (!a.reads()) append_to(words);
  a.numbers(words);
  if (!a.reads()) return;
  a.require(!words.empty() && words.size() % 2 == 1 && words[0] == words.size() / 2, "a histogram is cut off");
  for (std::size_t i = 1; i < words.size(); i += 2)
    a.require(words[i] < std::uint64_t{1} << 60, "a number is out of its range");
  word_reader in(words);
  add_from(in);
}

}  // namespace toriscope
