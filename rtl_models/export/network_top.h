// SPDX-License-Identifier: Apache-2.0
// A network as a SystemVerilog module: routers of sv/router.sv, wired as the netlist says.
//
//   names   the module is called as the netlist; instances and wires have the names of waves:
//           ttn.bm_1_2.node_0_3 is a router, \bm_1_2.node_0_3.in_x+ the flit that its port x+ is shown,
//           \bm_1_2.node_0_3.credit_x+ the credits for what leaves by x+
//           or plain identifiers: bm_1_2__node_0_3__in_xp
//   pins    clk_i, rst_i, and flat vectors of what passes the local ports: terminal t has FLIT_BITS bits from
//           FLIT_BITS*t on of flit_i and flit_o, VCS*t .. VCS*t+VCS-1 of credit_o and credit_i
//   width   the parameter FLIT_BITS, 64 as in the model or another: what is beyond the head's fields is payload
//   time    the router is the first register of a link: a delay of D cycles is D-1 registers (delay_line.sv),
//           and so are the delays of injection, ejection and credits. A network interface outside has links
//           of delay 1.
//   narrow  such a link is a wire of some bits between narrow_sender.sv and narrow_receiver.sv
//   limits  routers with the same VCs, depth and pipeline have the same parameters, so that they are one module to a
//           simulator; their route tables are loaded by path (+route_tables=DIR), in synthesis by the parameter
//           ROUTE_TABLE, from the directory that the macro NAME_ROUTES names ("routes")
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "rtl_models/export/network_wires.h"
#include "rtl_models/rtl_router.h"
#include "topologies/netlist.h"

namespace toriscope {

/// Of macros and variables of the environment: torus_rtl is TORUS_RTL.
std::string in_capitals(std::string name);

/// @param routers  by node
/// @param comment  one line on what the network is
void write_network_top(std::ostream& out, const netlist& wiring, const network_config& config,
                       const std::vector<rtl_parameters>& routers, const std::string& comment,
                       const sv_style& names = {});

/// Streams of packets received by a terminal.
unsigned receive_streams(const network_config& config);

/// The network with a network interface (network_interface.sv) at each terminal, module NAME_streams: its pins are
/// streams of packets, flat vectors of terminal * CLASSES + class.
void write_streams(std::ostream& out, const netlist& wiring, const network_config& config,
                   const rtl_parameters& router, const std::string& comment, const sv_style& names = {});

/// A testbench, module scoreboard: each of the routers beside the model's, whose inputs it gets and with whose outputs
/// its own are compared (testbenches/systemverilog/toriscope_boundary.sv). +cycles=N, +route_tables=DIR.
/// @param model  file with the configuration
void write_scoreboard(std::ostream& out, const netlist& wiring, const network_config& config,
                      const std::vector<rtl_parameters>& routers, const std::string& comment,
                      const std::string& model, const sv_style& names = {});

}  // namespace toriscope
