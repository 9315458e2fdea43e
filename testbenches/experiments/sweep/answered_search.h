// SPDX-License-Identifier: Apache-2.0
// For tests: searches of curves that a scripted network answers.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "testbenches/experiments/sweep/curve_search.h"
#include "testbenches/experiments/sweep/scripted_network.h"

namespace toriscope {

template <class Network>
run_result result_of(const point& p, const Network& network) {
  return from_json(scripted_output(p, network));
}

/// Answers a load by these seeds.
template <class Network>
void answer_load(curve_search& search, double rate, const std::vector<std::uint64_t>& seeds, const Network& network) {
  for (const std::uint64_t seed : seeds) {
    const auto p = search.point_at(rate, seed);
    search.take(*p, result_of(*p, network));
  }
}

/// Answers wanted points, also those that are only perhaps wanted, in a random order until it is done.
/// @returns how many runs that took
template <class Network>
std::size_t answer_all(curve_search& search, const Network& network, unsigned order, bool perhaps = true) {
  std::size_t runs = 0;
  std::mt19937 draw(order);
  while (!search.done()) {
    std::vector<wanted_point> wanted = search.wanted();
    if (!perhaps)
      wanted.erase(std::remove_if(wanted.begin(), wanted.end(), [](const auto& w) { return w.priority > 1; }),
                   wanted.end());
    const point& p = *wanted[draw() % wanted.size()].what;
    search.take(p, result_of(p, network));
    ++runs;
  }
  return runs;
}

inline std::vector<double> rates_of(const curve_search& search) {
  std::vector<double> rates;
  for (const load_figures& load : search.loads()) rates.push_back(load.rate);
  return rates;
}

inline stability saturates_at(double limit) {
  return [limit](double rate, std::uint64_t) { return rate <= limit; };
}

}  // namespace toriscope
