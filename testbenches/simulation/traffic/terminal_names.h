// SPDX-License-Identifier: Apache-2.0
// Terminals by name: one, or all that a pattern or a module means.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class terminal_names {
 public:
  /// @param wiring  outlives this
  explicit terminal_names(const netlist& wiring) : wiring_(wiring) {}

  /// "27"; an address, "12.03" or "12.03.t1"; a name, "chiplet_2.cpu0"; a pattern, "cpu*", for all whose name,
  /// or that of a module above them, matches (glob.h); a group of name_group().
  /// @returns in ascending order, at least one
  /// @throws std::invalid_argument one line with the nearest names
  std::vector<terminal_id> named(const std::string& text) const;
  /// Likewise all of a list, each once.
  std::vector<terminal_id> named(const std::vector<std::string>& texts) const;
  /// Lets `name` stand for these.
  void name_group(const std::string& name, std::vector<terminal_id> members) {
    groups_[name] = std::move(members);
  }

 private:
  void list_names() const;

  const netlist& wiring_;
  std::map<std::string, std::vector<terminal_id>> groups_;
  mutable std::vector<std::string> paths_;                        ///< by terminal; empty: not listed yet
  mutable std::unordered_map<std::string, terminal_id> by_name_;  ///< paths and addresses
};

}  // namespace toriscope
