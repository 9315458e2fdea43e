// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/network_cost.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "testbenches/simulation/configuration/resolved_run.h"
#include "topologies/analysis/bisection.h"
#include "topologies/analysis/wiring_counts.h"

namespace toriscope {
namespace {

/// In flits, of all routers: at every input port, and with paper2009 one for each output VC.
std::uint64_t buffers_of(const netlist& net, const router_config& router) {
  const unsigned behind = router.has_output_buffers() ? 1 : 0;
  std::uint64_t flits = 0;
  const auto add_port = [&](node_id n) {
    flits += std::uint64_t{net.vcs_of(n, router.vcs)} * (net.depth_of(n, router.depth) + behind);
  };
  for (const netlist_link& l : net.links()) add_port(l.to);
  for (terminal_id t = 0; t < net.terminal_count(); ++t) add_port(net.terminal(t).node);
  return flits;
}

/// A link that needs F cycles for a flit has an F-th of the flit's bits.
std::string link_bits(const netlist& net, unsigned flit_bits) {
  unsigned least = 255;
  unsigned most = 1;
  for (const netlist_link& link : net.links()) {
    least = std::min<unsigned>(least, link.flit_cycles);
    most = std::max<unsigned>(most, link.flit_cycles);
  }
  const auto bits = [&](unsigned cycles) { return std::to_string((flit_bits + cycles - 1) / cycles); };
  return least >= most ? bits(most) : bits(most) + " to " + bits(least);
}

}  // namespace

nlohmann::ordered_json network_cost(const run_config& config) {
  const resolved_run run = resolve(config);
  const netlist& net = *run.network.wiring;
  unsigned ports = 0;
  for (node_id node = 0; node < net.node_count(); ++node) ports = std::max(ports, net.port_count(node));
  const auto flits = static_cast<double>(buffers_of(net, run.config.network.router));
  return {{"nodes", net.node_count()},
          {"ports", ports},
          {"links", count_wiring(net).links},
          {"bisection", count_natural_cut(net).links},
          {"buffer_bits", std::round(flits * config.topology.flit_bits / net.node_count())},
          {"link_bits", link_bits(net, config.topology.flit_bits)}};
}

}  // namespace toriscope
