// SPDX-License-Identifier: Apache-2.0
// Two VCD files as one: the waves of RTL beside those of the model, in one view.
//
//   files   from traces/, SystemC or Verilator (IEEE Std 1364-2005, Sect. 18); both are read as streams
//   scopes  those of both files, one hierarchy after the other; either may be put into a scope of its own
//   time    the finer of the two time scales; what both say at one time stands under one time stamp
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace toriscope {

/// A file to be merged.
struct vcd_source {
  std::string path;
  std::string scope;  ///< around its hierarchy: "rtl"; empty: none
  /// No more variables than these are taken, those of the upper levels of the hierarchy first.
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

/// A variable of a VCD by its full name, "ttn.node_0_3.flit_i".
struct vcd_variable {
  std::string name;
  unsigned width = 1;
  std::string range{};  ///< as the file has it: "[7:0]"; empty: a single bit
};

/// The variables of the second file, by the names that they have in the merged one.
struct vcd_merged {
  std::vector<vcd_variable> variables;
  std::size_t left_out = 0;  ///< more of them than vcd_source::most
};

/// Writes both to `merged`, which appears whole or not at all.
/// @throws std::runtime_error one line: a file that cannot be read or written, or is not a VCD
vcd_merged merge_vcd(const vcd_source& first, const vcd_source& second, const std::string& merged);

}  // namespace toriscope
