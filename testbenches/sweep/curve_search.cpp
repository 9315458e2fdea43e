// SPDX-License-Identifier: Apache-2.0
#include "testbenches/sweep/curve_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "testbenches/configuration/configured_network.h"
#include "testbenches/configuration/parameter_effects.h"
#include "testbenches/traffic/packet_lengths.h"
#include "testbenches/traffic/pattern_registry.h"

namespace toriscope {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double first_load = 0.01;
constexpr double least_packets = 20;  ///< in the window: with fewer, "stable" is a matter of luck
constexpr std::size_t most_seeds = 9;

/// A load of few digits: it stands in tables and commands.
double rounded(double rate) { return std::strtod(fmt::format("{:.4g}", rate).c_str(), nullptr); }

/// The load at which the mean latency rises to `latency`, interpolated; NaN: it does not, or starts above.
double knee_of(const std::vector<load_figures>& loads, double latency) {
  const load_figures* before = nullptr;
  for (const load_figures& load : loads) {
    const double here = load.mean("latency.mean");
    if (here >= latency) {
      if (!before) return none;
      const double there = before->mean("latency.mean");
      return before->rate + (latency - there) / (here - there) * (load.rate - before->rate);
    }
    before = &load;
  }
  return none;
}

/// Over the packets of all stable runs: those of the lowest load alone are few. NaN when no run is stable.
double zero_load_of(const std::vector<load_figures>& loads) {
  double cycles = 0;
  double packets = 0;
  for (const load_figures& load : loads)
    for (const point_result& run : load.runs) {
      if (!run.stable()) continue;
      packets += run.figure("packets");
      cycles += run.figure("packets") * run.figure("latency.zero_load_model");
    }
  return cycles / packets;
}

}  // namespace

curve make_curve(run_config config, const std::vector<std::string>& given, bool allow_deadlock) {
  if (config.traffic.mode == traffic_mode::batch || !config.traffic.file.empty())
    throw std::invalid_argument("a sweep varies the load, and a " +
                                std::string(config.traffic.file.empty() ? "batch" : "file of packets") +
                                " has none; use toriscope run");
  const topology made = make_configured_network(config, settle_given(config, given));
  reset_idle(config);  // what it has no use for makes no other curve
  make_pattern(config.traffic.pattern, made.wiring, config.traffic.for_pattern());
  config.traffic.rate_flits_per_node_cycle = run_config().traffic.rate_flits_per_node_cycle;
  config.traffic.seed = run_config().traffic.seed;
  return {config, made.wiring->node_count(), allow_deadlock, config.topology.spec};
}

std::vector<std::string> search_settings::validate() const {
  std::vector<std::string> errors;
  const auto check = [&](bool fine, const char* error) {
    if (!fine) errors.emplace_back(error);
  };
  check(!seeds.empty(), "seeds: one at least is needed");
  check(tolerance > 0 && tolerance < 1, "tolerance: it must be above 0 and below 1");
  check(confidence >= 0 && confidence < 1, "confidence: it must be from 0 on and below 1");
  check(std::all_of(rates.begin(), rates.end(), [](double r) { return r > 0 && r <= 1; }),
        "rates: they must be above 0 and at most 1 flit per node and cycle");
  return errors;
}

double load_figures::mean(const std::string& name) const {
  double sum = 0;
  for (const point_result& r : runs) sum += r.figure(name);
  return sum / static_cast<double>(runs.size());
}

double load_figures::standard_error() const {
  const char* const latency = "latency.mean";
  if (runs.size() == 1) return runs.front().figure("latency.standard_error");
  const double middle = mean(latency);
  double squares = 0;
  for (const point_result& r : runs) squares += std::pow(r.figure(latency) - middle, 2);
  const auto n = static_cast<double>(runs.size());
  return std::sqrt(squares / (n - 1) / n);
}

double probably_stable(std::size_t stable, std::size_t runs) {
  // P(p > 1/2) of Beta(s+1, n-s+1) is P(Binomial(n+1, 1/2) <= s).
  double term = std::ldexp(1.0, -static_cast<int>(runs + 1));
  double sum = 0;
  for (std::size_t k = 0; k <= stable; ++k) {
    sum += term;
    term *= static_cast<double>(runs + 1 - k) / static_cast<double>(k + 1);
  }
  return sum;
}

curve_search::curve_search(const curve& c, const search_settings& settings) : curve_(c), settings_(settings) {
  walk();
}

std::shared_ptr<const point> curve_search::point_at(double rate, std::uint64_t seed, bool observe) {
  const key k{rate, seed, observe};
  std::shared_ptr<const point>& known = points_[k];
  if (!known) {
    run_config config = curve_.config;
    config.traffic.rate_flits_per_node_cycle = rate;
    config.traffic.seed = seed;
    known =
        std::make_shared<const point>(config, point_options{curve_.allow_deadlock, observe}, curve_.nodes);
    by_hash_[known->hash()] = k;
  }
  return known;
}

void curve_search::take(const point& p, const point_result& result) {
  const auto known = by_hash_.find(p.hash());
  if (known == by_hash_.end()) return;
  results_.emplace(known->second, result);
  walk();
}

// --- the walk ---

void curve_search::walk() {
  wanted_.clear();
  used_.clear();
  stable_.reset();
  unstable_.reset();
  if (settings_.rates.empty())
    walk_adaptive();
  else
    walk_fixed();
  if (!settings_.observe || !done() || !stable_) return;
  need(*stable_, settings_.seeds.front(), 0, true);
}

void curve_search::need(double rate, std::uint64_t seed, unsigned rank, bool observe) {
  std::shared_ptr<const point> p = point_at(rate, seed, observe);
  if (results_.count({rate, seed, observe}) == 0) wanted_.push_back({std::move(p), rank});
}

/// A load that may be asked for, depending on what is still being run.
void curve_search::perhaps(double rate) {
  const unsigned rank = wanted_.empty() ? 2 : std::max(2U, wanted_.back().rank + 1);
  for (const std::uint64_t seed : settings_.seeds) need(rate, seed, rank);
}

/// Whether the load is stable; nothing: that depends on runs that are now wanted. From now on it counts.
std::optional<bool> curve_search::judge(double rate) {
  std::size_t stable = 0;
  std::size_t runs = 0;
  std::size_t count = settings_.seeds.size();
  const auto look_at = [&](std::uint64_t seed) {
    const auto found = results_.find({rate, seed, false});
    if (found == results_.end()) return false;
    ++runs;
    if (found->second.stable()) ++stable;
    return true;
  };
  used_[rate] = count;
  for (const std::uint64_t seed : settings_.seeds) look_at(seed);
  const std::size_t unknown = count - runs;
  if (unknown > 0) {
    // The majority may be clear before all are done, and the others need not be waited for.
    const bool clear = settings_.confidence == 0 && (2 * stable > count || 2 * (stable + unknown) <= count);
    for (const std::uint64_t seed : settings_.seeds) need(rate, seed, clear ? 1 : 0);
    if (!clear) return std::nullopt;
    return 2 * stable > count;
  }
  std::uint64_t next = *std::max_element(settings_.seeds.begin(), settings_.seeds.end());
  const auto undecided = [&] {
    const double p = probably_stable(stable, runs);
    return std::max(p, 1 - p) < settings_.confidence && runs < most_seeds;
  };
  while (undecided()) {
    used_[rate] = ++count;
    if (look_at(++next)) continue;
    need(rate, next, 0);
    return std::nullopt;
  }
  return 2 * stable > runs;
}

void curve_search::walk_fixed() {
  for (auto rate = settings_.rates.begin(); rate != settings_.rates.end(); ++rate) {
    const std::optional<bool> stable = judge(*rate);
    if (!stable) {
      for (++rate; rate != settings_.rates.end(); ++rate) perhaps(*rate);
      return;
    }
    (*stable ? stable_ : unstable_) = *rate;
    if (!*stable) return;  // it is saturated: what lies beyond does not count
  }
}

/// The least load with enough packets in the window.
double curve_search::least_rate() const {
  const double flits = packet_lengths(curve_.config.traffic.packet_flits).mean() * least_packets;
  return flits / static_cast<double>(curve_.nodes) /
         static_cast<double>(curve_.config.measurement.measure_cycles);
}

void curve_search::walk_adaptive() {
  const double least = least_rate();
  double rate = std::min(1.0, std::max(first_load, rounded(2 * least)));
  std::optional<bool> stable = judge(rate);
  if (stable == false) {
    while (stable == false) {
      unstable_ = rate;
      rate = rounded(rate / 2);
      if (rate < least) return;
      stable = judge(rate);
    }
    if (stable) stable_ = rate;
  } else {
    while (stable == true) {
      stable_ = rate;
      if (rate >= 1) break;
      rate = std::min(1.0, rounded(2 * rate));
      stable = judge(rate);
    }
    if (stable == false) unstable_ = rate;
  }
  if (!stable) return perhaps(std::min(1.0, rounded(2 * rate)));
  if (settings_.shape) fill_below(*stable_);
  if (unstable_) bisect(*stable_, *unstable_);
}

/// The shape of the curve below a stable load.
void curve_search::fill_below(double rate) {
  for (const double share : {0.1, 0.25, 0.5, 0.75}) {
    const double load = rounded(share * rate);
    const bool near = std::any_of(used_.begin(), used_.end(), [&](const auto& known) {
      return std::abs(known.first - load) < 0.2 * load;
    });
    if (near || load < least_rate()) continue;
    used_[load] = settings_.seeds.size();
    for (const std::uint64_t seed : settings_.seeds) need(load, seed, 1);
  }
}

void curve_search::bisect(double stable, double unstable) {
  while (unstable - stable > settings_.tolerance * unstable) {
    const double middle = rounded((stable + unstable) / 2);
    if (middle <= stable || middle >= unstable) break;
    const std::optional<bool> verdict = judge(middle);
    if (!verdict) {
      if (unstable - stable > 2 * settings_.tolerance * unstable) {
        perhaps(rounded((stable + middle) / 2));
        perhaps(rounded((middle + unstable) / 2));
      }
      break;
    }
    (*verdict ? stable : unstable) = middle;
  }
  stable_ = stable;
  unstable_ = unstable;
}

// --- what came of it ---

std::vector<std::uint64_t> curve_search::seeds_at(double rate) const {
  std::vector<std::uint64_t> seeds = settings_.seeds;
  std::uint64_t next = *std::max_element(seeds.begin(), seeds.end());
  while (seeds.size() < used_.at(rate)) seeds.push_back(++next);
  return seeds;
}

std::vector<load_figures> curve_search::loads() const {
  std::vector<load_figures> list;
  for (const auto& [rate, count] : used_) {
    load_figures load;
    load.rate = rate;
    for (const std::uint64_t seed : seeds_at(rate)) {
      const key k{rate, seed, false};
      const auto found = results_.find(k);
      if (found == results_.end()) break;
      load.seeds.push_back(seed);
      load.runs.push_back(found->second);
      load.points.push_back(points_.at(k));
      if (found->second.stable()) ++load.stable_runs;
    }
    if (load.runs.size() < count) continue;
    load.stable = 2 * load.stable_runs > load.runs.size();
    list.push_back(std::move(load));
  }
  return list;
}

curve_summary curve_search::summary() const {
  curve_summary s{none, stable_.value_or(none), unstable_.value_or(none), none, none, none, none};
  const std::vector<load_figures> all = loads();
  if (all.empty()) return s;
  s.zero_load_latency = zero_load_of(all);
  s.knee = knee_of(all, 2 * s.zero_load_latency);
  s.confidence = 1;
  for (const load_figures& load : all) {
    const double p = probably_stable(load.stable_runs, load.runs.size());
    if (unstable_ == load.rate) s.confidence = std::min(s.confidence, 1 - p);
    if (stable_ != load.rate) continue;
    s.confidence = std::min(s.confidence, p);
    s.latency_at_saturation = load.mean("latency.mean");
    s.accepted_at_saturation = load.mean("accepted");
  }
  return s;
}

std::optional<curve_search::observed_point> curve_search::observed() const {
  if (!settings_.observe || !stable_) return std::nullopt;
  const key k{*stable_, settings_.seeds.front(), true};
  const auto found = results_.find(k);
  if (found == results_.end()) return std::nullopt;
  return observed_point{*stable_, settings_.seeds.front(), points_.at(k), found->second};
}

std::size_t curve_search::expected() const {
  const std::size_t seeds = settings_.seeds.size();
  const auto needed = static_cast<std::size_t>(
      std::count_if(wanted_.begin(), wanted_.end(), [](const wanted_point& w) { return w.rank < 2; }));
  if (done()) return 0;
  if (!settings_.rates.empty()) return needed + (settings_.rates.size() - used_.size()) * seeds / 2;
  // Until there is a bracket some doublings, then as many bisections as the tolerance takes.
  const double width = stable_ && unstable_ ? (*unstable_ - *stable_) / *unstable_ : 0.5;
  const double steps = std::max(0.0, std::ceil(std::log2(width / settings_.tolerance)));
  return needed + (static_cast<std::size_t>(steps) + (unstable_ && stable_ ? 0 : 4)) * seeds;
}

std::string curve_search::story() const {
  std::string text = curve_.label + ":";
  for (const load_figures& load : loads())
    text += fmt::format(" {:.4g}: {:.4g}{}", load.rate, load.mean("latency.mean"),
                        load.stable ? "" : " (not stable)");
  return text;
}

}  // namespace toriscope
