// SPDX-License-Identifier: Apache-2.0
// Lists of numbers as people write them: "0.1,0.2,0.4", "0.01:0.5:0.01" (first:last:step), "1:3", or a mix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace toriscope {

/// Loads, ascending, each once. A range needs its step.
/// @throws std::invalid_argument a line without the option's name, as the other one
std::vector<double> load_list(const std::string& text);

/// Whole numbers in the order given, each once; the step of a range is 1 unless it is given.
std::vector<std::uint64_t> seed_list(const std::string& text);

}  // namespace toriscope
