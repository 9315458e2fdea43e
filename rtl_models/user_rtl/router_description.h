// SPDX-License-Identifier: Apache-2.0
// The description of a user's router: a JSON file that says what its pins and flits are called
// (docs/your_own_rtl.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "links/flit.h"
#include "rtl_models/user_rtl/flit_format.h"

namespace toriscope {

/// A pin that has something for every port: one of each port ("{p}" in its name stands for the port's), or
/// one for all of them. `member` and `bits` choose a part of what it has for a port: "!link{p}.ready", "x[7:4]".
struct port_pin {
  std::string key;   ///< of the description: "pins.in_valid"
  std::string name;  ///< empty: there is none
  bool inverted = false;
  std::string member = {};                ///< of a packed structure; empty: all of it
  unsigned first_bit = 0, bit_count = 0;  ///< in that; bit_count 0: all of it

  bool of_each_port() const { return name.find("{p}") != std::string::npos; }
  bool is_part() const { return !member.empty() || bit_count > 0; }
};

struct router_description {
  enum class flow_control { ready_valid, credit, on_off };

  std::string file;  ///< its own path; sources are looked for beside it
  std::string top;
  std::vector<std::string> sources;
  std::vector<std::string> include_directories;
  std::vector<std::string> defines;
  std::vector<std::string> verilator_options;                   ///< of those that verilator_options.h knows
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name, text with {expressions}

  std::string clock_pin;
  unsigned clocks_per_cycle = 1;
  std::string reset_pin;  ///< empty: none
  bool reset_active_low = false;
  unsigned reset_clocks = 4;

  flow_control flow = flow_control::ready_valid;
  unsigned vcs = 1;
  unsigned depth = 0;           ///< credits, on/off: flits per VC
  unsigned slack = 0;           ///< on/off: flits that may come after "off"
  bool ready_of_offer = false;  ///< with VCs: one ready, for the VC of the flit that is shown
  bool atomic_vcs = false;      ///< a head goes only into an empty VC
  bool registered_outputs = false;
  bool own_routes = false;
  std::uint64_t patience_cycles = 1000;

  /// The user's name and the model's name of a port, in the order of its port numbers; empty: those of the netlist.
  std::vector<std::pair<std::string, std::string>> ports;
  bool local_port_first = false;  ///< netlist ports: the local one is number 0, else the last

  port_pin in_valid, in_ready, in_credit, in_credit_valid, in_credit_vc;
  port_pin out_valid, out_ready, out_credit, out_credit_valid, out_credit_vc;
  std::vector<port_pin> in_flit, out_flit;  ///< pieces of a flit, the highest bits first

  struct tie {
    port_pin pin;       ///< a part of it, or of each port: the same for all ports
    std::string value;  ///< expression or text
  };
  std::vector<tie> ties;  ///< inputs that never change

  std::vector<std::string> plus_arguments;  ///< of each instance, with {expressions}

  flit_format flit;  ///< width 0: that of the pins

  /// @throws std::invalid_argument one line: file, key, what is right
  /// @param sources_only  no more than top, sources and what they are read with
  static router_description read(const std::string& path, bool sources_only = false);
};

}  // namespace toriscope
