// SPDX-License-Identifier: Apache-2.0
// The printed tables and claims of topologies/analysis/published.h as items of a paper: the same comparison as
// `toriscope analyze --compare`, with verdicts.
#pragma once

#include "testbenches/papers/paper.h"

namespace toriscope {

/// @param table    name of a published table: "ttn2009-table1"
/// @param name     of the item: "Table 1"; rows are "Table 1: TTN(2,3,0), diameter"
/// @param left_out  rows, by the size in the network's printed name, that take too long for --quick; empty: none
paper_item published_item(const std::string& table, const std::string& name,
                          const std::string& left_out = "");

}  // namespace toriscope
