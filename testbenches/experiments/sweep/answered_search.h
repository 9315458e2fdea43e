// SPDX-License-Identifier: Apache-2.0
// For tests: searches of curves that a scripted network answers.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "base/json.h"
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

/// Likewise, those that decide next before those that are needed for means only.
template <class Network>
void answer_in_turn(curve_search& search, const Network& network) {
  while (!search.done()) {
    const std::vector<wanted_point> wanted = search.wanted();
    const auto first = std::min_element(wanted.begin(), wanted.end(),
                                        [](const auto& a, const auto& b) { return a.priority < b.priority; });
    search.take(*first->what, result_of(*first->what, network));
  }
}

/// Priorities of the wanted points, by load and seed.
inline std::map<std::pair<double, std::uint64_t>, unsigned> priorities_of(const curve_search& search) {
  std::map<std::pair<double, std::uint64_t>, unsigned> all;
  for (const wanted_point& w : search.wanted()) {
    const nlohmann::json traffic = nlohmann::json::parse(w.what->config_text())["traffic"];
    all[{traffic["rate_flits_per_node_cycle"].get<double>(), traffic["seed"].get<std::uint64_t>()}] = w.priority;
  }
  return all;
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
