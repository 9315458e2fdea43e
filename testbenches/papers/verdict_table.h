// SPDX-License-Identifier: Apache-2.0
// Verdicts as verdicts.json, as a table for documents, and as a summary for people.
#pragma once

#include <string>
#include <vector>

#include "testbenches/papers/paper.h"

namespace toriscope {

/// A list of {paper, item, printed, ours, tolerance, verdict, reason, command}, in a line each. Numbers are
/// numbers; null: there is none.
std::string verdicts_as_json(const std::vector<verdict>& verdicts);

/// Markdown: per paper its citation, counts, and a table.
/// @param command  that made it
std::string verdicts_as_markdown(const std::vector<paper>& papers, const std::vector<verdict>& verdicts,
                                 const std::string& command);

/// A line per item of each paper with the counts of its verdicts, and the totals.
std::string verdict_summary(const std::vector<paper>& papers, const std::vector<verdict>& verdicts);

/// The items of papers, a line each.
std::string item_list(const std::vector<paper>& papers);

}  // namespace toriscope
