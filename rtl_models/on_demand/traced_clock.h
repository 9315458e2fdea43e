// SPDX-License-Identifier: Apache-2.0
// The clock of an instance, and a waveform of the cycles from .. to, as in the model's waveforms: edge t stands at
// t ns, and what it samples left of it.
#pragma once

#include <functional>
#include <string>

#include "links/flit.h"
#include "rtl_models/on_demand/rtl_library.h"

namespace toriscope {

class traced_clock {
 public:
  static constexpr std::uint64_t cycle_ps = 1000;

  /// @param per_cycle  edges in a cycle; the first samples what links show
  traced_clock(rtl_instance& instance, const std::string& pin, unsigned per_cycle = 1)
      : instance_(instance), clk_(instance.pin(pin)), per_cycle_(per_cycle) {}

  /// A falling and a rising edge. @throws rtl_assertion
  void edge();
  /// The next edge is the first one of cycle 0.
  void begin() { edges_ = 0; }

  /// The library must be built with_trace. `also` is called with each time at which the waveform is written; may be
  /// null.
  void trace(const std::string& file, cycle_t from, cycle_t to,
             std::function<void(std::uint64_t ps)> also = {});
  void end_trace();
  bool traces() const { return !file_.empty(); }
  /// What comes from now on is not in the waveform.
  void stop_trace() { file_.clear(); }

 private:
  void dump(std::uint64_t ps);

  rtl_instance& instance_;
  rtl_bits clk_;
  const unsigned per_cycle_;
  std::uint64_t edges_ = 0;  ///< done
  std::string file_;         ///< empty: there is no waveform to be written
  bool open_ = false;
  cycle_t from_ = 0, to_ = 0;
  std::function<void(std::uint64_t)> also_;
};

}  // namespace toriscope
