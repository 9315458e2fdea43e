// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/load_figures.h"

#include <algorithm>
#include <cmath>

#include "testbenches/simulation/statistics/confidence_interval.h"

namespace toriscope {
namespace {

/// Standard errors above 0: exceeded by chance once in a hundred times.
constexpr double max_growth = 2.326;

/// Whether the source queues grow, by the mean of what the runs measured.
bool grows(const std::vector<run_result>& runs) {
  double growth = 0;
  double squares = 0;
  for (const run_result& r : runs) {
    growth += r.figure("backlog.growth");
    squares += std::pow(r.figure("backlog.standard_error"), 2);
  }
  return growth > max_growth * std::sqrt(squares);
}

}  // namespace

bool is_stable(const std::vector<run_result>& runs) {
  const auto stable = static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const run_result& r) { return r.stable(); }));
  return 2 * stable > runs.size() && (stable == runs.size() || !grows(runs));
}

double load_figures::mean(const std::string& name) const {
  double sum = 0;
  for (const run_result& r : runs) sum += r.figure(name);
  return sum / static_cast<double>(runs.size());
}

double load_figures::standard_error() const {
  if (runs.size() == 1) return runs.front().figure("latency.standard_error");
  const double middle = latency();
  double squares = 0;
  for (const run_result& r : runs) squares += std::pow(r.figure("latency.mean") - middle, 2);
  const auto n = static_cast<double>(runs.size());
  return std::sqrt(squares / (n - 1) / n);
}

std::optional<figure_interval> load_figures::latency_interval() const {
  const auto interval_of = [](const run_result& r) { return r.interval("latency.interval_95"); };
  // Without a steady state there is no mean of it; and where no run is long enough to know its own error, the
  // seeds may all err alike: they begin with an empty network.
  if (!stable || std::none_of(runs.begin(), runs.end(), interval_of)) return std::nullopt;
  if (runs.size() == 1) return interval_of(runs.front());
  const double half = student_t(static_cast<double>(runs.size() - 1), 0.025) * standard_error();
  return figure_interval{latency() - half, latency() + half};
}

}  // namespace toriscope
