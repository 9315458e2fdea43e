// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/static_claims.h"

#include <fmt/format.h>

#include <utility>

namespace toriscope {
namespace {

/// As routed where it is routed at all.
double figure_of(const network_measure& what, const network_analysis& a, distance_kind kind) {
  const std::optional<double> found = what.of(a, {kind});
  return found ? *found : *what.of(a);
}

/// Whether it is good in all groups that count, and the values: "ttn:2,2,0 15, tesh:2,2,0 21; ...".
verdict ask(const claim_question& question, distance_kind kind, analysis_store& store) {
  bool holds = true;
  std::string figures;
  for (const compared_networks& group : question.groups) {
    const auto value = [&](const std::string& spec) {
      const double v = figure_of(question.value, store.of(choice_of(spec), question.with_cuts), kind);
      append(figures, fmt::format("{} {:.7g}", spec, v), spec == group.specs.front() ? "; " : ", ");
      return v;
    };
    const double first = value(group.specs.front());
    for (std::size_t i = 1; i < group.specs.size(); ++i) {
      const double other = value(group.specs[i]);
      if (group.counts) holds = holds && question.good(first, other);
    }
  }
  return checked(holds, figures, question.why_not);
}

}  // namespace

bool is_lower(double a, double b) { return a < b; }
bool is_higher(double a, double b) { return a > b; }
bool is_equal(double a, double b) { return a == b; }

verdict checked(bool holds, const std::string& figures, const std::string& why_not, provenance source) {
  return judge_claim("", source, "", holds, figures, why_not);
}

verdict resting_on(verdict v, const std::string& open) {
  const char* const ours =
      v.result == ruling::reproduced ? "; with our choice it holds" : "; with our choice it does not hold";
  return undetermined(std::move(v), open + ours);
}

paper_item checked_item(const std::string& name, const std::string& words,
                        std::function<verdict(analysis_store&)> check, bool costly) {
  const std::string item = name + ": " + words;
  return {item,
          [=](evidence& seen) {
            verdict v = check(seen.analyses);
            v.item = item;
            v.printed = words;
            return std::vector<verdict>{v};
          },
          {},
          costly};
}

paper_item changed(paper_item item, std::function<void(verdict&, evidence&)> change) {
  item.judge = [judge = item.judge, change = std::move(change)](evidence& seen) {
    std::vector<verdict> verdicts = judge(seen);
    change(verdicts.front(), seen);
    return verdicts;
  };
  return item;
}

paper_item claim_item(const std::string& name, const std::string& words, const claim_question& question) {
  return checked_item(name, words, [question](analysis_store& store) {
    verdict v = ask(question, distance_kind::shortest, store);
    if (question.value.kind != network_measure::distance)
      return question.open.empty() ? v : resting_on(std::move(v), question.open);
    const verdict routed = ask(question, distance_kind::routed, store);
    v.reading = "shortest paths";
    v.others = std::string("as routed it ") +
               (routed.result == ruling::reproduced ? "holds: " : "does not hold: ") + to_text(routed.ours);
    return question.open.empty() ? v : resting_on(std::move(v), question.open);
  });
}

paper_item formula_item(const std::string& name, const std::string& words,
                        const std::vector<std::string>& specs, const network_measure& value,
                        const std::vector<double>& wanted, const std::string& why_not,
                        const std::string& open) {
  return checked_item(name, words, [=](analysis_store& store) {
    bool holds = true;
    std::string figures;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const double ours = *value.of(store.of(choice_of(specs[i])));
      holds = holds && ours == wanted[i];
      append(figures, fmt::format("{} {:.7g}", specs[i], ours));
    }
    verdict v = checked(holds, figures, why_not);
    return open.empty() ? v : resting_on(std::move(v), open);
  });
}

}  // namespace toriscope
