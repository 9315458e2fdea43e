// SPDX-License-Identifier: Apache-2.0
// Dally 1990, Figs. 14-17: the contention model against our simulation.
//
// The reading, which is the same for all networks: single_cycle routers (a hop is a cycle, as in Eq. 3), two
// flits of buffer per VC ("two flits of queuing per stage"), Poisson arrivals, destinations among all nodes,
// and messages that get a channel in the order of their age, flit by flit: those in the model wait for the
// channel, and do not share it. Each of the two dateline channels of a ring is doubled (4 VCs): in the model a
// message waits behind others for the physical channel only.
//
// Compared is what a message waits: the network latency less the zero-load latency of the very packets, so
// that their lengths and distances, drawn at random, do not matter; Eq. 12 is added again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbenches/papers/dally1990_items.h"

namespace toriscope {

namespace {

constexpr double judged_to = .2;         ///< bits per node and cycle: up to here they are to agree
constexpr double judged_share = .05;     ///< by so much
constexpr double attempted_share = .05;  ///< likewise, actual and attempted traffic below saturation

/// What the paper leaves open about its simulator's router.
struct router_reading {
  const char* name;
  const char* arbiter;
  const char* vcs;
  const char* depth;
};

constexpr router_reading best_reading{"oldest first, 4 VCs of 2 flits", "age", "4", "2"};
constexpr router_reading other_readings[] = {{"round robin, 2 VCs of 2 flits", "round_robin", "2", "2"},
                                             {"round robin, 4 VCs of 2 flits", "round_robin", "4", "2"},
                                             {"oldest first, 2 VCs of 2 flits", "age", "2", "2"},
                                             {"oldest first, 2 VCs of 32 flits", "age", "2", "32"},
                                             {"oldest first, 4 VCs of 8 flits", "age", "4", "8"}};

/// Flits per cycle are bits per cycle over the width of a channel.
double flits(const dally_column& c, double bits) { return bits / dally::channel_width(c.cube()); }

/// 400/k flits, in the mean: "12:0.5,13:0.5".
std::string packet_flits(const dally_column& c) {
  const double mean = flits(c, dally_message_bits);
  const double whole = std::floor(mean);
  if (whole == mean) return fmt::format("{}", whole);
  return fmt::format("{}:{},{}:{}", whole, whole + 1 - mean, whole + 1, mean - whole);
}

struct dally_window {
  unsigned warmup;
  unsigned cycles;
};

dally_window dally_window_of(const dally_column& c, effort how) {
  if (how == effort::full) return c.of_4k() ? dally_window{6000, 20000} : dally_window{10000, 40000};
  return c.of_4k() ? dally_window{1500, 3000} : dally_window{3000, 6000};
}

wanted_curve curve_of(const std::string& name, const dally_column& c, effort how,
                      const std::vector<double>& lambdas, const router_reading& r = best_reading) {
  const dally_window w = dally_window_of(c, how);
  wanted_curve curve;
  curve.name = name;
  curve.options = {{"topology", fmt::format("ucube:{},{}", c.k, c.n)},
                   {"traffic", "uniform"},
                   {"self", "true"},
                   {"arrivals", "poisson"},
                   {"packet", packet_flits(c)},
                   {"pipeline", "single_cycle"},
                   {"vcs", r.vcs},
                   {"depth", r.depth},
                   {"arbiter", r.arbiter},
                   {"warmup", std::to_string(w.warmup)},
                   {"cycles", std::to_string(w.cycles)},
                   {"drain", std::to_string(w.cycles)}};
  for (const double lambda : lambdas) curve.loads.push_back(flits(c, lambda));
  return curve;
}

std::vector<double> latency_loads(effort how) {
  return how == effort::full ? std::vector<double>{.05, .1, .15, .2, .25, .3} : std::vector<double>{.1, .2};
}

std::vector<double> attempted_loads(effort how) {
  return how == effort::full ? std::vector<double>{.1, .2, .3, .35, .4, .45, .5, .6, .8}
                             : std::vector<double>{.2, .4, .6};
}

std::string latency_curve(const dally_column& c) { return "latency, " + c.name(); }
std::string attempted_curve(const dally_column& c) { return "attempted, " + c.name(); }

/// What Table I prints at that load, none: it does not.
std::optional<double> printed_latency(const dally_column& c, double lambda) {
  for (std::size_t i = 0; i < c.latency.size(); ++i)
    if (dally_table1_loads[i] == lambda) return c.latency[i];
  return std::nullopt;
}

std::optional<double> simulated_latency(const dally_column& c, const measured_point& point) {
  const auto latency = point.figure("latency.network_mean");
  const auto zero_load = point.figure("latency.zero_load_model");
  if (!latency || !zero_load) return std::nullopt;
  return dally::network_latency(c.cube(), dally_message_bits) + *latency - *zero_load;
}

/// What is known of why model and simulation are apart.
std::string cause_of(const dally_column& c, double lambda, double share) {
  if (std::abs(share) <= judged_share) return "";
  if (lambda > judged_to) return "; near saturation, where the paper claims no agreement";
  return fmt::format(
      "; at {:.0f} % of the model's maximum throughput, where it is pessimistic, as it says: it knows no "
      "queues, and "
      "the mean rate on all channels of a ring",
      100 * lambda / dally::max_throughput(c.cube(), dally_message_bits));
}

verdict judge_latency(const std::string& figure, const dally_column& c, const measured_curve& curve,
                      double lambda) {
  const measured_point& point = curve.at(flits(c, lambda));
  const std::optional<double> printed = printed_latency(c, lambda);
  const std::optional<double> model = dally::latency(c.cube(), {dally_message_bits, lambda});
  const std::string item =
      fmt::format("{}: {}, latency at {}{}", figure, c.name(), lambda, printed ? "" : " (by Eq. 22-24)");
  const std::optional<double> ours = simulated_latency(c, point);
  if (!ours || (!printed && !model))
    return undecided(item, shown_value{}, ours ? "the model has no steady state" : "no packet arrived",
                     point.command);
  const double expected = printed ? *printed : *model;
  const double share = *ours / expected - 1;
  const std::string reason = fmt::format("{:+.1f} %{}{}", 100 * share, cause_of(c, lambda, share),
                                         point.stable ? "" : "; not in a steady state");
  return judge_number(item, expected, ours, tolerance::relative(judged_share), reason, point.command);
}

std::vector<verdict> judge_latencies(const evidence& all, const std::string& figure, bool of_4k, effort how) {
  std::vector<verdict> result;
  for (const dally_column& c : dally_table1())
    if (c.of_4k() == of_4k)
      for (const double lambda : latency_loads(how))
        result.push_back(judge_latency(figure, c, all.curve(latency_curve(c)), lambda));
  return result;
}

double actual_bits(const dally_column& c, const measured_point& point) {
  return point.figure("accepted").value_or(0) * dally::channel_width(c.cube());
}

/// Figs. 16 and 17 for one network.
std::vector<verdict> judge_attempted(const std::string& figure, const dally_column& c,
                                     const measured_curve& curve, effort how) {
  double most = 0;
  double least_behind = 1e9;  // of the loads from the printed maximum on, a quarter above
  bool linear = true;
  std::string figures;
  for (const double lambda : attempted_loads(how)) {
    const double actual = actual_bits(c, curve.at(flits(c, lambda)));
    figures += fmt::format("{}{}: {:.3f}", figures.empty() ? "" : ", ", lambda, actual);
    most = std::max(most, actual);
    if (lambda < .3) linear = linear && std::abs(actual - lambda) < attempted_share * lambda;
    if (lambda > 1.25 * c.max_throughput) least_behind = std::min(least_behind, actual);
  }
  const std::string name = figure + ": " + c.name();
  return {
      judge_claim(name + ", below saturation", "actual = attempted", linear, figures, "", curve.command),
      judge_number(name + ", maximum of actual traffic", c.max_throughput, most, tolerance::relative(.1),
                   "printed is the model's maximum (Table I), which knows one message at a time from a "
                   "source and no virtual channels; simulated with 4",
                   curve.command),
      judge_claim(name + ", beyond saturation", "actual traffic is constant", least_behind > .9 * most,
                  figures, "the network carries less when it is overloaded: blocked messages hold channels",
                  curve.command)};
}

paper_item latency_item(const std::string& figure, bool of_4k, effort how) {
  paper_item item{
      figure,
      std::string("latency over traffic, ") + (of_4k ? "4K" : "1K") + " nodes: model and simulation",
      {},
      [figure, of_4k, how](evidence& e) { return judge_latencies(e, figure, of_4k, how); }};
  for (const dally_column& c : dally_table1())
    if (c.of_4k() == of_4k) item.curves.push_back(latency_curve(c));
  return item;
}

paper_item attempted_item(const std::string& figure, bool of_4k, effort how) {
  paper_item item{figure,
                  std::string("actual over attempted traffic, ") + (of_4k ? "4K" : "1K") + " nodes",
                  {},
                  [figure, of_4k, how](evidence& e) {
                    std::vector<verdict> result;
                    for (const dally_column& c : dally_table1())
                      if (c.of_4k() == of_4k)
                        for (verdict& v : judge_attempted(figure, c, e.curve(attempted_curve(c)), how))
                          result.push_back(std::move(v));
                    return result;
                  }};
  for (const dally_column& c : dally_table1())
    if (c.of_4k() == of_4k) item.curves.push_back(attempted_curve(c));
  return item;
}

std::string reading_curve(const router_reading& r, const dally_column& c) {
  return fmt::format("{}, {}", r.name, c.name());
}

/// Networks that tell readings apart.
bool tells_apart(const dally_column& c) { return !c.of_4k() || c.k == 8; }

verdict judge_reading(const router_reading& r, const evidence& all) {
  std::string figures;
  double worst = 0;
  std::string command;
  for (const dally_column& c : dally_table1()) {
    if (!tells_apart(c)) continue;
    const measured_point& point = all.curve(reading_curve(r, c)).at(flits(c, judged_to));
    const double off = simulated_latency(c, point).value_or(0) / *printed_latency(c, judged_to) - 1;
    worst = std::max(worst, std::abs(off));
    figures += fmt::format("{}{} {:+.1f} %", figures.empty() ? "" : ", ", c.name(), 100 * off);
    command = point.command;
  }
  return judge_claim(fmt::format("Router: {}", r.name), "latency at 0.2 as in Table I, to 5 %",
                     worst <= judged_share, figures, fmt::format("up to {:.1f} % off", 100 * worst), command);
}

/// Full effort only.
void add_readings(simulated_items& all) {
  std::vector<router_reading> readings(std::begin(other_readings), std::end(other_readings));
  readings.insert(readings.begin(), best_reading);
  paper_item item{"Router", "what the paper leaves open about its simulator", {}, [readings](evidence& e) {
                    std::vector<verdict> result;
                    for (const router_reading& r : readings) result.push_back(judge_reading(r, e));
                    return result;
                  }};
  for (const router_reading& r : readings)
    for (const dally_column& c : dally_table1())
      if (tells_apart(c)) {
        all.curves.push_back(curve_of(reading_curve(r, c), c, effort::full, {judged_to}, r));
        item.curves.push_back(all.curves.back().name);
      }
  all.items.push_back(std::move(item));
}

}  // namespace

simulated_items dally_simulated_items(effort how) {
  simulated_items all;
  for (const dally_column& c : dally_table1()) {
    all.curves.push_back(curve_of(latency_curve(c), c, how, latency_loads(how)));
    if (how == effort::full || !c.of_4k())
      all.curves.push_back(curve_of(attempted_curve(c), c, how, attempted_loads(how)));
  }
  all.items = {latency_item("Fig. 14", false, how), latency_item("Fig. 15", true, how),
               attempted_item("Fig. 16", false, how)};
  if (how == effort::full) {
    all.items.push_back(attempted_item("Fig. 17", true, how));
    add_readings(all);
  }
  return all;
}

}  // namespace toriscope
