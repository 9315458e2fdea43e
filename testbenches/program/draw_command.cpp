// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/draw_command.h"

#include <filesystem>
#include <stdexcept>

#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "topologies/analysis/analysis.h"
#include "topologies/analysis/network_picture.h"

namespace toriscope {

namespace {
constexpr node_id most_nodes = 16384;
}

void add_draw_outputs(CLI::App& draw, draw_outputs& o) {
  text_options(draw, "Output")
      .add("--output", o.file, "FILE.svg", "the picture; - is standard output [network.svg]");
  draw.footer(
      "The planar layout of the network: modules in frames, links by level in colour and stroke, wires that "
      "pass over\n"
      "other nodes as arcs, one-way links with an arrow, addresses up to 256 nodes.\n\n"
      "Examples:\n  toriscope draw --topology ttn:2,2,0 --output ttn.svg\n"
      "  toriscope draw --topology htn:4,4,2,1 --output htn.svg");
}

int draw_command(const run_request& request, const draw_outputs& o) {
  const std::string ending = std::filesystem::path(o.file).extension().string();
  if (!ending.empty() && ending != ".svg" && ending != ".SVG")
    throw std::invalid_argument("--output: a drawing is SVG, and " + o.file + " ends in " + ending +
                                "; use a name that ends in .svg");
  const topology network = make_for_analysis(request.config.topology.spec, request.config.routing_options());
  if (network.wiring->node_count() > most_nodes)
    throw std::invalid_argument("topology '" + network.spec + "' has " +
                                std::to_string(network.wiring->node_count()) +
                                " nodes; a picture shows at most " + std::to_string(most_nodes));
  check_writable(o.file);
  write_text(o.file, network_picture(network));
  return fine;
}

}  // namespace toriscope
