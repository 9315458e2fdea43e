// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/network_cost.h"

#include <algorithm>
#include <cmath>
#include <set>
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

std::uint64_t bits_of(const netlist_link& l, unsigned flit_bits) { return l.width_bits > 0 ? l.width_bits : flit_bits; }

/// Of the node whose links have most bits, in and out.
std::uint64_t most_pins(const netlist& net, unsigned flit_bits) {
  std::vector<std::uint64_t> pins(net.node_count());
  for (const netlist_link& l : net.links()) {
    pins[l.from] += bits_of(l, flit_bits);
    pins[l.to] += bits_of(l, flit_bits);
  }
  return *std::max_element(pins.begin(), pins.end());
}

std::uint64_t wire_bits(const netlist& net, unsigned flit_bits) {
  std::uint64_t sum = 0;
  for (const netlist_link& l : net.links()) sum += l.length * bits_of(l, flit_bits);
  return sum;
}

std::string link_bits(const netlist& net, unsigned flit_bits) {
  std::set<std::uint64_t> widths;
  for (const netlist_link& l : net.links()) widths.insert(bits_of(l, flit_bits));
  if (widths.empty()) widths.insert(flit_bits);
  const std::string least = std::to_string(*widths.begin());
  return widths.size() == 1 ? least : least + " to " + std::to_string(*widths.rbegin());
}

std::uint64_t bisection_bits(const netlist& net, const counted_cut& cut, unsigned flit_bits) {
  std::uint64_t sum = 0;
  for (const link_id l : links_across(net, cut)) sum += bits_of(net.link(l), flit_bits);
  return sum;
}

}  // namespace

nlohmann::ordered_json network_cost(const run_config& config) {
  const resolved_run run = resolve(config, {}, max_costed_nodes);
  const netlist& net = *run.network.wiring;
  unsigned ports = 0;
  for (node_id node = 0; node < net.node_count(); ++node) ports = std::max(ports, net.port_count(node));
  const counted_cut cut = count_natural_cut(net);
  const unsigned flit_bits = config.topology.flit_bits;
  const auto flits = static_cast<double>(buffers_of(net, run.config.network.router));
  return {{"nodes", net.node_count()},
          {"terminals", net.terminal_count()},
          {"ports", ports},
          {"links", count_wiring(net).links},
          {"bisection", cut.links},
          {"buffer_bits", std::round(flits * flit_bits / net.node_count())},
          {"link_bits", link_bits(net, flit_bits)},
          {"pins", most_pins(net, flit_bits)},
          {"bisection_bits", bisection_bits(net, cut, flit_bits)},
          {"wire_bits", net.has_lengths() ? nlohmann::ordered_json(wire_bits(net, flit_bits)) : nullptr}};
}

}  // namespace toriscope
