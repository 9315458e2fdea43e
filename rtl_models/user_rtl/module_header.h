// SPDX-License-Identifier: Apache-2.0
// The header of a SystemVerilog module as text: its imports, parameters and ports, one by one. For modules whose ports
// are interfaces, which Verilator does not read without what is around them.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

struct module_header {
  struct parameter {
    std::string text;  ///< "parameter int N = 5", as in the source
    std::string name;
    bool is_local = false, is_type = false, has_default = false;
  };
  struct port {
    std::string text;  ///< "input logic [N-1:0] valid", as in the source but for attributes
    std::string name;
    bool is_input = false, is_output = false;
    // Of an interface port:
    std::string interface;   ///< empty: a plain port
    std::string modport;     ///< may be empty
    std::string dimensions;  ///< "[N]"
  };

  std::string imports;  ///< "import a::*;", may be empty
  std::vector<parameter> parameters;
  std::vector<port> ports;
};

/// @param text  of a source without comments and macros, as `verilator -E -P` writes it
/// @throws std::invalid_argument one line: there is no such module, or its ports are declared in its body
module_header header_of(const std::string& text, const std::string& module);

}  // namespace toriscope
