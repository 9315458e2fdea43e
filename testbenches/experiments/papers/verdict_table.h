// SPDX-License-Identifier: Apache-2.0
// Verdicts as verdicts.json, as a table for documents, and as a summary for people.
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

/// A list of {paper, item, printed, ours, tolerance, verdict, provenance, reading, other_readings, reason,
/// command, beneath}, in a line each. Numbers are numbers; null: there is none.
std::string verdicts_as_json(const std::vector<verdict>& verdicts);

/// @throws std::invalid_argument in one line, when it is not such a list
std::vector<verdict> verdicts_from_json(const std::string& text);

/// Markdown: per paper its citation, counts, a table, and what is not judged.
/// @param command  that made it
std::string verdicts_as_markdown(const std::vector<paper>& papers, const std::vector<verdict>& verdicts,
                                 const std::string& command);

/// Verdicts by where they come from, and of each paper; the table that documents show.
std::string counts_as_markdown(const std::vector<paper>& papers, const std::vector<verdict>& verdicts);

/// A line per table, figure or section of each paper with the counts of its verdicts, and the totals.
std::string verdict_summary(const std::vector<paper>& papers, const std::vector<verdict>& verdicts);

/// All there is to say about each verdict, a line each.
std::string verdict_details(const std::vector<verdict>& verdicts);

/// The items of papers, a line each.
std::string item_list(const std::vector<paper>& papers);

}  // namespace toriscope
