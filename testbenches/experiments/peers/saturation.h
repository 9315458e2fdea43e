// SPDX-License-Identifier: Apache-2.0
// Where a simulator saturates, the same way for all of them: bisection over a grid of loads,
// after steps of 1, 2, 4 ... away from where it is supposed to be.
//
//   stable  flits accepted in the measured cycles >= .95 of those offered by the nominal load, in the mean of
//           all seeds. (toriscope's own `stable` also wants a drain, which BookSim2's fixed periods lack.)
#pragma once

#include <functional>
#include <string>

#include "testbenches/experiments/peers/simulator.h"

namespace toriscope {

/// The largest stable and the smallest saturated load of the grid, flits per node and cycle. `saturated` is
/// above 1 where a load of 1 is stable.
struct load_bracket {
  double stable = 0;
  double saturated = 0;

  double middle() const { return (stable + saturated) / 2; }
};

/// @param stable  whether a load is
/// @param steps   of the grid: its loads are 1/steps, 2/steps ... 1
/// @param near    where the search begins: fewer loads are tried when it is right
load_bracket bracket_saturation(const std::function<bool(double)>& stable, unsigned steps, double near);

/// The same of a simulator at work: `work` at other loads, with seeds 1 .. `seeds`.
load_bracket bracket_saturation(simulator& s, workload work, unsigned steps, unsigned seeds, double near);

/// Brackets overlap or touch, or one step of the grid lies between them: what the seeds do.
bool brackets_agree(const load_bracket& a, const load_bracket& b, unsigned steps);

/// ".37-.38".
std::string text_of(const load_bracket& b);

}  // namespace toriscope
