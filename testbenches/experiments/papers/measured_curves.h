// SPDX-License-Identifier: Apache-2.0
// Measures the curves that papers want: on several processes at once, every point kept in a directory, so that
// the same call after a kill resumes.
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/papers/measured_curve.h"
#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

struct curve_settings {
  std::string directory;  ///< where points are kept
  unsigned jobs = 0;      ///< simulations at once; 0: as many as there are cores
};

/// The configuration that these options of `toriscope run` give. @throws std::logic_error when there is no such option
run_config config_of(const option_list& options);

/// How far it is stands on standard error meanwhile.
/// @returns in the order of `wanted`
/// @throws std::invalid_argument, std::runtime_error one line
std::vector<measured_curve> measure_curves(const std::vector<wanted_curve>& wanted,
                                           const curve_settings& settings);

}  // namespace toriscope
