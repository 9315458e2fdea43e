// SPDX-License-Identifier: Apache-2.0
// HTN 2012, Table I and Figs. 5-9: simulations.
//
// Readings. All have the router of the text (paper2009: one flit per buffer, two cycles per hop), 3 VCs and
// packets of 16 flits. "Maximum throughput" is what is accepted where 95 % of the offered load are: beyond,
// nodes off the busy links go on, and what all of them deliver keeps growing under permutations. The largest
// load at which every source keeps up, always smaller, stands beside it. Its latency is that of the network,
// from the first flit sent to the last received.
//   destination  gates in the destination's row or column, VC rule PXd: the reading that comes closest to the
//                DOR columns. Selection of links has a cycle there and is left out
//   nearest      the nearest gate, VC rule P3: all four algorithms are free of deadlock; CS in the rings of the
//                last module only. For the order of the algorithms
// The others are only compared with the DOR column.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbenches/papers/htn2012_items.h"

namespace toriscope {

namespace {

using verdicts = std::vector<verdict>;

struct reading {
  std::string name;
  std::string gates;
  std::string rule;
  std::string ties;
  std::string words;
  std::string routing = "dor";
  std::vector<std::pair<std::string, std::string>> other{};  ///< options that are not the paper's
  bool may_deadlock = false;

  /// The column of Table I that it is compared with.
  int column() const { return routing == "dor" ? 0 : 1; }
};

const reading by_destination{"destination", "destination", "PXd", "nowrap", "gates destination, VC rule PXd"};
const reading by_nearest{"nearest", "nearest", "P3", "positive", "gates nearest, VC rule P3"};

reading with(reading r, const std::string& routing) {
  r.routing = routing;
  return r;
}

/// Readings of what the paper leaves open.
const std::vector<reading>& htn_readings() {
  static const std::vector<reading> all = {
      {"any VC between modules", "destination", "PY", "nowrap",
       "gates destination, any VC between modules (PY)"},
      {"header flits",
       "destination",
       "PXd",
       "nowrap",
       "PXd, two header flits beside the 16",
       "dor",
       {{"packet", "18"}}},
      {"buffers of two flits",
       "destination",
       "PXd",
       "nowrap",
       "PXd, a flit per VC and cycle, one cycle per hop",
       "dor",
       {{"pipeline", "single_cycle"}, {"depth", "2"}}},
      {"CS between modules", "destination", "PXd", "nowrap", "PXd, CS on all rings", "cs"},
      {"CS between modules, nearest", "nearest", "P3w", "nowrap", "gates nearest, CS on all rings (P3w)",
       "cs"},
      {"cyclic", "destination", "PXd", "nowrap", "PXd, LS+CS: not free of deadlock", "ls+cs", {}, true}};
  return all;
}

constexpr double low_load = .002;  ///< for the zero-load column: packets hardly ever meet
constexpr double throughput_share = .08;
constexpr double latency_share = .1;
constexpr double accepted_share = .95;  ///< of the offered load, at the maximum throughput
constexpr double alike = .01;           ///< closer than this is no difference

struct htn_window {
  const char* warmup;
  const char* cycles;
  double tolerance;  ///< of the search
};

htn_window htn_window_of(effort how) {
  return how == effort::full ? htn_window{"5000", "20000", .02} : htn_window{"1500", "4000", .05};
}

std::string curve_name(const htn_row& row, const reading& r) {
  return fmt::format("{}, {}, {}", row.pattern, r.name, r.routing);
}

wanted_curve curve_of(const htn_row& row, const reading& r, effort how, std::vector<double> loads = {}) {
  const htn_window w = htn_window_of(how);
  wanted_curve curve;
  curve.name = curve_name(row, r);
  curve.options = {{"topology", htn_network},
                   {"gates", r.gates},
                   {"routing", r.routing},
                   {"vc-rule", r.rule},
                   {"ties", r.ties},
                   {"traffic", row.pattern},
                   {"packet", "16"},
                   {"pipeline", "paper2009"},
                   {"vcs", "3"},
                   {"depth", "1"},
                   {"warmup", w.warmup},
                   {"cycles", w.cycles},
                   {"drain", w.cycles}};
  if (std::string(row.pattern) == "hotspot") {
    curve.options.emplace_back("hot-probability", "0.05");
    curve.options.emplace_back("hot-node", htn_hot_nodes);
  }
  for (const auto& [option, value] : r.other) {
    const auto same = [&](const auto& known) { return known.first == option; };
    std::find_if(curve.options.begin(), curve.options.end(), same)->second = value;
  }
  curve.loads = std::move(loads);
  curve.saturation_tolerance = w.tolerance;
  curve.may_deadlock = r.may_deadlock;
  return curve;
}

std::vector<std::string> algorithms() { return {"dor", "cs", "ls", "ls+cs"}; }

/// Rows whose four algorithms are compared: not all of them in a hurry.
std::vector<htn_row> compared_rows(effort how) {
  std::vector<htn_row> rows;
  for (const htn_row& row : htn_table1())
    if (how == effort::full || std::string(row.pattern) == "uniform" ||
        std::string(row.pattern) == "bit_reversal" || std::string(row.pattern) == "shuffle")
      rows.push_back(row);
  return rows;
}

/// Where the network begins to refuse what it is offered.
struct knee {
  double accepted;  ///< flits per node and cycle
  double latency;   ///< cycles, of the network
  std::string command;
};

/// Accepted and latency where `accepted_share` of the offered load is accepted: between two simulated loads,
/// linearly. None: there is no such load among the simulated ones.
std::optional<knee> knee_of(const measured_curve& curve) {
  const auto share = [](const measured_point& p) {
    const double offered = p.figure("offered").value_or(0);
    return offered > 0 ? p.figure("accepted").value_or(0) / offered : 0;
  };
  const std::vector<measured_point>& points = curve.points;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (share(points[i]) >= accepted_share) continue;
    const measured_point& below = points[i - 1];
    const measured_point& above = points[i];
    const double part = (share(below) - accepted_share) / (share(below) - share(above));
    const auto between = [&](const char* name) {
      const double low = below.figure(name).value_or(0);
      return low + part * (above.figure(name).value_or(0) - low);
    };
    return knee{between("accepted"), between("latency.network_mean"), above.command};
  }
  return std::nullopt;
}

double throughput_of(const measured_curve& curve) {
  const std::optional<knee> k = knee_of(curve);
  return k ? k->accepted : 0;
}

std::string stable_words(const measured_curve& curve) {
  return curve.saturation_throughput
             ? fmt::format("all sources keep up to {:.4f}", *curve.saturation_throughput)
             : std::string("no stable load was found");
}

verdict judge_throughput(const std::string& item, double printed, const measured_curve& curve,
                         const std::string& words) {
  const std::optional<knee> k = knee_of(curve);
  if (!k) return undecided(item, printed, "no simulated load is refused " + curve.failure, curve.command);
  return judge_number(
      item, printed, k->accepted, tolerance::relative(throughput_share),
      fmt::format("{:+.1f} % with {}; {}", 100 * (k->accepted / printed - 1), words, stable_words(curve)),
      k->command);
}

verdict judge_latency(const std::string& item, double printed, const measured_curve& curve) {
  const std::optional<knee> k = knee_of(curve);
  if (!k) return undecided(item, printed, "no simulated load is refused " + curve.failure, curve.command);
  return judge_number(item, printed, k->latency, tolerance::relative(latency_share),
                      "where 95 % are accepted; latency rises so steeply there that it says little",
                      k->command);
}

/// What is judged of one algorithm in one row: maximum throughput and its latency.
verdicts judge_column(const htn_row& row, int column, const measured_curve& curve, const std::string& words) {
  const std::string name = fmt::format("Table I: {}, {} ", row.words, column == 0 ? "DOR" : "LS+CS");
  return {judge_throughput(name + "maximum throughput", row.throughput[column], curve, words),
          judge_latency(name + "latency at maximum throughput", row.latency[column], curve)};
}

verdict judge_zero_load(const htn_row& row, const measured_curve& curve) {
  const measured_point& point = curve.at(low_load);
  return judge_number(
      fmt::format("Table I: {}, DOR zero-load latency", row.words), row.zero_load[0],
      point.figure("latency.zero_load_model"), tolerance::relative(.02),
      "the router of Sect. IV-B gives 2 h + 32 for 16 flits, the column is 2 h + 43.3; 3 h + 36, with "
      "a routing cycle per hop, fits it as well, but not the throughputs",
      point.command);
}

verdicts judge_dor(const htn_row& row, const evidence& all) {
  const measured_curve& curve = all.curve(curve_name(row, by_destination));
  verdicts result = judge_column(row, 0, curve, by_destination.words);
  result.push_back(judge_zero_load(row, curve));
  return result;
}

verdicts judge_selection(const htn_row& row, const evidence& all) {
  return judge_column(row, 1, all.curve(curve_name(row, with(by_nearest, "ls+cs"))),
                      by_nearest.words + ", in which LS+CS is free of deadlock");
}

/// The sentences of Sect. IV-D about one figure.
verdicts judge_order(const htn_row& row, const evidence& all) {
  std::vector<double> most;
  std::string figures;
  for (const std::string& routing : algorithms()) {
    const measured_curve& curve = all.curve(curve_name(row, with(by_nearest, routing)));
    most.push_back(throughput_of(curve));
    figures += fmt::format("{}{} {:.4f} ({})", figures.empty() ? "" : ", ", routing, most.back(),
                           stable_words(curve));
  }
  const double dor = most[0];
  const double cs = most[1];
  const double ls = most[2];
  const double both = most[3];
  const std::string command = all.curve(curve_name(row, with(by_nearest, "ls+cs"))).command;
  const std::string name = fmt::format("{}: {}, ", row.figure, row.pattern);
  return {judge_claim(name + "LS against DOR", "LS has the higher maximum throughput", ls > dor, figures,
                      by_nearest.words, command),
          judge_claim(name + "CS against DOR", "CS has the higher maximum throughput", cs > dor * (1 + alike),
                      figures,
                      by_nearest.words + ": they are alike, for CS is safe in the last module's rings only",
                      command),
          judge_claim(name + "LS+CS against DOR, LS and CS", "LS+CS has the highest maximum throughput",
                      both > dor && both >= std::max(cs, ls), figures,
                      both > dor && both >= std::max(cs, ls) * (1 - alike) ? "LS+CS and LS are alike"
                                                                           : by_nearest.words,
                      command)};
}

verdict judge_reading(const reading& r, const evidence& all) {
  std::string figures;
  double worst = 0;
  for (const htn_row& row : htn_table1()) {
    const double most = throughput_of(all.curve(curve_name(row, r)));
    const double off = most / row.throughput[r.column()] - 1;
    worst = std::max(worst, std::abs(off));
    figures +=
        fmt::format("{}{} {:.4f} ({:+.0f} %)", figures.empty() ? "" : ", ", row.pattern, most, 100 * off);
  }
  return judge_claim(
      fmt::format("Table I, {} throughputs: {}, {}", r.column() == 0 ? "DOR" : "LS+CS", r.words, r.routing),
      "within 10 %", worst <= .1, figures, fmt::format("up to {:.0f} % off", 100 * worst),
      all.curve(curve_name(htn_table1().front(), r)).command);
}

/// Full effort only: which reading of what is left open comes closest.
paper_item readings_item() {
  paper_item item{"Readings", "gates, VCs and CS between modules, header flits, buffers", {}, {}};
  std::vector<reading> all = htn_readings();
  all.insert(all.begin(), {by_destination, by_nearest, with(by_nearest, "ls+cs")});
  for (const reading& r : all)
    for (const htn_row& row : htn_table1()) item.curves.push_back(curve_name(row, r));
  item.judge = [all](evidence& e) {
    verdicts result;
    for (const reading& r : all) result.push_back(judge_reading(r, e));
    return result;
  };
  return item;
}

}  // namespace

simulated_items htn_simulated_items(effort how) {
  simulated_items all;
  paper_item dor{"Table I, DOR", "maximum throughput, its latency, zero-load latency", {}, [](evidence& e) {
                   verdicts result;
                   for (const htn_row& row : htn_table1())
                     for (verdict& v : judge_dor(row, e)) result.push_back(std::move(v));
                   return result;
                 }};
  for (const htn_row& row : htn_table1()) {
    all.curves.push_back(curve_of(row, by_destination, how, {low_load}));
    dor.curves.push_back(all.curves.back().name);
  }
  all.items.push_back(std::move(dor));
  for (const htn_row& row : compared_rows(how)) {
    paper_item item{row.figure, std::string("DOR, CS, LS and LS+CS: ") + row.pattern, {}, [row](evidence& e) {
                      verdicts result = judge_selection(row, e);
                      for (verdict& v : judge_order(row, e)) result.push_back(std::move(v));
                      return result;
                    }};
    for (const std::string& routing : algorithms()) {
      all.curves.push_back(curve_of(row, with(by_nearest, routing), how));
      item.curves.push_back(all.curves.back().name);
    }
    all.items.push_back(std::move(item));
  }
  if (how == effort::full) {
    for (const reading& r : htn_readings())
      for (const htn_row& row : htn_table1()) all.curves.push_back(curve_of(row, r, how));
    all.items.push_back(readings_item());
  }
  return all;
}

}  // namespace toriscope
