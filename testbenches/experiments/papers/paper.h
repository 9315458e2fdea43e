// SPDX-License-Identifier: Apache-2.0
// What `toriscope reproduce` asks of a paper: its name, where it was printed, its items - every table, figure
// and claim that a run, a proof, an equation or the network as built decides - and what is left unjudged.
//
//   add a paper   a function `paper NAME()` in a file of its own, one line in paper_registry.cpp; the numbers
//                 that are printed stand there as data and are never computed
//   add an item   static: judged from analyses (`evidence::analyses`). Dynamic: it names the curves that it
//                 needs; they are simulated before it is judged, in parallel, each point kept (measured_curves.h)
//
// An item may give several verdicts, the rows of a table: their names begin with the item's.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testbenches/experiments/papers/analysis_store.h"
#include "testbenches/experiments/papers/measured_curve.h"
#include "testbenches/experiments/papers/verdict.h"

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
  std::string name;  ///< "Table 1: TTN(2,3,0)"; the part before ": " is what summaries count by
  std::function<std::vector<verdict>(evidence&)> judge;
  std::vector<std::string> curves{};  ///< names in paper::curves; none: a static item
  bool costly = false;                ///< --quick leaves it out
};

/// A claim that no run, proof or built network decides, and in a word why.
struct unjudged_claim {
  std::string claim;
  std::string why;
};

struct paper {
  std::string name;      ///< "ttn2009"
  std::string title;     ///< as printed
  std::string citation;  ///< authors, where, year
  std::vector<paper_item> items{};
  std::vector<wanted_curve> curves{};  ///< of all items; the same curve may serve several
  std::vector<unjudged_claim> unjudged{};

  /// Adds an item, and those of its curves that are new.
  void add(paper_item item, const std::vector<wanted_curve>& needed = {});
  /// An item of one verdict.
  void add(const std::string& item, const std::vector<wanted_curve>& needed,
           const std::function<verdict(evidence&)>& judge, bool costly = false);
};

}  // namespace toriscope
