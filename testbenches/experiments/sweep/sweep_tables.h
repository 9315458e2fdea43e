// SPDX-License-Identifier: Apache-2.0
// What a finished sweep leaves for people and programs: points.csv, curves.csv and sweep.json
// (docs/sweeps.md). They follow from plan and results alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbenches/experiments/sweep/sweep_plan.h"

namespace toriscope {

/// By curve, in the order of the plan.
using curve_searches = std::vector<std::unique_ptr<curve_search>>;

/// A row per curve and load.
std::string points_csv(const sweep_plan& plan, const curve_searches& searches);
/// A row per curve.
std::string curves_csv(const sweep_plan& plan, const curve_searches& searches);
std::string sweep_json(const sweep_plan& plan, const curve_searches& searches);
/// The curves for people.
std::string curves_text(const curve_searches& searches);

}  // namespace toriscope
