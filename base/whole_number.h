// SPDX-License-Identifier: Apache-2.0
// Whole numbers, parsed from text.
#pragma once

#include <charconv>
#include <string_view>

namespace toriscope {

/// Whether all of `text` is a whole number (decimal digits, no sign) that fits; `value` is undefined
/// otherwise.
template <class Unsigned>
bool to_number(std::string_view text, Unsigned& value) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

}  // namespace toriscope
