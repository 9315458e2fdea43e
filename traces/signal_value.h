// SPDX-License-Identifier: Apache-2.0
// The value of one signal (traces/wave_signals.h), for those who ask for a few; traces/node_probe.h reads whole nodes.
#pragma once

#include <cstdint>

#include "traces/wave_signals.h"
#include "traces/wave_values.h"

namespace toriscope {

/// The present value of a signal that is not on a link; wave_values::none where there is none.
std::uint64_t value_of(const network& net, const wave_signal& s);
/// What a signal of a flit shows of `f`, on a link or in a buffer: one of flit ... flit_tag.
inline std::uint64_t value_of(signal_kind kind, flit_word f, const flit_layout& layout) {
  if (kind == signal_kind::flit) return f.bits;
  if (!f.valid()) return wave_values::none;
  switch (kind) {
    case signal_kind::flit_kind:
      return static_cast<std::uint64_t>(kind_of(f));
    case signal_kind::flit_vc:
      return f.vc();
    default:
      return layout.tag(f);
  }
}

}  // namespace toriscope
