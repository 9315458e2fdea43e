// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/paper.h"

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

}  // namespace toriscope
