// SPDX-License-Identifier: Apache-2.0
// Where the SystemVerilog of the router is: the one place that knows.
//
// In this order: the environment variable TORISCOPE_RTL, which names a directory like rtl_models/sv;
// share/toriscope/rtl/sv beside the bin directory of the running program, wherever the installed tree was
// moved to; the source tree that the library was built from; the place that it was to be installed to.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

/// The directory of router.sv, its parts and router.f.
/// @throws std::runtime_error one line: where it was looked for
std::string rtl_source_directory();

/// Paths of the files that make up the router, as router.f lists them. @throws std::runtime_error
std::vector<std::string> rtl_router_sources();

/// The directory of what an exported network is made with: export/delay_line.sv, its testbench.
/// @throws std::runtime_error
std::string rtl_export_directory();

/// The directory that #include "rtl_models/rtl_router.h" is relative to.
/// @throws std::runtime_error one line: where it was looked for
std::string rtl_include_directory();

}  // namespace toriscope
