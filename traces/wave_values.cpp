// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_values.h"

#include <algorithm>
#include <utility>

namespace toriscope {

wave_values::variable wave_values::add(unsigned width) {
  values_.push_back({width == 64 ? 0 : none, none});
  dirty_.resize(values_.size() / 64 + 1);
  dirty_words_.resize(values_.size() / 4096 + 1);
  return static_cast<variable>(values_.size() - 1);
}

void wave_values::begin(std::uint64_t time) {
  changed_.resize(dirty_.size());
  begun_ = true;
  time_ = time;
}

void wave_values::gather_all() {
  for (variable v = 0; v < values_.size(); ++v)
    batch_.changes.push_back({values_[v].gathered = values_[v].now, v});
  batch_.stamps.push_back({time_, batch_.changes.size()});
  std::fill(dirty_.begin(), dirty_.end(), 0);
  std::fill(dirty_words_.begin(), dirty_words_.end(), 0);
}

void wave_values::gather() {
  const std::size_t before = batch_.changes.size();
  if (!std::exchange(dumped_, true)) return gather_all();
  for (std::size_t group = 0; group < dirty_words_.size(); ++group)
    for (std::uint64_t words = std::exchange(dirty_words_[group], 0); words; words &= words - 1) {
      const std::size_t word = group * 64 + static_cast<std::size_t>(__builtin_ctzll(words));
      for (std::uint64_t left = std::exchange(dirty_[word], 0); left; left &= left - 1) {
        const auto v = static_cast<variable>(word * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
        value_pair& value = values_[v];
        if (value.now == value.gathered) continue;
        value.gathered = value.now;
        changed_[word] |= left & -left;
        batch_.changes.push_back({value.now, v});
      }
    }
  if (batch_.changes.size() > before) batch_.stamps.push_back({time_, batch_.changes.size()});
  if (batch_.changes.size() >= batch_changes) batch_is_full();
}

wave_batch wave_values::take(wave_batch next) { return std::exchange(batch_, std::move(next)); }

}  // namespace toriscope
