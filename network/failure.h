// SPDX-License-Identifier: Apache-2.0
// Why a network stopped before the end of its run.
#pragma once

#include <string>
#include <vector>

#include "links/flit.h"
#include "topologies/route.h"

namespace toriscope {

struct network_failure {
  enum class kind { deadlock, invariant } what = kind::invariant;
  cycle_t cycle = 0;  ///< in which it was found
  /// A deadlock: the cycle in which the last flit moved of those that first waited for each other; the same
  /// whenever it is found. Silence (network/silence.h): the look that saw the last move. A broken invariant: `cycle`.
  cycle_t since = 0;
  std::string message;              ///< one line
  std::vector<std::string> detail;  ///< one line each: the channels of the wait-for cycle ...
  std::vector<node_id> nodes;       ///< where to look
};

/// Reports it as an SC_ERROR of the module `name`, with a message id by its kind; stops the simulation where
/// that returns.
void report_failure(const std::string& name, const network_failure& failure);

}  // namespace toriscope
