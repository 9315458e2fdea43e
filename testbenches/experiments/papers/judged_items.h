// SPDX-License-Identifier: Apache-2.0
// For tests: the verdicts of an item by given evidence.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testbenches/experiments/papers/paper_registry.h"
#include "testbenches/experiments/papers/reproduction.h"

namespace toriscope {

inline std::vector<verdict> judged(paper p, const std::string& item, evidence& by) {
  std::vector<paper> papers{std::move(p)};
  keep_items(papers, item);
  std::vector<verdict> verdicts;
  for (const paper_item& i : papers.front().items)
    for (verdict& v : i.judge(by)) verdicts.push_back(completed(std::move(v), papers.front().name));
  keep_rows(verdicts, item);
  return verdicts;
}

inline verdict only_one(paper p, const std::string& item, evidence& by) {
  const std::vector<verdict> all = judged(std::move(p), item, by);
  EXPECT_EQ(all.size(), 1u) << item;
  return all.empty() ? verdict{} : all.front();
}

/// Of an item that needs no curves.
inline verdict only_one(paper p, const std::string& item) {
  analysis_store analyses;
  evidence by(analyses);
  return only_one(std::move(p), item, by);
}

}  // namespace toriscope
