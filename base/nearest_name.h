// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the nearest of some names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toriscope {

/// Insertions, deletions and replacements of a letter that turn `a` into `b`; upper and lower case are the
/// same.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known` (the first, if several are), or "" when none is near: at most a third of the longer
/// of the two names, rounded up, may differ.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "a, b, c".
std::string joined(const std::vector<std::string>& names);

/// The sentence of an error: "unknown WHAT 'NAME'; did you mean 'X'?" or "...; known: a, b, c".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known);

}  // namespace toriscope
