// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/paper_registry.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/nearest_name.h"

namespace toriscope {
namespace {

/// Whether `name` is `start`, or goes on after it with a colon or a comma.
bool is_part_of(const std::string& name, const std::string& start) {
  return name.rfind(start, 0) == 0 &&
         (name.size() == start.size() || name[start.size()] == ':' || name[start.size()] == ',');
}

}  // namespace

const std::vector<known_paper>& known_papers() {
  static const std::vector<known_paper> papers = {
      {"ttn2009", ttn2009}, {"sttn2009", sttn2009},   {"rdt", rdt},
      {"htn2012", htn2012}, {"dally1990", dally1990},
  };
  return papers;
}

std::vector<paper> papers_named(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const known_paper& p : known_papers()) known.push_back(p.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument(unknown_name("paper", name, known));
  std::vector<paper> papers;
  for (const known_paper& p : known_papers())
    if (names.empty() || std::find(names.begin(), names.end(), p.name) != names.end())
      papers.push_back(p.make());
  return papers;
}

void keep_items(std::vector<paper>& papers, const std::string& name) {
  std::vector<std::string> known;
  bool found = false;
  for (paper& p : papers) {
    std::vector<paper_item> kept;
    std::set<std::string> curves;
    for (paper_item& item : p.items) {
      known.push_back(item.name);
      if (!is_part_of(item.name, name) && !is_part_of(name, item.name)) continue;
      found = true;
      curves.insert(item.curves.begin(), item.curves.end());
      kept.push_back(std::move(item));
    }
    p.items = std::move(kept);
    const auto unused = [&](const wanted_curve& c) { return curves.count(c.name) == 0; };
    p.curves.erase(std::remove_if(p.curves.begin(), p.curves.end(), unused), p.curves.end());
  }
  if (found) return;
  throw std::invalid_argument("--item: there is no item '" + name + "'; " +
                              did_you_mean(name, known, "--list shows them"));
}

void keep_rows(std::vector<verdict>& verdicts, const std::string& name) {
  std::vector<verdict> kept;
  for (const verdict& v : verdicts)
    if (is_part_of(v.item, name)) kept.push_back(v);
  if (!kept.empty()) verdicts = std::move(kept);
}

}  // namespace toriscope
