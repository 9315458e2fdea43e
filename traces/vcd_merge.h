// SPDX-License-Identifier: Apache-2.0
// Two VCD files as one: the waves of RTL beside those of the model, in one view.
//
//   files   from traces/, SystemC or Verilator (IEEE Std 1364-2005, Sect. 18); both are read as streams
//   scopes  those of both files, one hierarchy after the other; either may be put into a scope of its own
//   time    the finer of the two time scales; what both say at one time stands under one time stamp
#pragma once

#include <string>
#include <vector>

namespace toriscope {

/// A file to be merged.
struct vcd_source {
  std::string path;
  std::string scope;  ///< around its hierarchy: "rtl"; empty: none
};

/// A variable of a VCD by its full name, "ttn.node_0_3.flit_i".
struct vcd_variable {
  std::string name;
  unsigned width = 1;
};

/// Writes both to `merged`, which appears whole or not at all.
/// @returns the variables of the second file, by the names that they have in the merged one
/// @throws std::runtime_error one line: a file that cannot be read or written, or is not a VCD
std::vector<vcd_variable> merge_vcd(const vcd_source& first, const vcd_source& second,
                                    const std::string& merged);

/// Appends a group to a GTKWave save file (gtkw.h): the variables in hexadecimal, folded away.
/// @throws std::runtime_error when the file cannot be written
void add_gtkw_group(const std::string& save_file, const std::string& name,
                    const std::vector<vcd_variable>& variables);

}  // namespace toriscope
