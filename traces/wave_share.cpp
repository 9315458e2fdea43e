// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_share.h"

#include <algorithm>
#include <utility>

namespace toriscope {

wave_values::variable wave_share::add(unsigned width, bool own) {
  own_.push_back(own);
  return wave_values::add(width);
}

wave_batch wave_share::meet(std::uint64_t now) {
  bring();
  return before(std::exchange(met_, now));
}

wave_batch wave_share::end(std::uint64_t end) {
  if (begun()) gather();
  bring();
  return before(end + 1);
}

/// Words of a time stamp: the time, the number of changes, and of each the variable and its value.
void wave_share::bring() {
  const wave_batch batch = take();
  std::vector<std::uint64_t> words;
  std::size_t next = 0;
  for (const wave_batch::stamp& stamp : batch.stamps) {
    words.insert(words.end(), {stamp.time, 0});
    const std::size_t count = words.size() - 1;
    for (; next < stamp.end; ++next) {
      const wave_change& change = batch.changes[next];
      if (!own_[change.variable]) continue;
      words.insert(words.end(), {change.variable, change.value});
      ++words[count];
    }
  }
  for (const std::vector<std::uint64_t>& of_rank : border_.bring(std::move(words))) {
    word_reader reader(of_rank);
    while (reader.more()) {
      std::vector<wave_change>& changes = brought_[reader.next()];
      for (std::uint64_t left = reader.next(); left > 0; --left) {
        const auto v = static_cast<variable>(reader.next());
        changes.push_back({reader.next(), v});
      }
    }
  }
}

wave_batch wave_share::before(std::uint64_t time) {
  wave_batch all;
  while (!brought_.empty() && brought_.begin()->first < time) {
    auto& [at, changes] = *brought_.begin();
    std::sort(changes.begin(), changes.end(),
              [](const wave_change& a, const wave_change& b) { return a.variable < b.variable; });
    all.changes.insert(all.changes.end(), changes.begin(), changes.end());
    all.stamps.push_back({at, all.changes.size()});
    brought_.erase(brought_.begin());
  }
  return all;
}

}  // namespace toriscope
