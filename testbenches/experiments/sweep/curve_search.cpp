// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/curve_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "testbenches/experiments/sweep/curve_shape.h"
#include "testbenches/simulation/configuration/resolved_run.h"
#include "testbenches/simulation/configuration/parameter_effects.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "testbenches/simulation/traffic/pattern_registry.h"

namespace toriscope {
namespace {

constexpr double first_load = 0.01;
constexpr double least_packets = 20;  ///< in the window: with fewer, "stable" is a matter of luck
constexpr std::size_t max_seeds = 9;
constexpr std::size_t max_ahead = 1000;  ///< wanted points, beyond which no load is tried ahead
constexpr double sure_of_growth = 0.99;  ///< where the runs of all seeds together decide: load_figures.cpp

}  // namespace

curve make_curve(const run_config& asked, const std::vector<std::string>& given, bool allow_deadlock) {
  if (!asked.traffic.flows.empty())
    throw std::invalid_argument(
        "a sweep varies the load, and flows have rates of their own; use toriscope run");
  if (asked.traffic.mode == traffic_mode::batch || !asked.traffic.file.empty())
    throw std::invalid_argument("a sweep varies the load, and a " +
                                std::string(asked.traffic.file.empty() ? "batch" : "file of packets") +
                                " has none; use toriscope run");
  const explicit_parameters named = explicit_among(given);
  // What it has no use for makes no other curve: neither before nor after its defaults are known.
  run_config used = with_router_defaults(asked, named);
  reset_idle(used);
  auto [config, network] = resolve(used, named);
  reset_idle(config);
  make_pattern(config.traffic.pattern, network.wiring, config.traffic.for_pattern());
  config.traffic.rate_flits_per_node_cycle = run_config().traffic.rate_flits_per_node_cycle;
  config.traffic.seed = run_config().traffic.seed;
  return {config, network.wiring->terminal_count(), allow_deadlock, config.topology.spec};
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
  check(confirm >= 1 && confirm <= 1000, "confirm: it must be from 1 to 1000 times the window");
  return errors;
}

statistics curve_summary::figures() const {
  const std::string rate = "flits/node/cycle";
  return {
      {"zero_load_latency", "cycles",
       "of a curve: mean of the zero-load formula over the packets of all stable runs", zero_load_latency},
      {"saturation_throughput", rate,
       "of a curve, null where no load is stable: the largest stable load below every load that is not",
       saturation_throughput},
      {"saturation_upper", rate, "of a curve, null where every load is stable: the smallest load that is not",
       saturation_upper},
      {"tolerance", "",
       "of a curve whose loads are searched for: the two that bracket saturation, or the knee, are apart by at most "
       "this part of the higher one",
       tolerance},
      {"confidence", "",
       "of a curve: the probability that saturation_throughput is stable, or that saturation_upper is not, by the "
       "seeds that agree; the lower of the two",
       confidence},
      {"latency_at_saturation", "cycles", "of a curve: mean latency at saturation_throughput",
       latency_at_saturation},
      {"accepted_at_saturation", rate, "of a curve: accepted at saturation_throughput",
       accepted_at_saturation},
      {"knee", rate,
       "of a curve, null where no two neighbouring loads within the tolerance bracket it: the load with twice the "
       "zero-load latency",
       knee},
      {"loads", "", "of a curve: the number of loads measured", std::uint64_t{loads}},
      {"runs", "", "of a curve: the number of simulations at these loads", std::uint64_t{runs}}};
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

double greatest_load(const traffic_config& t) {
  // Between two bursts there is a cycle at least without a packet (on_off.h).
  const double packets = t.arrivals == "on_off" ? t.mean_burst_packets / (t.mean_burst_packets + 1) : 1;
  const double load = packets * packet_lengths(t.packet_flits).mean();
  return load >= 1 ? 1 : std::floor(load * 1e4) / 1e4;
}

curve_search::curve_search(const curve& c, const search_settings& settings)
    : curve_(c), settings_(settings), greatest_(greatest_load(c.config.traffic)) {
  walk();
}

std::shared_ptr<const point> curve_search::point_at(double rate, std::uint64_t seed, run_kind kind) {
  const key k{rate, seed, kind};
  std::shared_ptr<const point>& known = points_[k];
  if (!known) {
    run_config config = curve_.config;
    config.traffic.rate_flits_per_node_cycle = rate;
    config.traffic.seed = seed;
    if (kind == run_kind::longer) config.measurement.measure_cycles *= settings_.confirm;
    known = std::make_shared<const point>(
        config, point_options{curve_.allow_deadlock, kind == run_kind::observed}, curve_.nodes);
    by_hash_[known->hash()] = k;
  }
  return known;
}

void curve_search::take(const point& p, const run_result& result) {
  const auto known = by_hash_.find(p.hash());
  if (known == by_hash_.end()) return;
  results_.emplace(known->second, result);
  walk();
}

// --- the walk ---

void curve_search::walk() {
  wanted_.clear();
  used_.clear();
  confirmed_.clear();
  stable_.reset();
  unstable_.reset();
  if (settings_.rates.empty())
    walk_adaptive();
  else
    walk_fixed();
  if (!settings_.observe || !done() || !stable_) return;
  need(*stable_, settings_.seeds.front(), 0, run_kind::observed);
}

void curve_search::need(double rate, std::uint64_t seed, unsigned priority, run_kind kind) {
  std::shared_ptr<const point> p = point_at(rate, seed, kind);
  if (results_.count({rate, seed, kind}) == 0) wanted_.push_back({std::move(p), priority});
}

/// A load that may be asked for, depending on what is still being run, which wanted_ has already.
void curve_search::perhaps(double rate) {
  const unsigned priority = std::max(2U, wanted_.back().priority + 1);
  for (const std::uint64_t seed : settings_.seeds) need(rate, seed, priority);
}

/// Of the first seeds of a load, those that are known.
std::vector<run_result> curve_search::known_runs(double rate, std::size_t count) const {
  std::vector<run_result> runs;
  for (const std::uint64_t seed : seeds_of(count)) {
    const auto found = results_.find({rate, seed, run_kind::plain});
    if (found != results_.end()) runs.push_back(found->second);
  }
  return runs;
}

/// Whether the load is stable; nothing: that depends on runs that are now wanted. From now on it counts.
std::optional<bool> curve_search::judge(double rate) {
  const std::vector<std::uint64_t>& seeds = settings_.seeds;
  const bool in_turn = settings_.confidence == 0;
  const std::size_t enough = (seeds.size() + 1) / 2;  // runs that are not stable, for the load not to be
  std::size_t stable = 0;
  std::size_t unstable = 0;
  std::size_t unknown = 0;
  std::size_t count = 0;
  for (const std::uint64_t seed : seeds) {
    ++count;
    const auto found = results_.find({rate, seed, run_kind::plain});
    if (found == results_.end())
      ++unknown;
    else
      ++(found->second.stable() ? stable : unstable);
    if (in_turn && unknown == 0 && unstable == enough) break;
  }
  std::size_t& used = used_[rate];
  used = std::max(used, count);
  if (unknown > 0) {
    // The majority may be clear before all are done; then the others need not be waited for.
    const bool clearly = in_turn && 2 * stable > seeds.size();
    const bool clearly_not = in_turn && unstable >= enough;
    std::size_t perhaps_unstable = 0;
    for (const std::uint64_t seed : seeds) {
      const auto found = results_.find({rate, seed, run_kind::plain});
      if (found == results_.end() || !found->second.stable()) ++perhaps_unstable;
      if (!in_turn || perhaps_unstable <= enough)
        need(rate, seed, clearly || clearly_not ? 1 : 0);
      else if (!clearly_not)
        need(rate, seed, 2);
    }
    if (!clearly && !clearly_not) return std::nullopt;
    return clearly;
  }
  const auto undecided = [&] {
    const double p = probably_stable(stable, count);
    return std::max(p, 1 - p) < settings_.confidence && count < max_seeds;
  };
  while (undecided()) {
    used_[rate] = ++count;
    const std::uint64_t next = seeds_of(count).back();
    const auto found = results_.find({rate, next, run_kind::plain});
    if (found == results_.end()) {
      need(rate, next, 0);
      return std::nullopt;
    }
    if (found->second.stable()) ++stable;
  }
  return is_stable(known_runs(rate, count));
}

/// All seeds of a load that is not stable: one that bounds the saturation throughput.
void curve_search::complete(double rate) {
  std::size_t& used = used_[rate];
  used = std::max(used, settings_.seeds.size());
  for (const std::uint64_t seed : settings_.seeds) need(rate, seed, 1);
}

void curve_search::walk_fixed() {
  for (auto rate = settings_.rates.begin(); rate != settings_.rates.end(); ++rate) {
    const std::optional<bool> stable = judge(*rate);
    if (!stable) {
      while (++rate != settings_.rates.end() && wanted_.size() < max_ahead) perhaps(*rate);
      return;
    }
    (*stable ? stable_ : unstable_) = *rate;
    if (!*stable) return complete(*rate);  // it is saturated: what lies beyond does not count
  }
}

/// The least load with enough packets in the window.
double curve_search::least_rate() const {
  const double flits = packet_lengths(curve_.config.traffic.packet_flits).mean() * least_packets;
  return flits / static_cast<double>(curve_.nodes) /
         static_cast<double>(curve_.config.measurement.measure_cycles);
}

void curve_search::walk_adaptive() {
  if (!bracket(std::min(greatest_, std::max(first_load, rounded_load(2 * least_rate()))))) return;
  fill_below(*stable_);
  do {
    if (unstable_ && !bisect()) return;
    if (!confirm()) return;
    if (unstable_) complete(*unstable_);
  } while (measure_shape());
}

/// A stable load and one that is not, by doubling or halving from this one. @returns whether they are known;
/// where no load is stable, they are not
bool curve_search::bracket(double rate) {
  std::optional<bool> stable = judge(rate);
  if (stable == false) {
    while (stable == false) {
      unstable_ = rate;
      rate = rounded_load(rate / 2);
      if (rate < least_rate()) {
        complete(*unstable_);
        return false;
      }
      stable = judge(rate);
    }
    if (stable) stable_ = rate;
  } else {
    while (stable == true) {
      stable_ = rate;
      if (rate >= greatest_) break;
      rate = std::min(greatest_, rounded_load(2 * rate));
      stable = judge(rate);
    }
    if (stable == false) unstable_ = rate;
  }
  if (!stable) perhaps(std::min(greatest_, rounded_load(2 * rate)));
  return stable.has_value();
}

/// Some loads below a stable one, down to where nothing waits.
void curve_search::fill_below(double rate) {
  for (const double share : {0.1, 0.25, 0.5}) {
    const double load = rounded_load(share * rate);
    const bool near = std::any_of(used_.begin(), used_.end(), [&](const auto& known) {
      return std::abs(known.first - load) < 0.3 * load;
    });
    if (!near && load >= least_rate()) judge(load);
  }
}

/// Halves the bracket until it is within the tolerance. @returns whether it is
bool curve_search::bisect() {
  while (*unstable_ - *stable_ > settings_.tolerance * *unstable_) {
    const double middle = rounded_load((*stable_ + *unstable_) / 2);
    if (middle <= *stable_ || middle >= *unstable_) break;
    const std::optional<bool> verdict = judge(middle);
    if (!verdict) {
      if (*unstable_ - *stable_ > 2 * settings_.tolerance * *unstable_) {
        perhaps(rounded_load((*stable_ + middle) / 2));
        perhaps(rounded_load((middle + *unstable_) / 2));
      }
      return false;
    }
    (*verdict ? stable_ : unstable_) = middle;
  }
  return true;
}

/// A run whose window is not its own choice (`--precision`) has no longer one.
bool curve_search::confirms() const {
  return settings_.confirm > 1 && curve_.config.measurement.precision == 0;
}

/// Whether the load is stable in a longer window, too; nothing: that depends on runs that are now wanted.
std::optional<bool> curve_search::holds(double rate) {
  const std::optional<bool> stable = judge(rate);
  if (stable != true) return stable;
  const std::uint64_t seed = settings_.seeds.front();
  confirmed_.insert(rate);
  const auto found = results_.find({rate, seed, run_kind::longer});
  if (found != results_.end()) return found->second.stable();
  need(rate, seed, 0, run_kind::longer);
  return std::nullopt;
}

/// The load to be judged next within the bracket: one that is known already, else the middle; 0: none.
double curve_search::next_between() const {
  const auto known = used_.upper_bound(*stable_);
  if (known != used_.end() && known->first < *unstable_) return known->first;
  const double middle = rounded_load((*stable_ + *unstable_) / 2);
  const bool wide = *unstable_ - *stable_ > settings_.tolerance * *unstable_;
  return wide && middle > *stable_ && middle < *unstable_ ? middle : 0;
}

/// Runs the upper stable load with a longer window. Where that one is not stable, it goes down in growing steps
/// until one is, and halves the bracket again. @returns whether that is known, and a stable load with it
bool curve_search::confirm() {
  if (!confirms()) return true;
  double step = settings_.tolerance;
  for (double rate = *stable_;;) {
    const std::optional<bool> fine = holds(rate);
    if (!fine) return false;
    stable_ = rate;
    if (*fine) break;
    unstable_ = rate;
    const double least = used_.begin()->first;  // known: not to be passed by
    const double next = rounded_load(rate * (1 - std::min(step, 0.5)));
    rate = rate > least ? std::max(least, next) : next;
    step *= 2;
    if (rate >= least_rate() || rate == least) continue;
    stable_.reset();
    complete(*unstable_);
    return false;
  }
  while (unstable_) {
    const double rate = next_between();
    if (rate == 0) break;
    const std::optional<bool> fine = holds(rate);
    if (!fine) return false;
    (*fine ? stable_ : unstable_) = rate;
  }
  return true;
}

/// What the curve lacks below saturation. @returns whether there is something new
bool curve_search::measure_shape() {
  if (!done()) return false;
  const std::vector<load_figures> all = loads();
  const auto least_unstable =
      std::find_if(all.begin(), all.end(), [](const load_figures& load) { return !load.stable; });
  if (least_unstable != all.end() && least_unstable->rate < *stable_) {
    // A load between stable ones that is not: saturation lies below it.
    unstable_ = least_unstable->rate;
    stable_.reset();
    if (least_unstable == all.begin()) return bracket(*unstable_);
    stable_ = std::prev(least_unstable)->rate;
    return true;
  }
  bool added = false;
  for (const double rate : missing_loads(all, *stable_, settings_.tolerance)) {
    if (rate < least_rate()) continue;
    added = true;
    judge(rate);
  }
  return added;
}

// --- what came of it ---

/// The seeds in their order, and as many more as it takes.
std::vector<std::uint64_t> curve_search::seeds_of(std::size_t count) const {
  std::vector<std::uint64_t> seeds = settings_.seeds;
  std::uint64_t next = *std::max_element(seeds.begin(), seeds.end());
  while (seeds.size() < count) seeds.push_back(++next);
  seeds.resize(count);
  return seeds;
}

std::vector<load_figures> curve_search::loads() const {
  std::vector<load_figures> list;
  bool refuted = false;  // by a longer run, of this load or of a lower one
  for (const auto& [rate, count] : used_) {
    load_figures load;
    load.rate = rate;
    for (const std::uint64_t seed : seeds_of(count)) {
      const key k{rate, seed, run_kind::plain};
      const auto found = results_.find(k);
      if (found == results_.end()) break;
      load.seeds.push_back(seed);
      load.runs.push_back(found->second);
      load.points.push_back(points_.at(k));
      if (found->second.stable()) ++load.stable_runs;
    }
    if (load.runs.size() < count) continue;
    load.stable = is_stable(load.runs);
    if (confirmed_.count(rate) > 0) {
      const key k{rate, settings_.seeds.front(), run_kind::longer};
      const auto found = results_.find(k);
      if (found == results_.end()) continue;
      load.confirmation = {points_.at(k), found->second};
      refuted = refuted || !found->second.stable();
    }
    load.stable = load.stable && !refuted;
    list.push_back(std::move(load));
  }
  return list;
}

curve_summary curve_search::summary() const {
  curve_summary s;
  if (stable_) s.saturation_throughput = *stable_;
  if (unstable_) s.saturation_upper = *unstable_;
  s.tolerance = settings_.tolerance;
  const std::vector<load_figures> all = loads();
  if (all.empty()) return s;
  s.zero_load_latency = zero_load_latency(all);
  s.knee = knee(all, settings_.tolerance);
  s.loads = all.size();
  s.confidence = 1;
  for (const load_figures& load : all) {
    s.runs += load.runs.size() + (load.confirmation ? 1 : 0);
    const double p = probably_stable(load.stable_runs, load.runs.size());
    const bool by_growth = !load.stable && 2 * load.stable_runs > load.runs.size();
    // The one longer run that is not stable stands against shorter ones that are.
    const double sure = load.confirmation && !load.confirmation->result.stable() ? 1 - probably_stable(0, 1)
                        : by_growth                                              ? sure_of_growth
                                                                                 : 1 - p;
    if (unstable_ == load.rate) s.confidence = std::min(s.confidence, sure);
    if (stable_ != load.rate) continue;
    s.confidence = std::min(s.confidence, p);
    s.latency_at_saturation = load.mean("latency.mean");
    s.accepted_at_saturation = load.mean("accepted");
  }
  return s;
}

std::optional<curve_search::observed_point> curve_search::observed() const {
  if (!settings_.observe || !stable_) return std::nullopt;
  const key k{*stable_, settings_.seeds.front(), run_kind::observed};
  const auto found = results_.find(k);
  if (found == results_.end()) return std::nullopt;
  return observed_point{*stable_, settings_.seeds.front(), points_.at(k), found->second};
}

std::size_t curve_search::expected() const {
  const std::size_t seeds = settings_.seeds.size();
  const auto needed = static_cast<std::size_t>(
      std::count_if(wanted_.begin(), wanted_.end(), [](const wanted_point& w) { return w.priority < 2; }));
  if (done()) return 0;
  if (!settings_.rates.empty()) return needed + (settings_.rates.size() - used_.size()) * seeds / 2;
  // Until there is a bracket some doublings, then as many bisections as the tolerance takes; then the shape.
  const double width = stable_ && unstable_ ? (*unstable_ - *stable_) / *unstable_ : 0.5;
  const double steps = std::max(0.0, std::ceil(std::log2(width / settings_.tolerance)));
  const auto near = stable_ ? static_cast<std::size_t>(
                                  std::distance(used_.lower_bound(*stable_ / 2), used_.upper_bound(*stable_)))
                            : 0;
  const std::size_t shape = near < least_loads ? least_loads - near : 0;
  return needed + (static_cast<std::size_t>(steps) + (unstable_ && stable_ ? 0 : 4) + shape) * seeds;
}

std::string curve_search::status_text() const {
  std::string text = curve_.label + ":";
  for (const load_figures& load : loads())
    text += fmt::format(" {:.4g}: {:.4g}{}", load.rate, load.mean("latency.mean"),
                        load.stable ? "" : " (not stable)");
  return text;
}

}  // namespace toriscope
