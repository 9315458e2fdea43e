// SPDX-License-Identifier: Apache-2.0
#include "testbenches/c_api/wiring_text.h"

#include <optional>

#include "base/json.h"
#include "topologies/analysis/network_canvas.h"

namespace toriscope {

using json = nlohmann::ordered_json;

std::string wiring_text(const topology& made) {
  const netlist& net = *made.wiring;
  const network_canvas canvas(made);
  json tree = {
      {"name", net.name()}, {"nodes", json::array()}, {"terminals", json::array()}, {"links", json::array()}};
  for (node_id n = 0; n < net.node_count(); ++n)
    tree["nodes"].push_back(
        {{"address", net.address(n)}, {"path", net.path(n)}, {"position", {canvas.at(n).x, canvas.at(n).y}}});
  for (terminal_id t = 0; t < net.terminal_count(); ++t) {
    const netlist_terminal place = net.terminal(t);
    tree["terminals"].push_back(
        {{"address", net.terminal_address(t)}, {"node", place.node}, {"exit", place.exit}});
  }
  for (const netlist_link& l : net.links()) {
    const std::optional<canvas_point> bend = canvas.wire(l).bend;
    tree["links"].push_back({{"from", l.from},
                             {"port", net.port_name(l.from, l.from_port)},
                             {"to", l.to},
                             {"to_port", net.port_name(l.to, l.to_port)},
                             {"level", l.level},
                             {"delay_cycles", l.delay_cycles},
                             {"flit_cycles", l.flit_cycles},
                             {"length", l.length},
                             {"bend", bend ? json{bend->x, bend->y} : json()}});
  }
  return tree.dump(1) + "\n";
}

}  // namespace toriscope
