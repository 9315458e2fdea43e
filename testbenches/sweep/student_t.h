// SPDX-License-Identifier: Apache-2.0
// Quantiles of Student's t distribution, for 95 % intervals.
#pragma once

#include <array>
#include <cstddef>

namespace toriscope {

/// The value that |t| exceeds with a probability of 5 %.
/// @param freedom  degrees of freedom, at least 1
inline double student_t_95(std::size_t freedom) {
  constexpr std::array<double, 9> exact{12.70620, 4.30265, 3.18245, 2.77645, 2.57058,
                                        2.44691,  2.36462, 2.30600, 2.26216};
  if (freedom <= exact.size()) return exact[freedom - 1];
  // Abramowitz and Stegun 26.7.5: from 10 degrees of freedom on right to three decimals.
  const double x = 1.959964;
  const auto n = static_cast<double>(freedom);
  const double x3 = x * x * x;
  const double x5 = x3 * x * x;
  return x + (x3 + x) / (4 * n) + (5 * x5 + 16 * x3 + 3 * x) / (96 * n * n) +
         (3 * x5 * x * x + 19 * x5 + 17 * x3 - 15 * x) / (384 * n * n * n);
}

}  // namespace toriscope
