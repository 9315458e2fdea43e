// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/reproduction.h"

#include <filesystem>
#include <optional>
#include <set>

#include "base/text_file.h"
#include "base/text_hash.h"
#include "testbenches/experiments/papers/measured_curves.h"
#include "testbenches/experiments/papers/verdict_table.h"
#include "testbenches/experiments/sweep/result_store.h"

namespace toriscope {
namespace {

bool is_left_out(const paper_item& item, const reproduction_settings& settings) {
  return settings.quick && item.costly;
}

verdict not_run_item(const paper_item& item, const std::string& why) {
  verdict v = not_run(item.name, {}, why);
  v.source = item.curves.empty() ? provenance::built : provenance::simulated;
  return v;
}

/// The curves of the items that are run.
std::vector<wanted_curve> curves_of(const paper& p, const reproduction_settings& settings) {
  std::set<std::string> names;
  for (const paper_item& item : p.items)
    if (!is_left_out(item, settings)) names.insert(item.curves.begin(), item.curves.end());
  std::vector<wanted_curve> curves;
  for (const wanted_curve& curve : p.curves)
    if (names.count(curve.name) != 0) curves.push_back(curve);
  return curves;
}

/// Curves of all papers, measured together so that no core waits for the last one of a paper.
std::vector<evidence> measure(const std::vector<paper>& papers, analysis_store& analyses,
                              const reproduction_settings& settings) {
  std::vector<wanted_curve> wanted;
  std::vector<std::size_t> counts;
  for (const paper& p : papers) {
    const std::vector<wanted_curve> curves = curves_of(p, settings);
    wanted.insert(wanted.end(), curves.begin(), curves.end());
    counts.push_back(curves.size());
  }
  std::vector<measured_curve> measured;
  if (!wanted.empty()) measured = measure_curves(wanted, {settings.directory, settings.jobs});
  std::vector<evidence> all;
  std::size_t next = 0;
  for (const std::size_t count : counts) {
    evidence seen(analyses);
    for (std::size_t i = 0; i < count; ++i) seen.add(std::move(measured[next++]));
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

std::vector<verdict> judge(const paper& p, const paper_item& item, evidence& seen) {
  const std::string failure = failure_of(item, seen);
  std::vector<verdict> verdicts =
      failure.empty() ? item.judge(seen) : std::vector<verdict>{not_run_item(item, failure)};
  for (verdict& v : verdicts) {
    v = completed(std::move(v), p.name);
    v.failed = !failure.empty();
  }
  return verdicts;
}

/// Judges, or takes what an earlier call kept.
std::vector<verdict> judge_once(const paper& p, const paper_item& item, evidence& seen,
                                const reproduction_settings& settings) {
  if (!item.costly || !item.curves.empty() || settings.directory.empty()) return judge(p, item, seen);
  const std::string name = hex_text(mix_text("toriscope " TORISCOPE_VERSION " " + p.name + " " + item.name));
  const std::string path = settings.directory + "/items/" + name + ".json";
  try {
    if (const std::optional<std::string> known = text_if_there(path)) return verdicts_from_json(*known);
  } catch (const std::invalid_argument&) {
    // altered: judged anew
  }
  std::vector<verdict> verdicts = judge(p, item, seen);
  std::filesystem::create_directories(settings.directory + "/items");
  write_text_file(path, verdicts_as_json(verdicts));
  return verdicts;
}

}  // namespace

std::vector<verdict> reproduce(const std::vector<paper>& papers, const reproduction_settings& settings) {
  analysis_store analyses;
  std::vector<evidence> seen = measure(papers, analyses, settings);
  std::vector<verdict> verdicts;
  for (std::size_t i = 0; i < papers.size(); ++i)
    for (const paper_item& item : papers[i].items) {
      settings.tell(papers[i].name + ", " + item.name);
      if (is_left_out(item, settings)) {
        verdicts.push_back(completed(not_run_item(item, "--quick leaves it out"), papers[i].name));
        continue;
      }
      for (verdict& v : judge_once(papers[i], item, seen[i], settings)) verdicts.push_back(std::move(v));
    }
  return verdicts;
}

}  // namespace toriscope
