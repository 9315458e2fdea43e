// SPDX-License-Identifier: Apache-2.0
// Reads plans: keys are options of run or paths of its parameters, a list means each of its values in turn.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "testbenches/experiments/sweep/sweep_plan.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {

/// The configuration of a curve as a plan has it: the effective one without load and seed.
nlohmann::ordered_json curve_tree(const curve& c);

class plan_reader {
 public:
  /// @param where  begins every error: "plan.json: ", or nothing
  plan_reader(sweep_plan& plan, std::string where);

  /// A whole plan file. @throws std::invalid_argument one line, as all of these
  void read(const std::string& text);
  /// From the command line; wins.
  void set(const sweep_plan::choices& given);
  /// The products of all lists.
  void make_curves();

 private:
  using json = nlohmann::ordered_json;
  struct dimension {
    const parameter* what;
    std::vector<json> values;  ///< checked
    std::string key;           ///< as written
    unsigned level = 0;        ///< of the plan, of a configuration in it, of the options (levels.h)
  };
  /// Dimensions in the order in which they were named; a parameter has one.
  struct group {
    std::vector<dimension> dimensions;
    bool allow_deadlock = false;
    std::string allow_deadlock_key;  ///< as written
  };

  [[noreturn]] void refuse(const std::string& why) const;
  void read_group(const json& tree, group& into, const std::string& prefix);
  void set_key(const std::string& key, const json& value, group& into);
  bool set_search(const std::string& key, const json& value);
  bool set_search_once(const std::string& name, const json& value, const std::string& key);
  [[noreturn]] void refuse_second(const std::string& known, const std::string& key) const;
  void add(group& into, const parameter& p, const json& value, const std::string& key) const;
  void put(group& into, dimension d) const;
  void check_size() const;
  void product(const group& g);
  void check_search(const run_config& config) const;
  /// A curve once.
  void add(curve c);
  /// Whether what was asked for has an effect in a curve.
  void note_effect(const dimension& d, const run_config& asked);
  [[noreturn]] void refuse_key(const std::string& key) const;

  sweep_plan& plan_;
  std::string where_;
  group common_;
  std::vector<group> groups_;
  group given_;
  std::map<std::string, std::pair<std::string, json>>
      searched_;                     ///< of the file: key as written and value, by name
  std::set<std::string> known_;      ///< curves of the plan, as text
  std::set<std::string> effective_;  ///< paths of parameters that have an effect in a curve
};

}  // namespace toriscope
