// SPDX-License-Identifier: Apache-2.0
// A bit that flips inside the RTL of one node, from some cycle on: to show that a comparison can fail.
//
//   which   of a flit that waits in one of the node's buffers, the uppermost bit: it belongs to the tag,
//           which leaves with the flit. When none waits for 100 cycles, the lowest bit of the count of the local
//           port's VC 0: the RTL then believes that a flit waits where there is none
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "network/probed_node.h"
#include "rtl_models/on_demand/built_routers.h"

namespace toriscope {

class bit_fault {
 public:
  /// @param text   "NODE@CYCLE"; without NODE the first of `nodes`, without @CYCLE in `cycle`
  /// @param nodes  those that have RTL, built with_registers
  /// @throws std::invalid_argument one line
  bit_fault(const std::string& text, const netlist& wiring, const std::vector<node_id>& nodes, cycle_t cycle);

  /// To be called before each cycle of each node (lockstep_probe::interfere).
  void operator()(const probed_node& node, built_router& rtl, cycle_t now);
  /// The same of RTL with these parameters. @param registers  makes them, once
  void operator()(const probed_node& node, const rtl_parameters& of_rtl,
                  const std::function<std::vector<rtl_register>()>& registers, cycle_t now);

  /// "bit 63 of slots_q[2], torus.node_1_1.router.gen_input[0] ..., in cycle 500"; empty: nothing yet.
  const std::string& done() const { return done_; }
  /// From which cycle on.
  cycle_t cycle() const { return cycle_; }

 private:
  const netlist& wiring_;
  node_id node_;
  cycle_t cycle_;
  std::string done_;
};

}  // namespace toriscope
