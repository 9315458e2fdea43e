// SPDX-License-Identifier: Apache-2.0
// The papers that `toriscope reproduce` knows.
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

struct known_paper {
  std::string name;
  paper (*make)();
};

/// In the order in which they are reproduced.
const std::vector<known_paper>& known_papers();

/// @param names  empty: all
/// @throws std::invalid_argument one line, when there is no paper of that name
std::vector<paper> papers_named(const std::vector<std::string>& names);

/// Leaves the items of that name: a figure ("Fig. 8 (a)"), an item, or the item that a row belongs to; and the
/// curves that they need.
/// @throws std::invalid_argument one line, when no paper has such an item
void keep_items(std::vector<paper>& papers, const std::string& name);

/// Of the verdicts of these items, those of that name; all, when none has it.
void keep_rows(std::vector<verdict>& verdicts, const std::string& name);

/// Verdicts with those of an earlier call: a row takes the place of the earlier one. All rows of an item that is
/// "not run" now stay as they were, and so do papers and rows that the call was not for.
/// @param only  the item that the call was for; empty: it was for all of these papers
std::vector<verdict> with_earlier(const std::vector<verdict>& verdicts, const std::vector<verdict>& earlier,
                                  const std::vector<paper>& papers, const std::string& only);

paper ttn2009();
paper sttn2009();
paper rdt();
paper htn2012();
paper dally1990();

}  // namespace toriscope
