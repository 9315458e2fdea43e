// SPDX-License-Identifier: Apache-2.0
// The pins of an RTL router (sv/router.sv), for any simulator, and the parameters that it is built with.
//
// Knows neither SystemC nor Verilator: rtl_node.h puts it in a network, verilated_router.h drives verilated
// RTL.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "links/flit.h"
#include "router/router_config.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// The form of the route tables (sv/route_table.sv) that an RTL router reads; common to a set of nodes.
struct route_table_format {
  unsigned options = 1;      ///< OPTIONS of an answer
  unsigned weight_bits = 0;  ///< WEIGHT_BITS of an option; 0: all options are kept
  unsigned class_bits = 0;   ///< CLASS_BITS: of the number of a class of input VCs; 0: there is one class
  unsigned index_bits = 0;   ///< INDEX_BITS of a hashed table; 0: the table is dense, its address is the key

  friend bool operator==(const route_table_format& a, const route_table_format& b) {
    return a.options == b.options && a.weight_bits == b.weight_bits && a.class_bits == b.class_bits &&
           a.index_bits == b.index_bits;
  }
};

/// The parameters of sv/router.sv.
struct rtl_parameters {
  unsigned ports = 5;             ///< PORTS, the local ones included
  unsigned local_ports = 1;       ///< LOCAL_PORTS
  unsigned vcs = 4;               ///< VCS, of the network
  unsigned in_vcs = 4;            ///< IN_VCS, of its own input ports
  unsigned depth = 8;             ///< DEPTH, flits
  unsigned out_depth = 0;         ///< OUT_DEPTH: the most flits of a VC downstream, where they differ; else 0
  unsigned destination_bits = 4;  ///< DST_BITS
  unsigned state_bits = 1;        ///< STATE_BITS
  bool four_stage = false;        ///< FOUR_STAGE; else single_cycle
  bool narrow = false;            ///< NARROW: links out of some port carry a flit in several cycles
  bool local_credits = false;     ///< LOCAL_CREDITS: local output ports have credits (limited reception)
  bool drained = false;           ///< DRAINED: atomic VC reallocation
  route_table_format table{};     ///< of the file for +route_table

  friend bool operator==(const rtl_parameters& a, const rtl_parameters& b) {
    return a.ports == b.ports && a.local_ports == b.local_ports && a.vcs == b.vcs && a.in_vcs == b.in_vcs &&
           a.depth == b.depth && a.out_depth == b.out_depth && a.destination_bits == b.destination_bits &&
           a.state_bits == b.state_bits && a.four_stage == b.four_stage &&
           a.narrow == b.narrow && a.local_credits == b.local_credits && a.drained == b.drained && a.table == b.table;
  }
  friend bool operator!=(const rtl_parameters& a, const rtl_parameters& b) { return !(a == b); }
};

/// The same by the names of the RTL: {"PORTS", 5}, {"VCS", 4} ...
std::vector<std::pair<const char*, unsigned>> named_values(const rtl_parameters& parameters);

/// "PORTS 5, VCS 4, DEPTH 8 ...".
std::string to_string(const rtl_parameters& parameters);
/// Those of them that `other` has not.
std::string what_differs(const rtl_parameters& parameters, const rtl_parameters& other);

/// What a node of a network needs, but for its route table.
/// @param network  the configuration of routers without values of their own
/// @param own      of this one
rtl_parameters parameters_of(const netlist& wiring, node_id node, const flit_layout& layout,
                             const router_config& network, const router_config& own, bool local_credits);

/// Sets what depends on the router of a node. @param own, local_credits  as above
void set_router(rtl_parameters& parameters, const router_config& own, bool local_credits);

/// Constants of a network as a number of SystemVerilog: 512'h21.
std::string to_verilog(const route_arithmetic& arithmetic);

/// OUT_DEPTH for the routers of a network: 0 where all have the VCs and the depth of `network`.
unsigned out_depth_of(const netlist& wiring, const router_config& network);
/// NARROW for the routers of a network.
bool has_narrow_links(const netlist& wiring);

/// How the RTL wakes up.
struct rtl_start {
  std::string route_table;    ///< file for +route_table (rtl_models/route_table.h)
  int random_state_seed = 0;  ///< registers and memories start with random bits of this seed; 0: with zeros
  std::vector<unsigned> slots = {};        ///< slots_i by output VC, with OUT_DEPTH; else empty
  std::vector<unsigned> flit_cycles = {};  ///< flit_cycles_i by port, with NARROW; else empty
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

  /// Whether it does what docs/model.md says, cycle by cycle: then the network must be as it is. Else - an
  /// adapter around a user's router - it goes with any pipeline and policies.
  virtual bool follows_model() const { return true; }

  /// Whether clock_edge() and the pins concern nothing outside this object, so that routers of other nodes may be
  /// clocked at the same time, by other threads.
  virtual bool is_clocked_with_others() const { return false; }

  /// Drives the input pins; they keep their value until driven again.
  virtual void set_flit(port_id p, flit_word f) = 0;
  virtual void set_credit(port_id p, credit_word c) = 0;

  /// A rising clock edge: samples the input pins. @throws rtl_assertion
  virtual void clock_edge() = 0;

  /// Flits inside by its own books, if it keeps any.
  virtual std::optional<std::uint64_t> flits_inside() const { return std::nullopt; }
  /// The run is over. @returns a packet that it keeps for ever, in a line; empty: none is known
  virtual std::string at_end() { return {}; }
  /// How late a credit may be after its flit has left.
  virtual std::uint64_t patience_cycles() const { return 1000; }
  /// Of routers with buffers between them and the links: a credit that the router owes to these now, in words; and
  /// one that it owed in the call before, too (credit_watch.h). Empty: none.
  virtual std::string owed_credit() const { return {}; }
  virtual std::string look_for_lost_credits() { return {}; }
  /// From now on nothing goes in or out: packets that stay inside are no error.
  virtual void neighbours_stop() {}

  /// The output pins: what was sent in the cycle of the last edge.
  virtual flit_word flit(port_id p) const = 0;
  virtual credit_word credit(port_id p) const = 0;
};

}  // namespace toriscope
