// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/curve_entry.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/words.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t max_bins = 80;

/// Neighbouring bins joined until there are few enough.
json histogram_of(const checked_json& latency) {
  if (!latency.has("histogram")) return nullptr;
  const checked_json histogram = latency.object("histogram");
  const json& counts = histogram.array("counts").value();
  if (!std::all_of(counts.begin(), counts.end(), [](const json& n) { return n.is_number_unsigned(); }))
    histogram.refuse("counts", "expected whole numbers");
  const json first = histogram.number("first"), width = histogram.number("bin_width");
  if (!width.is_number_unsigned() || width == 0)
    histogram.refuse("bin_width", "expected a whole number above 0");
  const std::size_t join = (counts.size() + max_bins - 1) / max_bins;
  json joined = json::array();
  for (std::size_t i = 0; i < counts.size(); i += join) {
    std::uint64_t sum = 0;
    for (std::size_t j = i; j < std::min(i + join, counts.size()); ++j) sum += counts[j].get<std::uint64_t>();
    joined.push_back(sum);
  }
  return {{"first", first},
          {"bin_width", width.get<std::uint64_t>() * std::max<std::size_t>(join, 1)},
          {"counts", joined}};
}

/// The ends of the 95 % interval of the mean latency; nulls: unknown.
void add_interval(const checked_json& latency, json& point) {
  point["low"] = point["high"] = nullptr;
  if (!latency.has("interval_95")) return;
  const json& ends = latency.array("interval_95").value();
  if (ends.size() != 2 || !ends[0].is_number() || !ends[1].is_number())
    latency.refuse("interval_95", "expected two numbers or null");
  point["low"] = shortened(ends[0]);
  point["high"] = shortened(ends[1]);
}

/// What points of sweeps and results of runs have in common.
void add_figures(const checked_json& figures, json& point) {
  point["offered"] = figures.number_or_null("offered");
  point["accepted"] = figures.number_or_null("accepted");
  point["stable"] = figures.flag("stable");
  const checked_json latency = figures.object("latency");
  for (const auto& [name, key] : {std::pair{"mean", "mean"},
                                  {"zero", "zero_load_model"},
                                  {"min", "min"},
                                  {"p50", "p50"},
                                  {"p90", "p90"},
                                  {"p99", "p99"},
                                  {"max", "max"}})
    point[name] = latency.number_or_null(key);
  add_interval(latency, point);
  point["hops"] = figures.has("hops") ? figures.object("hops").number_or_null("mean") : json();
  point["link_max"] =
      figures.has("links") ? figures.object("links").number_or_null("utilisation_max") : json();
  point["histogram"] = histogram_of(latency);
}

json text_or_null(const checked_json& from, const std::string& key) {
  return from.has(key) ? json(from.text(key)) : json();
}

/// The pattern, with the mode where it is not open; or the file of packets or flows.
std::string traffic_name(const checked_json& traffic) {
  for (const char* key : {"file", "flows"})
    if (traffic.has(key) && !traffic.text(key).empty()) return traffic.text(key);
  const std::string mode = traffic.has("mode") ? traffic.text("mode") : "open";
  return traffic.text("pattern") + (mode == "open" ? "" : " " + mode);
}

json point_of_sweep(const checked_json& from) {
  json point;
  point["rate"] = from.number("rate");
  point["runs"] = from.number_or_null("runs");
  point["stable_runs"] = from.number_or_null("stable_runs");
  add_figures(from, point);
  for (const char* key : {"failure", "command"})
    if (from.has(key)) point[key] = from.text(key);
  return point;
}

json link_list(const checked_json& from, const char* key) {
  json all = json::array();
  for (const json& use : from.array(key).value()) {
    if (!use.is_number() && !use.is_null()) from.refuse(key, "expected numbers");
    all.push_back(use.is_null() ? json(0) : shortened(use));
  }
  return all;
}

json observed_of_sweep(const checked_json& from) {
  json observed = {{"rate", from.number("rate")}, {"command", text_or_null(from, "command")}};
  // Without links: not observed flit by flit.
  for (const auto& [key, name] : {std::pair{"links", "links"},
                                  {"links_busy", "busy"},
                                  {"injection_ports", "injection"},
                                  {"ejection_ports", "ejection"}})
    if (from.has(key) && from.array(key).size() > 0) observed[name] = link_list(from, key);
  if (from.has("stalls")) observed["stalls"] = from.object("stalls").value();
  return observed;
}

/// The beginning of a curve.
json curve_of(const checked_json& from) {
  const checked_json config = from.object("config");
  json curve;
  curve["topology"] = config.object("topology").text("spec");
  curve["pattern"] = traffic_name(config.object("traffic"));
  curve["config"] = config.value();
  return curve;
}

json curve_of_sweep(const checked_json& from) {
  json curve = curve_of(from);
  curve["command"] = text_or_null(from, "command");
  const checked_json summary = from.object("summary");
  for (const char* key : {"zero_load_latency", "saturation_throughput", "saturation_upper", "tolerance",
                          "confidence", "latency_at_saturation", "knee", "runs"})
    curve["summary"][key] = summary.number_or_null(key);
  const checked_json points = from.array("points");
  curve["points"] = json::array();
  for (std::size_t i = 0; i < points.size(); ++i) curve["points"].push_back(point_of_sweep(points.entry(i)));
  curve["observed"] = from.has("observed") ? observed_of_sweep(from.object("observed")) : json();
  return curve;
}

/// Removes the load and the seed from a configuration. @returns the load, as asked for or as it was
json take_load(const checked_json& run, json& config) {
  json& traffic = config["traffic"];
  json rate = traffic.value("rate_flits_per_node_cycle", json());
  traffic.erase("rate_flits_per_node_cycle");
  traffic.erase("seed");
  const bool open = traffic.value("mode", json("open")) == "open" && traffic.value("file", json("")) == "" &&
                    traffic.value("flows", json("")) == "";
  if (!open || !rate.is_number()) rate = run.object("results").number_or_null("offered");
  return rate.is_null() ? json(0) : shortened(rate);
}

void add_link_usage(const result_file& usage, json& observed) {
  const checked_json file(usage.content, usage.path);
  const auto add = [&](const char* rows, const auto& name_of, const char* figure) {
    const checked_json list = file.array(rows);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const json use = list.entry(i).number_or_null(figure);
      observed[name_of(list.entry(i))].push_back(use.is_null() ? json(0) : use);
    }
  };
  observed["links"] = json::array();
  add(
      "links", [](const checked_json&) { return "links"; }, "utilisation");
  if (file.array("links").size() > 0 && file.array("links").entry(0).has("busy"))
    add(
        "links", [](const checked_json&) { return "busy"; }, "busy");
  if (file.has("ports"))
    add(
        "ports", [](const checked_json& row) { return row.text("kind"); }, "busy");
}

}  // namespace

json curves_of_sweep(const result_file& sweep) {
  const checked_json curves = checked_json(sweep.content, sweep.path).array("curves");
  json all = json::array();
  for (std::size_t i = 0; i < curves.size(); ++i) all.push_back(curve_of_sweep(curves.entry(i)));
  return all;
}

json curves_of_runs(const std::vector<const result_file*>& runs) {
  json all = json::array();
  std::map<std::string, std::size_t> known;  // by configuration
  std::size_t last = 0;
  json seen;  // in the last run
  for (const result_file* file : runs) {
    if (file->what == result_file::kind::link_usage) {
      add_link_usage(*file, seen);
      all[last]["observed"] = seen;
      continue;
    }
    const checked_json run(file->content, file->path);
    json curve = curve_of(run);
    json point;
    point["rate"] = take_load(run, curve["config"]);
    add_figures(run.object("results"), point);
    std::vector<std::string> again{"run", "--config", file->path};
    if (run.object("results").has("failure")) {
      point["failure"] = run.object("results").text("failure");
      if (begins_with(point["failure"].get<std::string>(), "deadlock"))
        again.emplace_back("--allow-deadlock");
    }
    point["command"] = "toriscope " + shell_line(again);
    const auto [place, is_new] = known.try_emplace(curve["config"].dump(), all.size());
    if (is_new) {
      curve["command"] = point["command"];
      curve["summary"] = json::object();
      curve["points"] = json::array();
      curve["observed"] = nullptr;
      all.push_back(std::move(curve));
    }
    last = place->second;
    json& kept = all[last];
    seen = {{"rate", point["rate"]}};
    if (run.has("observation")) {
      seen["stalls"] = run.object("observation").object("fronts").value();
      if (!kept["observed"].is_object() || !kept["observed"].contains("links")) kept["observed"] = seen;
    }
    kept["points"].push_back(std::move(point));
  }
  for (json& curve : all)
    std::stable_sort(curve["points"].begin(), curve["points"].end(),
                     [](const json& a, const json& b) { return a["rate"] < b["rate"]; });
  return all;
}

}  // namespace toriscope
