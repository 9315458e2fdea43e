// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/verilator_options.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {
namespace {

constexpr std::size_t most_shown = 200;  // in messages

struct option {
  const char* name;
  std::vector<std::string> values;  ///< of the next word; "#": a number
};

const std::vector<option>& with_values() {
  static const std::vector<option> options = {{"--x-assign", {"0", "1", "fast", "unique"}},
                                              {"--x-initial", {"0", "fast", "unique"}},
                                              {"--converge-limit", {"#"}},
                                              {"--unroll-count", {"#"}},
                                              {"--unroll-stmts", {"#"}},
                                              {"--default-language",
                                               {"1364-1995", "1364-2001", "1364-2005", "1800-2005",
                                                "1800-2009", "1800-2012", "1800-2017", "1800-2023"}}};
  return options;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// "-Wno-" and a name.
bool is_named(const std::string& text, const std::string& begin) {
  return text.size() > begin.size() && begins_with(text, begin) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin.size()), text.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '-'; });
}

bool is_alone(const std::string& text) {
  static const std::vector<std::string> alone = {
      "-Wall",      "-O0", "-O1", "-O2", "-O3", "-fdfg", "--bbox-sys", "--bbox-unsup", "--relative-includes",
      "--no-assert"};
  return std::find(alone.begin(), alone.end(), text) != alone.end() || is_named(text, "-Wno-") ||
         is_named(text, "-Wwarn-") || is_named(text, "-fno-");
}

}  // namespace

void check_verilator_options(const std::vector<std::string>& options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (is_alone(options[i])) continue;
    const auto& known = with_values();
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const option& o) { return o.name == options[i]; });
    if (found == known.end()) {
      std::vector<std::string> names = {"-Wno-NAME",    "-Wwarn-NAME",        "-Wall",       "-fno-NAME",
                                        "-fdfg",        "-O0 to -O3",         "--no-assert", "--bbox-sys",
                                        "--bbox-unsup", "--relative-includes"};
      for (const option& o : known) names.emplace_back(o.name);
      throw std::invalid_argument("'" + one_line(options[i], most_shown) + "' is not one of " +
                                  joined(names));
    }
    const std::string value = ++i < options.size() ? options[i] : "";
    const bool number = found->values[0] == "#";
    if (number ? !is_number(value)
               : std::find(found->values.begin(), found->values.end(), value) == found->values.end())
      throw std::invalid_argument(std::string(found->name) + " takes " +
                                  (number ? "a number" : joined(found->values)) + " as the next item, not '" +
                                  one_line(value, most_shown) + "'");
  }
}

void check_no_calls(const std::string& text) {
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string::npos;) {
    std::size_t end = at;
    do ++end;
    while (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_');
    const std::string name = text.substr(at, end - at);
    if (name != "$clog2" && name != "$bits")
      throw std::invalid_argument("'" + one_line(text, most_shown) +
                                  "': of system functions, $clog2 and $bits are possible");
    at = end;
  }
}

void check_parameter_text(const std::string& text) {
  constexpr std::size_t longest = std::size_t{1} << 16;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("'" + one_line(text, most_shown) + "': " + why);
  };
  if (text.empty() || text.size() > longest)
    refuse("expected the value of a parameter, " + std::to_string(longest) + " characters at most");
  check_no_calls(text);
  std::string open;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c < ' ' || c > '~' || c == '\\') refuse("expected printable characters without a backslash");
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ';' || c == '`' || text.compare(i, 2, "//") == 0 || text.compare(i, 2, "/*") == 0)
      refuse("expected one expression or type, without ;, ` and comments");
    if (std::string("([{").find(c) != std::string::npos) open += c;
    const std::size_t closes = std::string(")]}").find(c);
    if (closes == std::string::npos) continue;
    if (open.empty() || open.back() != "([{"[closes]) refuse("its brackets are not balanced");
    open.pop_back();
  }
  if (quoted || !open.empty()) refuse("its brackets or quotes are not balanced");
}

}  // namespace toriscope
