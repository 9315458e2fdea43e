// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_router.h"

#include <algorithm>

namespace toriscope {

std::vector<std::pair<const char*, unsigned>> named_values(const rtl_parameters& p) {
  return {{"PORTS", p.ports},
          {"VCS", p.vcs},
          {"DEPTH", p.depth},
          {"DST_BITS", p.destination_bits},
          {"STATE_BITS", p.state_bits},
          {"FOUR_STAGE", p.four_stage},
          {"LOCAL_PORTS", p.local_ports},
          {"LOCAL_CREDITS", p.local_credits},
          {"DRAINED", p.drained},
          {"OPTIONS", p.table.options},
          {"CLASS_BITS", p.table.class_bits},
          {"INDEX_BITS", p.table.index_bits},
          {"IN_VCS", p.in_vcs},
          {"OUT_DEPTH", p.out_depth},
          {"NARROW", p.narrow},
          {"WEIGHT_BITS", p.table.weight_bits}};
}

namespace {

using named = std::vector<std::pair<const char*, unsigned>>;

std::string text_of(const named& values, const named* without) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!without || (*without)[k] != values[k])
      text +=
          (text.empty() ? "" : ", ") + std::string(values[k].first) + ' ' + std::to_string(values[k].second);
  return text;
}

}  // namespace

std::string to_string(const rtl_parameters& parameters) { return text_of(named_values(parameters), nullptr); }

std::string what_differs(const rtl_parameters& parameters, const rtl_parameters& other) {
  const named without = named_values(other);
  return text_of(named_values(parameters), &without);
}

rtl_parameters parameters_of(const netlist& wiring, node_id node, const flit_layout& layout,
                             const router_config& network, const router_config& own, bool local_credits) {
  rtl_parameters p;
  p.ports = wiring.port_count(node);
  p.local_ports = wiring.local_ports(node);
  p.vcs = network.vcs;
  p.out_depth = out_depth_of(wiring, network);
  p.narrow = has_narrow_links(wiring);
  p.destination_bits = layout.destination_bits();
  p.state_bits = layout.state_bits();
  set_router(p, own, local_credits);
  return p;
}

void set_router(rtl_parameters& parameters, const router_config& own, bool local_credits) {
  parameters.in_vcs = own.vcs;
  parameters.depth = own.depth;
  parameters.four_stage = own.pipeline == pipeline::four_stage;
  parameters.local_credits = local_credits;
  parameters.drained = own.vc_reallocation == vc_reallocation::atomic;
}

std::string to_verilog(const route_arithmetic& arithmetic) {
  std::string digits;
  for (const std::uint64_t word : arithmetic.words)
    for (unsigned shift = 0; shift < 64; shift += 4) digits.insert(0, 1, "0123456789abcdef"[word >> shift & 15]);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return "512'h" + digits;
}

unsigned out_depth_of(const netlist& wiring, const router_config& network) {
  bool alike = true;
  unsigned deepest = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    const unsigned depth = wiring.depth_of(n, network.depth);
    alike = alike && depth == network.depth && wiring.vcs_of(n, network.vcs) == network.vcs;
    deepest = std::max(deepest, depth);
  }
  return alike ? 0 : deepest;
}

bool has_narrow_links(const netlist& wiring) {
  const auto& links = wiring.links();
  return std::any_of(links.begin(), links.end(), [](const netlist_link& l) { return l.flit_cycles > 1; });
}

}  // namespace toriscope
