// SPDX-License-Identifier: Apache-2.0
// Verilator on the sources of a description, for what it says of them.
#pragma once

#include <string>
#include <vector>

#include "base/measured_process.h"
#include "rtl_models/user_rtl/router_description.h"

namespace toriscope {

/// The defines and options of a description, as words for Verilator.
std::vector<std::string> verilator_options(const router_description& d);

/// Runs Verilator on the description's sources, with all that they are read with.
/// @param options     what it shall do
/// @param more_files  behind the sources
/// @throws std::invalid_argument one line: there is no Verilator
measured_process run_verilator(const router_description& d, const std::vector<std::string>& options,
                               const std::vector<std::string>& more_files = {});

/// The name of a module that holds what is asked for, in one of more_files; and the options with which Verilator tells
/// its parts in the file `xml` (module_ports.h).
inline constexpr const char* probe_name = "toriscope_probe";
std::vector<std::string> probe_options(const std::string& xml);

}  // namespace toriscope
