// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/experiments/sweep/plan_reader.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

const std::vector<std::string> not_of_a_curve{"traffic.rate_flits_per_node_cycle", "traffic.seed"};

/// Lists without the marks of JSON: "1", "linear:1", "1,2".
std::string shown(const json& value) {
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
  std::string text;
  for (const json& item : value) text += (text.empty() ? "" : ",") + shown(item);
  return text;
}

template <class Number>
std::string listed(const std::vector<Number>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

}  // namespace

sweep_plan sweep_plan::from(const choices& given, const std::string& text, const std::string& file) {
  sweep_plan plan;
  plan_reader reader(plan, file.empty() ? "" : file + ": ");
  if (!file.empty()) reader.read(text);
  reader.set(given);
  reader.make_curves();
  plan.finish();
  return plan;
}

void sweep_plan::finish() {
  for (const parameter& p : parameters()) {
    std::set<std::string> values;
    for (const curve& c : curves_) values.insert(p.get(c.config).dump());
    if (values.size() > 1) varied_.push_back(p.path);
  }
  // A curve is called by its topology and traffic, and what else differs among curves of the same topology.
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;
  for (const curve& c : curves_)
    for (const std::string& path : varied_)
      values[c.config.topology.spec][path].insert(parameter_at(path).get(c.config).dump());
  for (curve& c : curves_) {
    c.label = c.config.topology.spec + " " + c.config.traffic.pattern;
    for (const std::string& path : varied_) {
      if (path == "traffic.pattern" || values[c.config.topology.spec][path].size() < 2) continue;
      const parameter& p = parameter_at(path);
      c.label += " " + p.table_name() + "=" + shown(p.get(c.config));
    }
    c.label = one_line(c.label, c.label.size());
  }
}

json curve_tree(const curve& c) {
  json tree = as_tree(c.config);
  tree["traffic"].erase("rate_flits_per_node_cycle");
  tree["traffic"].erase("seed");
  if (c.allow_deadlock) tree["allow_deadlock"] = true;
  return tree;
}

std::string sweep_plan::text() const {
  json all;
  all["toriscope"] = TORISCOPE_VERSION;
  all["rates"] = settings_.rates.empty() ? json("auto") : json(settings_.rates);
  all["seeds"] = settings_.seeds;
  all["tolerance"] = settings_.tolerance;
  all["confidence"] = settings_.confidence;
  all["confirm"] = settings_.confirm;
  all["observe"] = settings_.observe;
  for (const curve& c : curves_) all["configurations"].push_back(curve_tree(c));
  return all.dump(1) + "\n";
}

std::string sweep_plan::command_of(const curve& c) const {
  std::vector<std::string> words{"sweep"};
  for (std::string& option : options_of(c.config, not_of_a_curve)) words.push_back(std::move(option));
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--rates", settings_.rates.empty() ? "auto" : listed(settings_.rates));
  add("--seeds", listed(settings_.seeds));
  add("--tolerance", fmt::format("{}", settings_.tolerance));
  if (settings_.confidence > 0) add("--confidence", fmt::format("{}", settings_.confidence));
  if (confirms(c) && settings_.confirm != search_settings().confirm)
    add("--confirm", fmt::format("{}", settings_.confirm));
  if (settings_.observe) words.emplace_back("--observe");
  if (c.allow_deadlock) words.emplace_back("--allow-deadlock");
  add("--out", "curve");
  return shell_command(words);
}

bool sweep_plan::unit_is_point() const {
  return !settings_.rates.empty() && settings_.confidence == 0 && !settings_.observe;
}

bool sweep_plan::confirms(const curve& c) const {
  return settings_.rates.empty() && c.config.measurement.precision == 0;
}

bool sweep_plan::confirms() const {
  return std::any_of(curves_.begin(), curves_.end(), [this](const curve& c) { return confirms(c); });
}

std::size_t sweep_plan::units() const {
  return curves_.size() * (unit_is_point() ? settings_.rates.size() * settings_.seeds.size() : 1);
}

std::size_t sweep_plan::curve_of(std::size_t unit) const { return unit / (units() / curves_.size()); }

double sweep_plan::rate_of(std::size_t unit) const {
  return settings_.rates.at(unit / settings_.seeds.size() % settings_.rates.size());
}

std::uint64_t sweep_plan::seed_of(std::size_t unit) const {
  return settings_.seeds.at(unit % settings_.seeds.size());
}

std::string sweep_plan::unit_text(std::size_t unit) const {
  const std::string& label = curves_.at(curve_of(unit)).label;
  return unit_is_point() ? fmt::format("{} rate {} seed {}", label, rate_of(unit), seed_of(unit)) : label;
}

}  // namespace toriscope
