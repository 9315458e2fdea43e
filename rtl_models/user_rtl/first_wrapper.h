// SPDX-License-Identifier: Apache-2.0
// A first wrapper around a user's router, for ports that a description cannot name: SystemVerilog interfaces, types
// that are parameters. A module with flat pins in SystemVerilog, and a description of it, both with "FILL IN" where
// only the user knows what is right.
#pragma once

#include <string>

namespace toriscope {

struct first_wrapper {
  std::string module;  ///< "router_pins"
  std::string source;  ///< "dir/router_pins.sv", beside the description
  std::string source_text;
  std::string description;  ///< "dir/router_pins.json"
  std::string description_text;

  /// @param path  a description of which only top, sources and what they are read with is needed
  /// @throws std::invalid_argument one line
  explicit first_wrapper(const std::string& path);

  /// Writes both, where there are none. @returns what was written, and what Verilator says to it, in lines
  /// @throws std::invalid_argument, std::runtime_error one line
  std::string write() const;
};

/// The ports of the module that a description names, a line each. @throws std::invalid_argument one line
std::string describe_ports(const std::string& path);

}  // namespace toriscope
