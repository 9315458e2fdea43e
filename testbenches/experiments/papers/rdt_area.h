// SPDX-License-Identifier: Apache-2.0
// Fan et al. 1999, Fig. 4: mean distances within squares of an RDT(2,4,1) so large that a square sees no end
// of it. The wiring repeats every four nodes, so that a source of each of the 8 classes stands for all.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "testbenches/experiments/papers/printed_rows.h"
#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

/// Distances from a source of each class to the nodes around it.
class rdt_area {
 public:
  /// @param assignment  "alpha" or "beta"
  /// @param kind        by shortest paths, or as floating vectors route
  rdt_area(const std::string& assignment, distance_kind kind);

  /// From sources of that class to all nodes of a square of `side` x `side`, over all places of the square
  /// that hold the source.
  double mean(unsigned class_number, unsigned side) const;
  /// Over all classes.
  double mean(unsigned side) const;

 private:
  std::array<std::vector<unsigned>, rdt_classes> distances_;  ///< by offset in y, then x
};

}  // namespace toriscope
