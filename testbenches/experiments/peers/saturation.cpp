// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toriscope {
namespace {
constexpr double stable_share = 0.95;
}

load_bracket bracket_saturation(const std::function<bool(double)>& stable, unsigned steps, double near) {
  unsigned good = 0;
  unsigned bad = steps + 1;
  const auto load = [steps](unsigned step) { return static_cast<double>(step) / steps; };
  const auto try_step = [&](unsigned step) {
    const bool well = stable(load(step));
    (well ? good : bad) = step;
    return well;
  };
  const auto first =
      static_cast<unsigned>(std::clamp(std::lround(near * steps), 1L, static_cast<long>(steps)));
  if (try_step(first)) {
    for (unsigned away = 1; good + away < bad && try_step(good + away);) away *= 2;
  } else {
    for (unsigned away = 1; bad > good + away && !try_step(bad - away);) away *= 2;
  }
  while (bad - good > 1) try_step((good + bad) / 2);
  return {load(good), load(bad)};
}

load_bracket bracket_saturation(simulator& s, workload work, unsigned steps, unsigned seeds, double near) {
  const auto stable = [&](double load) {
    work.rate_flits_per_node_cycle = load;
    double accepted = 0;
    for (work.seed = 1; work.seed <= seeds; ++work.seed) accepted += s.run(work).accepted / seeds;
    return accepted >= stable_share * load;
  };
  return bracket_saturation(stable, steps, near);
}

bool brackets_agree(const load_bracket& a, const load_bracket& b, unsigned steps) {
  const double gap = std::max(a.stable, b.stable) - std::min(a.saturated, b.saturated);
  return gap * steps < 1.5;  // whole numbers of steps, but for rounding
}

std::string text_of(const load_bracket& b) { return fmt::format("{:.3g}-{:.3g}", b.stable, b.saturated); }

}  // namespace toriscope
