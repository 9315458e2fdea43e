// SPDX-License-Identifier: Apache-2.0
// How the commands add options with a text behind them: of one given twice the last counts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace toriscope {

/// A group of options of a command, as its help shows them.
class text_options {
 public:
  text_options(CLI::App& command, std::string group) : command_(command), group_(std::move(group)) {}

  void add(const char* name, std::string& value, const char* type, const char* description) {
    command_.add_option(name, value, description)
        ->type_name(type)
        ->group(group_)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  void add_flag(const char* name, bool& value, const char* description) {
    command_.add_flag(name, value, description)->group(group_);
  }

 private:
  CLI::App& command_;
  const std::string group_;
};

}  // namespace toriscope
