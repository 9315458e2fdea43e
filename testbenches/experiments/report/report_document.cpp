// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/report_document.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/checked_json.h"
#include "testbenches/experiments/report/curve_entry.h"
#include "testbenches/experiments/report/network_cost.h"
#include "testbenches/experiments/report/network_layout.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

/// What people call a result: the directory of a sweep or reproduction, else the file.
std::string name_of(const result_file& file) {
  const std::filesystem::path path = std::filesystem::path(file.path).lexically_normal();
  if (file.what != result_file::kind::sweep && file.what != result_file::kind::verdicts)
    return path.filename().string();
  const std::filesystem::path directory = path.parent_path();
  return directory.empty() ? path.filename().string() : directory.filename().string();
}

/// Adds curves, all of one source.
void add_curves(json& document, const std::string& name, const char* kind, json curves) {
  for (json& curve : curves) {
    curve["source"] = document["sources"].size();
    document["curves"].push_back(std::move(curve));
  }
  document["sources"].push_back({{"name", name}, {"kind", kind}});
}

void add_verdicts(json& document, const result_file& file) {
  for (std::size_t i = 0; i < file.content.size(); ++i) {
    const checked_json row = checked_json(file.content, file.path).entry(i);
    for (const char* key : {"paper", "item", "verdict"}) row.text(key);
    document["verdicts"].push_back(row.value());
  }
  document["sources"].push_back({{"name", name_of(file)}, {"kind", "verdicts"}});
}

void add_runs(json& document, const std::vector<result_file>& files) {
  std::vector<const result_file*> runs;
  std::string names;
  for (const result_file& file : files) {
    const bool use = file.what == result_file::kind::link_usage;
    if (!use && file.what != result_file::kind::run) continue;
    if (use && (&file == &files.front() || (&file - 1)->what != result_file::kind::run))
      throw std::invalid_argument(file.path +
                                  ": the use of links of which run? Name it after the run's --json file");
    if (runs.size() < 4) names += (runs.empty() ? "" : ", ") + name_of(file);
    runs.push_back(&file);
  }
  if (runs.size() > 4) names += " ...";
  if (!runs.empty()) add_curves(document, names, "run", curves_of_runs(runs));
}

/// Of every node the largest value of its terminals; null where it has none.
json by_node(const json& values, const json& node_of, std::size_t nodes) {
  std::vector<json> all(nodes);
  for (std::size_t t = 0; t < values.size(); ++t) {
    json& most = all[node_of[t].get<std::size_t>()];
    if (most < values[t]) most = values[t];  // null is less than any number
  }
  return all;
}

/// The layout that the links of a curve are drawn on; without one the links go, and a note says why.
void place_links(json& document, json& curve) {
  json& observed = curve["observed"];
  if (!observed.is_object() || !observed.contains("links")) return;
  const std::string network = curve["config"]["topology"].dump();
  const std::size_t links = observed["links"].size();
  json& layouts = document["networks"];
  try {
    if (!layouts.contains(network)) {
      run_config config;
      set_from_file_text(curve["config"].dump(), curve["topology"].get<std::string>(), config);
      layouts[network] = network_layout(config);
    }
    if (layouts[network]["from"].size() != links)
      throw std::invalid_argument("there are " + std::to_string(links) + " of them, and the network has " +
                                  std::to_string(layouts[network]["from"].size()));
    observed["network"] = network;
    if (observed.contains("busy") && observed["busy"].size() != links) observed.erase("busy");
    for (const char* list : {"injection", "ejection"}) {
      if (!observed.contains(list)) continue;
      const json& node_of = layouts[network][list];
      if (observed[list].size() == node_of.size())
        observed[list] = by_node(observed[list], node_of, layouts[network]["nodes"].size());
      else
        observed.erase(list);
    }
  } catch (const std::exception& error) {
    observed.erase("links");
    const json note =
        "The links of " + curve["topology"].get<std::string>() + " are not drawn: " + error.what();
    json& notes = document["notes"];
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
}

/// The configuration of a curve, as far as it says what the network is built of.
json built_of(const json& config) {
  json parts = json::object();
  for (const char* section : {"topology", "router"})
    if (config.contains(section)) parts[section] = config[section];
  return parts;
}

/// What the networks of curves are built of; null where that is unknown: of a file that is gone, of a large network.
void add_costs(json& curves) {
  std::map<std::string, json> known;
  for (json& curve : curves) {
    const std::string parts = built_of(curve["config"]).dump();
    const auto [cost, is_new] = known.try_emplace(parts, nullptr);
    if (is_new) try {
        run_config config;
        set_from_file_text(parts, curve["topology"].get<std::string>(), config);
        cost->second = network_cost(config);
      } catch (const std::exception&) {
      }
    curve["cost"] = cost->second;
  }
}

}  // namespace

json report_document(const std::vector<result_file>& files, const std::string& version) {
  json document = {{"toriscope", version}};
  for (const char* list : {"sources", "notes", "curves", "verdicts"}) document[list] = json::array();
  document["networks"] = json::object();
  for (const result_file& file : files) {
    if (file.what == result_file::kind::sweep)
      add_curves(document, name_of(file), "sweep", curves_of_sweep(file));
    if (file.what == result_file::kind::verdicts) add_verdicts(document, file);
  }
  add_runs(document, files);
  if (document["curves"].empty() && document["verdicts"].empty())
    throw std::invalid_argument((files.empty() ? "" : files.front().path + ": ") +
                                "there is nothing in it to report");
  for (json& curve : document["curves"]) place_links(document, curve);
  for (json& layout : document["networks"])
    for (const char* list : {"injection", "ejection"}) layout.erase(list);
  add_costs(document["curves"]);
  return document;
}

}  // namespace toriscope
