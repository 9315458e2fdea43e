// SPDX-License-Identifier: Apache-2.0
// What `toriscope reproduce` asks of a paper: its name, where it was printed, and its items - every table,
// figure and claim - each with a function that judges it.
//
//   add a paper   a function `paper NAME()` in a file of its own, one line in paper_registry.cpp; the numbers
//                 that are printed stand there as data and are never computed
//   add an item   static: judged from analyses (`evidence::analyses`). Dynamic: it names the curves that it
//                 needs; they are simulated before it is judged, in parallel, each point kept (measured_curves.h)
//
// An item may give several verdicts: the rows of a table.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testbenches/papers/measured_curve.h"
#include "testbenches/papers/verdict.h"
#include "topologies/analysis/analysis_store.h"

namespace toriscope {

/// What the items of a paper are judged by.
class evidence {
 public:
  explicit evidence(analysis_store& shared) : analyses(shared) {}

  /// The curve of that name. @throws std::logic_error when the item did not ask for it
  const measured_curve& curve(const std::string& name) const;
  void add(measured_curve curve);

  /// Analyses of networks, each done once for all papers.
  analysis_store& analyses;

 private:
  std::map<std::string, measured_curve> curves_;
};

struct paper_item {
  std::string name;                 ///< "Table 1", "Fig. 7 (a)": as --list shows it
  std::string summary;              ///< one line
  std::vector<std::string> curves;  ///< names in paper::curves; none: a static item
  std::function<std::vector<verdict>(evidence&)> judge;
};

struct paper {
  std::string name;      ///< "ttn2009"
  std::string title;     ///< as printed
  std::string citation;  ///< authors, where, year
  std::vector<paper_item> items;
  std::vector<wanted_curve> curves{};  ///< of all items; the same curve may serve several
};

/// What a paper's simulations come to: the curves that they need, and what is judged by them.
struct simulated_items {
  std::vector<wanted_curve> curves;
  std::vector<paper_item> items;
};

/// How much is simulated: `quick` has fewer loads, shorter windows and wider tolerances.
enum class effort { full, quick };

}  // namespace toriscope
