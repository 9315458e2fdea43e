// SPDX-License-Identifier: Apache-2.0
// The charts of a report as SVG and PNG files: a Chromium without a window opens the page and hands them over
// (web/src/figure_files.js), so that they are the very charts of the page.
#pragma once

#include <cstddef>
#include <string>

namespace toriscope {

/// Looked for by the usual names, unless the environment has CHROMIUM. @throws std::runtime_error when there is none
std::string find_chromium();

/// @param page       a report, an HTML file
/// @param directory  made when it is missing
/// @returns how many files were written
/// @throws std::runtime_error one line
std::size_t write_figures(const std::string& page, const std::string& directory);

}  // namespace toriscope
