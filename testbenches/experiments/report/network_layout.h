// SPDX-License-Identifier: Apache-2.0
// Where the nodes, modules and links of a network are drawn (topologies/analysis/network_canvas.h), as the page
// reads it:
//   {"width", "height", "nodes": [[x, y]], "names": [address], "frames": [[x, y, width, height, level]],
//    "ports": [name], and by link: "from": [node], "to": [node], "port": [index], "levels": [level],
//    "bends": [[x, y] or null]}
// and by terminal, for the report only: "injection": [node], "ejection": [node].
#pragma once

#include "base/json.h"
#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// @throws std::invalid_argument one line: there is no such network, or it is too large for a picture
nlohmann::ordered_json network_layout(const run_config& config);

}  // namespace toriscope
