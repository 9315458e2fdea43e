// SPDX-License-Identifier: Apache-2.0
// The wires of a network as a SystemVerilog module has them, by the names of waves: in_x+ is the flit that a
// node is shown at its port x+, credit_x+ the credits for what leaves by x+; in_local, credit_ni, out_local
// and credit_local go to and from the network interface.
//
// The router is the first register of a link. A delay of D cycles is D-1 registers more, and then what the
// router drives has another name: out_x+ and freed_x+ at its own end.
#pragma once

#include <string>
#include <vector>

#include "network/network_config.h"
#include "topologies/netlist.h"

namespace toriscope {

class network_wires {
 public:
  static constexpr unsigned flit_bits = 64;

  /// What the four pins of a port are connected to: a wire, or a constant.
  struct port_wires {
    std::string flit_i, credit_i, flit_o, credit_o;
  };
  struct wire {
    std::string name;
    unsigned bits;
  };
  /// `to` shows what `from` was `registers` cycles before.
  struct connection {
    std::string from, to;
    unsigned bits;
    unsigned registers;
  };

  /// @param router_ports  ports of every router, at least those of the node with the most
  network_wires(const netlist& wiring, const network_config& config, unsigned router_ports);

  /// By port of the router, the local one last.
  const std::vector<port_wires>& of(node_id n) const { return ports_[n]; }
  const std::vector<wire>& wires() const { return wires_; }
  const std::vector<connection>& connections() const { return connections_; }

 private:
  void add_link(const netlist_link& l);
  void add_local(node_id n);
  void tie_off(node_id n);
  std::string declare(node_id n, const std::string& name, unsigned bits);
  void connect(const std::string& from, const std::string& to, unsigned bits, unsigned delay);

  const netlist& wiring_;
  const network_config& config_;
  std::vector<std::vector<port_wires>> ports_;  ///< by node
  std::vector<wire> wires_;
  std::vector<connection> connections_;
};

}  // namespace toriscope
