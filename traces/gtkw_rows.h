// SPDX-License-Identifier: Apache-2.0
// Rows that are added to a GTKWave save file (gtkw.h): variables that were merged into its VCD, in groups.
#pragma once

#include <string>

#include "traces/vcd_merge.h"
#include "traces/wave_signals.h"

namespace toriscope {

class gtkw_rows {
 public:
  void begin_group(const std::string& name, bool open);
  void end_group();
  void comment(const std::string& text);
  /// @param alias  what the row is called; empty: the name
  void add(const vcd_variable& v, const std::string& alias = "", bool decimal = false,
           wave_colour colour = wave_colour::normal);

  /// Behind what the file shows, or before all of its groups. @throws std::runtime_error when it cannot be written
  void append_to(const std::string& save_file) const;
  void put_on_top_of(const std::string& save_file) const;

 private:
  struct group {
    std::string name;
    bool open;
  };
  std::string text_;
  std::vector<group> groups_;  ///< not ended yet
};

}  // namespace toriscope
