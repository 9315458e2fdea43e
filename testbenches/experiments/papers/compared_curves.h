// SPDX-License-Identifier: Apache-2.0
// Two curves compared: of two networks one carries more when its largest stable load lies above the smallest
// load at which the other is not stable. Brackets that touch or overlap decide nothing.
#pragma once

#include <string>

#include "testbenches/experiments/papers/measured_curve.h"
#include "testbenches/experiments/papers/verdict.h"

namespace toriscope {

enum class order { higher, lower, open };

/// Of the throughputs.
order compare_throughputs(const measured_curve& a, const measured_curve& b);

/// "0.0152 .. 0.0156", as `toriscope sweep` prints it.
std::string bracket_text(const measured_curve& curve);

/// Commands that print what the curves were judged by, for a shell.
std::string joined_commands(const std::vector<std::string>& commands);

}  // namespace toriscope
