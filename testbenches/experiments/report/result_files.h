// SPDX-License-Identifier: Apache-2.0
// What `toriscope report` is given: the kinds of results that it knows, read and recognised.
//
//   directories  of a sweep (sweep.json) and of a reproduction (verdicts.json)
//   files        either of these two; `run --json`; and of such a run, named after it,
//                `--observe --link-stats` as .json
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace toriscope {

struct result_file {
  enum class kind { sweep, verdicts, run, link_usage };
  kind what;
  std::string path;  ///< of the file itself
  nlohmann::ordered_json content;
};

/// "sweep", "verdicts", "run", "use of links".
const char* to_string(result_file::kind k);

/// Reads what there is at each path, in the order given.
/// @throws std::invalid_argument one line: the path (with the line where it is not JSON), what would be right
std::vector<result_file> read_results(const std::vector<std::string>& paths);

}  // namespace toriscope
