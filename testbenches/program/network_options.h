// SPDX-License-Identifier: Apache-2.0
// The options that say which network a command is about, and how it is run: the parameters (parameters.h)
// that the command takes, and --config.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

class network_options {
 public:
  /// Adds them to the command, which must outlive this.
  explicit network_options(CLI::App& command);
  network_options(const network_options&) = delete;
  network_options& operator=(const network_options&) = delete;

  /// The configuration that file and options ask for, once the command line has been parsed.
  /// @param base  what they do not say
  /// @throws std::invalid_argument one line
  run_request request(const run_config& base = {}) const;

  /// Of a sweep: each option that was given, without its dashes, and its values.
  std::vector<std::pair<std::string, std::vector<std::string>>> choices() const;

 private:
  void add_parameters();

  CLI::App& command_;
  // What the user typed, before it is known what it means.
  std::map<std::string, std::vector<std::string>> values_;  ///< by option; more than one in a sweep only
  std::map<std::string, bool> flags_;
  std::string config_file_;
};

}  // namespace toriscope
