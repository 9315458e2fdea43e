// SPDX-License-Identifier: Apache-2.0
// What a sweep is asked to do: curves, and how each of them is searched. From a JSON file, or from options;
// its normal form has all defaults resolved and is a plan itself (docs/sweeps.md).
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/experiments/sweep/curve_search.h"

namespace toriscope {

class sweep_plan {
 public:
  /// Values by parameter: its path or option, and all that it shall have in turn.
  using choices = std::vector<std::pair<std::string, std::vector<std::string>>>;

  /// @param given  parameters as the command line has them: each with its values as text; "rates", "seeds",
  ///               "tolerance", "confidence", "confirm", "observe" and "allow-deadlock" with one
  /// @param text   of a plan file, empty: none. What is given on the command line wins.
  /// @param file   its name, for errors
  /// @throws std::invalid_argument one line: where, what, what would be right
  static sweep_plan from(const choices& given, const std::string& text = {}, const std::string& file = {});

  const std::vector<curve>& curves() const { return curves_; }
  const search_settings& settings() const { return settings_; }

  /// The normal form, which is also that of a plan made from it.
  std::string text() const;
  /// A plan for this curve alone, as a command.
  std::string command_of(const curve& c) const;
  /// Paths of the parameters in which curves differ, in the order of the parameters.
  const std::vector<std::string>& varied() const { return varied_; }
  /// Options without effect, by the path of their parameter.
  struct idle_key {
    std::string key;  ///< as the plan has it
    std::string why;
  };
  /// Parameters that have no effect in any curve. Defaults in a plan file do not count, as a normal form names
  /// all parameters.
  const std::map<std::string, idle_key>& idle() const { return idle_; }

  /// Pieces in which the plan may be worked off, by different processes: a curve each, or a simulation each.
  std::size_t units() const;
  /// A simulation: all of them are known beforehand, for loads and seeds are fixed and nothing is observed.
  bool unit_is_point() const;
  /// Whether a curve has a saturation throughput that a longer run may confirm.
  bool confirms() const;
  bool confirms(const curve& c) const;
  /// A line about one of them.
  std::string unit_text(std::size_t unit) const;
  /// The curve that a unit belongs to.
  std::size_t curve_of(std::size_t unit) const;
  /// The load and the seed of a unit that is a simulation.
  double rate_of(std::size_t unit) const;
  std::uint64_t seed_of(std::size_t unit) const;

 private:
  friend class plan_reader;
  void finish();

  std::vector<curve> curves_;
  search_settings settings_;
  std::vector<std::string> varied_;
  std::map<std::string, idle_key> idle_;
};

}  // namespace toriscope
