// SPDX-License-Identifier: Apache-2.0
// Where answered requests are reported to.
#pragma once

#include "links/flit.h"

namespace toriscope {

/// Told of every request answered.
class round_trip_sink {
 public:
  virtual ~round_trip_sink() = default;
  /// @param asked     cycle in which the request was created
  /// @param answered  cycle in which the client received the reply's tail
  virtual void request_answered(cycle_t asked, cycle_t answered) = 0;
};

}  // namespace toriscope
