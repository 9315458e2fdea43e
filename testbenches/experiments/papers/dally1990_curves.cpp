// SPDX-License-Identifier: Apache-2.0
// Dally 1990, Figs. 14-17: the contention model against our simulation.
//
//   reading   single_cycle routers (a hop is a cycle, as in Eq. 3), two flits of buffer per VC ("two flits of
//             queuing per stage"), Poisson arrivals, destinations among all nodes
//   open      how many virtual channels a class has - a ring has two classes, which free it from deadlock, a
//             binary cube one - and whether messages take turns on a channel or get it by age: the text names
//             virtual channels, and models one message at a time. All is judged under each of the four; where
//             they disagree, undetermined
//   compared  what a message waits: the network latency less the zero-load latency of the very packets, so
//             that their lengths and distances, drawn at random, do not matter; Eq. 12 is added again
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbenches/experiments/papers/dally1990_items.h"

namespace toriscope {

namespace {

constexpr double judged_share = .05;     ///< "a few percent"
constexpr double near_saturation = .95;  ///< of the model's maximum throughput
constexpr double attempted_share = .05;  ///< actual and attempted traffic below saturation, and beyond
constexpr double attempted_loads[] = {.1, .2, .3, .4, .5, .6, .8, 1};

const tolerance maximum_tolerance = tolerance::relative(.1);

/// What the paper leaves open about its simulator's router.
struct router_reading {
  const char* name;
  const char* arbiter;
  unsigned vcs_per_class;
};

const char* const open_router = "the router decides, which the text leaves open";

/// "Only a few flits are buffered at each node" (Sect. II-B).
const char* const open_depth =
    "how many flits a VC holds is open: the text calls two sufficient for loads below .3 and messages below "
    "200 bits (Sect. III-B), and gives no number beyond";

constexpr router_reading readings[] = {{"one VC per class, in turn", "round_robin", 1},
                                       {"one VC per class, oldest first", "age", 1},
                                       {"two VCs per class, in turn", "round_robin", 2},
                                       {"two VCs per class, oldest first", "age", 2}};

/// Flits per cycle are bits per cycle over the width of a channel.
double flits(const dally_column& c, double bits) { return bits / dally::channel_width(c.cube()); }

/// 400/k flits, in the mean: "12:0.5,13:0.5".
std::string packet_flits(double mean) {
  const double whole = std::floor(mean);
  if (whole == mean) return fmt::format("{}", whole);
  return fmt::format("{}:{},{}:{}", whole, whole + 1 - mean, whole + 1, mean - whole);
}

struct window {
  unsigned warmup;
  unsigned cycles;
};

wanted_curve curve_of(const std::string& name, const dally_column& c, const window& w,
                      const router_reading& r) {
  const unsigned classes = c.k == 2 ? 1 : 2;  // a binary cube has no rings; the spiral of Sect. III-B else
  wanted_curve curve;
  curve.name = fmt::format("{}, {}, {}", name, c.name(), r.name);
  curve.options = {{"topology", fmt::format("ucube:{},{}", c.k, c.n)},
                   {"traffic", "uniform"},
                   {"self", "true"},
                   {"arrivals", "poisson"},
                   {"packet", packet_flits(flits(c, dally_message_bits))},
                   {"pipeline", "single_cycle"},
                   {"vc-rule", classes == 1 ? "single" : "dateline"},
                   {"vcs", std::to_string(classes * r.vcs_per_class)},
                   {"depth", "2"},
                   {"arbiter", r.arbiter},
                   {"warmup", std::to_string(w.warmup)},
                   {"cycles", std::to_string(w.cycles)},
                   {"drain", std::to_string(w.cycles)}};
  return curve;
}

wanted_curve latency_curve(const dally_column& c, const router_reading& r) {
  wanted_curve curve = curve_of("latency", c, c.of_4k() ? window{3000, 6000} : window{3000, 10000}, r);
  for (const double lambda : dally_table1_loads) curve.loads.push_back(flits(c, lambda));
  return curve;
}

wanted_curve attempted_curve(const dally_column& c, const router_reading& r) {
  // A packet takes some 350 cycles in the binary 12-cube, so that a short window misses part of what is
  // offered.
  wanted_curve curve =
      curve_of("attempted", c, c.of_4k() && c.k > 2 ? window{2000, 3000} : window{4000, 6000}, r);
  curve.options = with_options(curve.options, {{"drain", "100"}});
  for (const double lambda : attempted_loads) curve.loads.push_back(flits(c, lambda));
  return curve;
}

/// The same at one load, with deeper VCs.
wanted_curve deeper(wanted_curve curve, const std::string& depth, double load) {
  curve.name = depth + " flits, " + curve.name;
  curve.options = with_options(curve.options, {{"depth", depth}});
  curve.loads = {load};
  return curve;
}

/// With VCs of eight flits, overloaded: of the 1K networks.
wanted_curve deep_curve(const dally_column& c, const router_reading& r) {
  return deeper(attempted_curve(c, r), "8", flits(c, 1));
}

/// With two VCs of 32 flits, overloaded: of the binary cubes, whose saturation these VCs raise above .5.
wanted_curve deepest_curve(const dally_column& c) {
  wanted_curve curve = curve_of("attempted", c, {2500, 2500}, readings[2]);
  curve.options = with_options(curve.options, {{"drain", "0"}});
  return deeper(curve, "32", flits(c, 1));
}

/// The 4-ary 6-cube at .3, where two of the readings have no steady state: with VCs of 64 flits.
bool wants_deeper(const dally_column& c, double lambda) { return c.of_4k() && c.k == 4 && lambda == .3; }

wanted_curve deep_latency_curve(const dally_column& c, double lambda) {
  return deeper(latency_curve(c, readings[0]), "64", flits(c, lambda));
}

/// None: no packet arrived.
std::optional<double> simulated_latency(const dally_column& c, const measured_point& point) {
  const auto latency = point.figure("latency.network_mean");
  const auto zero_load = point.figure("latency.zero_load_model");
  if (!latency || !zero_load) return std::nullopt;
  return dally::network_latency(c.cube(), dally_message_bits) + *latency - *zero_load;
}

/// "The simulation agrees with the prediction within a few percent until the network approaches saturation."
void add_latency(paper& p, const dally_column& c, std::size_t load) {
  const double lambda = dally_table1_loads[load];
  const std::string item =
      fmt::format("{}: {}, latency at {}", c.of_4k() ? "Fig. 15" : "Fig. 14", c.name(), lambda);
  std::vector<wanted_curve> needed;
  for (const router_reading& r : readings) needed.push_back(latency_curve(c, r));
  if (wants_deeper(c, lambda)) needed.push_back(deep_latency_curve(c, lambda));
  p.add(
      item, needed,
      [=](evidence& seen) {
        std::vector<number_reading> found;
        std::vector<std::string> beneath;
        for (std::size_t i = 0; i < std::size(readings); ++i) {
          const measured_point& point = seen.curve(needed[i].name).at(flits(c, lambda));
          found.push_back({fmt::format("{}{}", readings[i].name, point.stable ? "" : " (no steady state)"),
                           simulated_latency(c, point)});
          beneath.push_back(point.command);
        }
        const double share = lambda / dally::max_throughput(c.cube(), dally_message_bits);
        const std::string at = fmt::format("at {:.0f} % of the model's maximum throughput", 100 * share);
        verdict v = judge_readings(item, provenance::simulated, c.latency[load], found,
                                   tolerance::relative(judged_share), at);
        v.beneath = beneath;
        v.reading += "; VCs of two flits (ours)";
        if (wants_deeper(c, lambda)) {
          const measured_point& point = seen.curve(needed.back().name).points.front();
          const double deep = simulated_latency(c, point).value_or(0);
          append(v.others, fmt::format("{}, VCs of 64 flits: {:.6g}{}", readings[0].name, deep,
                                       point.stable ? "" : " (no steady state)"));
          v.beneath.push_back(point.command);
          if (v.result == ruling::differs && point.stable && deep < c.latency[load] &&
              c.latency[load] < found.front().value.value_or(0))
            return undetermined(std::move(v), std::string(open_depth) +
                                                  "; printed lies between what 2 and 64 flits give; " + at);
        }
        if (share < near_saturation) return v;
        return undetermined(std::move(v),
                            at + ": the text claims agreement only until the network approaches saturation");
      },
      c.of_4k() || lambda > .2);
}

double actual_bits(const dally_column& c, const measured_point& point) {
  return point.figure("accepted").value_or(0) * dally::channel_width(c.cube());
}

/// Figs. 16 and 17 for one network.
std::vector<verdict> judge_attempted(const std::string& name, const dally_column& c,
                                     const measured_curve& curve, const router_reading& r) {
  std::vector<double> actual;
  std::string figures;
  std::string loads_below;
  std::string loads_beyond;
  std::vector<std::string> beneath;
  for (const double lambda : attempted_loads) {
    const measured_point& point = curve.at(flits(c, lambda));
    actual.push_back(actual_bits(c, point));
    append(figures, fmt::format("{}: {:.3f}", lambda, actual.back()), ", ");
    beneath.push_back(point.command);
  }
  const double most = *std::max_element(actual.begin(), actual.end());
  bool linear = true;
  double least_behind = most;
  unsigned behind = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double lambda = attempted_loads[i];
    if (lambda < .9 * std::min(most, c.max_throughput)) {
      linear = linear && std::abs(actual[i] - lambda) < attempted_share * lambda;
      append(loads_below, fmt::format("{}", lambda), ", ");
    }
    if (lambda <= 1.1 * most) continue;
    append(loads_beyond, fmt::format("{}", lambda), ", ");
    ++behind;
    least_behind = std::min(least_behind, actual[i]);
  }
  verdict constant = judge_claim(
      name + ", beyond saturation", provenance::simulated, "actual traffic is constant",
      behind >= 2 && least_behind > (1 - attempted_share) * most, figures + "; judged at " + loads_beyond,
      "the network carries less when it is overloaded: blocked messages hold channels");
  if (behind < 2) constant = undetermined(std::move(constant), "fewer than two loads are beyond saturation");
  verdict maximum = judge_number(name + ", maximum of actual traffic", provenance::simulated,
                                 c.max_throughput, most, maximum_tolerance);
  maximum.reading = "printed is the model's maximum, Table I";
  if (maximum.result == ruling::differs)
    maximum = undetermined(
        std::move(maximum),
        "printed is the model's maximum, Table I: the text claims agreement only until the network "
        "approaches saturation, and does not give the queue of its simulator");
  std::vector<verdict> all = {
      judge_claim(name + ", below saturation", provenance::simulated, "actual = attempted", linear,
                  figures + "; judged at " + loads_below),
      maximum, constant,
      judge_claim(name + ", saturation", provenance::simulated, "it saturates between .3 and .5",
                  most >= .3 && most <= .5, fmt::format("at {:.3f} bits per node and cycle", most))};
  all[0].tolerance = fmt::format(
      "{:.0f} % of the attempted traffic, up to 90 % of the smaller of our and the printed maximum",
      100 * attempted_share);
  all[2].tolerance = fmt::format("at loads above 1.1 times the maximum, at least {:.0f} % of it",
                                 100 * (1 - attempted_share));
  all[3].tolerance = "the bounds taken exactly";
  all[3].reading = "saturation: the largest actual traffic";
  for (verdict& v : all) {
    append(v.reading, std::string("VCs of two flits (ours); ") + r.name);
    v.beneath = beneath;
  }
  return all;
}

/// What VCs of eight flits carry, which the text admits as well as two.
void add_deep(verdict& maximum, const dally_column& c, const evidence& seen) {
  std::string carried;
  for (const router_reading& r : readings) {
    const measured_point& point = seen.curve(deep_curve(c, r).name).points.front();
    append(carried, fmt::format("{:.6g}", actual_bits(c, point)), ", ");
    maximum.beneath.push_back(point.command);
  }
  append(maximum.others, "VCs of eight flits, at an attempted 1, in the same order: " + carried);
}

/// The saturation of a binary cube with VCs of 32 flits.
void add_deepest(verdict& saturation, const dally_column& c, const evidence& seen) {
  const measured_point& point = seen.curve(deepest_curve(c).name).points.front();
  saturation.beneath.push_back(point.command);
  append(saturation.others, fmt::format("{}, VCs of 32 flits, at an attempted 1: {:.6g}", readings[2].name,
                                        actual_bits(c, point)));
}

/// Under all routers that the text admits; where they disagree, undetermined.
std::vector<verdict> judge_attempted(const std::string& name, const dally_column& c, const evidence& seen) {
  std::vector<verdict> all;
  bool rounded = true;  // the saturation of all, to one decimal as its bounds are printed
  for (const router_reading& r : readings) {
    const measured_curve& curve = seen.curve(attempted_curve(c, r).name);
    const std::vector<verdict> found = judge_attempted(name, c, curve, r);
    double most = 0;
    for (const double lambda : attempted_loads)
      most = std::max(most, actual_bits(c, curve.at(flits(c, lambda))));
    rounded = rounded && most >= .25 && most < .55;
    if (all.empty()) {
      all = found;
      continue;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      add_reading(all[i], r.name, found[i], open_router);
      all[i].beneath.insert(all[i].beneath.end(), found[i].beneath.begin(), found[i].beneath.end());
    }
  }
  for (verdict& v : all)
    if (v.result == ruling::differs) v.reason = all_miss(v.reason);
  if (all[3].result == ruling::undetermined && rounded)
    all[3].reason += "; rounded to one decimal, as the bounds are printed, it holds under all four";
  if (!c.of_4k()) add_deep(all[1], c, seen);
  if (c.k == 2) add_deepest(all[3], c, seen);
  for (std::size_t i : {1, 2, 3})  // about loads beyond .3
    if (all[i].result != ruling::undetermined) all[i] = undetermined(std::move(all[i]), open_depth);
  return all;
}

void add_attempted(paper& p, const dally_column& c) {
  const std::string name = fmt::format("{}: {}", c.of_4k() ? "Fig. 17" : "Fig. 16", c.name());
  std::vector<wanted_curve> needed;
  for (const router_reading& r : readings) {
    needed.push_back(attempted_curve(c, r));
    if (!c.of_4k()) needed.push_back(deep_curve(c, r));
  }
  if (c.k == 2) needed.push_back(deepest_curve(c));
  p.add({name, [=](evidence& seen) { return judge_attempted(name, c, seen); }, {}, true}, needed);
}

/// Sect. II-A: with links in both directions, each half as wide, the order of the 1K networks is the same.
struct bidirectional_reading {
  static constexpr const char* same_network =
      "a bidirectional 4-ary 5-cube of half the width is the binary 10-cube, for a ring of four is a binary "
      "2-cube: the two "
      "differ by their VCs only; the 32-ary 2-cube is the fastest";

  router_reading router;
  std::vector<wanted_curve> needed;  ///< of each 1K network one way, and both ways but for the binary cube

  explicit bidirectional_reading(const router_reading& r) : router(r) {
    for (const dally_column& c : dally_table1()) {
      if (c.of_4k()) continue;
      wanted_curve one_way = latency_curve(c, r);
      needed.push_back(one_way);
      if (c.k == 2) continue;  // one and the same network
      one_way.name = "both ways, " + one_way.name;
      const double bits_per_flit = dally::channel_width(c.cube()) / 2;
      one_way.options =
          with_options(one_way.options, {{"topology", fmt::format("cube:{},{}", c.k, c.n)},
                                         {"packet", packet_flits(dally_message_bits / bits_per_flit)}});
      one_way.loads = {bidirectional_load / bits_per_flit};
      needed.push_back(one_way);
    }
  }
  static constexpr double bidirectional_load = .2;
  static constexpr double alike =
      .05;  ///< latencies closer than that say no order: the errors of the runs are as large

  verdict judge(const std::string& item, const evidence& seen) const {
    std::string figures;
    std::vector<std::string> commands;
    std::vector<double> both_ways;
    for (const wanted_curve& wanted : needed) {
      const measured_curve& curve = seen.curve(wanted.name);
      const bool both = wanted.loads.size() == 1;
      const measured_point& point = both ? curve.points.front() : curve.at(wanted.loads[1]);
      const double latency = point.figure("latency.network_mean").value_or(0);
      const std::string& network = wanted.options.front().second;
      append(figures, fmt::format("{} {:.6g}", network, latency), ", ");
      commands.push_back(point.command);
      if (both || network == "ucube:2,10") both_ways.push_back(latency);
    }
    verdict v = judge_claim(item, provenance::simulated,
                            "our results do not change appreciably for bidirectional networks",
                            both_ways[0] < both_ways[1] && both_ways[1] < both_ways[2],
                            figures + " cycles at .2 bits per node and cycle", same_network);
    v.tolerance = fmt::format("the order of the 1K networks is the same, {:.0f} % apart", 100 * alike);
    const bool first_is_fastest = both_ways[0] < (1 - alike) * std::min(both_ways[1], both_ways[2]);
    if (first_is_fastest && std::abs(both_ways[1] - both_ways[2]) < alike * both_ways[2])
      v = undetermined(std::move(v), same_network);
    v.reading = fmt::format(
        "channels of half the width in both directions; a binary cube has them anyway; {}", router.name);
    v.command = joined_commands(commands);
    return v;
  }
};

void add_bidirectional(paper& p) {
  const std::string item = "Sect. II-A: bidirectional networks";
  std::vector<bidirectional_reading> all;
  std::vector<wanted_curve> needed;
  for (const router_reading& r : readings) {
    all.emplace_back(r);
    needed.insert(needed.end(), all.back().needed.begin(), all.back().needed.end());
  }
  p.add(item, needed, [=](evidence& seen) {
    verdict v = all.front().judge(item, seen);
    for (std::size_t i = 1; i < all.size(); ++i)
      add_reading(v, all[i].router.name, all[i].judge(item, seen), bidirectional_reading::same_network);
    return v;
  });
}

}  // namespace

void add_dally_curves(paper& p) {
  for (const dally_column& c : dally_table1())
    for (std::size_t i = 0; i < std::size(dally_table1_loads); ++i) add_latency(p, c, i);
  for (const dally_column& c : dally_table1()) add_attempted(p, c);
  add_bidirectional(p);
}

}  // namespace toriscope
