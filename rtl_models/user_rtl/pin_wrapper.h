// SPDX-License-Identifier: Apache-2.0
// A SystemVerilog module around a user's router, `toriscope_pins`, whose pins have the names and
// shapes that built_pins expects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_models/user_rtl/module_ports.h"
#include "rtl_models/user_rtl/router_description.h"

namespace toriscope {

/// What a router is built with at some nodes.
struct router_variant {
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name, SystemVerilog text
  std::vector<std::string> ports;                               ///< names, by number
  std::vector<std::string> constants;                           ///< of the ties that are texts; else empty

  friend bool operator==(const router_variant& a, const router_variant& b) {
    return a.parameters == b.parameters && a.ports == b.ports && a.constants == b.constants;
  }
};

/// "router #(.X(1), .Y(2)) name": an instance without its pins. @param name  of the instance
std::string instance(const router_description& d, const router_variant& v, const std::string& name);

/// A module that does nothing but instantiate the router, for Verilator to tell what its pins are.
std::string probe_module(const router_description& d, const router_variant& v);

struct pin_wrapper {
  std::string text;
  /// Of the flits at its pins: the description's, with bits for members; its width; and in VCs that are told by a
  /// valid bit for each, a VC in front of the router's own bits.
  flit_format format;
  std::vector<unsigned> tie_bits;  ///< of each tie: those that it drives
  /// @throws std::invalid_argument one line: the pin, its width, what was expected
  pin_wrapper(const router_description& d, const router_variant& v, const top_module& top);
};

}  // namespace toriscope
