// SPDX-License-Identifier: Apache-2.0
// The simulations that a paper's items need, and what came of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace toriscope {

/// Options of `toriscope run` without dashes, and their values: {"topology", "ttn:2,3,1"}.
using option_list = std::vector<std::pair<std::string, std::string>>;

/// Replaces the values of options that are there, and adds the others.
option_list with_options(option_list options, const option_list& more);

/// A curve: one configuration at several loads.
struct wanted_curve {
  std::string name;           ///< different within the paper: "uniform, ttn:2,3,1"
  option_list options;        ///< all but `rate`
  std::vector<double> loads;  ///< flits/node/cycle, ascending: each is simulated, stable or not
  /// > 0: also the largest stable load is searched for, to this share of it (.05: 5 %), as
  /// `toriscope sweep --seeds 1 --tolerance .05` does.
  double saturation_tolerance = 0;
  bool may_deadlock = false;  ///< run a VC rule that is known to be cyclic
};

/// One simulation.
struct measured_point {
  double load = 0;
  bool stable = false;
  /// All figures of `results`, by name: "accepted", "latency.mean", "latency.network_mean". A figure that
  /// there is not is missing.
  std::map<std::string, double> figures{};
  std::string command{};  ///< a toriscope command line that gives them
  bool failed = false;    ///< it ended with a deadlock; a broken invariant fails the curve

  /// @returns none when there is no such figure
  std::optional<double> figure(const std::string& name) const;
};

struct measured_curve {
  std::string name;
  std::vector<measured_point> points;           ///< ascending by load; those of the search, too
  std::optional<double> saturation_throughput;  ///< largest stable load; none: not searched for, or not found
  std::optional<double> saturation_upper;       ///< smallest load found not to be stable
  std::string failure;                          ///< why there are not all points, in a line; empty: there are
  std::string sweep;  ///< a `toriscope sweep` command line that gives the saturation; empty: not searched for

  /// The point at exactly that load. @throws std::out_of_range
  const measured_point& at(double load) const;
};

enum class order { higher, lower, open };

/// Of the throughputs: one curve carries more when its largest stable load lies above the smallest load at which the
/// other is not stable. Brackets that touch or overlap decide nothing.
order compare_throughputs(const measured_curve& a, const measured_curve& b);

/// "0.0152 .. 0.0156", as `toriscope sweep` prints it.
std::string bracket_text(const measured_curve& curve);

/// Commands that print what the curves were judged by, for a shell.
std::string joined_commands(const std::vector<std::string>& commands);

}  // namespace toriscope
