// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/help_formatter.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace toriscope {
namespace {

/// Groups that are not here come before these.
const std::vector<std::string> last_groups{"Topology", "Router",    "Network",  "Traffic", "Measurement",
                                           "Results",  "Waveforms", "Deadlock", "RTL"};

constexpr std::size_t line_length = 110;

}  // namespace

std::string help_formatter::make_option_opts(const CLI::Option* option) const {
  const std::string type = option->get_positional() ? "" : option->get_type_name();
  return (type.empty() ? "" : " ") + type;
}

std::string help_formatter::make_option_desc(const CLI::Option* option) const {
  std::string description = option->get_description();
  for (const CLI::Option* needed : option->get_needs()) description += "; needs " + needed->get_name();
  std::istringstream words(description);
  std::string text;
  std::size_t column = 0;
  for (std::string word; words >> word; column += word.size() + 1) {
    const bool next_line = column > 0 && column + word.size() > line_length - get_column_width();
    text += (next_line ? "\n" : column > 0 ? " " : "") + word;
    if (next_line) column = 0;
  }
  return text;
}

std::string help_formatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  std::vector<std::string> groups = app->get_groups();
  const auto place = [](const std::string& group) {
    return std::find(last_groups.begin(), last_groups.end(), group) - last_groups.begin();
  };
  const auto outside = static_cast<std::ptrdiff_t>(last_groups.size());
  std::stable_sort(groups.begin(), groups.end(), [&](const std::string& a, const std::string& b) {
    return (place(a) == outside ? -1 : place(a)) < (place(b) == outside ? -1 : place(b));
  });
  std::string text = make_description(app) + make_usage(app, std::move(name)) + make_positionals(app);
  for (const std::string& group : groups) {
    const std::vector<const CLI::Option*> options = app->get_options([&](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
    if (!group.empty() && !options.empty()) text += make_group(group, false, options);
  }
  return text + make_subcommands(app, mode) + '\n' + make_footer(app);
}

}  // namespace toriscope
