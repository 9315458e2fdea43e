// SPDX-License-Identifier: Apache-2.0
// For tests: shapes by the name of their assignment.
#pragma once

#include <string>

#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

/// @param assignment  alpha, beta, perfect; any other name: no upper ranks, to be filled in
inline rdt_shape shape_of(const std::string& assignment, unsigned size) {
  rdt_shape shape;
  shape.size = size;
  shape.perfect = assignment == "perfect";
  if (assignment == "alpha") shape.assignment = rdt_alpha();
  if (assignment == "beta") shape.assignment = rdt_beta();
  return shape;
}

}  // namespace toriscope
