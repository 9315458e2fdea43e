// SPDX-License-Identifier: Apache-2.0
// Former names of options, which go on working for one release (CHANGELOG.md).
#pragma once

#include <string>

namespace toriscope {

/// A word of a command line with the option in it by its present name: "--links=U" gives "--inter-module-links=U".
std::string with_present_option(const std::string& word);

/// The same for all words of a text.
std::string with_present_options(const std::string& text);

}  // namespace toriscope
