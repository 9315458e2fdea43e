// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/run_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/checked_json.h"

namespace toriscope {

using json = nlohmann::ordered_json;

namespace {

constexpr std::uint64_t most_cycles = std::uint64_t{1} << 48;
constexpr std::size_t most_bins = 1024;

std::optional<latency_bins> bins_of(const checked_json& results) {
  const checked_json bins = results.object_or_empty("latency").object_or_empty("histogram");
  latency_bins all = {bins.whole("first", 0, 0, most_cycles), bins.whole("bin_width", 1, 1, most_cycles), {}};
  if ((all.bin_width & (all.bin_width - 1)) != 0 || all.first % all.bin_width != 0)
    bins.refuse("bin_width", "expected a power of two that divides \"first\"");
  if (!bins.has("counts")) return std::nullopt;
  const checked_json counts = bins.array("counts");
  if (counts.size() > most_bins) bins.refuse("counts", fmt::format("expected at most {} bins", most_bins));
  for (std::size_t i = 0; i < counts.size(); ++i) all.counts.push_back(counts.item(i).whole(0, most_cycles));
  return counts.size() > 0 ? std::optional(all) : std::nullopt;
}

}  // namespace

run_result::run_result(json document) : document_(std::make_shared<const json>(std::move(document))) {
  const checked_json all(*document_, "result");
  const checked_json results = all.object("results");
  bins_of(results);
  if (!results.has("failure")) return;
  failure_ = run_failure{results.text("failure"), false, {}};
  if (!all.has("failure")) return;  // written before 0.2
  const checked_json more = all.object("failure");
  failure_->deadlock = more.text("kind") == "deadlock";
  failure_->detail = more.texts("detail");
}

std::optional<latency_bins> run_result::histogram() const {
  return bins_of({document_->at("results"), "result", "results"});
}

bool run_result::stable() const {
  const json& results = document_->at("results");
  return !failed() && results.contains("stable") && results["stable"] == true;
}

const json* run_result::find(const std::string& name) const {
  std::string path = "/results/" + name;
  std::replace(path.begin(), path.end(), '.', '/');
  const json::json_pointer pointer(path);
  return document_->contains(pointer) ? &document_->at(pointer) : nullptr;
}

double run_result::figure(const std::string& name) const {
  const json* const value = find(name);
  return value && value->is_number() ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::optional<figure_interval> run_result::interval(const std::string& name) const {
  const json* const value = find(name);
  const auto is_number = [](const json& end) { return end.is_number(); };
  if (!value || !value->is_array() || value->size() != 2 ||
      !std::all_of(value->begin(), value->end(), is_number))
    return std::nullopt;
  return figure_interval{value->at(0), value->at(1)};
}

std::map<std::string, double> run_result::figures() const {
  std::map<std::string, double> all;
  for (const auto& [key, value] : document_->at("results").items()) {
    if (value.is_number()) all[key] = value.get<double>();
    if (!value.is_object()) continue;
    for (const auto& [inner, number] : value.items())
      if (number.is_number()) all[key + "." + inner] = number.get<double>();
  }
  return all;
}

run_result from_json(json document) {
  if (!document.is_object() || !document.contains("results") || !document.contains("config"))
    throw std::invalid_argument("its output is not a result");
  return run_result(std::move(document));
}

run_result from_json(const std::string& text) { return from_json(json_or_null(text)); }

}  // namespace toriscope
