// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/words.h"
#include "rtl_models/export/exported_network.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/configuration/parameter_effects.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/simulation.h"
#include "topologies/registry.h"

namespace toriscope {

void add_export_outputs(CLI::App& command, export_outputs& o) {
  text_options options(command, "Output");
  options.add("--routes", o.routes, "DIR",
              "the route table of each node for sv/route_table.sv, in a file named by the node's path");
  options.add("--sv", o.sv, "DIR",
              "the whole network as SystemVerilog, with route tables, a testbench and a Makefile");
  options.add_flag(
      "--scoreboard", o.scoreboard,
      "with --sv: a testbench that compares each router with the model, pin by pin, in every cycle "
      "(needs libtoriscope.so)");
  options.add("--module-prefix", o.module_prefix, "PREFIX",
              "of --sv: what the names of all modules and their files begin with: noc_ [none]");
  options.add("--names", o.names, "KIND",
              "of --sv: names of wires, hierarchical: \\bm_1_2.node_0_3.in_x+ as in waves; plain: "
              "bm_1_2__node_0_3__in_xp [hierarchical]");
  options.add("--route-unit", o.route_unit, "KIND",
              "of --sv: where routers have their routes from, table: a memory, loaded from routes/; arithmetic: "
              "computed from the numbers of node and destination; mesh, torus, cube and ttn with q = 0 [table]");
  command.footer(
      "The network of --sv needs no other file: in its directory, make builds it with Verilator, and make "
      "run\n"
      "PACKETS=FILE prints the hash that toriscope run --traffic-file FILE prints.\n\n"
      "Examples:\n  toriscope export --topology torus:4x4 --routes routes\n"
      "  toriscope export --topology ttn:2,2,0 --pipeline four_stage --sv ttn_rtl && make -C ttn_rtl run\n"
      "  toriscope export --topology mesh:3x3 --sv mesh_rtl --scoreboard && make -C mesh_rtl scoreboard");
}

std::string idle_in_export(const parameter& p, const run_request& request, const export_outputs&) {
  const bool idle = p.is_in(parameter_set::simulation) || is_only_printed(p, request.config);
  return idle ? "on an export; leave it out" : "";
}

namespace {

/// The file that the spec of a network names; empty: none.
std::string file_of(const std::string& spec) {
  const std::string arguments = spec.substr(spec.find(':') + 1);
  if (begins_with(spec, "file:")) return arguments;
  const std::string assignment = arguments.substr(0, arguments.rfind(','));
  const bool built_in = assignment == "alpha" || assignment == "beta" || assignment == "perfect";
  return begins_with(spec, "rdt:") && !built_in ? assignment : "";
}

/// The spec with the names of its files alone. @param files  gets their paths
std::string without_directories(const std::string& spec, std::vector<std::string>& files) {
  std::string result;
  std::size_t from = 0;
  for (const std::string& network : networks_in(spec)) {
    const std::string path = file_of(network);
    const std::size_t at = spec.find(network, from) + network.find(':') + 1;
    result += spec.substr(from, at - from) + std::filesystem::path(path).filename().string();
    from = at + path.size();
    if (!path.empty() && std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
  }
  return result + spec.substr(from);
}

/// The configuration of the scoreboard: short and long packets at half of full load, and the files that it names.
void add_model(exported_network& network, run_config config) {
  config.topology.spec = without_directories(config.topology.spec, network.files);
  config.traffic.rate_flits_per_node_cycle = 0.5;
  config.traffic.packet_flits = "1:0.5,9:0.5";
  network.model = as_tree(config).dump(2) + "\n";
}

}  // namespace

int export_command(const run_request& request, const export_outputs& o) {
  if (o.routes.empty() && o.sv.empty())
    throw std::invalid_argument("export needs --routes DIR or --sv DIR, the directory to write to");
  if (o.sv.empty() && o.scoreboard)
    throw std::invalid_argument("--scoreboard has no effect without --sv; add --sv DIR or leave it out");
  if (o.sv.empty()) {
    refuse_options_but(parameter_set::topology, request, "on route tables; add --sv DIR or leave it out");
  }
  if (o.names != "hierarchical" && o.names != "plain")
    throw std::invalid_argument("--names: '" + o.names + "' is unknown; expected hierarchical or plain");
  if (o.route_unit != "table" && o.route_unit != "arithmetic")
    throw std::invalid_argument("--route-unit: '" + o.route_unit + "' is unknown; expected table or arithmetic");
  const export_outputs by_default;
  for (const auto& [given, option] :
       {std::pair(o.module_prefix != by_default.module_prefix, "--module-prefix"),
        std::pair(o.names != by_default.names, "--names"),
        std::pair(o.route_unit != by_default.route_unit, "--route-unit")})
    if (given && o.sv.empty())
      throw std::invalid_argument(std::string(option) +
                                  " has no effect on route tables; add --sv DIR or leave it out");
  const simulation made(request.config, request.given);
  const std::string headline = made.headline();
  exported_network network{made.wiring(),
                           made.routing(),
                           made.config().network,
                           headline.substr(0, headline.find('\n')),
                           {o.module_prefix, o.names == "plain"}};
  if (o.route_unit == "arithmetic") network.names.arithmetic = made.routing().arithmetic();
  if (o.scoreboard) add_model(network, made.config());
  export_network(network, {o.routes, o.sv});
  if (!o.routes.empty())
    write_stdout(fmt::format("{}: {} route tables\n", o.routes, network.wiring.node_count()));
  if (!o.sv.empty())
    write_stdout(fmt::format("{}: {} routers in rtl/{}{}.sv; {} run PACKETS=FILE\n", o.sv, network.wiring.node_count(),
                             o.module_prefix, network.wiring.name(), shell_line({"make", "-C", o.sv})));
  return fine;
}

}  // namespace toriscope
