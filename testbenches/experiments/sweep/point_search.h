// SPDX-License-Identifier: Apache-2.0
// A source of points to run: a list of them, or a search whose next points depend on results. A search
// is deterministic: which points it uses in the end depends on their results only, never on the order in
// which they came.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbenches/experiments/sweep/point.h"
#include "testbenches/simulation/statistics/run_result.h"

namespace toriscope {

struct wanted_point {
  std::shared_ptr<const point> what;
  /// The lower the sooner: 0: others wait for it; 1: needed; from 2 on: perhaps, in this order, and only by
  /// processors that have nothing better to do. One that is no longer wanted is stopped.
  unsigned priority;
};

class point_search {
 public:
  virtual ~point_search() = default;

  /// Points without a result so far; none of priority 0 or 1: the search is done.
  virtual std::vector<wanted_point> wanted() const = 0;
  /// The result of a point; of one that was not asked for it is ignored.
  virtual void take(const point& p, const run_result& result) = 0;
  /// How many more points there will be, about.
  virtual std::size_t expected() const = 0;
  /// A line for people: what is known so far.
  virtual std::string status_text() const = 0;

  bool done() const;
};

/// Points that are known beforehand.
class point_list : public point_search {
 public:
  explicit point_list(std::vector<point> points);

  std::vector<wanted_point> wanted() const override;
  void take(const point& p, const run_result& result) override;
  std::size_t expected() const override;
  std::string status_text() const override;

  /// In the order of the points; null: none so far.
  const std::vector<std::shared_ptr<const run_result>>& results() const { return results_; }

 private:
  std::vector<std::shared_ptr<const point>> points_;
  std::vector<std::shared_ptr<const run_result>> results_;
};

}  // namespace toriscope
