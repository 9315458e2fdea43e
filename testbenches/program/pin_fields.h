// SPDX-License-Identifier: Apache-2.0
// What is at the ports of a user's router, by its description, as a waveform of its own: valid, ready or credits, and
// of each flit the fields. z: no flit, or the flit has no such field.
#pragma once

#include <string>
#include <vector>

#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "traces/wave_file.h"

namespace toriscope {

class pin_fields {
 public:
  /// Writes "PATH.in_east.valid" ... to `file`, a VCD in ps.
  pin_fields(const std::string& file, const std::string& path, const user_rtl_made& router, bool credits);

  /// What is at the pins now.
  void show(std::uint64_t ps);
  /// Ends the file; false: nothing was shown, and there is none.
  bool close();

  /// Whether a flit was at the router's port r.
  bool used(unsigned r) const { return used_[r]; }

 private:
  struct field {
    std::string name;
    bit_field all, head, body;  ///< of all flits, of heads, of others
    unsigned width() const;
  };
  struct side {
    wave_file::variable valid, back;
    std::vector<wave_file::variable> fields;
  };
  void show(const side& s, bool valid, std::uint32_t back, const wide_flit& flit);

  const user_rtl_made router_;
  wave_file file_;
  std::vector<field> fields_;
  std::vector<side> in_, out_;  ///< by port of the router
  std::vector<bool> used_;
  std::uint64_t last_ps_ = 0;
};

}  // namespace toriscope
