// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/network_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "topologies/analysis/folded_layout.h"
#include "topologies/analysis/network_canvas.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t max_drawn_nodes = 4096;

topology network_to_draw(const run_config& config) {
  topology_options options = config.routing_options();
  options.node_limit = max_drawn_nodes;
  options.limit_reason = "use of links is drawn for at most " + std::to_string(max_drawn_nodes);
  topology network = make_topology(options);
  if (config.topology.layout == "folded") fold_layout(*network.wiring);
  return network;
}

/// To a tenth of a unit: shorter, and finer than a pixel.
double rounded(double value) { return std::round(value * 10) / 10; }

json as_json(const canvas_point& p) { return {rounded(p.x), rounded(p.y)}; }

json frames_of(const network_canvas& canvas) {
  json all = json::array();
  const std::vector<std::vector<canvas_frame>> levels = canvas.frames();
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (const canvas_frame& f : levels[level])
      all.push_back({rounded(f.x), rounded(f.y), rounded(f.width), rounded(f.height), level});
  return all;
}

void add_links(const netlist& net, const network_canvas& canvas, json& layout) {
  for (const char* list : {"from", "to", "port", "levels", "bends", "ports"}) layout[list] = json::array();
  std::map<std::string, std::size_t> port_indices;
  for (const netlist_link& link : net.links()) {
    const auto [port, is_new] =
        port_indices.try_emplace(net.port_name(link.from, link.from_port), port_indices.size());
    if (is_new) layout["ports"].push_back(port->first);
    layout["from"].push_back(link.from);
    layout["to"].push_back(link.to);
    layout["port"].push_back(port->second);
    layout["levels"].push_back(link.level);
    const canvas_wire wire = canvas.wire(link);
    layout["bends"].push_back(wire.bend ? as_json(*wire.bend) : json());
  }
}

}  // namespace

json network_layout(const run_config& config) {
  const topology network = network_to_draw(config);
  const netlist& net = *network.wiring;
  const network_canvas canvas(network);
  json layout = {{"width", rounded(canvas.width())}, {"height", rounded(canvas.height())}};
  layout["nodes"] = layout["names"] = json::array();
  for (node_id node = 0; node < net.node_count(); ++node) {
    layout["nodes"].push_back(as_json(canvas.at(node)));
    layout["names"].push_back(net.address(node));
  }
  layout["injection"] = layout["ejection"] = json::array();
  for (terminal_id t = 0; t < net.terminal_count(); ++t) {
    layout["injection"].push_back(net.terminal(t).node);
    layout["ejection"].push_back(net.terminal(t).exit);
  }
  layout["frames"] = frames_of(canvas);
  add_links(net, canvas, layout);
  return layout;
}

}  // namespace toriscope
