// SPDX-License-Identifier: Apache-2.0
// Sentences of papers that networks as built decide: a figure of one network against those of others, and
// anything else that needs no simulation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbenches/experiments/papers/printed_rows.h"

namespace toriscope {

/// The first network against each of the others.
struct compared_networks {
  std::vector<std::string> specs;
  bool counts = true;  ///< false: shown, but the claim is not about them
};

struct claim_question {
  std::vector<compared_networks> groups;
  network_measure value;
  bool (*good)(double first, double other);
  std::string why_not{};   ///< what is known, should it not hold
  bool with_cuts = false;  ///< arc connectivity is computed, too
  std::string open{};      ///< what the text would have to say to determine it; empty: it does
};

bool is_lower(double a, double b);
bool is_higher(double a, double b);
bool is_equal(double a, double b);

/// By shortest paths; whether it also holds as routed stands beside it.
/// @param name  "Sect. 4.2"
paper_item claim_item(const std::string& name, const std::string& words, const claim_question& question);

/// A figure of each of these networks is what a formula gives.
paper_item formula_item(const std::string& name, const std::string& words,
                        const std::vector<std::string>& specs, const network_measure& value,
                        const std::vector<double>& wanted, const std::string& why_not = "",
                        const std::string& open = "");

/// A claim that is checked in its own way. @param check  gives a verdict without item and printed words
paper_item checked_item(const std::string& name, const std::string& words,
                        std::function<verdict(analysis_store&)> check, bool costly = false);

/// The item, its one verdict changed: its evidence goes along.
paper_item changed(paper_item item, std::function<void(verdict&, evidence&)> change);

/// A verdict that rests on something that the text leaves open: undetermined, and what it would be.
verdict resting_on(verdict v, const std::string& open);

/// What `check` returns.
verdict checked(bool holds, const std::string& figures, const std::string& why_not = "",
                provenance source = provenance::built);

}  // namespace toriscope
