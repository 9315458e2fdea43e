// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/paper.h"

#include <algorithm>
#include <stdexcept>

namespace toriscope {

const measured_curve& evidence::curve(const std::string& name) const {
  const auto found = curves_.find(name);
  if (found == curves_.end()) throw std::logic_error("no curve '" + name + "' was asked for");
  return found->second;
}

void evidence::add(measured_curve curve) {
  const std::string name = curve.name;
  curves_.insert_or_assign(name, std::move(curve));
}

void paper::add(paper_item item, const std::vector<wanted_curve>& needed) {
  for (const wanted_curve& curve : needed) {
    item.curves.push_back(curve.name);
    if (std::none_of(curves.begin(), curves.end(), [&](const auto& c) { return c.name == curve.name; }))
      curves.push_back(curve);
  }
  items.push_back(std::move(item));
}

void paper::add(const std::string& item, const std::vector<wanted_curve>& needed,
                const std::function<verdict(evidence&)>& judge, bool costly) {
  add({item, [judge](evidence& seen) { return std::vector<verdict>{judge(seen)}; }, {}, costly}, needed);
}

}  // namespace toriscope
