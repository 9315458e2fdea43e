// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/point.h"

#include <algorithm>
#include <limits>

#include "base/text_hash.h"
#include "base/words.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// What a reader of a command wants to see, default or not.
bool always_named(const parameter& p) {
  return p.path == "topology.spec" || p.path == "traffic.pattern" || p.path == "topology.vc_rule" ||
         p.path == "traffic.rate_flits_per_node_cycle" || p.path == "traffic.seed" ||
         p.path == "router.regrant";  // whose default depends on the routing
}

}  // namespace

std::vector<std::string> options_of(const run_config& config, const std::vector<std::string>& left_out) {
  const run_config defaults;
  std::vector<std::string> list;
  for (const parameter& p : parameters()) {
    if (std::find(left_out.begin(), left_out.end(), p.path) != left_out.end()) continue;
    if (p.get(config) == p.get(defaults) && !always_named(p)) continue;
    list.push_back("--" + p.option);
    if (p.what != parameter::kind::flag) list.push_back(p.shown(config));
  }
  return list;
}

std::string shell_command(const std::vector<std::string>& arguments) {
  return "toriscope " + shell_line(arguments);
}

point::point(const run_config& config, const point_options& options, std::size_t nodes)
    : options_(options), config_text_(as_tree(config).dump()), files_(config.hashes_of_files()) {
  const std::string identity = std::string("toriscope " TORISCOPE_VERSION " ") +
                               (options.observe ? "observed " : "run ") + config_text_ +
                               files_;
  hash_ = hex_text(mix_text(identity));
  words_ = {"run"};
  for (std::string& option : options_of(config)) words_.push_back(std::move(option));
  if (options.allow_deadlock) words_.emplace_back("--allow-deadlock");
  if (options.observe) words_.emplace_back("--observe");
  const measurement_config& m = config.measurement;
  expected_cost_ = static_cast<double>(nodes) * static_cast<double>(m.warmup_cycles + m.measure_cycles) *
                   (config.traffic.rate_flits_per_node_cycle + 0.01);
}

bool point::files_have_changed() const {
  if (files_.empty()) return false;
  run_config config;
  set_from_file_text(config_text_, "point", config);
  return config.hashes_of_files() != files_;
}

std::vector<std::string> point::arguments() const {
  std::vector<std::string> words = {"run", "--config", "-", "--quiet", "--json", "-", "--failure-wave", "none"};
  if (options_.allow_deadlock) words.emplace_back("--allow-deadlock");
  if (options_.observe) words.insert(words.end(), {"--observe", "--json-links"});
  return words;
}

std::string point::command() const { return shell_command(words_); }

}  // namespace toriscope
