// SPDX-License-Identifier: Apache-2.0
// What is thrown when something happened that must never happen: a defect of the model, of a routing
// function, or of RTL that stands in a router's place.
#pragma once

#include <stdexcept>
#include <string>

#include "links/flit.h"
#include "topologies/route.h"

namespace toriscope {

class invariant_violation : public std::logic_error {
 public:
  invariant_violation(node_id where, const std::string& what) : std::logic_error(what), node(where) {}
  node_id node;  ///< where it was noticed
};

}  // namespace toriscope
