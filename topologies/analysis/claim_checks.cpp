// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/claim_checks.h"

#include <cstdio>
#include <utility>

namespace toriscope {
namespace {

bool is_flat(const std::string& spec) { return spec.rfind("mesh:", 0) == 0 || spec.rfind("torus:", 0) == 0; }

std::string shown(const std::string& spec, double value) {
  char text[80];
  std::snprintf(text, sizeof text, "%s %.6g", spec.c_str(), value);
  return text;
}

}  // namespace

double diameter_of(const network_analysis& a) { return (a.routed ? a.routed : a.shortest)->diameter; }
double mean_of(const network_analysis& a) { return (a.routed ? a.routed : a.shortest)->mean_distinct; }
double cost_of(const network_analysis& a) { return *a.cost(); }
double cut_of(const network_analysis& a) { return static_cast<double>(a.cut.links); }
double links_of(const network_analysis& a) { return static_cast<double>(a.wiring.links); }
double degree_of(const network_analysis& a) { return a.wiring.degree_max; }
double arcs_of(const network_analysis& a) { return *a.arc_connectivity; }

network_choice choice_of(const std::string& spec) {
  network_choice choice{spec};
  choice.routed = !is_flat(spec);
  return choice;
}

bool is_lower(double a, double b) { return a < b; }
bool is_higher(double a, double b) { return a > b; }
bool is_equal(double a, double b) { return a == b; }

claim_verdict ask(const claim_question& question, analysis_store& store) {
  claim_verdict verdict{true, ""};
  for (const compared_networks& group : question.groups) {
    const auto value = [&](const std::string& spec) {
      return question.value(store.of(choice_of(spec), question.with_cuts));
    };
    const std::string& first = group.specs.front();
    const double ours = value(first);
    verdict.ours += (verdict.ours.empty() ? "" : "; ") + shown(first, ours);
    for (std::size_t i = 1; i < group.specs.size(); ++i) {
      const double other = value(group.specs[i]);
      verdict.ours += ", " + shown(group.specs[i], other);
      if (group.counts) verdict.holds = verdict.holds && question.good(ours, other);
    }
  }
  return explained(std::move(verdict), question.why_not);
}

claim_verdict explained(claim_verdict verdict, const std::string& why) {
  if (!verdict.holds && !why.empty()) verdict.ours += " - " + why;
  return verdict;
}

published_claim claim_of(const std::string& words, const claim_question& question) {
  return {words, [question](analysis_store& store) { return ask(question, store); }};
}

}  // namespace toriscope
