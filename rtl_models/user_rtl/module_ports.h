// SPDX-License-Identifier: Apache-2.0
// The pins of a SystemVerilog module as Verilator sees them, with given parameters.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace toriscope {

/// [left:right].
struct index_range {
  int left = 0;
  int right = 0;

  unsigned size() const { return static_cast<unsigned>(std::abs(left - right)) + 1; }
  int lowest() const { return std::min(left, right); }
};

/// A member of a packed structure, however deep: "hdr.dst_id.x".
struct pin_member {
  std::string path;
  unsigned first = 0;  ///< its lowest bit in the structure
  unsigned bits = 0;
};

struct top_pin {
  std::string name;
  bool is_input = true;
  std::vector<index_range> unpacked;  ///< outermost first
  std::vector<index_range> packed;    ///< outermost first; none: one bit
  unsigned width = 1;                 ///< bits of an element of the unpacked array
  std::vector<pin_member> members;    ///< of the structure that it is an array of

  /// All bits.
  unsigned bits() const;
};

struct top_module {
  std::vector<top_pin> pins;
  std::vector<std::string> files;  ///< all that were read, included ones as well

  const top_pin* find(const std::string& name) const;
};

/// Reads what `verilator --xml-only` wrote. @param module  its name in the source
/// @throws std::runtime_error one line
top_module read_top_module(const std::string& xml_file, const std::string& module);

/// A SystemVerilog interface.
struct interface_module {
  // What is_input says of them is nothing.
  std::vector<top_pin> ports;  ///< in its own list of ports
  std::vector<top_pin> signals;
  struct modport {
    std::string name;
    std::vector<std::pair<std::string, std::string>> signals;  ///< name, direction: "in", "out" ...
  };
  std::vector<modport> modports;
  /// Of signals that are packed structs: name and bits of each member.
  std::map<std::string, std::vector<std::pair<std::string, unsigned>>> members;
  bool has_parameters = false;

  const top_pin* find(const std::string& signal) const;
};

/// Likewise. @throws std::runtime_error one line
interface_module read_interface(const std::string& xml_file, const std::string& interface);

}  // namespace toriscope
