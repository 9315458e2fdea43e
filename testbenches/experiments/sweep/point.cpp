// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/point.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/text_hash.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/statistics/statistic.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// What a reader of a command wants to see, default or not.
bool always_named(const parameter& p) {
  return p.path == "topology.spec" || p.path == "traffic.pattern" || p.path == "topology.vc_rule" ||
         p.path == "traffic.rate_flits_per_node_cycle" || p.path == "traffic.seed" ||
         p.path == "router.regrant";  // whose default depends on the routing
}

/// What stands in files that a topology is made from: "file:PATH", "rdt:PATH,32".
std::string files_named_in(const std::string& spec) {
  std::string text;
  for (std::size_t begin = spec.find(':'); begin != std::string::npos; begin = spec.find(',', begin)) {
    ++begin;
    const std::string path = spec.substr(begin, spec.find(',', begin) - begin);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) continue;
    std::ifstream in(path, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return text;
}

}  // namespace

std::string quoted_for_shell(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-_=+:,./@%").find(c) < 10;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

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
  std::string line = "toriscope";
  for (const std::string& argument : arguments) line += " " + quoted_for_shell(argument);
  return line;
}

point::point(const run_config& config, const point_options& options, std::size_t nodes)
    : options_(options), config_text_(as_tree(config).dump()) {
  const std::string identity = std::string("toriscope " TORISCOPE_VERSION " ") +
                               (options.observe ? "observed " : "run ") + config_text_ +
                               files_named_in(config.topology.spec);
  hash_ = hex_text(mix_text(identity));
  arguments_ = {"run"};
  for (std::string& option : options_of(config)) arguments_.push_back(std::move(option));
  if (options.allow_deadlock) arguments_.emplace_back("--allow-deadlock");
  const measurement_config& m = config.measurement;
  expected_cost_ = static_cast<double>(nodes) * static_cast<double>(m.warmup_cycles + m.measure_cycles) *
                   (config.traffic.rate_flits_per_node_cycle + 0.01);
}

std::string point::command() const {
  std::vector<std::string> words = arguments_;
  if (options_.observe) words.emplace_back("--observe");
  return shell_command(words);
}

point_result::point_result(json document) : document_(std::make_shared<const json>(std::move(document))) {}

bool point_result::failed() const { return document_->at("results").contains("failure"); }

bool point_result::stable() const {
  const json& results = document_->at("results");
  return !failed() && results.contains("stable") && results["stable"] == true;
}

const json* point_result::find(const std::string& name) const {
  std::string path = "/results/" + name;
  std::replace(path.begin(), path.end(), '.', '/');
  const json::json_pointer pointer(path);
  return document_->contains(pointer) ? &document_->at(pointer) : nullptr;
}

double point_result::figure(const std::string& name) const {
  const json* const value = find(name);
  return value && value->is_number() ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::optional<figure_interval> point_result::interval(const std::string& name) const {
  const json* const value = find(name);
  const auto is_number = [](const json& end) { return end.is_number(); };
  if (!value || !value->is_array() || value->size() != 2 ||
      !std::all_of(value->begin(), value->end(), is_number))
    return std::nullopt;
  return figure_interval{value->at(0), value->at(1)};
}

}  // namespace toriscope
