// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/measured_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "base/json.h"
#include "testbenches/experiments/sweep/curve_search.h"
#include "testbenches/experiments/sweep/job_pool.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

const parameter& parameter_of(const std::string& option) {
  for (const parameter& p : parameters())
    if (p.is_called(option)) return p;
  throw std::logic_error("run has no option '" + option + "'");
}

curve curve_of(const wanted_curve& wanted) {
  std::vector<std::string> given;
  for (const auto& [option, value] : wanted.options) given.push_back(parameter_of(option).path);
  return make_curve(config_of(wanted.options), given, wanted.may_deadlock);
}

constexpr std::uint64_t seed = 1;  ///< of all runs
/// The windows of the figures are the papers' reading, and are said with them: none is made longer to
/// confirm.
constexpr std::uint64_t window_factor = 1;

point point_of(const curve& what, double load) {
  run_config config = what.config;
  config.traffic.rate_flits_per_node_cycle = load;
  config.traffic.seed = seed;
  return point(config, {what.allow_deadlock, false}, what.nodes);
}

/// The command whose search is ours.
std::string sweep_command(const curve& what, double tolerance) {
  std::vector<std::string> arguments = {"sweep"};
  for (std::string& option : options_of(what.config, {"traffic.rate_flits_per_node_cycle", "traffic.seed"}))
    arguments.push_back(std::move(option));
  if (what.allow_deadlock) arguments.emplace_back("--allow-deadlock");
  for (const std::string& option : {std::string("--seeds"), std::to_string(seed), std::string("--tolerance"),
                                    fmt::format("{}", tolerance), std::string("--confirm"),
                                    std::to_string(window_factor), std::string("--out"), std::string("DIR")})
    arguments.push_back(option);
  return shell_command(arguments);
}

/// Of a load that was searched, with one seed.
measured_point searched_point(const load_figures& load) {
  const run_result& first = load.runs.front();
  return {load.rate, load.stable, first.figures(), load.points.front()->command(), first.failed()};
}

std::optional<double> unless_nan(double value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

/// A curve that is being measured: its loads, and the search.
class curve_in_work {
 public:
  explicit curve_in_work(const wanted_curve& wanted) : wanted_(wanted), curve_(curve_of(wanted)) {
    for (const double load : wanted.loads) points_.push_back(point_of(curve_, load));
    list_ = std::make_unique<point_list>(points_);
    if (wanted.saturation_tolerance <= 0) return;
    search_settings settings;
    settings.seeds = {seed};
    settings.tolerance = wanted.saturation_tolerance;
    settings.confirm = window_factor;
    search_ = std::make_unique<curve_search>(curve_, settings);
  }

  void add_to(std::vector<point_search*>& searches) const {
    searches.push_back(list_.get());
    if (search_) searches.push_back(search_.get());
  }

  measured_curve result(const std::vector<failed_point>& failed) const {
    measured_curve measured;
    measured.name = wanted_.name;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (list_->results()[i]) measured.points.push_back(measured_at(i));
    if (search_) {
      measured.sweep = sweep_command(curve_, wanted_.saturation_tolerance);
      add_searched(measured.points);
      const curve_summary summary = search_->summary();
      measured.saturation_throughput = unless_nan(summary.saturation_throughput);
      measured.saturation_upper = unless_nan(summary.saturation_upper);
    }
    const bool complete = list_->done() && (!search_ || search_->done());
    if (!complete) measured.failure = reason_of(failed);
    return measured;
  }

 private:
  /// Loads that were wanted stay as they are.
  void add_searched(std::vector<measured_point>& points) const {
    const auto known = points.size();
    for (const load_figures& load : search_->loads())
      if (std::none_of(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(known),
                       [&](const measured_point& p) { return p.load == load.rate; }))
        points.push_back(searched_point(load));
    std::sort(points.begin(), points.end(),
              [](const measured_point& a, const measured_point& b) { return a.load < b.load; });
  }

  measured_point measured_at(std::size_t i) const {
    const run_result& result = *list_->results()[i];
    return {wanted_.loads[i], result.stable(), result.figures(), points_[i].command(), result.failed()};
  }

  /// What is known of why a point of this curve could not be had.
  std::string reason_of(const std::vector<failed_point>& failed) const {
    std::vector<wanted_point> open = list_->wanted();
    if (search_) {
      const std::vector<wanted_point> more = search_->wanted();
      open.insert(open.end(), more.begin(), more.end());
    }
    for (const failed_point& f : failed)
      for (const wanted_point& w : open)
        if (w.what->hash() == f.hash) return f.reason + ": " + f.command;
    return "a point is missing";
  }

  const wanted_curve& wanted_;
  const curve curve_;
  std::vector<point> points_;
  std::unique_ptr<point_list> list_;
  std::unique_ptr<curve_search> search_;
};

}  // namespace

run_config config_of(const option_list& options) {
  run_config config;
  for (const auto& [option, value] : options) set_from_text(parameter_of(option), config, value);
  return config;
}

std::vector<measured_curve> measure_curves(const std::vector<wanted_curve>& wanted,
                                           const curve_settings& settings) {
  std::vector<std::unique_ptr<curve_in_work>> curves;
  std::vector<point_search*> searches;
  for (const wanted_curve& w : wanted) {
    curves.push_back(std::make_unique<curve_in_work>(w));
    curves.back()->add_to(searches);
  }
  const result_store store(settings.directory);
  job_settings how;
  how.jobs = settings.jobs;
  const std::vector<failed_point> failed = job_pool(how).run(searches, store);
  std::vector<measured_curve> measured;
  for (const auto& c : curves) measured.push_back(c->result(failed));
  return measured;
}

}  // namespace toriscope
