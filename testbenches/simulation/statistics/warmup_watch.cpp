// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/warmup_watch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace toriscope {
namespace {

/// Mean, and its squared standard error by eight batches.
struct estimate {
  double mean;
  double variance;
};

estimate of_values(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  constexpr std::size_t batches = 8;
  double sum = 0;
  double squares = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t from = begin + b * (end - begin) / batches, to = begin + (b + 1) * (end - begin) / batches;
    double batch = 0;
    for (std::size_t i = from; i < to; ++i) batch += values[i] / static_cast<double>(to - from);
    sum += batch;
    squares += batch * batch;
  }
  return {sum / batches, std::max(0.0, (squares - sum * sum / batches) / batches / (batches - 1))};
}

/// Values from `begin` on: whether the first and second half differ by more than chance.
bool differs_in_halves(const std::vector<double>& values, std::size_t begin) {
  const std::size_t middle = (begin + values.size()) / 2;
  const estimate a = of_values(values, begin, middle), b = of_values(values, middle, values.size());
  constexpr double beyond_chance = 3;  // standard errors
  return std::abs(a.mean - b.mean) > beyond_chance * std::sqrt(a.variance + b.variance);
}

}  // namespace

std::optional<std::size_t> mser_truncation(const time_batches& series, std::size_t batches) {
  std::vector<std::size_t> places;
  std::vector<double> means;
  for (std::size_t b = 0; b < batches; ++b) {
    if (series.count(b) == 0) continue;
    places.push_back(b);
    means.push_back(static_cast<double>(series.sum(b)) / static_cast<double>(series.count(b)));
  }
  constexpr std::size_t fewest = 32;
  if (means.size() < fewest) return std::nullopt;
  double sum = 0;
  double squares = 0;
  double best = 0;
  std::size_t at = means.size();
  for (std::size_t d = means.size(); d-- > 0;) {
    sum += means[d];
    squares += means[d] * means[d];
    const auto n = static_cast<double>(means.size() - d);
    if (n < 5) continue;
    const double error = (squares - sum * sum / n) / (n * n);
    if (at == means.size() || error <= best) {
      best = error;
      at = d;
    }
  }
  if (at > means.size() / 2 || differs_in_halves(means, at)) return std::nullopt;
  return places[at];
}

}  // namespace toriscope
