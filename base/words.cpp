// SPDX-License-Identifier: Apache-2.0
#include "base/words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace toriscope {
namespace {

bool is_control(char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }

std::string escaped(char c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  char code[] = "\\x00";
  std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return code;
}

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // UTF-8

/// Bytes of the character of UTF-8 that the text begins with; 0: it controls a terminal or the order of what is shown,
/// or is none.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return is_control(text[0]) ? 0 : 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continues_a_character(text[i])) return 0;
  const bool c1 = first == 0xc2 && byte(1) < 0xa0;
  // U+2028 and U+2029 break lines; U+200E, U+200F, U+202A .. U+202E and U+2066 .. U+2069 turn the direction of writing;
  // U+FEFF, which some editors put in front of a text, is not seen.
  const bool lays_out = (first == 0xe2 && ((byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) ||
                                           (byte(1) == 0x80 && byte(2) >= 0x8e && byte(2) <= 0x8f) ||
                                           (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9))) ||
                        (first == 0xef && byte(1) == 0xbb && byte(2) == 0xbf);
  return c1 || lays_out ? 0 : length;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    pieces.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return pieces;
    begin = end + 1;
  }
}

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

bool ends_in(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string quoted_for_shell(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=+:,./@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  const bool escapes = std::any_of(word.begin(), word.end(), is_control);
  std::string result = escapes ? "$'" : "'";
  for (const char c : word) {
    if (is_control(c))
      result += escaped(c);
    else if (escapes && (c == '\'' || c == '\\'))
      (result += '\\') += c;
    else
      result += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return result + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted_for_shell(word);
  return line;
}

std::string one_line(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    std::size_t end = most / 4 * 3;
    std::size_t begin = text.size() - most / 4;
    while (end > 0 && continues_a_character(text[end])) --end;
    while (begin < text.size() && continues_a_character(text[begin])) ++begin;
    return one_line(text.substr(0, end), most) + " ... " + one_line(text.substr(begin), most);
  }
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = printable_length(text.substr(i));
    line += length == 0 ? escaped(text[i]) : std::string(text.substr(i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return line;
}

void tell(std::string_view text, std::size_t most) {
  std::fprintf(stderr, "toriscope: %s\n", one_line(text, most).c_str());
}

void tell_more(std::string_view text) { std::fprintf(stderr, "  %s\n", one_line(text).c_str()); }

std::vector<std::string> words_of_environment(const char* variable, const std::string& otherwise) {
  const char* const value = std::getenv(variable);
  std::istringstream text(value && *value ? value : otherwise);
  return {std::istream_iterator<std::string>(text), std::istream_iterator<std::string>()};
}

}  // namespace toriscope
