// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/route_table.h"

#include <fstream>
#include <iomanip>
#include <ostream>
#include <stdexcept>
#include <unordered_set>

namespace toriscope {
namespace {

unsigned bits_for(unsigned values) {
  unsigned bits = 0;
  while ((1u << bits) < values) ++bits;
  return bits;
}

/// Follows all packets to one destination, from every node and injection VC, and tells `visit` of each
/// request that a router is asked on the way, once.
template <class Visit>
void follow_packets(const netlist& wiring, const routing_function& routing, unsigned vcs, node_id destination,
                    Visit&& visit) {
  std::vector<route_request> open;
  std::unordered_set<std::uint64_t> seen;
  const auto reach = [&](const route_request& r) {
    const std::uint64_t place =
        (std::uint64_t{r.node} * max_ports + r.in_port) * flit_word::max_vcs + r.in_vc;
    if (seen.insert(place << routing.state_bits() | r.state).second) open.push_back(r);
  };

  for (node_id source = 0; source < wiring.node_count(); ++source)
    for (unsigned v = 0; v < vcs; ++v)
      reach({source, wiring.local_port(source), static_cast<std::uint8_t>(v), destination, 0});

  while (!open.empty()) {
    const route_request request = open.back();
    open.pop_back();
    route_option options[routing_function::max_options];
    if (routing.route(request, options) != 1)
      throw std::invalid_argument("the routing function returns several options at node " +
                                  wiring.path(request.node) + ": a route table holds one");
    const route_option& option = options[0];
    visit(request, option);
    if (option.out_port == wiring.local_port(request.node)) continue;
    const netlist_link& next = wiring.link(wiring.ports(request.node)[option.out_port].out);
    for (unsigned v = 0; v < vcs; ++v)
      if (option.vcs >> v & 1u)
        reach({next.to, next.to_port, static_cast<std::uint8_t>(v), destination, option.state});
  }
}

}  // namespace

route_table::route_table(const netlist& wiring, const routing_function& routing, const flit_layout& layout,
                         unsigned vcs, node_id node)
    : node_(node),
      vcs_(vcs),
      destination_bits_(layout.destination_bits()),
      state_bits_(layout.state_bits()),
      port_bits_(bits_for(wiring.local_port(node) + 1u)),
      words_((wiring.local_port(node) + std::size_t{1}) * vcs << (destination_bits_ + state_bits_)) {
  for (node_id destination = 0; destination < wiring.node_count(); ++destination)
    follow_packets(wiring, routing, vcs, destination,
                   [&](const route_request& request, const route_option& option) {
                     if (request.node == node_) enter(request, option);
                   });
}

std::size_t route_table::address(port_id in_port, unsigned in_vc, route_state state,
                                 node_id destination) const {
  const std::size_t input_vc = in_port * std::size_t{vcs_} + in_vc;
  return (input_vc << state_bits_ | state) << destination_bits_ | destination;
}

void route_table::enter(const route_request& request, const route_option& option) {
  words_[address(request.in_port, request.in_vc, request.state, request.destination)] =
      (std::uint64_t{option.state} << vcs_ | option.vcs) << port_bits_ | option.out_port;
}

route_option route_table::option(std::size_t address) const {
  const std::uint64_t word = words_[address];
  return {static_cast<port_id>(word & ((1u << port_bits_) - 1)),
          static_cast<vc_mask>(word >> port_bits_ & ((1u << vcs_) - 1)),
          static_cast<route_state>(word >> (port_bits_ + vcs_))};
}

void route_table::write(std::ostream& out) const {
  const int digits = static_cast<int>((entry_bits() + 3) / 4);
  out << std::hex << std::setfill('0');
  for (const std::uint64_t word : words_) out << std::setw(digits) << word << '\n';
  out << std::dec << std::setfill(' ');
}

void route_table::write_file(const std::string& path) const {
  std::ofstream file(path);
  write(file);
  file.flush();
  if (!file) throw std::runtime_error("cannot write the route table " + path);
}

}  // namespace toriscope
