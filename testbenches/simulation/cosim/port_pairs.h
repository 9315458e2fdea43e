// SPDX-License-Identifier: Apache-2.0
// What model and RTL send by every port of a node, side by side, as a waveform of its own: for each port flit_o - the
// word, its VC and tag - and credit_o of the model, of the RTL, and whether they differ. What edge t makes them
// send is right of t ns, as in the waves of RTL.
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/cosim/lockstep_probe.h"
#include "traces/gtkw_rows.h"
#include "traces/wave_file.h"

namespace toriscope {

class port_pairs {
 public:
  /// Of the cycles from .. to. @param file  a VCD  @param probe  this becomes its only listener
  port_pairs(const std::string& file, const netlist& wiring, const flit_layout& layout, node_id node,
             cycle_t from, cycle_t to, lockstep_probe& probe);

  /// Ends the file; false: nothing was compared in those cycles, and there is none.
  bool close();
  /// Rows for a save file, the ports with differences open, the first to differ on top.
  /// @param variables  of the file, merged
  gtkw_rows rows(const std::vector<vcd_variable>& variables, const std::string& title) const;

 private:
  static constexpr cycle_t never = ~cycle_t{0};
  struct pair {
    wave_file::variable model, rtl, differs;
  };
  struct port {
    std::string name;
    pair flit, vc, tag, credit;
    cycle_t differs_from = never;
  };
  pair add(const std::string& scope, const std::string& name, unsigned width);
  void set(const pair& p, std::uint64_t model, std::uint64_t rtl);
  void show(const port_comparison& c);

  const flit_layout layout_;
  const node_id node_;
  const cycle_t from_, to_;
  wave_file file_;
  wave_file::variable any_;
  std::vector<port> ports_;  ///< of the RTL
  cycle_t last_ = 0;
  bool any_differs_ = false;
};

}  // namespace toriscope
