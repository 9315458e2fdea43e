// SPDX-License-Identifier: Apache-2.0
// The options that say which network a command is about, and how it is run: the parameters (parameters.h)
// that the command declares, and --config.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/program/run_command.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace toriscope {

/// The parameters that a command takes.
struct declared_parameters {
  unsigned sets = parameter_set::all;
  unsigned with_zero_load = 0;  ///< of these sets, those that need the command's option --zero-load
  bool plan = false;            ///< an option has several values, and a plan takes the place of --config
};

class network_options {
 public:
  /// Adds them to the command, which must outlive this. The command's own options come first: where one of
  /// them has a name of a parameter, the parameter goes by its other names.
  network_options(CLI::App& command, const declared_parameters& declared);
  network_options(const network_options&) = delete;
  network_options& operator=(const network_options&) = delete;

  /// The configuration that file and options ask for, once the command line has been parsed.
  /// @param base  what they do not say
  /// @throws std::invalid_argument one line
  run_request request(const run_config& base = {}) const;

  /// Of a sweep: each option that was given, without its dashes, and its values.
  std::vector<std::pair<std::string, std::vector<std::string>>> choices() const;

 private:
  struct taken {
    const parameter* what;
    CLI::Option* option;
  };
  taken add(const parameter& p);

  CLI::App& command_;
  const declared_parameters declared_;
  std::vector<taken> parameters_;
  // What the user typed, before it is known what it means.
  std::map<std::string, std::vector<std::string>> values_;  ///< by option; more than one in a sweep only
  std::map<std::string, bool> flags_;
  std::string config_file_;
};

}  // namespace toriscope
