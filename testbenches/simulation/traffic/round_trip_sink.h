// SPDX-License-Identifier: Apache-2.0
// What a source of requests tells of them.
#pragma once

#include "links/flit.h"

namespace toriscope {

/// Told of every request: first that it was created, then that it was answered, or that it never will be.
class round_trip_sink {
 public:
  virtual ~round_trip_sink() = default;
  virtual void request_created(cycle_t /*asked*/) {}
  /// @param asked     cycle in which the request was created
  /// @param answered  cycle in which the client received the reply's tail
  virtual void request_answered(cycle_t asked, cycle_t answered) = 0;
  /// It, or its reply, met a dead link.
  virtual void request_lost(cycle_t /*asked*/) {}
};

}  // namespace toriscope
