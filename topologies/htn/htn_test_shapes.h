// SPDX-License-Identifier: Apache-2.0
// For tests: HTNs by their numbers.
#pragma once

#include "topologies/htn/htn_shape.h"

namespace toriscope {

inline htn_shape htn(unsigned m, unsigned n, unsigned levels, unsigned q) {
  return {htn_kind::htn, m, n, levels, q};
}

}  // namespace toriscope
