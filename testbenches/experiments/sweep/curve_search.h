// SPDX-License-Identifier: Apache-2.0
// A curve: everything of a configuration but its load and seed, run at many loads with several seeds each.
// The loads are given, or sought: upwards by doubling until one is not stable, then bisection for the saturation
// throughput, a longer run that confirms it, then the loads that the knee and the shape of the curve take.
// Definitions: docs/sweeps.md.
//
//   the points asked for follow from results alone: all that is known is walked through again after each one
//   a load that most of its first seeds find not to be stable has no more of them: it is far from saturation,
//   and these runs are the dearest. Only the smallest of such loads has them all.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "testbenches/experiments/sweep/load_figures.h"
#include "testbenches/experiments/sweep/point_search.h"
#include "testbenches/simulation/statistics/statistic.h"

namespace toriscope {

/// What is searched.
struct curve {
  run_config config;  ///< all defaults resolved; load and seed do not count
  std::size_t nodes = 0;
  bool allow_deadlock = false;
  std::string label;  ///< for people
};

/// @param config  the configuration as asked for
/// @param given   paths of the parameters that were asked for (resolved_run.h)
/// @throws std::invalid_argument a line, when it cannot be simulated or has no load
curve make_curve(const run_config& asked, const std::vector<std::string>& given = {}, bool allow_deadlock = false);

struct search_settings {
  std::vector<double> rates;                  ///< fixed loads, ascending; empty: they are sought
  std::vector<std::uint64_t> seeds{1, 2, 3};  ///< at least one, all different
  double tolerance = 0.02;                    ///< of saturation throughput and knee, relative
  double confidence = 0;  ///< of a verdict, below 1; 0: the majority of the seeds, whatever that is worth
  bool observe = false;   ///< look into the highest stable load
  /// Of sought loads: one run of the saturation throughput has a window longer by this factor, and must be
  /// stable, too; 1: there is none.
  std::uint64_t confirm = 8;

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
};

/// NaN where there is no value. Rates in flits per node and cycle, latencies in cycles.
struct curve_summary {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double zero_load_latency = none;
  double saturation_throughput = none;  ///< the largest stable load below all that are not
  double saturation_upper = none;       ///< the smallest load found not to be stable
  double tolerance = none;              ///< that was asked for, of both brackets
  double confidence = none;             ///< of the worse of these two verdicts
  double latency_at_saturation = none;
  double accepted_at_saturation = none;
  double knee = none;  ///< the load with twice the zero-load latency
  std::size_t loads = 0;
  std::size_t runs = 0;
  /// With the names of docs/sweeps.md.
  statistics figures() const;
};

/// How probable it is that a run is stable with more than 1/2, after `stable` of `runs` were.
double probably_stable(std::size_t stable, std::size_t runs);

/// The greatest load that the sources can make, in flits per node and cycle; at most 1.
double greatest_load(const traffic_config& traffic);

class curve_search : public point_search {
 public:
  curve_search(const curve& c, const search_settings& settings);

  std::vector<wanted_point> wanted() const override { return wanted_; }
  void take(const point& p, const run_result& result) override;
  std::size_t expected() const override;
  std::string status_text() const override;

  const curve& what() const { return curve_; }
  const search_settings& settings() const { return settings_; }
  /// The loads that count, ascending; those whose points all are known.
  std::vector<load_figures> loads() const;
  curve_summary summary() const;
  /// Highest stable load, observed: its rate, point and result.
  struct observed_point {
    double rate;
    std::uint64_t seed;
    std::shared_ptr<const point> what;
    run_result result;
  };
  std::optional<observed_point> observed() const;
  enum class run_kind { plain, observed, longer };
  /// A point of it, whether wanted or not.
  std::shared_ptr<const point> point_at(double rate, std::uint64_t seed, run_kind kind = run_kind::plain);

 private:
  using key = std::tuple<double, std::uint64_t, run_kind>;  ///< load and seed

  void walk();
  void walk_fixed();
  void walk_adaptive();
  bool bracket(double rate);
  bool bisect();
  bool confirm();
  std::optional<bool> holds(double rate);
  double next_between() const;
  bool confirms() const;
  bool measure_shape();
  void fill_below(double rate);
  std::optional<bool> judge(double rate);
  void complete(double rate);
  std::vector<run_result> known_runs(double rate, std::size_t count) const;
  void need(double rate, std::uint64_t seed, unsigned priority, run_kind kind = run_kind::plain);
  void perhaps(double rate);
  std::vector<std::uint64_t> seeds_of(std::size_t count) const;
  double least_rate() const;

  const curve curve_;
  const search_settings settings_;
  const double greatest_;  ///< load
  std::map<key, std::shared_ptr<const point>> points_;
  std::map<std::string, key> by_hash_;
  std::map<key, run_result> results_;
  // What the last walk came to.
  std::vector<wanted_point> wanted_;
  std::map<double, std::size_t> used_;  ///< loads that count, and how many seeds of each
  std::set<double> confirmed_;          ///< those of them that a longer run counts for
  std::optional<double> stable_;        ///< the bracket so far
  std::optional<double> unstable_;
};

}  // namespace toriscope
