// SPDX-License-Identifier: Apache-2.0
// A value change dump (IEEE Std 1364-2005, Sect. 18). Values are printed as SystemC 2.3.4 prints an integer: "b101 id",
// leading zeros left out, "0id" for one bit; no value as z.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "traces/wave_format.h"

namespace toriscope {

class vcd_format final : public wave_format {
 public:
  vcd_format(output_file& out, std::string_view timescale, const std::vector<std::string>& comments);

  void open_scope(std::string_view name) override;
  void close_scope() override;
  void add(std::string_view name, unsigned width) override;
  void end_header() override;
  void write(const wave_batch& batch) override;
  void end(std::uint64_t time) override;

 private:
  struct line_end {
    char text[6] = {};  ///< the identifier and the end of the line
    std::uint8_t length = 0;
    std::uint8_t width = 1;  ///< of the variable
  };

  char* put_change(char* text, const wave_change& change) const;

  output_file& out_;
  std::vector<line_end> line_ends_;
  std::string text_;
  std::uint64_t stamped_ = 0;  ///< the last time stamp printed
  bool dumped_ = false;
};

}  // namespace toriscope
