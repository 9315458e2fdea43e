// SPDX-License-Identifier: Apache-2.0
#include "testbenches/papers/measured_curves.h"

#include <stdexcept>

namespace toriscope {

std::vector<measured_curve> measure_curves(const std::vector<wanted_curve>&, const curve_settings&,
                                           const std::function<void(const std::string&)>&) {
  throw std::runtime_error("reproduce simulates nothing yet");
}

}  // namespace toriscope
