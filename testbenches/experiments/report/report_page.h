// SPDX-License-Identifier: Apache-2.0
// The page with its data: one HTML file that needs nothing else. Style, scripts and charting library are part of the
// program (web/).
#pragma once

#include <string>

#include "base/json.h"

namespace toriscope {

/// @param document  of report_document.h; whatever stands in its texts is never markup
/// @throws std::runtime_error one line: the program was built without npm
std::string report_page(const nlohmann::ordered_json& document);

}  // namespace toriscope
