// SPDX-License-Identifier: Apache-2.0
// The help of the program and of its commands: groups of options in the order in which they are needed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace toriscope {

class help_formatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  /// In lines that fit beside the names.
  std::string make_option_desc(const CLI::Option* option) const override;
  /// What follows the name: the argument.
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace toriscope
