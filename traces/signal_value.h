// SPDX-License-Identifier: Apache-2.0
// The value of one signal (traces/wave_signals.h), for those who ask for a few; traces/node_probe.h reads whole nodes.
#pragma once

#include <cstdint>

#include "traces/wave_signals.h"

namespace toriscope {

/// The present value of a signal that is not on a link; wave_file::none where there is none.
std::uint64_t value_of(const network& net, const wave_signal& s);
/// The value of a signal on a link that shows `f`.
std::uint64_t value_of(signal_kind kind, flit_word f, const flit_layout& layout);

}  // namespace toriscope
