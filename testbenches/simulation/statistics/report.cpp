// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbenches/simulation/statistics/flow_statistics.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

json to_json(const statistic::value_type& value) {
  if (const auto* numbers = std::get_if<std::vector<double>>(&value); numbers && numbers->empty())
    return nullptr;
  return std::visit([](const auto& v) { return json(v); }, value);  // NaN becomes null when it is dumped
}

json::json_pointer pointer_to(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return json::json_pointer("/" + name);
}

json group(const statistics& list) {
  json result = json::object();
  for (const statistic& s : list) result[pointer_to(s.name)] = to_json(s.value);
  return result;
}

void append_table(std::string& text, const char* title, const statistics& list) {
  std::size_t name = 0, value = 0, unit = 0;
  for (const statistic& s : list) {
    name = std::max(name, s.name.size());
    // A long text must not push all others aside.
    if (to_text(s.value).size() <= 24) value = std::max(value, to_text(s.value).size());
    unit = std::max(unit, s.unit.size());
  }
  text += fmt::format("{}\n", title);
  for (const statistic& s : list)
    text += fmt::format("  {:<{}}  {:>{}}  {:<{}}  {}\n", s.name, name, to_text(s.value), value, s.unit, unit,
                        s.description);
}

/// RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string csv_value(const json& value) {
  if (value.is_string()) return csv_field(value.get<std::string>());
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text == "null" ? "" : csv_field(text);
}

void judge_stopped_run(report& r, statistic::value_type stable, const std::string& why) {
  for (statistic& s : r.results) {
    if (s.name == "stable" || s.name == "keeps_up_95") s.value = stable;
    if (s.name == "flows.missed") s.value = std::nan("");
  }
  for (json& flow : r.flows)
    if (flow["late"] == 0) flow["met"] = flow["slack"] = nullptr;
  r.results.push_back({"failure", "", "why the run stopped", why});
}

std::string as_table(const report& r) {
  std::string text;
  append_table(text, "results", r.results);
  if (!r.flows.is_null()) text += flow_table(r.flows);
  append_table(text, "performance", r.performance);
  return text;
}

std::string as_json(const report& r) {
  json all;
  all["config"] = r.config;
  all["results"] = group(r.results);
  json& histogram = all["results"]["latency"]["histogram"];
  histogram["first"] = r.latency_histogram.first;
  histogram["bin_width"] = r.latency_histogram.width;
  histogram["counts"] = r.latency_histogram.counts;
  for (const auto& [name, values] : r.wires) all[name] = values;
  if (!r.flows.is_null()) all["flows"] = r.flows;
  if (!r.lost.is_null()) all["lost"] = r.lost;
  if (!r.failure.is_null()) all["failure"] = r.failure;
  if (!r.observation.is_null()) all["observation"] = r.observation;
  all["performance"] = group(r.performance);
  json& units = all["units"];
  for (const statistic& s : r.results)
    if (!s.unit.empty()) units["results." + s.name] = s.unit;
  for (const statistic& s : r.performance)
    if (!s.unit.empty()) units["performance." + s.name] = s.unit;
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string as_csv(const report& r) {
  std::vector<std::string> names;
  std::vector<std::string> values;
  const auto add = [&](const std::string& name, const std::string& value) {
    names.push_back(csv_field(name));
    values.push_back(value);
  };
  for (const auto& [section, keys] : r.config.items())
    for (const auto& [key, value] : keys.items()) add("config." + section + "." + key, csv_value(value));
  for (const statistic& s : r.results) add("results." + s.name, csv_value(to_json(s.value)));
  for (const auto& [section, counts] : r.observation.items())
    if (counts.is_object())
      for (const auto& [key, value] : counts.items())
        add("observation." + section + "." + key, csv_value(value));
  for (const statistic& s : r.performance) add("performance." + s.name, csv_value(to_json(s.value)));
  return fmt::format("{}\n{}\n", fmt::join(names, ","), fmt::join(values, ","));
}

}  // namespace toriscope
