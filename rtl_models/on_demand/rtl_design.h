// SPDX-License-Identifier: Apache-2.0
// What to build: any synthesizable RTL with one top module. Knows nothing of routers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace toriscope {

struct rtl_design {
  /// A port that the top module must have.
  struct pin {
    std::string name;
    unsigned bits = 1;
    bool is_output = false;
  };

  std::string what = "the RTL";    ///< for messages: "the router"
  std::vector<std::string> files;  ///< SystemVerilog sources
  std::vector<std::string> include_directories;
  /// Others that Verilator reads - included, or found in these directories -: the cache tells designs apart by what
  /// is in them. A file that cannot be read counts as empty.
  std::vector<std::string> read_files;
  std::string top;                                              ///< the top module
  std::vector<std::pair<std::string, std::string>> parameters;  ///< of the top module: name, value
  /// Ports that are checked; empty: whatever it has is right. An input that is not listed is an error, an
  /// output that is not is left open.
  std::vector<pin> pins;
  std::vector<std::string> verilator_options;  ///< more of them: "-Wno-WIDTH"

  bool with_trace = false;      ///< can write waveforms; slower
  bool with_registers = false;  ///< its registers can be seen and set; slower
};

/// "PORTS 5, VCS 4".
std::string parameters_text(const rtl_design& design);

}  // namespace toriscope
