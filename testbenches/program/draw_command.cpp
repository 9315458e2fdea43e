// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/draw_command.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "base/checked_json.h"
#include "testbenches/experiments/report/result_files.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "topologies/analysis/analysis.h"
#include "topologies/analysis/folded_layout.h"
#include "topologies/analysis/network_picture.h"

namespace toriscope {

namespace {

constexpr std::size_t max_drawn_nodes = 16384;

topology network_to_draw(const run_config& config) {
  topology_options options = config.routing_options();
  options.node_limit = max_drawn_nodes;
  options.limit_reason = "draw supports at most " + std::to_string(max_drawn_nodes);
  return make_for_analysis(config.topology.spec, options);
}

/// The busy shares of a result, and its network.
class result_to_draw {
 public:
  explicit result_to_draw(const std::string& path) : file_(read_results({path}).front()) {
    if (file_.what != result_file::kind::run)
      throw std::invalid_argument(
          "--use: " + path +
          " is not the result of a run; toriscope run --json FILE --json-links writes one");
    set_from_file(path, config);
  }

  busy_shares shares(const netlist& net) const {
    return {list("links_busy", net.links().size()), list("injection_ports", net.terminal_count()),
            list("ejection_ports", net.terminal_count())};
  }

  run_config config;

 private:
  std::vector<double> list(const char* key, std::size_t size) const {
    const checked_json content(file_.content, file_.path);
    const auto found = file_.content.find(key);
    if (found == file_.content.end())
      content.refuse(key, "missing; toriscope run --json FILE --json-links writes it");
    try {
      auto shares = found->get<std::vector<double>>();
      const auto is_share = [](double share) { return share >= 0 && share <= 1; };
      if (shares.size() == size && std::all_of(shares.begin(), shares.end(), is_share)) return shares;
    } catch (const nlohmann::json::exception&) {
      // Said below.
    }
    content.refuse(key, "expected " + std::to_string(size) + " shares from 0 to 1");
  }

  result_file file_;
};

}  // namespace

void add_draw_outputs(CLI::App& draw, draw_outputs& o) {
  text_options options(draw, "Output");
  options.add("--output", o.file, "FILE.svg", "the drawing; - is standard output [network.svg]");
  options.add("--use", o.use, "FILE.json",
              "draw the network of this result of run --json FILE --json-links; colours show the share of "
              "cycles in which a link or port is busy");
  draw.footer(
      "draw shows the planar layout: modules as frames, links by level in colour and stroke, wires that pass\n"
      "over other nodes as arcs, one-way links with an arrow. Up to 256 nodes it shows addresses, and it supports\n"
      "at most 16384 nodes.\n\n"
      "Examples:\n  toriscope draw --topology ttn:2,2,0 --output ttn.svg\n"
      "  toriscope draw --topology htn:4,4,2,1 --output htn.svg\n"
      "  toriscope run --topology torus:8x8 --traffic hotspot --rate 0.1 --json r.json --json-links\n"
      "  toriscope draw --use r.json --output use.svg");
}

std::string idle_in_drawing(const parameter& p, const run_request&, const draw_outputs&) {
  return p.is_in(parameter_set::wiring | parameter_set::link_kind | parameter_set::layout)
             ? ""
             : "on a drawing of the wiring; leave it out";
}

int draw_command(const run_request& request, const draw_outputs& o) {
  const std::string ending = std::filesystem::path(o.file).extension().string();
  if (!ending.empty() && ending != ".svg" && ending != ".SVG")
    throw std::invalid_argument("--output: draw writes SVG, but " + o.file + " ends in " + ending +
                                "; use a name that ends in .svg");
  std::optional<result_to_draw> result;
  if (!o.use.empty()) {
    const char* why = "with --use, which has its network from the result; leave it out";
    refuse_options_but(0, request, why);
    if (!request.config_file.empty())
      throw std::invalid_argument(std::string("--config has no effect ") + why);
    result.emplace(o.use);
  }
  const run_config& config = result ? result->config : request.config;
  const topology network = network_to_draw(config);
  if (config.topology.layout == "folded") fold_layout(*network.wiring);
  check_writable(o.file);
  busy_shares shares;
  if (result) shares = result->shares(*network.wiring);
  write_text(o.file, network_picture(network, result ? &shares : nullptr));
  return fine;
}

}  // namespace toriscope
