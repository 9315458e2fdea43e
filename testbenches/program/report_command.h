// SPDX-License-Identifier: Apache-2.0
// `toriscope report`: results as one HTML page to look at, and as figures for papers.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace toriscope {

struct report_request {
  std::vector<std::string> results;  ///< directories and files (testbenches/experiments/report/result_files.h)
  std::string page = "report.html";  ///< "-" is standard output
  std::string figures;               ///< a directory; empty: none
};

void add_report_options(CLI::App& report, report_request& request);

/// @returns an exit_status
int report_command(const report_request& request);

}  // namespace toriscope
