// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "testbenches/experiments/sweep/plan_reader.h"
#include "testbenches/experiments/sweep/result_store.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/statistics/report.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t max_bins = 64;

json or_null(double value) { return std::isfinite(value) ? json(value) : json(); }

/// Bins are a power of two wide and begin at a multiple of that, so that they fit into wider ones.
json merged_histogram(const std::vector<run_result>& runs) {
  std::uint64_t width = 1;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  std::vector<latency_bins> parts;
  for (const run_result& r : runs) {
    const std::optional<latency_bins> part = r.histogram();
    if (!part) continue;
    width = std::max(width, part->bin_width);
    least = std::min(least, part->first);
    most = std::max(most, part->first + part->bin_width * (part->counts.size() - 1));
    parts.push_back(*part);
  }
  if (parts.empty()) return {{"first", 0}, {"bin_width", 1}, {"counts", json::array()}};
  while (most / width - least / width + 1 > max_bins) width *= 2;
  const std::uint64_t first = least / width * width;
  std::vector<std::uint64_t> counts(most / width - least / width + 1);
  for (const latency_bins& part : parts)
    for (std::size_t i = 0; i < part.counts.size(); ++i)
      counts[(part.first + i * part.bin_width - first) / width] += part.counts[i];
  return {{"first", first}, {"bin_width", width}, {"counts", counts}};
}

double extreme(const load_figures& load, const char* name, bool largest) {
  double value = load.runs.front().figure(name);
  for (const run_result& r : load.runs)
    value = largest ? std::fmax(value, r.figure(name)) : std::fmin(value, r.figure(name));  // of those that have it
  return value;
}

/// Of the run in which it is the busiest; null where no run got as far as its window.
json bottleneck_of(const load_figures& load) {
  const run_result* busiest = nullptr;
  for (const run_result& r : load.runs) {
    const double busy = r.figure("bottleneck.busy");
    if (std::isnan(busy)) continue;
    if (!busiest || busy > busiest->figure("bottleneck.busy")) busiest = &r;
  }
  if (!busiest) return {{"name", nullptr}, {"busy", nullptr}};
  return busiest->document()["results"]["bottleneck"];
}

json load_json(const load_figures& load) {
  json row;
  const auto mean = [&](const char* name) { return or_null(load.mean(name)); };
  row["rate"] = load.rate;
  row["runs"] = load.runs.size();
  row["seeds"] = load.seeds;
  row["stable"] = load.stable;
  row["stable_runs"] = load.stable_runs;
  row["confirmed"] = load.confirmation ? json(load.confirmation->result.stable()) : json();
  row["offered"] = mean("offered");
  row["accepted"] = mean("accepted");
  json& latency = row["latency"];
  latency["mean"] = mean("latency.mean");
  latency["standard_error"] = or_null(load.standard_error());
  const std::optional<figure_interval> interval = load.latency_interval();
  latency["interval_95"] = interval ? json{interval->low, interval->high} : json();
  latency["network_mean"] = mean("latency.network_mean");
  latency["min"] = or_null(extreme(load, "latency.min", false));
  for (const char* percentile : {"p50", "p90", "p99"})
    latency[percentile] = mean((std::string("latency.") + percentile).c_str());
  latency["max"] = or_null(extreme(load, "latency.max", true));
  latency["zero_load_model"] = mean("latency.zero_load_model");
  latency["histogram"] = merged_histogram(load.runs);
  row["hops"]["mean"] = mean("hops.mean");
  row["links"]["utilisation_mean"] = mean("links.utilisation_mean");
  row["links"]["utilisation_max"] = mean("links.utilisation_max");
  row["links"]["busy_mean"] = mean("links.busy_mean");
  row["links"]["busy_max"] = mean("links.busy_max");
  row["bottleneck"] = bottleneck_of(load);
  for (const run_result& r : load.runs)
    if (r.failed()) row["failure"] = r.failure()->message;
  row["command"] = load.points.front()->command();
  for (const auto& p : load.points) row["files"].push_back(result_store::file_name(*p));
  if (load.confirmation) {
    const auto& [what, result] = *load.confirmation;
    row["confirmation"] = {{"command", what->command()}, {"file", result_store::file_name(*what)}};
    if (result.failed()) row["failure"] = result.failure()->message;
  }
  return row;
}

json summary_json(const curve_search& search) {
  json row;
  for (const statistic& s : search.summary().figures())
    row[s.name] = std::visit(
        [](const auto& value) -> json {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            return or_null(value);
          else
            return value;
        },
        s.value);
  return row;
}

json observed_json(const curve_search::observed_point& seen) {
  json all;
  all["rate"] = seen.rate;
  all["seed"] = seen.seed;
  all["command"] = seen.what->command();
  all["file"] = result_store::file_name(*seen.what);
  // Four decimals are enough for a picture, and keep the file small.
  for (const char* list : {"links", "links_busy", "injection_ports", "ejection_ports"}) {
    all[list] = json::array();
    for (const json& use : seen.result.document().value(list, json::array()))
      all[list].push_back(std::round(use.get<double>() * 1e4) / 1e4);
  }
  all["stalls"] = seen.result.document().value("stalls", json());
  return all;
}

/// The columns that say which curve it is: name and value.
std::vector<std::pair<std::string, json>> curve_columns(const sweep_plan& plan, std::size_t number) {
  const curve& c = plan.curves()[number];
  std::vector<std::pair<std::string, json>> columns{{"curve", number},
                                                    {"label", c.label},
                                                    {"topology", c.config.topology.spec},
                                                    {"routing", c.config.topology.routing},
                                                    {"vc_rule", c.config.topology.vc_rule},
                                                    {"traffic", c.config.traffic.pattern}};
  for (const std::string& path : plan.varied())
    for (const parameter& p : parameters()) {
      if (p.path != path) continue;
      std::string name = p.table_name();
      std::replace(name.begin(), name.end(), '-', '_');
      if (std::none_of(columns.begin(), columns.end(),
                       [&](const auto& known) { return known.first == name; }))
        columns.emplace_back(name, p.get(c.config));
    }
  return columns;
}

/// {"latency": {"mean": 1}} gives "latency_mean", 1; histograms, files and the like have no column.
void add_columns(std::vector<std::pair<std::string, json>>& columns, const json& row,
                 const std::string& prefix) {
  for (const auto& [name, value] : row.items()) {
    if (name == "histogram" || name == "seeds" || name == "files" || name == "failure" || name == "command" ||
        name == "confirmation")
      continue;
    if (name == "interval_95")
      for (const std::size_t end : {0, 1})
        columns.emplace_back(prefix + (end ? "interval_high" : "interval_low"),
                             value.is_null() ? value : value[end]);
    else if (value.is_object())
      add_columns(columns, value, prefix + name + "_");
    else
      columns.emplace_back(prefix + name, value);
  }
}

std::string csv_text(const std::vector<std::vector<std::pair<std::string, json>>>& rows) {
  std::string text;
  const auto add_line = [&](const auto& row, const auto& field) {
    const char* comma = "";
    for (const auto& column : row) {
      text += comma + field(column);
      comma = ",";
    }
    text += '\n';
  };
  if (!rows.empty()) add_line(rows.front(), [](const auto& column) { return column.first; });
  for (const auto& row : rows) add_line(row, [](const auto& column) { return csv_value(column.second); });
  return text;
}

}  // namespace

std::string points_csv(const sweep_plan& plan, const curve_searches& searches) {
  std::vector<std::vector<std::pair<std::string, json>>> rows;
  for (std::size_t i = 0; i < searches.size(); ++i)
    for (const load_figures& load : searches[i]->loads()) {
      rows.push_back(curve_columns(plan, i));
      add_columns(rows.back(), load_json(load), "");
    }
  return csv_text(rows);
}

std::string curves_csv(const sweep_plan& plan, const curve_searches& searches) {
  std::vector<std::vector<std::pair<std::string, json>>> rows;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    rows.push_back(curve_columns(plan, i));
    add_columns(rows.back(), summary_json(*searches[i]), "");
  }
  return csv_text(rows);
}

std::string sweep_json(const sweep_plan& plan, const curve_searches& searches) {
  json all;
  all["kind"] = "sweep";
  all["toriscope"] = TORISCOPE_VERSION;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const curve& c = plan.curves()[i];
    json one;
    one["curve"] = i;
    one["label"] = c.label;
    one["config"] = curve_tree(c);
    one["command"] = plan.command_of(c);
    one["loads"] = plan.settings().rates.empty() ? "auto" : "fixed";
    one["summary"] = summary_json(*searches[i]);
    one["points"] = json::array();
    for (const load_figures& load : searches[i]->loads()) one["points"].push_back(load_json(load));
    if (const auto seen = searches[i]->observed()) one["observed"] = observed_json(*seen);
    all["curves"].push_back(std::move(one));
  }
  return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string curves_text(const curve_searches& searches) {
  std::size_t width = 5;
  for (const auto& s : searches) width = std::max(width, s->what().label.size());
  const auto line = [&](const std::string& label, const std::string& zero_load, const std::string& knee,
                        const std::string& saturation, const std::string& latency) {
    return fmt::format("{:<{}}  {:>17}  {:>7}  {:>21}  {:>24}\n", label, width, zero_load, knee, saturation,
                       latency);
  };
  const auto shown = [](double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; };
  std::string text = line("curve", "zero-load latency", "knee", "saturation throughput", "latency there");
  for (const auto& s : searches) {
    const curve_summary sum = s->summary();
    const std::string bracket =
        std::isfinite(sum.saturation_upper) ? " .. " + shown(sum.saturation_upper) : " at least";
    std::string latency = shown(sum.latency_at_saturation);
    for (const load_figures& load : s->loads()) {
      if (load.rate != sum.saturation_throughput) continue;
      const std::optional<figure_interval> interval = load.latency_interval();
      latency += interval ? " (" + shown(interval->low) + " .. " + shown(interval->high) + ")" : " (unknown)";
    }
    text += line(s->what().label, shown(sum.zero_load_latency), shown(sum.knee),
                 shown(sum.saturation_throughput) + bracket, latency);
  }
  return text +
         "latencies in cycles, with 95 % intervals; knee (twice the zero-load latency) and throughput in "
         "flits per "
         "node and cycle: stable .. not stable\n";
}

}  // namespace toriscope
