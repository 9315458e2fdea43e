// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/paper_registry.h"

#include <algorithm>
#include <stdexcept>

#include "topologies/nearest_name.h"

namespace toriscope {

const std::vector<known_paper>& known_papers() {
  static const std::vector<known_paper> papers = {
      {"ttn2009", ttn2009}, {"sttn2009", sttn2009},   {"rdt", rdt},
      {"htn2012", htn2012}, {"dally1990", dally1990},
  };
  return papers;
}

std::vector<paper> papers_named(const std::vector<std::string>& names, effort how) {
  std::vector<std::string> known;
  for (const known_paper& p : known_papers()) known.push_back(p.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument(unknown_name("paper", name, known));
  std::vector<paper> papers;
  for (const known_paper& p : known_papers())
    if (names.empty() || std::find(names.begin(), names.end(), p.name) != names.end())
      papers.push_back(p.make(how));
  return papers;
}

}  // namespace toriscope
