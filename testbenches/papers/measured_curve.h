// SPDX-License-Identifier: Apache-2.0
// The simulations that a paper's items need, and what came of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace toriscope {

/// A curve: one configuration at several loads.
struct wanted_curve {
  std::string name;  ///< different within the paper: "uniform, ttn:2,3,1"
  /// Options of `toriscope run` without dashes, and their values: {"topology", "ttn:2,3,1"}. All but `rate`.
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<double> loads;  ///< flits/node/cycle, ascending: each is simulated, stable or not
  /// > 0: also the largest stable load is searched for, to this share of it (.05: 5 %).
  double saturation_tolerance = 0;
  /// Of the search: a load is stable when most of them say so. The loads above have the first one only.
  std::vector<std::uint64_t> seeds{1};
  bool may_deadlock = false;  ///< run a VC rule that is known to be cyclic
};

/// One simulation.
struct measured_point {
  double load = 0;
  bool stable = false;
  /// All figures of `results`, by name: "accepted", "latency.mean", "network_latency.mean". A figure that
  /// there is not is missing.
  std::map<std::string, double> figures{};
  std::string command{};  ///< a toriscope command line that gives them
  bool failed = false;    ///< it ended with a deadlock or a broken invariant

  /// @returns none when there is no such figure
  std::optional<double> figure(const std::string& name) const;
};

struct measured_curve {
  std::string name;
  std::vector<measured_point> points;           ///< ascending by load; those of the search, too
  std::optional<double> saturation_throughput;  ///< largest stable load; none: not searched for, or not found
  std::optional<double> saturation_upper;       ///< smallest load found not to be stable
  std::string failure;                          ///< why there are not all points, in a line; empty: there are
  std::string command;                          ///< a toriscope command line that gives its first point

  /// The point at exactly that load. @throws std::out_of_range
  const measured_point& at(double load) const;
};

}  // namespace toriscope
