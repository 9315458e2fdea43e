// SPDX-License-Identifier: Apache-2.0
// HTN 2012, Table I and Figs. 5-9: simulations.
//
// Readings. All have the router of the text (paper2009: one flit per buffer, two cycles per hop), 3 VCs and
// packets of 16 flits. "Maximum throughput" is the largest load at which all packets arrive and what is
// accepted keeps up with what is offered; its latency is that from the first flit sent to the last received.
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
  std::vector<std::pair<std::string, std::string>> other{};  ///< options that are not the paper's
};

const reading by_destination{"destination", "destination", "PXd", "nowrap", "gates destination, VC rule PXd"};
const reading by_nearest{"nearest", "nearest", "P3", "positive", "gates nearest, VC rule P3"};

/// Readings of what the paper leaves open, for dimension order.
const std::vector<reading>& other_readings() {
  static const std::vector<reading> all = {
      {"any VC between modules", "destination", "PY", "nowrap", "PXd with any VC on links between modules"},
      {"CS between modules",
       "destination",
       "PXd",
       "nowrap",
       "PXd, channel selection on links between modules",
       {{"routing", "cs"}}},
      {"two header flits more",
       "destination",
       "PXd",
       "nowrap",
       "16 data flits and two header flits",
       {{"packet", "18"}}},
      {"buffers of two flits",
       "destination",
       "PXd",
       "nowrap",
       "a flit per VC and cycle, one cycle per hop",
       {{"pipeline", "single_cycle"}, {"depth", "2"}}}};
  return all;
}

constexpr double low_load = .002;  ///< for the zero-load column: packets hardly ever meet
constexpr double throughput_share = .08;
constexpr double latency_share = .1;

struct window {
  const char* warmup;
  const char* cycles;
  double tolerance;  ///< of the search
};

window window_of(effort how) {
  return how == effort::full ? window{"5000", "20000", .02} : window{"1500", "4000", .05};
}

std::string curve_name(const htn_row& row, const reading& how, const std::string& routing) {
  return fmt::format("{}, {}, {}", row.pattern, how.name, routing);
}

wanted_curve curve_of(const htn_row& row, const reading& r, const std::string& routing, effort how,
                      std::vector<double> loads = {}) {
  const window w = window_of(how);
  wanted_curve curve;
  curve.name = curve_name(row, r, routing);
  curve.options = {{"topology", htn_network},
                   {"gates", r.gates},
                   {"routing", routing},
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

verdict judge_throughput(const std::string& item, double printed, const measured_curve& curve,
                         const std::string& words, const std::string& why) {
  const std::string reason =
      !curve.saturation_throughput
          ? "no stable load was found " + curve.failure
          : fmt::format("{:+.1f} % with {}{}", 100 * (*curve.saturation_throughput / printed - 1), words,
                        why);
  return judge_number(item, printed, curve.saturation_throughput, tolerance::relative(throughput_share),
                      reason, curve.command);
}

std::optional<double> latency_at_maximum(const measured_curve& curve) {
  if (!curve.saturation_throughput) return std::nullopt;
  return curve.at(*curve.saturation_throughput).figure("latency.network_mean");
}

/// What is judged of one algorithm in one row: maximum throughput and its latency.
verdicts judge_column(const htn_row& row, int column, const measured_curve& curve, const reading& r,
                      const std::string& why) {
  const std::string name = fmt::format("Table I: {}, {} ", row.words, column == 0 ? "DOR" : "LS+CS");
  return {judge_throughput(name + "maximum throughput", row.throughput[column], curve, r.words, why),
          judge_number(name + "latency at maximum throughput", row.latency[column], latency_at_maximum(curve),
                       tolerance::relative(latency_share),
                       "at our maximum throughput; there latency rises so steeply that it says little",
                       curve.command)};
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
  const measured_curve& curve = all.curve(curve_name(row, by_destination, "dor"));
  verdicts result = judge_column(row, 0, curve, by_destination, "");
  result.push_back(judge_zero_load(row, curve));
  return result;
}

verdicts judge_selection(const htn_row& row, const evidence& all) {
  return judge_column(row, 1, all.curve(curve_name(row, by_nearest, "ls+cs")), by_nearest,
                      ", the only reading in which LS+CS is free of deadlock with 3 VCs");
}

/// The sentences of Sect. IV-D about one figure.
verdicts judge_order(const htn_row& row, const evidence& all) {
  std::vector<double> most;
  std::string figures;
  for (const std::string& routing : algorithms()) {
    most.push_back(all.curve(curve_name(row, by_nearest, routing)).saturation_throughput.value_or(0));
    figures += fmt::format("{}{} {:.4f}", figures.empty() ? "" : ", ", routing, most.back());
  }
  const auto [dor, cs, ls, both] = std::tuple(most[0], most[1], most[2], most[3]);
  const std::string command = all.curve(curve_name(row, by_nearest, "ls+cs")).command;
  const std::string name = fmt::format("{}: {}, ", row.figure, row.pattern);
  const std::string words = by_nearest.words + "; the search tells loads apart to a few per cent";
  return {judge_claim(name + "LS, CS and LS+CS against DOR",
                      "the maximum throughput of each is higher than DOR's", std::min({cs, ls, both}) > dor,
                      figures, words, command),
          judge_claim(name + "LS+CS against LS and CS", "LS+CS has the highest maximum throughput",
                      both >= std::max(cs, ls), figures, words, command)};
}

verdict judge_reading(const reading& r, const evidence& all, const std::string& routing) {
  std::string figures;
  double worst = 0;
  for (const htn_row& row : htn_table1()) {
    const measured_curve& curve = all.curve(curve_name(row, r, routing));
    const double off = curve.saturation_throughput.value_or(0) / row.throughput[0] - 1;
    worst = std::max(worst, std::abs(off));
    figures += fmt::format("{}{} {:+.0f} %", figures.empty() ? "" : ", ", row.pattern, 100 * off);
  }
  return judge_claim("Table I, DOR throughputs: " + r.words, "gives them to 10 %", worst <= .1, figures,
                     "at most " + fmt::format("{:.0f} % off", 100 * worst),
                     all.curve(curve_name(htn_table1().front(), r, routing)).command);
}

std::string routing_of(const reading& r) {
  for (const auto& [option, value] : r.other)
    if (option == "routing") return value;
  return "dor";
}

/// Full effort only: which reading of what is left open comes closest.
paper_item readings_item() {
  paper_item item{
      "Readings", "gates, VCs between modules, header flits, buffers: against the DOR column", {}, {}};
  std::vector<reading> all = other_readings();
  all.insert(all.begin(), {by_destination, by_nearest});
  for (const reading& r : all)
    for (const htn_row& row : htn_table1()) item.curves.push_back(curve_name(row, r, routing_of(r)));
  item.judge = [all](evidence& e) {
    verdicts result;
    for (const reading& r : all) result.push_back(judge_reading(r, e, routing_of(r)));
    return result;
  };
  return item;
}

}  // namespace

htn_simulated htn_simulated_items(effort how) {
  htn_simulated all;
  paper_item dor{"Table I, DOR", "maximum throughput, its latency, zero-load latency", {}, [](evidence& e) {
                   verdicts result;
                   for (const htn_row& row : htn_table1())
                     for (verdict& v : judge_dor(row, e)) result.push_back(std::move(v));
                   return result;
                 }};
  for (const htn_row& row : htn_table1()) {
    all.curves.push_back(curve_of(row, by_destination, "dor", how, {low_load}));
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
      all.curves.push_back(curve_of(row, by_nearest, routing, how));
      item.curves.push_back(all.curves.back().name);
    }
    all.items.push_back(std::move(item));
  }
  if (how == effort::full) {
    for (const reading& r : other_readings())
      for (const htn_row& row : htn_table1()) all.curves.push_back(curve_of(row, r, routing_of(r), how));
    all.items.push_back(readings_item());
  }
  return all;
}

}  // namespace toriscope
