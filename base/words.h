// SPDX-License-Identifier: Apache-2.0
// Lists of words in texts: split, joined, quoted, fit for a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toriscope {

/// The pieces between the separators: "a,,b" has three, "" has one.
std::vector<std::string> split(std::string_view text, char separator);

/// "a, b, c".
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string result;
  bool first = true;
  for (const auto& text : texts) {
    if (!first) result += separator;
    result += text;
    first = false;
  }
  return result;
}

/// Of the entries of a registry.
template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

/// Whether the text begins, or ends, like this.
bool begins_with(std::string_view text, std::string_view begin);
bool ends_in(std::string_view text, std::string_view end);

/// A word as a shell takes it: as it is, or 'in quotes', or $'with\nescapes'. Always one line.
std::string quoted_for_shell(const std::string& word);

/// A command with its arguments, each quoted.
std::string shell_line(const std::vector<std::string>& words);

/// For a message: line breaks and other control characters as "\n" and "\x1b", and the middle left out where it is
/// longer than `most` characters.
std::string one_line(std::string_view text, std::size_t most = 4000);

/// On standard error: "toriscope: TEXT", as one line. What goes on from it: "  TEXT".
void tell(std::string_view text, std::size_t most = 4000);
void tell_more(std::string_view text);

/// Of std::bad_alloc; bad_input.
inline constexpr const char* out_of_memory = "out of memory: what was asked for needs more than this machine gives";

/// The words of an environment variable, or of `otherwise` when it is not set or empty.
std::vector<std::string> words_of_environment(const char* variable, const std::string& otherwise);

}  // namespace toriscope
