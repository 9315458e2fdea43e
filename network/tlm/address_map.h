// SPDX-License-Identifier: Apache-2.0
// Which node serves which addresses. Ranges do not overlap; what is in none of them is unmapped.
//
//   file   {"ranges": [{"node": "bm_0_0.node_0_1", "base": "0x1000", "size": "0x1000", "access": "r"}, ...]}
//          node: a number or a path of the netlist; numbers: decimal, or "0x..." in quotes; access "r", "w"
//          or "rw" (default); target_base: the address that the target sees for the first byte (default 0)
//   errors std::invalid_argument with one line: where, what is wrong, what would be right
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

struct address_range {
  node_id node = 0;
  std::uint64_t base = 0;
  std::uint64_t size = 0;         ///< in bytes, at least 1
  std::uint64_t target_base = 0;  ///< the address that the target sees for the first byte
  bool readable = true;
  bool writable = true;

  /// The address of the last byte.
  std::uint64_t last() const { return base + (size - 1); }
};

class address_map {
 public:
  address_map() = default;
  /// As add() for each. @throws std::invalid_argument
  address_map(std::initializer_list<address_range> ranges);

  /// @throws std::invalid_argument when the range is empty, goes beyond the last address, or overlaps another
  void add(const address_range& range);
  /// The range that all bytes from `address` to `address` + `bytes` - 1 are in; null when there is none.
  const address_range* find(std::uint64_t address, std::uint64_t bytes = 1) const;
  /// By address.
  const std::vector<address_range>& ranges() const { return ranges_; }

 private:
  std::vector<address_range> ranges_;
};

address_map read_address_map(const std::string& path, const netlist& wiring);

/// @param where  for messages: "address map 'soc.json'"
address_map parse_address_map(const std::string& text, const std::string& where, const netlist& wiring);

}  // namespace toriscope
