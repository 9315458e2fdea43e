// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/analyze_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "testbenches/program/analysis_report.h"
#include "testbenches/program/link_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/traffic/pattern_registry.h"
#include "topologies/analysis/analysis.h"
#include "topologies/link_models/link_width.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

pattern_options options_of(const traffic_config& t) {
  pattern_options options{t.include_self, t.hot_probability, t.hot_nodes};
  options.local_square = t.local_square;
  options.local_probability = t.local_probability;
  return options;
}

/// The load of every link, a line each.
std::string load_table(const netlist& wiring, const channel_loads& loads) {
  std::string text = "link,from,port,to,level,load_flits_per_cycle\n";
  for (link_id l = 0; l < wiring.links().size(); ++l) {
    const netlist_link& wire = wiring.link(l);
    text += fmt::format("{},{},{},{},{},{}\n", l, wiring.address(wire.from),
                        wiring.port_name(wire.from, wire.from_port), wiring.address(wire.to), wire.level,
                        loads.loads[l]);
  }
  return text;
}

int analyze_one(const run_config& config, const analyze_outputs& o) {
  const topology_config& t = config.topology;
  topology network = make_for_analysis(t.spec, config.routing_options());
  set_link_widths(*network.wiring, t.flit_bits, t.link_width_bits);
  for (const std::string& text : t.link_overrides) apply_link_override(text, *network.wiring, t.flit_bits);
  std::shared_ptr<const traffic_pattern> pattern;
  traffic_matrix traffic;
  if (o.traffic_given) {
    pattern = make_pattern(config.traffic.pattern, network.wiring, options_of(config.traffic));
    traffic = [pattern](node_id source) { return pattern->weights(source); };
  } else if (!o.load_csv.empty()) {
    throw std::invalid_argument("--load-csv needs --traffic PATTERN, uniform for example");
  }
  check_writable(o.json);
  check_writable(o.load_csv);
  const network_analysis result = analyse(network, max_vcs, {}, traffic);
  const analysis_subject subject{network, o.traffic_given ? config.traffic.pattern : ""};
  if (result.loads) write_text(o.load_csv, load_table(*network.wiring, *result.loads));
  write_text(o.json, analysis_json(subject, result).dump(2) + "\n");
  if (o.json != "-" && o.load_csv != "-") write_stdout(analysis_text(subject, result));
  return fine;
}

}  // namespace

void add_analyze_outputs(CLI::App& analyze, analyze_outputs& o) {
  const auto add = [&](const char* name, std::string& value, const char* description) {
    analyze.add_option(name, value, description)
        ->type_name("FILE")
        ->group("Output")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  };
  add("--json", o.json, "all values as JSON; - is standard output, without the table");
  add("--load-csv", o.load_csv, "with --traffic: the load of every link as CSV; - is standard output");
  analyze.footer(
      "Degree, links, distances (shortest and as routed), connectivity, bisection, wire lengths, pins, "
      "density, paths;\n"
      "with --traffic the load of the busiest channel and the throughput bound that it implies. Definitions "
      "and sources:\n"
      "docs/analysis.md.\n\n"
      "Examples:\n  toriscope analyze --topology ttn:2,3,0\n"
      "  toriscope analyze --topology htn:4,4,2,1 --gates nearest --traffic shuffle --json -\n"
      "  toriscope analyze --topology sttn:2,5,0 --links B --traffic uniform");
}

int analyze_command(const run_request& request, const analyze_outputs& outputs) {
  return analyze_one(request.config, outputs);
}

}  // namespace toriscope
