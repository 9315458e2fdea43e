// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/analysis_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "testbenches/program/proof_report.h"
#include "topologies/link_models/link_width.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// "ttn:2,2,0  links one_way, tie break nowrap, routing dor".
std::string heading(const network_choice& t) {
  std::string choices;
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) choices += fmt::format("{}{} {}", choices.empty() ? "  " : ", ", what, value);
  };
  if (!t.links.empty()) add("links", links_name(t.links));
  add("tie break", t.ties);
  add("gateways", t.gates);
  add("routing", t.routing);
  return one_line(t.spec) + choices + "\n";
}

class table {
 public:
  explicit table(std::string head) : text_(std::move(head)) {}
  void add(const std::string& name, const std::string& value, const std::string& words = "") {
    text_ += fmt::format("  {:<22}{:>14}{}{}\n", name, value, words.empty() ? "" : "   ", words);
  }
  const std::string& text() const { return text_; }
  void line(const std::string& words) { text_ += words + "\n"; }

 private:
  std::string text_;
};

std::string number(double value) { return fmt::format("{:.7g}", value); }

void add_distances(table& t, const std::string& name, const std::optional<distance_summary>& d,
                   const std::string& otherwise) {
  if (!d) return t.add(name + " distance", "-", otherwise);
  t.add(name + " diameter", std::to_string(d->diameter));
  t.add(name + " mean", number(d->mean_all),
        fmt::format("over all pairs; {} over distinct ones", number(d->mean_distinct)));
}

void add_cuts(table& t, const network_analysis& a) {
  t.add("arc connectivity", a.arc_connectivity ? std::to_string(*a.arc_connectivity) : "-",
        "links (maximum flow)");
  t.add("bisection, counted", std::to_string(a.cut.links), "links: " + a.cut.words);
  if (!a.partition_bound) return t.add("bisection, bound", "-");
  t.add("bisection, bound", std::to_string(*a.partition_bound),
        *a.partition_bound < a.cut.links ? "links: an equal cut that the partitioner found"
                                         : "links: the partitioner found no smaller equal cut");
}

void add_wires(table& t, const network_analysis& a, double pitch_mm) {
  t.add("wiring complexity", std::to_string(a.wiring.links), "links there are");
  if (a.formula) t.add("  by formula", std::to_string(a.formula->links), a.formula->words);
  const auto mm = [&](double pitches) {
    return pitch_mm > 0 ? fmt::format("; {} mm", number(pitches * pitch_mm)) : std::string();
  };
  if (a.wiring.has_lengths) {
    t.add("wire length", std::to_string(a.wiring.total_length),
          "node pitches in all" + mm(static_cast<double>(a.wiring.total_length)));
    t.add("longest wire", std::to_string(a.wiring.longest), "node pitches" + mm(a.wiring.longest));
  } else {
    t.add("wire length", "-", "no layout of this network is known");
  }
  if (!a.density) return;
  t.add("pins per node", number(a.density->pins_per_node),
        fmt::format("{} channels of {} bits, N wires across the bisection", a.density->channels_max,
                    number(a.density->width_bits)));
  if (!a.wiring.has_places) return;
  t.add("peak wire density", number(a.density->peak_wires),
        fmt::format("wires between {} {} and {}; {} per {}", a.density->along_y ? "rows" : "columns",
                    a.density->position, a.density->position + 1, number(a.density->peak_per_row),
                    a.density->along_y ? "column" : "row"));
}

void add_paths(table& t, const network_analysis& a) {
  if (a.shortest_paths)
    t.add("shortest paths", number(a.shortest_paths->mean),
          fmt::format("per pair; {} at most", number(a.shortest_paths->max)));
  if (a.routes)
    t.add("routes", number(a.routes->mean), fmt::format("per pair; {} at most", number(a.routes->max)));
}

std::string name_of_link(const netlist& net, link_id l) {
  const netlist_link& wire = net.link(l);
  return net.path(wire.from) + "." + net.port_name(wire.from, wire.from_port);
}

/// The first link to be full when all loads grow: narrow links are sooner.
std::string name_of_fullest(const netlist& net, const channel_loads& loads) {
  link_id fullest = 0;
  const auto busy = [&](link_id l) { return loads.loads[l] * net.link(l).flit_cycles; };
  for (link_id l = 1; l < loads.loads.size(); ++l)
    if (busy(l) > busy(fullest)) fullest = l;
  return name_of_link(net, fullest);
}

/// What flows can be multiplied by until the first link or port is full, and which one that is.
std::pair<double, std::string> growth_of_flows(const analysis_subject& subject, const channel_loads& loads) {
  const netlist& net = *subject.network.wiring;
  const double ports = std::max(subject.flows->injection_max, loads.ejection_max);
  if (loads.bound <= (1 + 1e-9) / ports) return {loads.bound, "the link " + name_of_fullest(net, loads)};
  const bool in = subject.flows->injection_max >= loads.ejection_max;
  return {1 / ports, fmt::format("the {} port of {}", in ? "injection" : "ejection",
                                 net.terminal_path(in ? subject.flows->source : loads.sink))};
}

void add_flow_loads(table& t, const analysis_subject& subject, const channel_loads& loads) {
  const netlist& net = *subject.network.wiring;
  if (loads.busiest != no_link)
    t.add("link load", number(loads.max),
          fmt::format("flits/cycle at most, of {} flows; first at {}; mean {}", subject.flows->count,
                      name_of_link(net, loads.busiest), number(loads.mean)));
  const auto [growth, limit] = growth_of_flows(subject, loads);
  t.add("growth of flows", number(growth), "times their rates, when " + limit + " is full");
  const unsigned width = least_width(subject.flows->flit_bits, loads.max);
  const auto idle = std::count(loads.loads.begin(), loads.loads.end(), 0);
  t.add("link width", width > 0 ? std::to_string(width) : "-",
        fmt::format("{}; {} of {} links carry none of them",
                    width > 0 ? "bits carry the flows, on every link alike"
                              : "no width carries the flows: a link passes 1 flit/cycle at most",
                    idle, loads.loads.size()));
}

void add_loads(table& t, const analysis_subject& subject, const network_analysis& a) {
  if (a.loads && subject.flows) return add_flow_loads(t, subject, *a.loads);
  if (!a.loads || a.loads->busiest == no_link) return;
  t.add("channel load", number(a.loads->max),
        fmt::format("at most, of {} at 1 flit/node/cycle; first at {}; mean {}", subject.pattern,
                    name_of_link(*subject.network.wiring, a.loads->busiest), number(a.loads->mean)));
  const double of_ports = 1 / std::max(1.0, a.loads->ejection_max);
  const bool by_link = a.loads->bound < of_ports + 1e-9;
  t.add("throughput bound", number(by_link ? a.loads->bound : of_ports),
        std::string("flits/node/cycle, when ") +
            (by_link ? "the link " + name_of_fullest(*subject.network.wiring, *a.loads) + " is full"
             : a.loads->ejection_max < 1 + 1e-9
                 ? "the ports are full"
                 : "the ejection port of node " + subject.network.wiring->terminal_address(a.loads->sink) +
                       " is full"));
}

void add_zero_load(table& t, const analysis_subject& subject) {
  if (!subject.zero_load) return;
  const zero_load_figures& z = *subject.zero_load;
  t.add("zero-load latency", number(z.mean.latency),
        fmt::format("cycles: mean over all pairs of {}, packets of {} flits, {} links", z.pattern,
                    z.packet_flits, number(z.mean.hops)));
}

json zero_load_json(const std::optional<zero_load_figures>& z) {
  if (!z) return nullptr;
  return {{"pattern", z->pattern},
          {"packet_flits", z->packet_flits},
          {"latency_mean", z->mean.latency},
          {"hops_mean", z->mean.hops}};
}

json distances_json(const std::optional<distance_summary>& d) {
  if (!d) return nullptr;
  return {{"diameter", d->diameter}, {"mean_all", d->mean_all}, {"mean_distinct", d->mean_distinct}};
}

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json(nullptr);
}

json paths_json(const std::optional<path_diversity>& d) {
  if (!d) return nullptr;
  return {{"mean", d->mean}, {"max", d->max}};
}

json wiring_json(const network_analysis& a) {
  const auto length = [&](auto pitches) { return a.wiring.has_lengths ? json(pitches) : json(nullptr); };
  return {{"links", a.wiring.links},
          {"formula", a.formula ? json(a.formula->links) : json(nullptr)},
          {"formula_text", a.formula ? json(a.formula->words) : json(nullptr)},
          {"total_length", length(a.wiring.total_length)},
          {"longest", length(a.wiring.longest)}};
}

json density_json(const network_analysis& a) {
  if (!a.density || !a.wiring.has_places) return nullptr;
  const wire_density* const d = &*a.density;
  return {{"channels", d->channels},
          {"peak_wires", d->peak_wires},
          {"peak_per_row", d->peak_per_row},
          {"between", d->along_y ? "rows" : "columns"},
          {"position", d->position}};
}

json flow_loads_json(const analysis_subject& subject, const network_analysis& a) {
  if (!a.loads) return nullptr;
  const netlist& net = *subject.network.wiring;
  const auto width = [&](double load) {
    const unsigned bits = least_width(subject.flows->flit_bits, load);
    return bits > 0 ? json(bits) : json(nullptr);
  };
  const auto [growth, limit] = growth_of_flows(subject, *a.loads);
  json all = {{"file", subject.flows->file},
              {"flows", subject.flows->count},
              {"max", a.loads->max},
              {"mean", a.loads->mean},
              {"growth", growth},
              {"limited_by", limit},
              {"width_bits", width(a.loads->max)},
              {"links", json::array()}};
  for (link_id l = 0; l < net.links().size(); ++l)
    all["links"].push_back({{"link", name_of_link(net, l)},
                            {"load", a.loads->loads[l]},
                            {"width_bits", width(a.loads->loads[l])}});
  return all;
}

json loads_json(const analysis_subject& subject, const network_analysis& a) {
  if (!a.loads || subject.flows) return nullptr;
  return {{"pattern", subject.pattern},
          {"max", a.loads->max},
          {"bound", std::isfinite(a.loads->bound) ? json(a.loads->bound) : json(nullptr)},
          {"ejection_max", a.loads->ejection_max},
          {"mean", a.loads->mean},
          {"busiest", a.loads->busiest == no_link
                          ? json(nullptr)
                          : json(name_of_link(*subject.network.wiring, a.loads->busiest))}};
}

}  // namespace

std::string analysis_text(const analysis_subject& subject, const network_analysis& a) {
  table t(heading(subject.network.choice));
  t.add("nodes", std::to_string(a.nodes));
  if (a.terminals != a.nodes) t.add("terminals", std::to_string(a.terminals));
  t.add("degree", a.wiring.degree_min == a.wiring.degree_max
                      ? std::to_string(a.wiring.degree_max)
                      : fmt::format("{} to {}", a.wiring.degree_min, a.wiring.degree_max));
  t.add("links", std::to_string(a.wiring.links),
        fmt::format("full-duplex ones counted once; {} directed", a.wiring.directed_links));
  add_distances(t, "shortest", a.shortest, "left out");
  add_distances(t, "routed", a.routed, subject.network.routing ? "left out" : "no routing");
  if (const auto cost = a.cost()) t.add("cost", std::to_string(*cost), "degree x diameter");
  add_cuts(t, a);
  add_wires(t, a, subject.pitch_mm);
  add_paths(t, a);
  add_loads(t, subject, a);
  add_zero_load(t, subject);
  if (subject.vcs)
    t.add("VCs of no packet", subject.vcs->unused.empty() ? "none" : "some",
          fmt::format("of {} VCs, rule {}{}", subject.vcs->vcs, subject.vcs->rule,
                      subject.vcs->unused.empty()
                          ? ""
                          : ": " + in_words(*subject.network.wiring, subject.vcs->unused)));
  for (const std::string& note : a.notes) t.line("  " + note);
  return t.text();
}

std::string side_by_side_text(const std::vector<std::pair<std::string, network_analysis>>& networks) {
  std::size_t width = 9;
  for (const auto& [name, a] : networks) width = std::max(width, name.size() + 2);
  const char* const line = "{:<{}}{:>9}{:>8}{:>10}{:>8}{:>10}{:>10}{:>7}{:>11}{:>10}{:>9}\n";
  std::string text = fmt::format(fmt::runtime(line), "network", width, "nodes", "degree", "diameter", "cost",
                                 "mean", "shortest", "arcs", "bisection", "links", "longest");
  for (const auto& [name, a] : networks) {
    const auto& d = a.distances();
    text += fmt::format(
        fmt::runtime(line), name, width, a.nodes, a.wiring.degree_max, d ? std::to_string(d->diameter) : "-",
        a.cost() ? std::to_string(*a.cost()) : "-", d ? fmt::format("{:.6g}", d->mean_all) : "-",
        a.shortest ? fmt::format("{:.6g}", a.shortest->mean_all) : "-",
        a.arc_connectivity ? std::to_string(*a.arc_connectivity) : "-", std::to_string(a.cut.links),
        std::to_string(a.wiring.links), a.wiring.has_lengths ? std::to_string(a.wiring.longest) : "-");
  }
  return text +
         "diameter, cost, mean: as routed between terminals, where there is a routing; shortest: mean over shortest "
         "paths between nodes; all pairs\n";
}

nlohmann::ordered_json analysis_json(const analysis_subject& subject, const network_analysis& a) {
  const topology& t = subject.network;
  const network_choice& choice = t.choice;
  json all;
  all["topology"] = {{"spec", choice.spec},   {"links", choice.links},     {"ties", choice.ties},
                     {"gates", choice.gates}, {"routing", choice.routing}, {"vc_rule", choice.vc_rule}};
  all["nodes"] = a.nodes;
  all["terminals"] = a.terminals;
  all["links"] = a.wiring.links;
  all["directed_links"] = a.wiring.directed_links;
  all["degree"] = {{"min", a.wiring.degree_min}, {"max", a.wiring.degree_max}};
  all["shortest"] = distances_json(a.shortest);
  all["routed"] = distances_json(a.routed);
  all["cost"] = or_null(a.cost());
  all["arc_connectivity"] = or_null(a.arc_connectivity);
  all["bisection"] = {{"cut", a.cut.links},
                      {"bound", or_null(a.partition_bound)},
                      {"counted", a.cut.words},
                      {"directed_links", a.cut.directed_links}};
  all["wiring"] = wiring_json(a);
  if (subject.pitch_mm > 0 && a.wiring.has_lengths) {
    all["wiring"]["total_length_mm"] = static_cast<double>(a.wiring.total_length) * subject.pitch_mm;
    all["wiring"]["longest_mm"] = a.wiring.longest * subject.pitch_mm;
  }
  all["pins_per_node"] = a.density ? json(a.density->pins_per_node) : json(nullptr);
  all["channel_width_bits"] = a.density ? json(a.density->width_bits) : json(nullptr);
  all["wire_density"] = density_json(a);
  all["path_diversity"] = {{"shortest", paths_json(a.shortest_paths)}, {"routed", paths_json(a.routes)}};
  all["channel_load"] = loads_json(subject, a);
  if (subject.flows) all["flow_load"] = flow_loads_json(subject, a);
  all["zero_load"] = zero_load_json(subject.zero_load);
  all["vc_use"] = nullptr;
  if (subject.vcs)
    all["vc_use"] = {{"vcs", subject.vcs->vcs},
                     {"vc_rule", subject.vcs->rule},
                     {"unused", as_json(*subject.network.wiring, subject.vcs->unused)}};
  all["notes"] = a.notes;
  return all;
}

}  // namespace toriscope
