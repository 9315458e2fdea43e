// SPDX-License-Identifier: Apache-2.0
#include "testbenches/measure/warmup_watch.h"

#include <vector>

namespace toriscope {

std::optional<std::size_t> mser_truncation(const time_batches& series, std::size_t batches) {
  std::vector<std::size_t> places;
  std::vector<double> means;
  for (std::size_t b = 0; b < batches; ++b) {
    if (series.count(b) == 0) continue;
    places.push_back(b);
    means.push_back(static_cast<double>(series.sum(b)) / static_cast<double>(series.count(b)));
  }
  constexpr std::size_t fewest = 10;
  if (means.size() < fewest) return std::nullopt;
  double sum = 0;
  double squares = 0;
  double best = 0;
  std::size_t at = means.size();
  for (std::size_t d = means.size(); d-- > 0;) {
    sum += means[d];
    squares += means[d] * means[d];
    const auto n = static_cast<double>(means.size() - d);
    if (n < fewest / 2) continue;
    const double error = (squares - sum * sum / n) / (n * n);
    if (at == means.size() || error <= best) {
      best = error;
      at = d;
    }
  }
  if (at > means.size() / 2) return std::nullopt;
  return places[at];
}

}  // namespace toriscope
