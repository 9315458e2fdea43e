// SPDX-License-Identifier: Apache-2.0
// How routing breaks the tie in a ring with an even number of nodes.
#pragma once

namespace toriscope {

/// Which way a packet goes when both ways round an even ring are equally long.
enum class ring_ties {
  nowrap,    ///< the way that does not use the wrap link
  positive,  ///< always +
  balanced,  ///< by the digit where the packet begins with the dimension: even +, odd -
};

/// "nowrap", "positive", "balanced".
const char* to_string(ring_ties ties);

}  // namespace toriscope
