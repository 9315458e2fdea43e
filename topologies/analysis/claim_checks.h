// SPDX-License-Identifier: Apache-2.0
// How the sentences of papers are checked: a figure of one network against those of others.
#pragma once

#include <string>
#include <vector>

#include "topologies/analysis/published.h"

namespace toriscope {

/// A figure of an analysis.
using analysis_measure = double (*)(const network_analysis&);

/// As routed where there is a routing.
double diameter_of(const network_analysis& a);
double mean_of(const network_analysis& a);  ///< likewise, over distinct pairs
double cost_of(const network_analysis& a);
double cut_of(const network_analysis& a);
double links_of(const network_analysis& a);
double degree_of(const network_analysis& a);
double arcs_of(const network_analysis& a);  ///< asked for with `with_cuts`

/// A network by its spec, hierarchical ones with one-way links; meshes and tori not routed.
network_choice choice_of(const std::string& spec);

/// The first network against each of the others.
struct compared_networks {
  std::vector<std::string> specs;
  bool counts = true;  ///< false: shown, but the claim is not about them
};

struct claim_question {
  std::vector<compared_networks> groups;
  analysis_measure value;
  bool (*good)(double first, double other);
  std::string why_not{};   ///< what is known, should it not hold
  bool with_cuts = false;  ///< arc connectivity is wanted
};

bool is_lower(double a, double b);
bool is_higher(double a, double b);
bool is_equal(double a, double b);

/// Whether it is good in all groups that count, and the values: "ttn:2,2,0 15, tesh:2,2,0 21; ...".
claim_verdict ask(const claim_question& question, analysis_store& store);

/// Adds what is known of a claim that does not hold.
claim_verdict explained(claim_verdict verdict, const std::string& why);

/// A claim that asks one question.
published_claim claim_of(const std::string& words, const claim_question& question);

}  // namespace toriscope
