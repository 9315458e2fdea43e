// SPDX-License-Identifier: Apache-2.0
// Theorems about freedom from deadlock, decided by channel dependencies as `toriscope prove` does.
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/papers/measured_curve.h"
#include "testbenches/experiments/papers/verdict.h"

namespace toriscope {

/// A network with options of `toriscope prove`: routing, gates, ties, vc-rule, vcs.
struct proof_case {
  std::string spec;
  option_list options;
  std::string words{};  ///< what tells it from others of the same network: "gates nearest"

  std::string command() const;  ///< "toriscope prove --topology ..."
  bool is_free() const;         ///< of deadlock
};

/// Whether all of them are free of deadlock: a verdict without item and printed words.
verdict judge_proofs(const std::vector<proof_case>& cases, const std::string& why_not = "");

}  // namespace toriscope
