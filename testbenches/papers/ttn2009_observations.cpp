// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/ttn2009_observations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbenches/papers/ttn2009_curves.h"

namespace toriscope {
namespace {

const char* const flat_vcs = "mesh 1 VC, torus 2";
const char* const full_duplex = "full-duplex inter-BM links";

/// What Sect. 5 leaves open. The first is its own remark: mesh and torus need 1 and 2 VCs.
std::vector<ttn_reading> readings(effort how) {
  std::vector<ttn_reading> all = {
      {"", "as Sect. 5.2 says: 4 VCs everywhere, one-way inter-BM links, buffers of a flit"},
      {flat_vcs, "Sect. 5.4.1: mesh and torus need no more", {}, {{"vcs", "1"}}, {{"vcs", "2"}}, {}},
      {full_duplex, "Fig. 4 routes that way, Sect. 2.2 says one-way", {}, {}, {}, {{"links", "B"}}},
      {"mesh 1 VC, torus 2, full-duplex inter-BM links",
       "both",
       {},
       {{"vcs", "1"}},
       {{"vcs", "2"}},
       {{"links", "B"}}},
  };
  if (how == effort::quick) return all;
  all.push_back({"one flit per cycle, buffers of 2 flits",
                 "Sect. 5.2 gives no depth of buffers",
                 {{"pipeline", "single_cycle"}, {"depth", "2"}}});
  all.push_back({"packets at even distances", "Sect. 5.2: the rate is constant", {{"arrivals", "constant"}}});
  all.push_back({"packets of 18 flits", "16 flits, and two of header beside them", {{"packet", "18"}}});
  return all;
}

/// Fig. 7 (b): TTN carries more than mesh and TESH, less than torus.
verdict judge_reading(const ttn_reading& r, const evidence& seen) {
  const auto curve = [&](const char* network) -> const measured_curve& {
    return seen.curve(curve_name(uniform_traffic(), network, r));
  };
  const measured_curve& ttn = curve(ttn_q1);
  unsigned holding = 0;
  unsigned open = 0;
  std::string figures = bracket_text(ttn_q1, ttn);
  for (const char* const network : {mesh_4k, tesh_q1, torus_4k}) {
    const order found = compare_throughputs(ttn, curve(network));
    holding += found == (network == torus_4k ? order::lower : order::higher);
    open += found == order::open;
    figures += ", " + bracket_text(network, curve(network));
  }
  const std::string name = r.name.empty() ? "Sect. 5.2 as it stands" : r.name;
  verdict v = judge_claim("Readings: " + name, "TTN carries more than mesh and TESH, and less than torus",
                          holding == 3, figures, fmt::format("{} of 3 orders hold ({})", holding, r.why),
                          ttn.command);
  v.tolerance = "order of the largest stable loads, uniform traffic";
  if (holding < 3 && holding + open == 3) {
    v.result = ruling::undecided;
    v.reason = fmt::format("{} of 3 orders hold, of the others the search cannot tell ({})", holding, r.why);
  }
  return v;
}

double latency_at_low_load(const evidence& seen, const ttn_traffic& traffic, const char* network) {
  return *seen.curve(curve_name(traffic, network)).at(ttn_low_load).figure("latency.mean");
}

verdict judge_latency_order(const evidence& seen) {
  std::string figures;
  std::string contrary;
  for (const ttn_traffic& traffic : ttn_traffics()) {
    double before = 0;
    std::string line;
    for (const char* const network : {ttn_q1, tesh_q1, torus_4k, mesh_4k}) {
      const double latency = latency_at_low_load(seen, traffic, network);
      line += fmt::format("{}{:.0f}", line.empty() ? "" : " ", latency);
      if (latency <= before && contrary.find(traffic.words) == std::string::npos)
        contrary += (contrary.empty() ? "" : ", ") + traffic.words;
      before = latency;
    }
    figures += (figures.empty() ? "cycles: " : "; ") + traffic.words + " " + line;
  }
  return judge_claim("Independent simulator: latency order",
                     "at low load TTN < TESH < torus < mesh in every pattern", contrary.empty(), figures,
                     "not under " + contrary, seen.curve(curve_name(uniform_traffic(), ttn_q1)).command);
}

/// T0 = 2 h + 32 for 16 flits, of every packet and so of the means.
verdict judge_zero_load(const evidence& seen) {
  const measured_curve& curve = seen.curve(curve_name(uniform_traffic(), ttn_q1));
  const measured_point& point = curve.at(ttn_low_load);
  const double hops = *point.figure("hops.mean");
  const double model = *point.figure("latency.zero_load_model");
  return judge_claim("Independent simulator: zero load", "T0 = 2 h + 32 for packets of 16 flits, exactly",
                     std::abs(model - (2 * hops + 32)) < 1e-9,
                     fmt::format("{:.4f} cycles for {:.4f} hops in the mean", model, hops),
                     "2 h + 33: one cycle more, from creation to receipt", point.command);
}

/// Throughputs of mesh and torus under uniform traffic, in TTN's.
struct flat_ratios {
  double mesh;
  double torus;
  std::string words() const { return fmt::format("mesh {:.2f} times, torus {:.2f} times", mesh, torus); }
};

flat_ratios flat_ratios_of(const evidence& seen, const ttn_reading& ttn_as) {
  const auto most = [&](const char* network, const ttn_reading& r) {
    return seen.curve(curve_name(uniform_traffic(), network, r)).saturation_throughput.value_or(0);
  };
  const double ttn = most(ttn_q1, ttn_as);
  return {most(mesh_4k, {}) / ttn, most(torus_4k, {}) / ttn};
}

verdict judge_flat_ratio(const evidence& seen) {
  const flat_ratios one_way = flat_ratios_of(seen, {});
  const flat_ratios two_way = flat_ratios_of(seen, {full_duplex, ""});
  return judge_claim(
      "Independent simulator: mesh and torus with 4 VCs",
      "with all four VCs in use mesh and torus carry two to three times what TTN carries",
      std::min(one_way.mesh, one_way.torus) >= 1.7 && std::max(one_way.mesh, one_way.torus) <= 3.5,
      "uniform traffic: " + one_way.words(),
      "not two to three times, taken as 1.7 to 3.5; with full-duplex inter-BM links: " + two_way.words(),
      seen.curve(curve_name(uniform_traffic(), mesh_4k)).command);
}

verdict judge_fewer_vcs(const evidence& seen) {
  const ttn_reading few{flat_vcs, ""};
  const auto curve = [&](const char* network) -> const measured_curve& {
    return seen.curve(curve_name(uniform_traffic(), network, few));
  };
  const std::string ttn = curve_name(uniform_traffic(), ttn_q1);
  const bool higher = compare_throughputs(seen.curve(ttn), curve(mesh_4k)) == order::higher &&
                      compare_throughputs(seen.curve(ttn), curve(torus_4k)) == order::higher;
  return judge_claim("Independent simulator: mesh 1 VC, torus 2",
                     "TTN has the higher throughput if mesh uses 1 VC and torus 2", higher,
                     bracket_text(ttn_q1, seen.curve(ttn)) + ", " + bracket_text(mesh_4k, curve(mesh_4k)) +
                         ", " + bracket_text(torus_4k, curve(torus_4k)) + ", uniform traffic",
                     "not of both, as far as the search tells", curve(mesh_4k).command);
}

bool searched(const ttn_traffic& traffic, effort how) { return how == effort::full || traffic.quick; }

verdict judge_ttn_and_tesh(const evidence& seen, effort how) {
  std::string above;
  bool shuffle = false;
  bool others = false;
  for (const ttn_traffic& traffic : ttn_traffics()) {
    if (!searched(traffic, how)) continue;
    if (compare_throughputs(seen.curve(curve_name(traffic, ttn_q1)),
                            seen.curve(curve_name(traffic, tesh_q1))) != order::higher)
      continue;
    above += (above.empty() ? "" : ", ") + traffic.words;
    (traffic.words == "perfect shuffle" ? shuffle : others) = true;
  }
  return judge_claim(
      "Independent simulator: TTN and TESH", "TTN carries more than TESH in perfect shuffle only",
      shuffle && !others, "TTN is above TESH in: " + (above.empty() ? "no pattern" : above),
      "as far as the search tells", seen.curve(curve_name(uniform_traffic(), tesh_q1)).command);
}

constexpr double freezing_load = .03;

std::vector<const char*> freezing_networks(effort how) {
  if (how == effort::quick) return {"ttn:2,2,0", "tesh:2,2,0"};
  return {ttn_q0, tesh_q0};
}

wanted_curve paper_rule_curve(const char* network, effort how) {
  wanted_curve curve = ttn_curve(uniform_traffic(), network, how, false);
  curve.name = std::string("the paper's VC rule, ") + network;
  curve.options.emplace_back("vc-rule", "paper");
  for (auto& [name, value] : curve.options)
    if (name == "cycles" || name == "drain") value = "6000";
  curve.loads = {freezing_load};
  curve.may_deadlock = true;
  return curve;
}

verdict judge_freezing(const evidence& seen, const char* network) {
  const measured_curve& curve = seen.curve(std::string("the paper's VC rule, ") + network);
  const measured_point& point = curve.at(freezing_load);
  return judge_claim(std::string("Independent simulator: the paper's VC rule, ") + network,
                     "under the paper's own VC rule it freezes in ordinary uniform traffic", point.failed,
                     fmt::format("load {}: {}", freezing_load, point.failed ? "a deadlock" : "no deadlock"),
                     "it did not within the cycles simulated", point.command);
}

/// Past the knee of a permutation: loads that are not stable, and what is accepted there.
const std::vector<double> overloads = {.02, .04, .08};

wanted_curve overload_curve(effort how) {
  const ttn_traffic traffic{"", "bit reversal, overloaded", {{"traffic", "bit_reversal"}}};
  wanted_curve curve = ttn_curve(traffic, ttn_q1, how, false);
  curve.loads = overloads;
  return curve;
}

verdict judge_overload(const evidence& seen, const std::string& name) {
  const measured_curve& curve = seen.curve(name);
  std::string figures = "bit reversal, " + std::string(ttn_q1) + ":";
  bool growing = true;
  double before = 0;
  for (const double load : overloads) {
    const measured_point& point = curve.at(load);
    const double accepted = *point.figure("accepted");
    growing = growing && accepted > before && !point.stable;
    before = accepted;
    figures += fmt::format(" {:.4f} of {}{}", accepted, load, load == overloads.back() ? "" : ",");
  }
  return judge_claim("Independent simulator: past the knee",
                     "past the knee of a permutation the mean accepted load keeps growing", growing, figures,
                     "", curve.at(overloads.back()).command);
}

}  // namespace

void add_ttn_readings(ttn_dynamics& all, effort how) {
  paper_item item{"Readings", "Fig. 7 (b) by other readings of what Sect. 5 leaves open", {}, {}};
  const std::vector<ttn_reading> read = readings(how);
  for (const ttn_reading& r : read)
    for (const char* const network : {ttn_q1, tesh_q1, torus_4k, mesh_4k})
      all.want(item, ttn_curve(uniform_traffic(), network, how, true, r));
  item.judge = [read](evidence& seen) {
    std::vector<verdict> verdicts;
    for (const ttn_reading& r : read) verdicts.push_back(judge_reading(r, seen));
    return verdicts;
  };
  all.items.push_back(std::move(item));
}

void add_ttn_observations(ttn_dynamics& all, effort how) {
  paper_item item{"Independent simulator", "what a plain flit-level simulator found about Sect. 5.4", {}, {}};
  for (const ttn_traffic& traffic : ttn_traffics())
    for (const char* const network : {ttn_q1, tesh_q1, torus_4k, mesh_4k})
      all.want(item, ttn_curve(traffic, network, how, searched(traffic, how)));
  for (const char* const network : {mesh_4k, torus_4k})
    item.curves.push_back(curve_name(uniform_traffic(), network, {flat_vcs, ""}));
  item.curves.push_back(curve_name(uniform_traffic(), ttn_q1, {full_duplex, ""}));
  for (const char* const network : freezing_networks(how)) all.want(item, paper_rule_curve(network, how));
  const wanted_curve overload = overload_curve(how);
  all.want(item, overload);
  item.judge = [how, name = overload.name](evidence& seen) {
    std::vector<verdict> verdicts = {judge_latency_order(seen),     judge_zero_load(seen),
                                     judge_flat_ratio(seen),        judge_fewer_vcs(seen),
                                     judge_ttn_and_tesh(seen, how), judge_overload(seen, name)};
    for (const char* const network : freezing_networks(how))
      verdicts.push_back(judge_freezing(seen, network));
    return verdicts;
  };
  all.items.push_back(std::move(item));
}

}  // namespace toriscope
