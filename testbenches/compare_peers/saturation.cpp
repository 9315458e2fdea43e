// SPDX-License-Identifier: Apache-2.0
#include "testbenches/compare_peers/saturation.h"

#include <fmt/format.h>

#include <algorithm>

namespace toriscope {
namespace {
constexpr double stable_share = 0.95;
}

load_bracket bracket_saturation(const std::function<bool(double)>& stable, unsigned steps) {
  unsigned good = 0;
  unsigned bad = steps + 1;
  const auto load = [steps](unsigned step) { return static_cast<double>(step) / steps; };
  while (bad - good > 1) {
    const unsigned middle = std::min((good + bad) / 2, steps);
    (stable(load(middle)) ? good : bad) = middle;
  }
  return {load(good), load(bad)};
}

load_bracket bracket_saturation(simulator& s, workload work, unsigned steps, unsigned seeds) {
  const auto stable = [&](double load) {
    work.rate_flits_per_node_cycle = load;
    double accepted = 0;
    for (work.seed = 1; work.seed <= seeds; ++work.seed) accepted += s.run(work).accepted / seeds;
    return accepted >= stable_share * load;
  };
  return bracket_saturation(stable, steps);
}

bool brackets_agree(const load_bracket& a, const load_bracket& b, unsigned steps) {
  const double gap = std::max(a.stable, b.stable) - std::min(a.saturated, b.saturated);
  return gap * steps < 1.5;  // whole numbers of steps, but for rounding
}

std::string text_of(const load_bracket& b) { return fmt::format("{:.3g}-{:.3g}", b.stable, b.saturated); }

}  // namespace toriscope
