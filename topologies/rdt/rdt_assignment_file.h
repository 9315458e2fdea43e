// SPDX-License-Identifier: Apache-2.0
// An assignment of ranks to classes from a JSON file:
//   {"class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3, "0,1": 4, "1,1": 3, "2,1": 2, "3,1": 1}}
// which is alpha. Every class is named once, with a rank 0 (no upper torus) .. 4.
#pragma once

#include <string>

#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

/// @throws std::invalid_argument with one line: the file, what is wrong in it, what would be right
rdt_assignment read_rdt_assignment(const std::string& path);

}  // namespace toriscope
