// SPDX-License-Identifier: Apache-2.0
// What a network consists of, for programs that do not link with the library's C++.
#pragma once

#include <string>

#include "topologies/registry.h"

namespace toriscope {

/// {"name", "nodes": [{"address", "path", "position": [x, y]}], "terminals": [{"address", "node", "exit"}],
///  "links": [{"from", "port", "to", "to_port", "level", "delay_cycles", "flit_cycles", "length", "bend"}]}: JSON, each
/// list in the order of the numbers.
std::string wiring_text(const topology& made);

}  // namespace toriscope
