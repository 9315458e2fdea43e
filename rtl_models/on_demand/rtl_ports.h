// SPDX-License-Identifier: Apache-2.0
// The ports of a verilated top module, and whether they are those that are needed.
#pragma once

#include <string>
#include <vector>

#include "rtl_models/on_demand/rtl_design.h"

namespace toriscope {

using rtl_port = rtl_design::pin;

/// The ports that the header of a verilated class declares.
std::vector<rtl_port> ports_of_header(const std::string& header);

/// @throws rtl_build_error one line: which port is missing, too much, or of another width or direction, and
/// what would be right
void check_ports(const rtl_design& design, const std::vector<rtl_port>& ports);

}  // namespace toriscope
