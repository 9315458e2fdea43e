// SPDX-License-Identifier: Apache-2.0
// The routing function of one node as a table for RTL: the file that sv/route_table.sv reads.
//
// Word {i, state, destination} is for a head in input VC i = p*V + v and holds {next state, VCs, output
// port}. Only what some packet can ask is filled in - found by following the packets of all nodes, so that
// the routing function is never asked for what cannot happen; the rest is 0 (no VCs), which the RTL's
// assertions take for an error.
//
//   limits   one option per request (deterministic routing); the walk visits every place that any packet can
//            reach, for each destination: seconds up to some thousand nodes
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "links/flit.h"
#include "rtl_models/rtl_router.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

class route_table {
 public:
  /// @param layout  where destination and route state stand in the flits of the network
  /// @param vcs     VCs per port
  /// @throws std::invalid_argument when the routing function returns more than one option
  route_table(const netlist& wiring, const routing_function& routing, const flit_layout& layout, unsigned vcs,
              node_id node);

  /// Bits of a word.
  unsigned entry_bits() const { return state_bits_ + vcs_ + port_bits_; }
  /// Words by address; 0: never asked.
  const std::vector<std::uint64_t>& words() const { return words_; }
  /// The address of the word for this request.
  std::size_t address(port_id in_port, unsigned in_vc, route_state state, node_id destination) const;
  /// A word as an option. @pre words()[address] != 0
  route_option option(std::size_t address) const;

  /// Writes the file: a word per line, in hexadecimal.
  void write(std::ostream& out) const;
  /// The same to a file. @throws std::runtime_error when it cannot be written
  void write_file(const std::string& path) const;

 private:
  void enter(const route_request& request, const route_option& option);

  node_id node_;
  unsigned vcs_;
  unsigned destination_bits_;
  unsigned state_bits_;
  unsigned port_bits_;
  std::vector<std::uint64_t> words_;
};

}  // namespace toriscope
