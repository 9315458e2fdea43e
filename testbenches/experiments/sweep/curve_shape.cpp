// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/curve_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace toriscope {
namespace {

constexpr double no_load = std::numeric_limits<double>::quiet_NaN();

/// Two neighbouring loads.
struct gap {
  const load_figures* low = nullptr;
  const load_figures* high = nullptr;
  double width() const { return high->rate - low->rate; }
  bool within(double tolerance) const { return width() <= tolerance * high->rate; }
};

/// Where the latency rises to `latency` for the first time; nulls: it does not, or starts above.
gap rise_to(const std::vector<load_figures>& loads, double latency) {
  const auto low = std::adjacent_find(
      loads.begin(), loads.end(),
      [&](const load_figures&, const load_figures& high) { return high.latency() >= latency; });
  return low != loads.end() && low->latency() < latency ? gap{&*low, &*std::next(low)} : gap{};
}

/// The load in the gap at which a queue would have that latency: waiting grows as load / (capacity - load), so
/// that its reciprocal is linear in the reciprocal of the load. It keeps away from both ends by `least` of the
/// width.
double estimate(const gap& g, double latency, double zero_load, double least) {
  const auto reciprocal = [&](double value) {
    return zero_load / std::max(value - zero_load, 1e-3 * zero_load);
  };
  const double low = reciprocal(g.low->latency());
  const double high = reciprocal(g.high->latency());
  const double share = low > high ? (low - reciprocal(latency)) / (low - high) : 0.5;
  const double rate = 1 / (1 / g.low->rate + share * (1 / g.high->rate - 1 / g.low->rate));
  return std::clamp(rate, g.low->rate + least * g.width(), g.high->rate - least * g.width());
}

/// Loads strictly between the ends of the gap, if the digits of a load allow any.
void add(std::vector<double>& list, double rate, double low, double high) {
  rate = rounded_load(rate);
  if (rate > low && rate < high) list.push_back(rate);
}

/// The next load in the gap that the knee lies in. It stands a little to that side of where the knee is
/// expected on which there is more to be cut off, so that the next one may complete a narrow bracket.
void search_knee(std::vector<double>& list, const gap& g, double zero_load, double tolerance) {
  const double expected = estimate(g, 2 * zero_load, zero_load, 0);
  const double aside = 0.4 * tolerance * expected;
  const bool above = g.high->rate - expected > expected - g.low->rate;
  add(list,
      std::clamp(expected + (above ? aside : -aside), g.low->rate + 0.2 * g.width(),
                 g.high->rate - 0.2 * g.width()),
      g.low->rate, g.high->rate);
}

/// Halves the widest gaps from `begin` to the last rate until there are enough loads.
void fill(std::vector<double>& list, std::vector<double> rates, double begin) {
  const auto inside = [&](double rate) { return rate >= begin; };
  const auto all = static_cast<std::size_t>(std::count_if(rates.begin(), rates.end(), inside));
  for (std::size_t count = all; count < least_loads; ++count) {
    // What lies below counts as if it began there.
    double low = begin;
    double high = begin;
    double before = begin;
    for (const double rate : rates) {
      if (rate <= begin) continue;
      if (rate - before > high - low) low = before, high = rate;
      before = rate;
    }
    const std::size_t known = list.size();
    add(list, (low + high) / 2, low, high);
    if (list.size() == known) return;
    rates.insert(std::upper_bound(rates.begin(), rates.end(), list.back()), list.back());
  }
}

}  // namespace

double rounded_load(double rate) { return std::strtod(fmt::format("{:.4g}", rate).c_str(), nullptr); }

double zero_load_latency(const std::vector<load_figures>& loads) {
  double cycles = 0;
  double packets = 0;
  for (const load_figures& load : loads)
    for (const run_result& run : load.runs) {
      if (!run.stable() || run.figure("packets") == 0) continue;
      packets += run.figure("packets");
      cycles += run.figure("packets") * run.figure("latency.zero_load_model");
    }
  return cycles / packets;
}

double knee(const std::vector<load_figures>& loads, double tolerance) {
  const double zero_load = zero_load_latency(loads);
  const gap g = rise_to(loads, 2 * zero_load);
  if (!g.low || !g.within(tolerance)) return no_load;
  const double share = (2 * zero_load - g.low->latency()) / (g.high->latency() - g.low->latency());
  return g.low->rate + share * g.width();
}

std::vector<double> missing_loads(const std::vector<load_figures>& loads, double saturation,
                                  double tolerance) {
  std::vector<double> list;
  const double zero_load = zero_load_latency(loads);
  const gap rise = rise_to(loads, 2 * zero_load);
  if (rise.low && rise.high->rate <= saturation && !rise.within(tolerance))
    search_knee(list, rise, zero_load, tolerance);
  if (!list.empty()) return list;

  std::vector<double> rates;
  gap g;
  for (const load_figures& load : loads) {
    if (load.rate > saturation) break;
    rates.push_back(load.rate);
    g = {g.high, &load};
    if (!g.low) continue;
    const double low = g.low->latency();
    const double high = g.high->latency();
    if (high > steepest_rise * low && !g.within(tolerance))
      add(list, estimate(g, std::sqrt(low * high), zero_load, 0.25), g.low->rate, g.high->rate);
  }
  if (!list.empty()) return list;

  const double end = rise.low ? knee(loads, tolerance) : no_load;
  fill(list, rates, (std::isfinite(end) ? end : saturation) / 2);
  return list;
}

}  // namespace toriscope
