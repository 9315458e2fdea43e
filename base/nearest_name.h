// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the nearest of some names.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace toriscope {

/// Insertions, deletions and replacements of a letter that turn `a` into `b`; upper and lower case are the
/// same.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known` (the first, if several are), or "" when none is near: at most a third of the longer
/// of the two names, rounded up, may differ. Where no whole name is near, a part of one between dots will do, then
/// the only one that begins like this (at least three letters or digits; others do not count). A name of
/// more than 256 characters is near to none.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "did you mean 'X'?", or `otherwise` when no name is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known,
                         const std::string& otherwise);

/// The sentence of an error: "unknown WHAT 'NAME'; did you mean 'X'?" or "...; OTHERWISE".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known,
                         const std::string& otherwise);
/// Likewise, or "...; known: a, b, c".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known);

/// The entry of that name. @throws std::invalid_argument with this sentence
template <class Entries>
const typename Entries::value_type& entry_named(const Entries& entries, std::string_view name,
                                                std::string_view what) {
  for (const auto& entry : entries)
    if (entry.name == name) return entry;
  throw std::invalid_argument(unknown_name(what, name, names_of(entries)));
}

}  // namespace toriscope
