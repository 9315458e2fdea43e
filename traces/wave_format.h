// SPDX-License-Identifier: Apache-2.0
// What a kind of waveform file does with the changes that a wave_file has gathered.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace toriscope {

/// "No value" (no flit, no owner ...), for variables of less than 64 bits.
inline constexpr std::uint64_t no_wave_value = ~std::uint64_t{0};

struct wave_change {
  std::uint64_t value;
  std::uint32_t variable;  ///< its number, in the order of add()
};

/// Changes in the order of time; those of one time stamp in the order of variables.
struct wave_batch {
  struct stamp {
    std::uint64_t time;
    std::size_t end;  ///< of its changes
  };
  std::vector<stamp> stamps;
  std::vector<wave_change> changes;
};

class wave_format {
 public:
  virtual ~wave_format() = default;

  // --- the header, in the thread of the simulation ---
  virtual void open_scope(std::string_view name) = 0;
  virtual void close_scope() = 0;
  /// The next variable, of 1 to 64 bits.
  virtual void add(std::string_view name, unsigned width) = 0;
  virtual void end_header() = 0;

  // --- the changes, in another thread; the first stamp of all is the dump of all variables ---
  virtual void write(const wave_batch& batch) = 0;
  /// @param time  of the end, not before that of the last change
  virtual void end(std::uint64_t time) = 0;
};

}  // namespace toriscope
