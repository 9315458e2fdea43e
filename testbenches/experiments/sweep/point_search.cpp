// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/point_search.h"

#include <algorithm>

namespace toriscope {

bool point_search::done() const {
  const std::vector<wanted_point> list = wanted();
  return std::none_of(list.begin(), list.end(), [](const wanted_point& w) { return w.priority < 2; });
}

point_list::point_list(std::vector<point> points) : results_(points.size()) {
  for (point& p : points) points_.push_back(std::make_shared<const point>(std::move(p)));
}

std::vector<wanted_point> point_list::wanted() const {
  std::vector<wanted_point> list;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (!results_[i]) list.push_back({points_[i], 1});
  return list;
}

void point_list::take(const point& p, const run_result& result) {
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (points_[i]->hash() == p.hash()) results_[i] = std::make_shared<const run_result>(result);
}

std::size_t point_list::expected() const { return wanted().size(); }

std::string point_list::status_text() const {
  return std::to_string(points_.size() - expected()) + " of " + std::to_string(points_.size()) + " points";
}

}  // namespace toriscope
