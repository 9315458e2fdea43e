// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/ttn2009_dynamics.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbenches/papers/ttn2009_curves.h"
#include "testbenches/papers/ttn2009_observations.h"

namespace toriscope {
namespace {

using names = std::vector<std::string>;

/// What is said of TTN in one figure.
struct figure_claims {
  ttn_traffic traffic;
  std::string ttn = ttn_q1;
  names faster_than;   ///< its latency is lower than theirs
  names slower_than;   ///< higher
  names carries_more;  ///< its throughput is higher than theirs
  names carries_less;  ///< lower
};

std::vector<figure_claims> all_claims() {
  const names others = {mesh_4k, torus_4k, tesh_q1};
  std::vector<figure_claims> claims;
  ttn_traffic without_connectivity = uniform_traffic();
  without_connectivity.figure = "Fig. 7 (a)";
  claims.push_back(
      {without_connectivity, ttn_q0, {mesh_4k, tesh_q0}, {mh3dt_4k}, {mh3dt_4k, tesh_q0, mesh_4k}, {}});
  claims.push_back({uniform_traffic(), ttn_q1, others, {}, {mesh_4k, tesh_q1}, {torus_4k}});
  for (const ttn_traffic& traffic : ttn_traffics()) {
    if (traffic.figure == uniform_traffic().figure) continue;
    figure_claims c{traffic, ttn_q1, others, {mh3dt_4k}, {mesh_4k, tesh_q1, mh3dt_4k}, {}};
    (traffic.figure == "Fig. 9" ? c.carries_less : c.carries_more).push_back(torus_4k);
    claims.push_back(c);
  }
  return claims;
}

names networks_of(const figure_claims& c) {
  names all = {c.ttn};
  for (const names* list : {&c.faster_than, &c.slower_than, &c.carries_more, &c.carries_less})
    for (const std::string& network : *list)
      if (std::find(all.begin(), all.end(), network) == all.end()) all.push_back(network);
  return all;
}

double latency_of(const measured_curve& curve) { return *curve.at(ttn_low_load).figure("latency.mean"); }

/// Sect. 5.4.2 names the hot nodes of TTN, TESH, mesh and torus only.
bool is_open(const figure_claims& c, const std::string& other) {
  return other == mh3dt_4k && c.traffic.figure.rfind("Fig. 8", 0) == 0;
}

/// Leaves it open, with our figures.
verdict left_open(verdict v) {
  v.result = ruling::undecided;
  v.reason =
      "Sect. 5.4.2 does not say which nodes of MH3DT are hot; ours are with one for the whole network, which "
      "takes in a flit per cycle at most";
  return v;
}

verdict judge_latency(const figure_claims& c, const std::string& other, bool lower, const evidence& seen) {
  const measured_curve& ours = seen.curve(curve_name(c.traffic, c.ttn));
  const double a = latency_of(ours);
  const double b = latency_of(seen.curve(curve_name(c.traffic, other)));
  const std::string words = fmt::format("the average transfer time of TTN is {} than that of {}",
                                        lower ? "lower" : "higher", other);
  verdict v =
      judge_claim(fmt::format("{}: {}, latency, {}", c.traffic.figure, c.traffic.words, other), words,
                  lower ? a < b : a > b,
                  fmt::format("{} {:.1f}, {} {:.1f} cycles at load {}", c.ttn, a, other, b, ttn_low_load), "",
                  ours.command);
  v.tolerance = "order at low load";
  return is_open(c, other) ? left_open(v) : v;
}

std::string why_not(const std::string& other, bool higher) {
  if (other == mesh_4k || other == torus_4k)
    return higher ? "with all 4 virtual channels in use a flat network of short links carries more than a "
                    "hierarchical "
                    "one, whose upper links are few; see the readings"
                  : "";
  if (other == mh3dt_4k)
    return "the 3-D modules have more links than TTN's, and more of them between modules";
  return "the inter-BM links are the same in both, and limit both; TESH's safe VC rule shares its classes "
         "otherwise";
}

verdict judge_throughput(const figure_claims& c, const std::string& other, bool higher, const evidence& seen,
                         effort how) {
  const std::string item = fmt::format("{}: {}, throughput, {}", c.traffic.figure, c.traffic.words, other);
  const std::string words =
      fmt::format("the maximum throughput of TTN is {} than that of {}", higher ? "higher" : "lower", other);
  const measured_curve& ours = seen.curve(curve_name(c.traffic, c.ttn));
  if (how == effort::quick && !c.traffic.quick)
    return undecided(item, words, "--quick leaves its throughputs out", ours.command);
  const verdict v =
      judge_throughputs(item, words, higher, {c.ttn, &ours},
                        {other, &seen.curve(curve_name(c.traffic, other))}, why_not(other, higher));
  return is_open(c, other) ? left_open(v) : v;
}

std::vector<verdict> judge_figure(const figure_claims& c, const evidence& seen, effort how) {
  std::vector<verdict> all;
  for (const std::string& other : c.faster_than) all.push_back(judge_latency(c, other, true, seen));
  for (const std::string& other : c.slower_than) all.push_back(judge_latency(c, other, false, seen));
  for (const std::string& other : c.carries_more) all.push_back(judge_throughput(c, other, true, seen, how));
  for (const std::string& other : c.carries_less) all.push_back(judge_throughput(c, other, false, seen, how));
  return all;
}

void add_figure(ttn_dynamics& all, const figure_claims& c, effort how) {
  paper_item item{c.traffic.figure, "latency and throughput: " + c.traffic.words, {}, {}};
  const bool search = how == effort::full || c.traffic.quick;
  for (const std::string& network : networks_of(c))
    all.want(item, ttn_curve(c.traffic, network, how, search));
  item.judge = [c, how](evidence& seen) { return judge_figure(c, seen, how); };
  all.items.push_back(std::move(item));
}

/// Sect. 5.4.5 and 5.5: a network under complement traffic against itself under uniform traffic.
void add_complement(ttn_dynamics& all, effort how) {
  const ttn_traffic uniform = uniform_traffic();
  const ttn_traffic complement = *std::find_if(ttn_traffics().begin(), ttn_traffics().end(),
                                               [](const ttn_traffic& t) { return t.words == "complement"; });
  paper_item item{"Sect. 5.4.5", "complement traffic against uniform traffic", {}, {}};
  const names networks = {mesh_4k, torus_4k, mh3dt_4k, tesh_q1, ttn_q1};
  for (const std::string& network : networks)
    for (const ttn_traffic& traffic : {uniform, complement})
      all.want(item, ttn_curve(traffic, network, how, true));
  item.judge = [=](evidence& seen) {
    std::vector<verdict> verdicts;
    for (const std::string& network : networks) {
      const bool higher = network != mesh_4k && network != torus_4k;
      verdicts.push_back(judge_throughputs(
          "Sect. 5.4.5: " + network,
          fmt::format(
              "the maximum throughput of {} under complement traffic is {} than under uniform traffic",
              network, higher ? "higher" : "lower"),
          higher, {"complement", &seen.curve(curve_name(complement, network))},
          {"uniform", &seen.curve(curve_name(uniform, network))}, ""));
    }
    return verdicts;
  };
  all.items.push_back(std::move(item));
}

}  // namespace

void ttn_dynamics::want(paper_item& item, wanted_curve curve) {
  item.curves.push_back(curve.name);
  for (const wanted_curve& known : curves)
    if (known.name == curve.name) return;
  curves.push_back(std::move(curve));
}

ttn_dynamics ttn_dynamic_items(effort how) {
  ttn_dynamics all;
  for (const figure_claims& c : all_claims()) add_figure(all, c, how);
  add_complement(all, how);
  add_ttn_readings(all, how);
  add_ttn_observations(all, how);
  return all;
}

}  // namespace toriscope
