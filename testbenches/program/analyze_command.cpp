// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/analyze_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "base/words.h"
#include "testbenches/program/analysis_report.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/configuration/link_options.h"
#include "testbenches/simulation/configuration/resolved_run.h"
#include "testbenches/simulation/deadlock_check.h"
#include "testbenches/simulation/statistics/zero_load_mean.h"
#include "testbenches/simulation/traffic/flow_file.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/analysis/analysis.h"
#include "topologies/analysis/folded_layout.h"
#include "topologies/analysis/link_budget.h"
#include "topologies/link_models/link_width.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// Over all pairs of the traffic, with the network as `run` makes it.
zero_load_figures zero_load_of(const run_request& request) {
  const auto [config, network] = resolve(request.config, request.given);
  const zero_load_model model(network.wiring, network.routing, config.network);
  const auto pattern = make_pattern(config.traffic.pattern, network.wiring, config.traffic.for_pattern());
  const packet_lengths lengths(config.traffic.packet_flits);
  return {config.traffic.pattern, config.traffic.packet_flits,
          mean_zero_load(
              model, *network.wiring, *network.routing, config.network.router.vcs,
              [&](node_id source) { return pattern->weights(source); }, lengths.shares())};
}

/// The load of every link, a line each; of flows also the smallest width that carries it.
std::string load_table(const netlist& wiring, const channel_loads& loads, const offered_flows* flows) {
  std::string text = "link,from,port,to,level,load_flits_per_cycle";
  text += flows ? ",least_width_bits\n" : "\n";
  for (link_id l = 0; l < wiring.links().size(); ++l) {
    const netlist_link& wire = wiring.link(l);
    text += fmt::format("{},{},{},{},{},{}", l, wiring.address(wire.from),
                        wiring.port_name(wire.from, wire.from_port), wiring.address(wire.to), wire.level,
                        loads.loads[l]);
    if (flows) {
      const unsigned width = least_width(flows->flit_bits, loads.loads[l]);
      text += "," + (width > 0 ? std::to_string(width) : "");
    }
    text += "\n";
  }
  return text;
}

/// Of the number of VCs and the VC rule that `run` would take.
std::optional<vc_use> vcs_in_use(const topology_options& options) {
  try {
    const topology made = make_topology(options);
    if (!made.routing) return std::nullopt;
    const std::optional<deadlock_proof> known = known_or_proven(made, options, false);
    if (!known || known->method == proof_method::sampled) return std::nullopt;
    return vc_use{options.vcs, made.choice.vc_rule, known->unused};
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // too few VCs for any rule: what is analysed has as many as it takes
  }
}

offered_flows offered_by(const std::vector<flow>& flows, const run_config& config, terminal_id terminals) {
  std::vector<double> sent(terminals);
  for (const flow& f : flows)
    for (const terminal_id source : f.from) sent[source] += f.rate;
  const auto most = std::max_element(sent.begin(), sent.end());
  return {config.traffic.flows, flows.size(), config.topology.flit_bits, *most,
          static_cast<terminal_id>(most - sent.begin())};
}

int analyze_one(const run_request& request, const analyze_outputs& o) {
  const run_config& config = request.config;
  const bool load_wanted = request.given.traffic && config.traffic.flows.empty();
  const topology_config& t = config.topology;
  topology network = make_for_analysis(t.spec, config.routing_options());
  if (t.layout == "folded") fold_layout(*network.wiring);
  if (t.equal.empty())
    set_link_widths(*network.wiring, t.flit_bits, t.link_width_bits);
  else
    set_link_widths(*network.wiring, t.equal, t.flit_bits);
  for (const std::string& text : t.link_overrides) apply_link_override(text, *network.wiring, t.flit_bits);
  std::shared_ptr<const traffic_pattern> pattern;
  traffic_matrix traffic;
  std::optional<offered_flows> flows;
  if (load_wanted) {
    pattern = make_pattern(config.traffic.pattern, network.wiring, config.traffic.for_pattern());
    traffic = [pattern](node_id source) { return pattern->weights(source); };
  } else if (!config.traffic.flows.empty()) {
    const std::vector<flow> all =
        read_flows({config.traffic, config.network.message_classes, t.flit_bits}, *network.wiring);
    traffic = rates_of(all, network.wiring->terminal_count());
    flows = offered_by(all, config, network.wiring->terminal_count());
  } else if (!o.load_csv.empty()) {
    throw std::invalid_argument("--load-csv needs --traffic PATTERN, for example uniform, or --flows FILE");
  }
  check_outputs({{"--json", o.json}, {"--load-csv", o.load_csv}});
  const network_analysis result = analyse(network, max_vcs, {}, traffic);
  analysis_subject subject{network,    load_wanted ? config.traffic.pattern : "", flows, {},
                           t.pitch_mm, vcs_in_use(config.routing_options())};
  if (o.zero_load && flows)
    throw std::invalid_argument("--zero-load has no effect with --flows; leave one of them out");
  if (o.zero_load) subject.zero_load = zero_load_of(request);
  if (result.loads)
    write_text(o.load_csv, load_table(*network.wiring, *result.loads, flows ? &*flows : nullptr));
  write_text(o.json, analysis_json(subject, result).dump(2) + "\n");
  if (!is_stdout(o.json) && !is_stdout(o.load_csv)) write_stdout(analysis_text(subject, result));
  return fine;
}

/// Networks of --compare beside each other.
int compare_several(const run_config& config, const analyze_outputs& o) {
  check_writable(o.json);
  std::vector<std::pair<std::string, network_analysis>> networks;
  json all = {{"networks", json::array()}};
  std::vector<std::string> specs;
  for (const std::string& argument : o.compare)
    for (std::string& spec : split_specs(argument)) specs.push_back(std::move(spec));
  for (const std::string& spec : specs) {
    if (spec.find(':') == std::string::npos)
      throw std::invalid_argument("--compare: '" + spec +
                                  "' is not a topology; expected KIND:ARGS, for example ttn:2,2,0; for "
                                  "tables of papers see toriscope "
                                  "reproduce --list");
    topology_options options;
    options.links = config.topology.links;
    const topology network = make_for_analysis(spec, options);
    networks.emplace_back(one_line(network.choice.spec), analyse(network, max_vcs));
    all["networks"].push_back(analysis_json({network, "", {}, {}}, networks.back().second));
  }
  write_text(o.json, all.dump(2) + "\n");
  if (!is_stdout(o.json)) write_stdout(side_by_side_text(networks));
  return fine;
}

}  // namespace

void add_analyze_outputs(CLI::App& analyze, analyze_outputs& o) {
  text_options options(analyze, "Output");
  options.add("--json", o.json, "FILE", "all values as JSON; - is standard output, instead of the table");
  analyze.add_option("--compare", o.compare, "compare these topologies side by side")
      ->type_name("T ...")
      ->group("Output");
  analyze
      .add_flag(
          "--zero-load", o.zero_load,
          "also the mean zero-load latency over all pairs, weighted by --traffic [uniform]")
      ->group("Output");
  options.add("--load-csv", o.load_csv, "FILE",
              "with --traffic or --flows: the load of every link as CSV; - is standard output");
  analyze.footer(
      "analyze prints degree, links, distances (shortest and as routed), connectivity, bisection, wire "
      "lengths,\n"
      "pins, density and paths. --traffic adds the load of the busiest channel and the throughput bound that "
      "it\n"
      "implies; --flows the load of every link, and the smallest link width that carries it. --zero-load "
      "adds the\n"
      "exact mean of the zero-load latency, for the router that the options describe.\nDefinitions and "
      "sources: docs/analysis.md.\n\n"
      "Examples:\n  toriscope analyze --topology ttn:2,3,0\n"
      "  toriscope analyze --topology htn:4,4,2,1 --gateways nearest --traffic shuffle --json -\n"
      "  toriscope analyze --compare ttn:2,2,0 torus:16x16 mesh:16x16\n"
      "  toriscope analyze --topology sttn:2,5,0 --inter-module-links duplex --traffic uniform\n"
      "  toriscope analyze --topology torus:8x8 --flows flows.json --load-csv loads.csv\n"
      "  toriscope analyze --topology htn:4,4,2,0 --traffic shuffle --zero-load --pipeline paper2009");
}

std::string idle_in_analysis(const parameter& p, const run_request& request, const analyze_outputs& o) {
  const std::vector<std::string>& links = request.config.topology.link_overrides;
  if (p.path == "topology.link_overrides" && !o.zero_load &&
      std::all_of(links.begin(), links.end(),
                  [](const std::string& l) { return l.find("width=") == std::string::npos; }))
    return "as a delay without --zero-load; add that or leave it out";
  const bool flows = !request.config.traffic.flows.empty();
  if (p.is_in(parameter_set::channel_load) && !request.given.traffic && !o.zero_load && !flows)
    return "without --traffic PATTERN or --flows FILE; add one of them or leave it out";
  return "";
}

int analyze_command(const run_request& request, const analyze_outputs& outputs) {
  if (outputs.compare.empty()) return analyze_one(request, outputs);
  refuse_options_but(parameter_set::link_kind, request, "with --compare, which names its networks; leave it out");
  if (!outputs.load_csv.empty())
    throw std::invalid_argument("--load-csv has no effect with --compare; leave it out");
  if (outputs.zero_load) throw std::invalid_argument("--zero-load has no effect with --compare; leave it out");
  return compare_several(request.config, outputs);
}

}  // namespace toriscope
