// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/measured_curve.h"

#include <fmt/format.h>

#include <stdexcept>

namespace toriscope {

std::optional<double> measured_point::figure(const std::string& name) const {
  const auto found = figures.find(name);
  if (found == figures.end()) return std::nullopt;
  return found->second;
}

const measured_point& measured_curve::at(double load) const {
  for (const measured_point& p : points)
    if (p.load == load) return p;
  throw std::out_of_range(fmt::format("curve '{}' has no point at load {}", name, load));
}

}  // namespace toriscope
