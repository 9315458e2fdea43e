// SPDX-License-Identifier: Apache-2.0
// A point: one simulation, which is one child process. Its name is the hash of its configuration.
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// What a point does beyond its configuration.
struct point_options {
  bool allow_deadlock = false;  ///< run a VC rule that is known to be cyclic; changes no result
  bool observe = false;         ///< count inside the routers: the result has `links` and `stalls`
};

class point {
 public:
  /// @param config  with all defaults resolved, as resolve() returns it
  /// @param nodes   of its network, for the expected cost
  point(const run_config& config, const point_options& options, std::size_t nodes);

  /// 16 hexadecimal digits: of the configuration as a tree, what stands in files that it names, `observe`,
  /// and the version of the program.
  const std::string& hash() const { return hash_; }
  /// The configuration as a tree (as_tree), as text.
  const std::string& config_text() const { return config_text_; }
  /// Whether files that the configuration names have other contents than when the point was made.
  bool files_have_changed() const;
  /// Of the program, from "run" on, to simulate it with config_text() as standard input and the result as
  /// standard output.
  std::vector<std::string> arguments() const;
  /// A line for people and their shells that simulates it: all options that are not the default.
  std::string command() const;
  /// In any unit; only good for comparing points.
  double expected_cost() const { return expected_cost_; }

 private:
  point_options options_;
  std::string config_text_;
  std::string files_;  ///< hashes of what stood in them
  std::string hash_;
  std::vector<std::string> words_;  ///< of command()
  double expected_cost_;
};

/// The options of a command that make this configuration from the defaults: "--topology", "torus:8x8" ...
/// @param left_out  paths of parameters that are not wanted
std::vector<std::string> options_of(const run_config& config, const std::vector<std::string>& left_out = {});

/// "toriscope" and the arguments, quoted for a shell where that is needed.
std::string shell_command(const std::vector<std::string>& arguments);

}  // namespace toriscope
