// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/confidence_interval.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace toriscope {
namespace {

constexpr unsigned max_batches = 128;
constexpr unsigned fewest_batches = 8;
constexpr double correlated = 2.33;  ///< standard errors of the lag-1 correlation: 1 %, one-sided
constexpr double normal_95 = 2;      ///< standard errors of the load in a window
/// With E the mean latency above zero load T0, saturation is taken to be T0 / (10 E) of the load away.
constexpr double nearness = 10;
constexpr double max_load = 0.9;    ///< of the way to saturation that the load in the window may be off
constexpr double short_load = 0.2;  ///< likewise: from here on what the batches show is not enough

struct joined {
  double standard_error;
  double correlation;  ///< of neighbours, by the von Neumann ratio
};

/// Of the mean over all values, by `n` batches; nothing when one of them is empty.
std::optional<joined> join(const time_batches& all, unsigned n, double mean, double values) {
  double squares = 0;
  double steps = 0;
  double before = 0;
  for (unsigned b = 0; b < n; ++b) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = b * all.size() / n; i < (b + 1) * all.size() / n; ++i) {
      sum += static_cast<double>(all.sum(i));
      count += static_cast<double>(all.count(i));
    }
    if (count == 0) return std::nullopt;
    // The sum less what it would be with the mean: batches differ in their counts.
    const double off = (sum - mean * count) / (values / n);
    squares += off * off;
    if (b > 0) steps += (off - before) * (off - before);
    before = off;
  }
  return joined{std::sqrt(squares / (n - 1) / n), squares > 0 ? 1 - steps / squares / 2 : 0};
}

/// By batches that are not correlated any more, and no narrower than longer ones show it.
std::optional<confidence_interval> of_batches(const time_batches& all, double mean, double values) {
  std::optional<confidence_interval> found;
  for (unsigned n = max_batches; n >= fewest_batches; n /= 2) {
    const std::optional<joined> batches = n <= all.size() ? join(all, n, mean, values) : std::nullopt;
    if (!batches) continue;
    double half = student_t(n - 1, 0.025) * batches->standard_error;
    if (!found) {
      const double error = std::sqrt((n - 2) / (n * n - 1.0));
      if (batches->correlation > correlated * error) continue;
      const double r = std::clamp(batches->correlation + error, 0.0, 0.9);  // as large as it may well be
      half *= std::sqrt((1 + r) / (1 - r));
    } else if (half <= found->half_width()) {
      continue;
    }
    found = {mean, mean - half, mean + half, n};
  }
  return found;
}

}  // namespace

double student_t(double degrees, double tail) {
  return boost::math::quantile(boost::math::complement(boost::math::students_t(degrees), tail));
}

std::optional<confidence_interval> interval_95(const time_batches& latencies, const window_load& w) {
  double sum = 0;
  double values = 0;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    sum += static_cast<double>(latencies.sum(i));
    values += static_cast<double>(latencies.count(i));
  }
  if (values == 0) return std::nullopt;
  const double mean = sum / values;
  std::optional<confidence_interval> found = of_batches(latencies, mean, values);
  if (!found || !(w.zero_load > 0)) return found;

  // By how much the load of all packets is off, and that of the busiest link or port, which is full when it is busy all
  // the time; as parts of the way to saturation.
  const double off = normal_95 * std::sqrt(w.dispersion / values);
  const double of_all = off * nearness * w.waiting / w.zero_load;
  const double of_busiest = off / std::sqrt(w.share) * w.busy / (1 - w.busy);
  const double load = std::max(of_all, of_busiest);
  if (!(load < max_load)) return std::nullopt;
  const double weight = std::min(1.0, load / short_load);
  found->low = mean - std::hypot(mean - found->low, weight * w.waiting * load / (1 + load));
  found->high = mean + std::hypot(found->high - mean, weight * w.waiting * load / (1 - load));
  // No packet waits less than not at all; but the routes of these may by chance be longer than others.
  const double floor = w.least * (1 - 1 / std::sqrt(values));
  if (floor < mean) found->low = std::max(found->low, floor);
  return found;
}

}  // namespace toriscope
