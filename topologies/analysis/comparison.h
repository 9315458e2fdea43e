// SPDX-License-Identifier: Apache-2.0
// Our numbers beside printed ones, with a verdict on each: equal to the digits printed, or different, and
// why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topologies/analysis/published.h"

namespace toriscope {

struct number_verdict {
  std::string network;
  quantity what;
  double printed;
  unsigned decimals;
  std::optional<double> ours;  ///< none: the network cannot be had
  bool equal = false;
  std::string words;  ///< by which definition it is equal; else why not. Never empty when it is not
};

struct claim_result {
  std::string words;
  bool holds;
  std::string ours;
};

struct comparison {
  const published_table* table;
  std::vector<number_verdict> numbers;
  std::vector<claim_result> claims;
};

std::vector<number_verdict> compare_row(const published_row& row, bool with_cuts, analysis_store& store);

comparison compare_with_published(const published_table& table, analysis_store& store);

/// Whether a number, rounded, is what is printed.
bool equals_printed(double ours, double printed, unsigned decimals);

}  // namespace toriscope
