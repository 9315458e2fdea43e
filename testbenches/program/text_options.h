// SPDX-License-Identifier: Apache-2.0
// How the commands add options with a text behind them: of one given twice the last counts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/whole_number.h"

namespace toriscope {

/// For options that have no kind of their own.
inline CLI::Validator whole_between(unsigned least, unsigned most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        unsigned value = 0;
        if (to_number(text, value) && value >= least && value <= most) return std::string();
        return "'" + text + "' must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
      },
      "");
}

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
