// SPDX-License-Identifier: Apache-2.0
// Former names of options, which go on working for one release (CHANGELOG.md).
#pragma once

#include <string>

namespace toriscope {

/// A word of a command line with the option in it by its present name: "--links=B" gives "--inter-module-links=B".
std::string with_present_option(const std::string& word);

}  // namespace toriscope
