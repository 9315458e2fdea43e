// SPDX-License-Identifier: Apache-2.0
// The table of parameters: every member of run_config with its path in configuration files, its option on the
// command line, its range and its description. Files, options, the effective configuration and the help all
// come from it.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

struct parameter {
  enum class kind { whole, real, flag, text, choice, texts, wholes, delays };

  std::string path;         ///< "router.depth_flits"
  std::string option;       ///< "depth"
  std::string argument;     ///< what the help shows: "FLITS"; empty for a flag
  std::string description;  ///< one line
  kind what;
  double least = 0;                  ///< whole, real
  double most = 0;                   ///< whole, real
  std::vector<std::string> choices;  ///< choice

  /// Takes a value of the right type and range.
  std::function<void(run_config&, const nlohmann::ordered_json&)> set;
  std::function<nlohmann::ordered_json(const run_config&)> get;
  /// Why it has no effect in this configuration; empty: it has one (parameter_effects.h). Null: it always has.
  std::function<std::string(const run_config&)> idle;

  bool makes_load = false;      ///< channel loads depend on it: traffic matrix, widths of links
  bool makes_topology = false;  ///< wiring, routing or VC rule depend on it (topology_options)
};

/// In the order in which they are shown.
const std::vector<parameter>& parameters();

/// Sets a parameter from a file. @throws std::invalid_argument what is wrong, without saying where
void set_from_json(const parameter& p, run_config& config, const nlohmann::ordered_json& value);
/// Sets a parameter from the command line; lists have commas between their items. @throws as above
void set_from_text(const parameter& p, run_config& config, const std::string& text);

/// The configuration as a tree, as set_from_file() reads it.
nlohmann::ordered_json as_tree(const run_config& config);

/// Sets what the configuration file says. The keys are the paths of the parameters as a tree, or, on its top
/// level, the names of options: {"router": {"depth_flits": 4}} or {"depth": 4}.
/// @param path  "-": standard input
/// @param keys  if not null: gets what was set, by path: the key as the file has it
/// @throws std::invalid_argument one line: the file, the key, what is right
void set_from_file(const std::string& path, run_config& config,
                   std::map<std::string, std::string>* keys = nullptr);
/// The same for text that stands in the file `path`.
void set_from_file_text(const std::string& text, const std::string& path, run_config& config,
                        std::map<std::string, std::string>* keys = nullptr);

}  // namespace toriscope
