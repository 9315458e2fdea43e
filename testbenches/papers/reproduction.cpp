// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/reproduction.h"

#include "testbenches/papers/measured_curves.h"

namespace toriscope {
namespace {

/// Curves of all papers, measured together so that no core waits for the last one of a paper.
std::vector<evidence> measure(const std::vector<paper>& papers, analysis_store& analyses,
                              const reproduction_settings& settings) {
  std::vector<wanted_curve> wanted;
  for (const paper& p : papers) wanted.insert(wanted.end(), p.curves.begin(), p.curves.end());
  std::vector<measured_curve> measured;
  if (!wanted.empty()) measured = measure_curves(wanted, {settings.directory, settings.jobs});
  std::vector<evidence> all;
  std::size_t next = 0;
  for (const paper& p : papers) {
    evidence seen(analyses);
    for (std::size_t i = 0; i < p.curves.size(); ++i) seen.add(std::move(measured[next++]));
    all.push_back(std::move(seen));
  }
  return all;
}

/// Why an item cannot be judged; empty: it can.
std::string failure_of(const paper_item& item, const evidence& seen) {
  for (const std::string& name : item.curves)
    if (!seen.curve(name).failure.empty()) return "curve '" + name + "': " + seen.curve(name).failure;
  return "";
}

std::vector<verdict> judge(const paper_item& item, evidence& seen) {
  const std::string failure = failure_of(item, seen);
  if (failure.empty()) return item.judge(seen);
  return {undecided(item.name, item.summary, failure, seen.curve(item.curves.front()).command)};
}

}  // namespace

std::vector<verdict> reproduce(const std::vector<paper>& papers, const reproduction_settings& settings) {
  analysis_store analyses;
  std::vector<evidence> seen = measure(papers, analyses, settings);
  std::vector<verdict> verdicts;
  for (std::size_t i = 0; i < papers.size(); ++i)
    for (const paper_item& item : papers[i].items) {
      settings.tell(papers[i].name + ", " + item.name);
      for (verdict& v : judge(item, seen[i])) {
        v.paper = papers[i].name;
        v.group = item.name;
        verdicts.push_back(std::move(v));
      }
    }
  return verdicts;
}

}  // namespace toriscope
