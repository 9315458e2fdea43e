// SPDX-License-Identifier: Apache-2.0
// The pins of an RTL router (sv/router.sv), whoever simulates it, and the parameters that it is built with.
//
// Knows neither SystemC nor Verilator: rtl_node.h puts it in a network, verilated_router.h drives verilated
// RTL.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "links/flit.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// The parameters of sv/router.sv.
struct rtl_parameters {
  unsigned ports = 5;             ///< PORTS, the local one included
  unsigned vcs = 4;               ///< VCS
  unsigned depth = 8;             ///< DEPTH, flits
  unsigned destination_bits = 4;  ///< DST_BITS
  unsigned state_bits = 1;        ///< STATE_BITS

  friend bool operator==(const rtl_parameters& a, const rtl_parameters& b) {
    return a.ports == b.ports && a.vcs == b.vcs && a.depth == b.depth &&
           a.destination_bits == b.destination_bits && a.state_bits == b.state_bits;
  }
  friend bool operator!=(const rtl_parameters& a, const rtl_parameters& b) { return !(a == b); }
};

/// The same by the names of the RTL: {"PORTS", 5}, {"VCS", 4} ...
std::vector<std::pair<const char*, unsigned>> named_values(const rtl_parameters& parameters);

/// "PORTS 5, VCS 4, DEPTH 8, DST_BITS 4, STATE_BITS 1".
std::string to_string(const rtl_parameters& parameters);

/// What a node of a network needs.
rtl_parameters parameters_of(const netlist& wiring, node_id node, const flit_layout& layout, unsigned vcs,
                             unsigned depth);

/// How the RTL wakes up.
struct rtl_start {
  std::string route_table;    ///< file for +route_table (rtl_models/route_table.h)
  int random_state_seed = 0;  ///< registers and memories start with random bits of this seed; 0: with zeros
};

/// An assertion of the RTL failed. Its message has been printed by the simulator of the RTL.
class rtl_assertion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Pins of a router that has been reset. Unused sides of ports are left alone.
class rtl_router {
 public:
  virtual ~rtl_router() = default;

  virtual const rtl_parameters& parameters() const = 0;

  /// Drives the input pins; they keep their value until driven again.
  virtual void set_flit(port_id p, flit_word f) = 0;
  virtual void set_credit(port_id p, credit_word c) = 0;

  /// A rising clock edge: samples the input pins. @throws rtl_assertion
  virtual void clock_edge() = 0;

  /// The output pins: what was sent in the cycle of the last edge.
  virtual flit_word flit(port_id p) const = 0;
  virtual credit_word credit(port_id p) const = 0;
};

}  // namespace toriscope
