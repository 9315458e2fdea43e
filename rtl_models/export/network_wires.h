// SPDX-License-Identifier: Apache-2.0
// The wires of a network as a SystemVerilog module has them, by the names of waves: in_x+ is the flit that a
// node is shown at its port x+, credit_x+ the credits for what leaves by x+; in_local, credit_ni, out_local
// and credit_local go to and from the network interface; where there are several, in_local0, credit_ni0 and so on.
//
// The router is the first register of a link. A delay of D cycles is D-1 registers more, and then what the
// router drives has another name: out_x+ and freed_x+ at its own end. A narrow link is out_x+ at the router,
// out_word_x+ on the wire, in_word_x- at its end if that is later, and in_x- at the next router.
//
// A network file names ports and nodes as it likes. A name that is taken gets a number behind it: in_local_2 is that of
// a port "local" of a link, or of the network interface.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/rtl_router.h"
#include "topologies/netlist.h"
#include "topologies/route_arithmetic.h"

namespace toriscope {

/// The node's place below the top module, as identifiers: path(), but node_00 for 00.
std::string module_path(const netlist& wiring, node_id n);

/// How modules and wires are called, and which route units there are.
struct sv_style {
  std::string prefix{};  ///< of all modules and macros
  bool plain = false;    ///< wires: bm_1_2__node_0_3__in_xp instead of \bm_1_2.node_0_3.in_x+
  route_arithmetic arithmetic{};  ///< of the route units; none without an obstacle: they read tables
};

class network_wires {
 public:
  /// Of the model, and of the parameter FLIT_BITS where it is not set.
  static constexpr unsigned flit_bits = 64;
  /// The width of a wire in the module: flits have FLIT_BITS.
  static std::string width(unsigned bits, unsigned cycles = 1);

  /// What the four pins of a port are connected to: a wire, or a constant.
  struct port_wires {
    std::string flit_i, credit_i, flit_o, credit_o;
  };
  struct wire {
    std::string name;
    unsigned bits;
    unsigned cycles = 1;  ///< of a narrow link, which carries a flit of `bits` in this time
  };
  /// `to` shows what `from` was `registers` cycles before.
  struct connection {
    std::string from, to;
    unsigned bits;
    unsigned registers;
    unsigned cycles;
  };
  /// A flit goes over a narrow link as words (narrow_sender.sv, narrow_receiver.sv).
  struct narrow_link {
    std::string flit_from, word_from, word_to, flit_to;
    unsigned cycles;
  };

  /// @param router  any: all have the same ports and VCs
  network_wires(const netlist& wiring, const network_config& config, const rtl_parameters& router,
                bool plain_names = false);

  /// By port of the router, the local ones last.
  const std::vector<port_wires>& of(node_id n) const { return ports_[n]; }
  const std::vector<wire>& wires() const { return wires_; }
  const std::vector<connection>& connections() const { return connections_; }
  const std::vector<narrow_link>& narrow_links() const { return narrow_links_; }
  /// The name, or with a number behind it, that no node, group or wire of the module has.
  std::string free_name(const std::string& name) const;

 private:
  void add_link(const netlist_link& l);
  void add_terminal(terminal_id t);
  port_wires& at(node_id n, port_id p) { return ports_[n][port_of_rtl(wiring_, n, p, router_)]; }
  void tie_off(node_id n);
  std::string declare(node_id n, const std::string& name, unsigned bits, unsigned cycles = 1);
  static std::string plain_name(const std::string& path);
  void connect(const std::string& from, const std::string& to, unsigned bits, unsigned delay,
               unsigned cycles = 1);

  const netlist& wiring_;
  const network_config& config_;
  const rtl_parameters router_;
  const bool plain_names_;
  std::set<std::string> taken_;                 ///< names: of wires, of nodes and of the groups that they are in
  std::vector<std::vector<port_wires>> ports_;  ///< by node
  std::vector<wire> wires_;
  std::vector<connection> connections_;
  std::vector<narrow_link> narrow_links_;
};

}  // namespace toriscope
