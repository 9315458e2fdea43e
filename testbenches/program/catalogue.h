// SPDX-License-Identifier: Apache-2.0
// What the program knows by name: `toriscope list` and `toriscope describe KIND NAME`.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

struct catalogue_entry {
  std::string name;         ///< "ttn"
  std::string summary;      ///< one line
  std::string description;  ///< several lines; empty: the summary says it all
  std::string other{};      ///< another name for it, a letter or a former one; empty: none
};

struct catalogue_section {
  std::string kind;    ///< "topology"
  std::string plural;  ///< "topologies"
  std::vector<catalogue_entry> entries;
  std::string other{};  ///< a former name of the kind; empty: none
};

const std::vector<catalogue_section>& catalogue();

/// All sections, or one, a line per entry. @param kind  empty, or a kind in singular or plural
/// @throws std::invalid_argument one line with the nearest name
std::string list_text(const std::string& kind);

/// @throws std::invalid_argument one line with the nearest name
std::string describe_text(const std::string& kind, const std::string& name);

}  // namespace toriscope
