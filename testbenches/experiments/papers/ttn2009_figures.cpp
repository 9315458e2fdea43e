// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009, Sect. 5.4: what its figures, whose curves are lost, are said to show.
//
//   words  "far", "slightly", "significantly" have no number: only the order is judged
//   q = 1  Figs. 7 (b) to 13 have networks whose gates the text leaves open. That TTN is faster than another is
//          reproduced when it is so with our gates, with q = 0 (determined but for symmetry by Eq. 5, Sect. 3.1
//          and Table 1) and by a bound with any gates; anything else about them is undetermined
//   MH3DT  the text does not give its gates: what rests on them is undetermined
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "testbenches/experiments/papers/ttn2009_curves.h"
#include "testbenches/experiments/papers/ttn2009_items.h"

namespace toriscope {
namespace {

using names = std::vector<std::string>;

/// Of networks with a hot-spot traffic.
std::string hot_nodes(bool hierarchical, bool flat, bool mh3dt) {
  std::string words;
  if (hierarchical) words += "; hot: node (0,0)(0,0) of each Level-2 network, for its own sources";
  if (flat)
    words +=
        "; hot in mesh and torus: node (7,7) of each 16x16 part, for its own sources (ours; no other is "
        "nearer to them)";
  if (mh3dt) words += "; hot in MH3DT: node 0, for all (ours)";
  return words;
}

/// How the throughputs of these curves are read.
std::string throughput_reading(const std::vector<wanted_curve>& curves) {
  const auto any = [&](const std::string& option, const std::string& start) {
    return std::any_of(curves.begin(), curves.end(), [&](const wanted_curve& c) {
      return std::any_of(c.options.begin(), c.options.end(), [&](const auto& given) {
        return given.first == option && begins_with(given.second, start);
      });
    });
  };
  const bool mh3dt = any("topology", "mh3dt:");
  const bool hierarchical = any("topology", "ttn:") || any("topology", "tesh:");
  std::string reading = "largest load in a steady state (Sect. 5.1)";
  if (hierarchical)
    reading += std::string("; one-way links between modules") + (mh3dt ? " of TTN and TESH" : "") +
               "; VC rule safe, for the paper's has a cycle";
  if (mh3dt) reading += "; gates of MH3DT: ours, its links full-duplex (ours)";
  if (any("traffic", "hotspot"))
    reading += hot_nodes(hierarchical, any("topology", "mesh:") || any("topology", "torus:"), mh3dt);
  return reading;
}

const char* const latency_reading = "zero load, from the head sent to the tail received";
const char* const open_hot_nodes = "Sect. 5.4.2 does not say which nodes of MH3DT are hot";

/// Figures of two things, and how the first stands to the second.
struct comparison {
  order found;
  std::string figures;
  std::string command;
};

comparison compare_latencies(const evidence& seen, const ttn_traffic& traffic, const std::string& a,
                             const std::string& b) {
  const measured_point& pa = seen.curve(latency_curve(traffic, a).name).at(ttn_low_load);
  const measured_point& pb = seen.curve(latency_curve(traffic, b).name).at(ttn_low_load);
  const double ta = pa.figure("latency.zero_load_model").value_or(0);
  const double tb = pb.figure("latency.zero_load_model").value_or(0);
  constexpr double alike = .01;  // closer than this they are no different: they are means of a sample
  const order found = std::abs(ta - tb) < alike * tb ? order::open : ta < tb ? order::lower : order::higher;
  return {found, fmt::format("{} {:.6g}, {} {:.6g} cycles", a, ta, b, tb),
          joined_commands({pa.command, pb.command})};
}

comparison compare_curves(const std::string& name_a, const measured_curve& a, const std::string& name_b,
                          const measured_curve& b) {
  return {compare_throughputs(a, b),
          fmt::format("{} {}, {} {}", name_a, bracket_text(a), name_b, bracket_text(b)),
          joined_commands({a.sweep, b.sweep})};
}

comparison compare_networks(const evidence& seen, const ttn_traffic& traffic, const std::string& a,
                            const std::string& b) {
  return compare_curves(a, seen.curve(throughput_curve(traffic, a).name), b,
                        seen.curve(throughput_curve(traffic, b).name));
}

/// @param why_not  why it does not hold, should it not
verdict verdict_on(const std::string& item, const std::string& words, order claimed, const comparison& c,
                   const std::string& why_not = "") {
  verdict v = judge_claim(item, provenance::simulated, words, c.found == claimed, c.figures, why_not);
  v.command = c.command;
  if (c.found == order::open) v = undetermined(std::move(v), "ours are alike as far as was searched");
  return v;
}

/// A claim about q = 1 networks, whose gates are ours.
verdict with_open_gates(verdict v, const comparison& with_q0) {
  append(v.reading, "gates of q = 1: ours");
  v.others = "q = 0: " + with_q0.figures;
  return undetermined(std::move(v),
                      std::string(open_gates) +
                          (v.result == ruling::reproduced ? "; with ours it holds in these windows"
                           : v.result == ruling::differs  ? "; with ours it does not hold in these windows"
                                                          : "; with ours the two are alike"));
}

std::string q0_of(const std::string& network) {
  return network == ttn_q1 ? ttn_q0 : network == tesh_q1 ? tesh_q0 : network;
}

bool has_open_gates(const std::string& network) { return q0_of(network) != network; }

/// Bounds of `toriscope analyze --traffic uniform`, and what follows for Fig. 7 (a).
std::string why_not_in_fig_7a(const std::string& other) {
  if (other == mesh_4k)
    return "the links between modules of TTN admit at most .0417 in any router (toriscope analyze --traffic "
           "uniform); the mesh carries more";
  if (other == tesh_q0)
    return "the same links between modules limit both, at .0417 in any router; why TTN carries a tenth less "
           "is not known";
  return "";
}

bool has_open_hot_nodes(const ttn_traffic& traffic, const std::string& other) {
  return other == mh3dt_4k && begins_with(traffic.figure, "Fig. 8");
}

/// "The average transfer time (maximum throughput) of TTN is lower (higher) than that of OTHER".
struct order_claim {
  ttn_traffic traffic;
  std::string ttn;
  std::string other;
  bool latency;
  order claimed;

  std::string item() const {
    return fmt::format("{}: {}, {}, {}", traffic.figure, traffic.words, latency ? "latency" : "throughput",
                       other);
  }
  std::string words() const {
    return fmt::format("the {} of TTN is {} than that of {}",
                       latency ? "average transfer time" : "maximum throughput",
                       claimed == order::higher ? "higher" : "lower", other);
  }
  bool is_better() const { return claimed == (latency ? order::lower : order::higher); }
  std::vector<wanted_curve> curves() const {
    std::vector<wanted_curve> all;
    for (const std::string& network : {ttn, other, q0_of(ttn), q0_of(other)})
      all.push_back(latency ? latency_curve(traffic, network) : throughput_curve(traffic, network));
    return all;
  }
};

/// That TTN is faster is so with any gates where a bound says so, or where the other network has the same gates.
verdict decide_gates(verdict v, const order_claim& c, const evidence& seen, const comparison& with_q0) {
  verdict open = with_open_gates(v, with_q0);
  if (!c.latency || !c.is_better() || v.result != ruling::reproduced || with_q0.found != c.claimed)
    return open;
  open.reason = std::string(open_gates) + "; with ours it holds";
  v.others = open.others;
  v.reading = open.reading + "; the same in both, with which a torus module is never longer than a mesh";
  if (c.other == tesh_q1) return v;
  const measured_point& other = seen.curve(latency_curve(c.traffic, c.other).name).at(ttn_low_load);
  const double most = max_cycles(c.traffic);
  v.reading =
      open.reading +
      fmt::format("; with any gates TTN takes at most {:.6g} cycles: four links in each module", most);
  return most < other.figure("latency.zero_load_model").value_or(0) ? v : open;
}

verdict judge_order(const order_claim& c, const evidence& seen) {
  const auto compare = [&](const std::string& a, const std::string& b) {
    return c.latency ? compare_latencies(seen, c.traffic, a, b) : compare_networks(seen, c.traffic, a, b);
  };
  verdict v = verdict_on(c.item(), c.words(), c.claimed, compare(c.ttn, c.other),
                         has_open_gates(c.ttn) ? "" : why_not_in_fig_7a(c.other));
  const bool hot = begins_with(c.traffic.figure, "Fig. 8");
  const bool flat = c.other == mesh_4k || c.other == torus_4k;
  v.reading = c.latency
                  ? std::string(latency_reading) +
                        (c.other == mh3dt_4k ? "; gates of MH3DT: ours, its links full-duplex (ours)" : "") +
                        (hot ? hot_nodes(true, flat, c.other == mh3dt_4k) : "")
                  : throughput_reading(c.curves());
  v.tolerance = c.latency ? "order at zero load" : "order of the largest steady loads";
  if (!c.latency && v.result == ruling::differs)
    v.others =
        "VC rules A and C, free of deadlock as well, instead of K (safe is K here) give TTN(2,3,0) and "
        "TESH(2,3,0) the same brackets";
  if (has_open_gates(c.ttn)) v = decide_gates(std::move(v), c, seen, compare(q0_of(c.ttn), q0_of(c.other)));
  if (hot && flat && v.result == ruling::undetermined)
    v.reason += "; nor does it say which nodes of mesh and torus are hot";
  if (has_open_hot_nodes(c.traffic, c.other))
    v = undetermined(
        std::move(v),
        c.latency ? std::string(
                        "the text gives neither the gates of MH3DT nor its hot nodes nor the gates of q = 1")
                  : std::string(open_hot_nodes) + ", nor the gates of q = 1");
  else if (c.other == mh3dt_4k)
    v = undetermined(std::move(v), std::string(open_mh3dt_gates) +
                                       (has_open_gates(c.ttn) ? "; nor does it those of q = 1" : ""));
  return v;
}

void add_order(paper& p, const order_claim& c) {
  p.add(
      c.item(), c.curves(), [c](evidence& seen) { return judge_order(c, seen); }, !c.latency);
}

/// What is said of TTN in one figure.
void add_figure(paper& p, const ttn_traffic& traffic, const std::string& ttn, const names& faster_than,
                const names& slower_than, const names& carries_more, const names& carries_less) {
  for (const std::string& other : faster_than) add_order(p, {traffic, ttn, other, true, order::lower});
  for (const std::string& other : slower_than) add_order(p, {traffic, ttn, other, true, order::higher});
  for (const std::string& other : carries_more) add_order(p, {traffic, ttn, other, false, order::higher});
  for (const std::string& other : carries_less) add_order(p, {traffic, ttn, other, false, order::lower});
}

void add_figures(paper& p) {
  const names others = {mesh_4k, torus_4k, tesh_q1};
  ttn_traffic without_connectivity = ttn_traffics().front();
  without_connectivity.figure = "Fig. 7 (a)";
  add_figure(p, without_connectivity, ttn_q0, {mesh_4k, tesh_q0}, {mh3dt_4k}, {mh3dt_4k, tesh_q0, mesh_4k},
             {});
  add_figure(p, ttn_traffics().front(), ttn_q1, others, {}, {mesh_4k, tesh_q1}, {torus_4k});
  for (const ttn_traffic& traffic : ttn_traffics()) {
    if (traffic.figure == ttn_traffics().front().figure) continue;
    const bool less = traffic.figure == "Fig. 9";
    names more = {mesh_4k, tesh_q1, mh3dt_4k};
    if (!less) more.emplace_back(torus_4k);
    add_figure(p, traffic, ttn_q1, others, {mh3dt_4k}, more, less ? names{torus_4k} : names{});
  }
}

// --- sentences beside the figures ---

const char* const any_tolerance = "true of our figures";  ///< what judge_claim says

/// A claim with curves of its own, of throughputs.
void add_claim(paper& p, const std::string& item, const std::vector<wanted_curve>& needed,
               std::function<verdict(const evidence&)> judge) {
  p.add(
      item, needed,
      [=](evidence& seen) {
        verdict v = judge(seen);
        if (v.tolerance == any_tolerance) v.tolerance = "order of the largest steady loads";
        v.reading = throughput_reading(needed) + (v.reading.empty() ? "" : "; " + v.reading);
        return v;
      },
      true);
}

/// Sect. 5.4.1: mesh and torus with 1 and 2 VCs.
void add_fewer_vcs(paper& p) {
  const ttn_traffic& uniform = ttn_traffics().front();
  for (const auto& [network, vcs] : {std::pair{mesh_4k, "1"}, {torus_4k, "2"}}) {
    const std::string item = fmt::format("Sect. 5.4.1: {} with {} VCs", network, vcs);
    const wanted_curve few = throughput_curve(uniform, network, {{"vcs", vcs}});
    const wanted_curve ttn = throughput_curve(uniform, ttn_q0);
    const wanted_curve duplex = throughput_curve(uniform, ttn_q0, {{"links", "B"}});
    const wanted_curve with_q1 = throughput_curve(uniform, ttn_q1);
    add_claim(p, item, {few, ttn, duplex, with_q1}, [=, network = network](const evidence& seen) {
      const std::string words = "its performance is far lower than TTN's";
      const measured_curve& flat = seen.curve(few.name);
      verdict v =
          verdict_on(item, words, order::lower, compare_curves(network, flat, ttn_q0, seen.curve(ttn.name)));
      append(v.reading, "performance is the maximum throughput", "; ");
      v.others = fmt::format("with full-duplex links between modules: {} {}", ttn_q0,
                             bracket_text(seen.curve(duplex.name)));
      v.others += fmt::format("; with q = 1 and gates of ours: {} {}", ttn_q1,
                              bracket_text(seen.curve(with_q1.name)));
      if (v.result == ruling::differs)
        v = undetermined(std::move(v),
                         "the text does not say which TTN: with q = 0 it does not hold, unless its links "
                         "between modules are "
                         "full-duplex; the gates of q = 1 are open");
      return v;
    });
  }
}

/// "The lowest": of one network against others, or of one pattern against others.
verdict judge_lowest(const std::string& item, const std::string& words, const evidence& seen,
                     const std::vector<std::pair<std::string, std::string>>& curves,
                     const std::string& why_not) {
  bool lowest = true;
  bool open = false;
  std::string figures;
  std::vector<std::string> commands;
  const measured_curve& first = seen.curve(curves.front().second);
  for (const auto& [name, curve] : curves) {
    const measured_curve& other = seen.curve(curve);
    append(figures, name + " " + bracket_text(other), ", ");
    commands.push_back(other.sweep);
    if (curve == curves.front().second) continue;
    const order found = compare_throughputs(first, other);
    lowest = lowest && found == order::lower;
    open = open || found == order::open;
  }
  const order found = lowest ? order::lower : open ? order::open : order::higher;
  return verdict_on(item, words, order::lower, {found, figures, joined_commands(commands)}, why_not);
}

const char* const mesh_patterns =
    "routed dimension by dimension, a channel of the mesh carries the routes of up to 63 sources under "
    "transpose and bit reversal (at most .0159 in any router), of 32 under complement (.0313): toriscope "
    "analyze --traffic";

void add_lowest(paper& p) {
  const ttn_traffic& uniform = ttn_traffics().front();
  std::vector<wanted_curve> networks;
  std::vector<std::pair<std::string, std::string>> by_network;
  for (const char* const network : {mesh_4k, torus_4k, mh3dt_4k, tesh_q0, ttn_q0}) {
    networks.push_back(throughput_curve(uniform, network));
    by_network.emplace_back(network, networks.back().name);
  }
  const std::string item = "Sect. 5.4.1: mesh under uniform traffic";
  add_claim(p, item, networks, [=](const evidence& seen) {
    return judge_lowest(
        item, "its maximum throughput is usually the lowest of the networks", seen, by_network,
        "the links between modules of TTN and TESH admit at most .0417 in any router (toriscope "
        "analyze --traffic uniform); the mesh carries more with 4 VCs. With 1 it is the lowest: see "
        "mesh:64x64 with 1 VCs");
  });
  std::vector<wanted_curve> patterns = {throughput_curve(ttn_traffic_named("complement"), mesh_4k)};
  std::vector<std::pair<std::string, std::string>> by_pattern = {{"complement", patterns.front().name}};
  for (const ttn_traffic& traffic : ttn_traffics()) {
    if (traffic.words == "complement") continue;
    patterns.push_back(throughput_curve(traffic, mesh_4k));
    by_pattern.emplace_back(traffic.words, patterns.back().name);
  }
  const std::string other = "Sect. 5.4.5: mesh under complement traffic";
  add_claim(p, other, patterns, [=](const evidence& seen) {
    return judge_lowest(other, "its maximum throughput is usually the lowest of all traffic patterns", seen,
                        by_pattern, mesh_patterns);
  });
}

/// Sect. 5.4.5 and 5.5: a network under complement traffic against itself under uniform traffic.
void add_complement(paper& p) {
  const ttn_traffic& uniform = ttn_traffics().front();
  const ttn_traffic& complement = ttn_traffic_named("complement");
  for (const std::string network : {torus_4k, mh3dt_4k, tesh_q1, ttn_q1}) {
    const order claimed = network == torus_4k ? order::lower : order::higher;
    const std::string item = "Sect. 5.4.5: " + network;
    std::vector<wanted_curve> needed;
    for (const std::string& n : {network, q0_of(network)})
      for (const ttn_traffic* t : {&uniform, &complement}) needed.push_back(throughput_curve(*t, n));
    add_claim(p, item, needed, [=, &uniform, &complement](const evidence& seen) {
      const auto compare = [&](const std::string& n) {
        return compare_curves("complement", seen.curve(throughput_curve(complement, n).name), "uniform",
                              seen.curve(throughput_curve(uniform, n).name));
      };
      verdict v = verdict_on(item,
                             fmt::format("its maximum throughput under complement traffic is {} than under "
                                         "uniform traffic",
                                         claimed == order::higher ? "higher" : "lower"),
                             claimed, compare(network));
      if (has_open_gates(network)) v = with_open_gates(std::move(v), compare(q0_of(network)));
      return network == mh3dt_4k ? undetermined(std::move(v), open_mh3dt_gates) : v;
    });
  }
}

/// (a - b) / b of the largest stable loads; none where b is stable at no load.
std::optional<double> relative_difference(const measured_curve& a, const measured_curve& b) {
  if (!b.saturation_throughput) return std::nullopt;
  return a.saturation_throughput.value_or(0) / *b.saturation_throughput - 1;
}

/// Sect. 5.4.2: how the throughputs of TTN, TESH and MH3DT stand to the torus' with more hot-spot traffic.
void add_hot_spots(paper& p) {
  for (const std::string network : {ttn_q1, tesh_q1, mh3dt_4k}) {
    const std::string item = "Sect. 5.4.2: torus and " + network;
    std::vector<wanted_curve> needed;
    names curves;
    for (const ttn_traffic& t : ttn_traffics())
      if (begins_with(t.figure, "Fig. 8"))
        for (const std::string& n : {std::string(torus_4k), network, q0_of(network)})
          needed.push_back(throughput_curve(t, n));
    add_claim(p, item, needed, [=](const evidence& seen) {
      bool size_grows = true;
      const auto growing = [&](const std::string& n) {
        comparison c{order::higher, n + " over torus:", ""};
        double before = -1e9;
        for (const ttn_traffic& t : ttn_traffics()) {
          if (!begins_with(t.figure, "Fig. 8")) continue;
          const std::optional<double> now = relative_difference(
              seen.curve(throughput_curve(t, n).name), seen.curve(throughput_curve(t, torus_4k).name));
          if (!now) return comparison{order::open, c.figures + " -", ""};
          if (*now <= before) c.found = order::lower;
          size_grows = size_grows && (before < -1 || std::abs(*now) > std::abs(before));
          before = *now;
          c.figures += fmt::format(" {:+.0f} %", 100 * *now);
        }
        return c;
      };
      verdict v = verdict_on(
          item,
          network == ttn_q1 ? "the relative difference in maximum throughput grows with the hot-spot traffic"
                            : "its maximum throughput comes closer to the torus' with more hot-spot traffic",
          order::higher, growing(network));
      v.command.clear();
      v.tolerance = "order of the relative differences of the largest steady loads";
      if (!has_open_gates(network)) return undetermined(std::move(v), open_hot_nodes);
      v = with_open_gates(std::move(v), growing(q0_of(network)));
      if (network == ttn_q1 && !size_grows)
        v.reason +=
            "; TTN less torus grows, but its size shrinks: the text has TTN above the torus throughout";
      return v;
    });
  }
  const ttn_traffic& most = ttn_traffic_named("20 % hot-spot traffic");
  for (const std::string network : {tesh_q1, mh3dt_4k}) {
    const std::string item = "Fig. 8 (d): torus and " + network;
    std::vector<wanted_curve> needed;
    for (const std::string& n : {network, q0_of(network), std::string(torus_4k)})
      needed.push_back(throughput_curve(most, n));
    add_claim(p, item, needed, [=, &most](const evidence& seen) {
      verdict v =
          verdict_on(item, "with 20 % hot-spot traffic its maximum throughput is higher than the torus'",
                     order::higher, compare_networks(seen, most, network, torus_4k));
      if (has_open_gates(network))
        return with_open_gates(std::move(v), compare_networks(seen, most, q0_of(network), torus_4k));
      return undetermined(std::move(v), open_hot_nodes);
    });
  }
  const std::string equal = "Fig. 8 (d): MH3DT and TESH";
  add_claim(p, equal, {throughput_curve(most, mh3dt_4k), throughput_curve(most, tesh_q1)},
            [=, &most](const evidence& seen) {
              verdict v =
                  undetermined(verdict_on(equal, "the maximum throughput of MH3DT is equal to TESH's",
                                          order::open, compare_networks(seen, most, mh3dt_4k, tesh_q1)),
                               std::string(open_hot_nodes) + ", nor the gates of q = 1");
              v.reading = "gates of q = 1: ours";
              return v;
            });
}

/// Sect. 5.2: from the zero-load times of two networks and their hops.
void add_cycles_per_hop(paper& p) {
  const ttn_traffic& uniform = ttn_traffics().front();
  const std::string item = "Sect. 5.2: cycles of a flit between two nodes";
  const std::vector<wanted_curve> needed = {latency_curve(uniform, mesh_4k), latency_curve(uniform, ttn_q0)};
  p.add(item, needed, [=](evidence& seen) {
    const measured_point& far = seen.curve(needed[0].name).at(ttn_low_load);
    const measured_point& near = seen.curve(needed[1].name).at(ttn_low_load);
    const auto difference = [&](const char* figure) { return *far.figure(figure) - *near.figure(figure); };
    verdict v = judge_number(item, provenance::simulated, 2,
                             difference("latency.zero_load_model") / difference("hops.mean"),
                             tolerance::as_printed(6));
    v.reading = fmt::format("between {} and {}, zero-load time over hops", mesh_4k, ttn_q0);
    v.source = provenance::arithmetic;
    v.reason = "the router paper2009 is built by this sentence";
    v.beneath = {far.command, near.command};
    return v;
  });
}

/// Theorem 1 once more, by a run under the VC rule of its proof.
void add_freezing(paper& p) {
  constexpr double load = .02;
  const std::string item = "Theorem 1, simulated";
  wanted_curve curve = throughput_curve(ttn_traffics().front(), "ttn:2,2,0",
                                        {{"vc-rule", "paper"}, {"cycles", "12000"}, {"drain", "6000"}});
  curve.saturation_tolerance = 0;
  curve.loads = {load};
  curve.may_deadlock = true;
  p.add(item, {curve}, [=](evidence& seen) {
    const measured_point& point = seen.curve(curve.name).at(load);
    verdict v = judge_claim(
        item, provenance::simulated, "a TTN with the 4 virtual channels of the proof is free of deadlock",
        !point.failed, point.failed ? "deadlock" : "no deadlock",
        "it freezes at a load of uniform traffic that proven rules carry (.0205 under K, A and C); "
        "see Theorem 1 for the cycle");
    if (!point.failed)
      v = undetermined(std::move(v), "no deadlock within the cycles simulated, which proves nothing");
    v.reading = fmt::format("VCs as the proof assigns them; 256 nodes (ttn:2,2,0), load {}", load);
    v.command = point.command;
    return v;
  });
}

}  // namespace

void add_ttn_curves(paper& p) {
  add_freezing(p);
  add_cycles_per_hop(p);
  add_figures(p);
  add_fewer_vcs(p);
  add_lowest(p);
  add_complement(p);
  add_hot_spots(p);
  p.unjudged.push_back({"Sect. 5.4: far, significantly, slightly, trivial", "no number: orders are judged"});
}

}  // namespace toriscope
