// SPDX-License-Identifier: Apache-2.0
// The tables of a sweep, of results whose figures are known.
#include "base/json.h"
#include "testbenches/experiments/sweep/sweep_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/words.h"
#include "testbenches/experiments/sweep/answered_search.h"
#include "testbenches/experiments/sweep/result_store.h"

namespace toriscope::sweep_tables_test {
namespace {

using json = nlohmann::ordered_json;
using ::testing::HasSubstr;

/// What is added to the result of a seed.
using changed_result = std::function<void(std::uint64_t seed, json& document)>;

/// A finished sweep of a torus: loads .1 and .2, stable up to .1.
struct finished_sweep {
  sweep_plan plan;
  curve_searches searches;

  finished_sweep(const std::string& seeds, const changed_result& change, bool observe = false)
      : plan(sweep_plan::from({}, R"({"topology": "torus:4x4", "rates": [0.1, 0.2], "seeds": )" + seeds + "}",
                              "plan.json")) {
    search_settings settings = plan.settings();
    settings.observe = observe;
    curve_search& search = *searches.emplace_back(std::make_unique<curve_search>(plan.curves()[0], settings));
    while (!search.done()) {
      const point& p = *search.wanted().front().what;
      json document = json::parse(scripted_output(p, [](double rate, std::uint64_t) { return rate <= 0.1; }));
      document["results"]["latency"]["histogram"] = {{"first", 0}, {"bin_width", 1}, {"counts", json::array()}};
      change(document["config"]["traffic"]["seed"], document);
      search.take(p, from_json(document.dump()));
    }
  }
  json first_load() const { return json::parse(sweep_json(plan, searches))["curves"][0]["points"][0]; }
  /// Of the first load, by the name of the column.
  std::map<std::string, std::string> row() const {
    const std::vector<std::string> lines = split(points_csv(plan, searches), '\n');
    const std::vector<std::string> names = split(lines.at(0), ','), values = split(lines.at(1), ',');
    EXPECT_EQ(names.size(), values.size());
    std::map<std::string, std::string> all;
    for (std::size_t i = 0; i < names.size(); ++i) all[names[i]] = values.at(i);
    return all;
  }
};

/// Against the counts of all values one by one.
TEST(sweep_tables, the_histogram_of_all_seeds_counts_each_packet_where_it_belongs) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 50; ++round) {
    std::map<std::uint64_t, std::uint64_t> counts;  // of the finest bins that there are
    std::uint64_t widest = 1;
    std::map<std::uint64_t, json> of_seed;
    for (const std::uint64_t seed : {1, 2, 3}) {
      const std::uint64_t width = std::uint64_t{1} << random() % 4, first = random() % (round < 25 ? 8 : 40) * width;
      json bins = json::array();
      const unsigned number = seed == 3 && round % 2 ? 0 : 1 + static_cast<unsigned>(random() % 64);
      for (unsigned i = 0; i < number; ++i) {
        bins.push_back(1 + random() % 9);  // none is empty: the outermost are those that there have to be
        counts[first + i * width] += bins.back().get<std::uint64_t>();
      }
      if (number > 0) widest = std::max(widest, width);
      of_seed[seed] = {{"first", first}, {"bin_width", width}, {"counts", bins}};
    }
    const finished_sweep sweep("[1, 2, 3]", [&](std::uint64_t seed, json& document) {
      document["results"]["latency"]["histogram"] = of_seed[seed];
    });
    const json found = sweep.first_load()["latency"]["histogram"];
    const std::uint64_t width = found["bin_width"], first = found["first"];
    // As fine as 64 bins allow, and no finer than the coarsest of all.
    const auto bins_of = [&](std::uint64_t w) { return counts.rbegin()->first / w - counts.begin()->first / w + 1; };
    std::uint64_t expected_width = widest;
    while (bins_of(expected_width) > 64) expected_width *= 2;
    ASSERT_EQ(width, expected_width) << found;
    ASSERT_EQ(found["counts"].size(), bins_of(width)) << found;
    EXPECT_EQ(first, counts.begin()->first / width * width);
    std::vector<std::uint64_t> sums(bins_of(width));
    for (const auto& [value, count] : counts) sums.at((value - first) / width) += count;
    EXPECT_EQ(found["counts"], json(sums));
  }
}

TEST(sweep_tables, a_histogram_of_64_bins_stays) {
  const finished_sweep sweep("[1, 2]", [](std::uint64_t, json& document) {
    document["results"]["latency"]["histogram"] = {{"first", 5}, {"bin_width", 1}, {"counts", json(64, 2)}};
  });
  EXPECT_EQ(sweep.first_load()["latency"]["histogram"]["bin_width"], 1);
  const json one_bin = {{"first", 0}, {"bin_width", 1}, {"counts", {3}}};
  const finished_sweep single("[1]", [&](std::uint64_t, json& document) {
    document["results"]["latency"]["histogram"] = one_bin;
  });
  EXPECT_EQ(single.first_load()["latency"]["histogram"], one_bin);
  const json no_packets = {{"first", 0}, {"bin_width", 1}, {"counts", json::array()}};
  const finished_sweep empty("[1, 2]", [&](std::uint64_t, json& document) {
    document["results"]["latency"]["histogram"] = no_packets;
  });
  EXPECT_EQ(empty.first_load()["latency"]["histogram"], no_packets);
}

TEST(sweep_tables, figures_of_a_load_are_means_and_extremes_of_its_seeds) {
  const finished_sweep sweep("[1, 2, 3]", [](std::uint64_t seed, json& document) {
    json& results = document["results"];
    results["latency"]["mean"] = 29 + seed % 3;  // 30, 31, 29
    results["latency"]["min"] = 10 + seed % 2;
    results["latency"]["max"] = 90 + seed % 2;
    results["bottleneck"] = {{"name", "port " + std::to_string(seed)}, {"busy", seed >= 2 ? 0.9 : 0.5}};
  });
  const json load = sweep.first_load();
  EXPECT_EQ(load["latency"]["mean"], 30);
  EXPECT_EQ(load["latency"]["min"], 10);
  EXPECT_EQ(load["latency"]["max"], 91);
  EXPECT_EQ(load["bottleneck"]["name"], "port 2") << "of the first run in which it is the busiest";
  EXPECT_EQ(load["confirmed"], nullptr);
  EXPECT_EQ(load["files"].size(), 3U);
  // t of two degrees of freedom times a standard error of 1 / sqrt(3).
  std::map<std::string, std::string> row = sweep.row();
  EXPECT_EQ(row["rate"], "0.1");
  EXPECT_NEAR(std::stod(row["latency_interval_low"]), 30 - 2.4841, 1e-4);
  EXPECT_NEAR(std::stod(row["latency_interval_high"]), 30 + 2.4841, 1e-4);
  EXPECT_EQ(row["bottleneck_busy"], "0.9");
  EXPECT_EQ(row.count("seeds"), 0U);
  const std::string text = curves_text(sweep.searches);
  EXPECT_THAT(text, HasSubstr("0.1 .. 0.2"));
  EXPECT_THAT(text, HasSubstr("30 (27.52 .. 32.48)\n"));
}

/// No packet of the first run arrived.
TEST(sweep_tables, extremes_are_those_of_the_seeds_that_have_them) {
  const finished_sweep sweep("[1, 2, 3]", [](std::uint64_t seed, json& document) {
    json& latency = document["results"]["latency"];
    latency["min"] = seed == 1 ? json() : json(9 + seed);
    latency["max"] = seed == 1 ? json() : json(90 + seed);
  });
  EXPECT_EQ(sweep.first_load()["latency"]["min"], 11);
  EXPECT_EQ(sweep.first_load()["latency"]["max"], 93);
}

/// Each figure has values of its own, and so its column.
TEST(sweep_tables, every_figure_stands_in_its_column) {
  const std::vector<std::string> figures{
      "/offered",      "/accepted",   "/latency/mean", "/latency/network_mean",    "/latency/p50",
      "/latency/p90",  "/latency/p99", "/latency/zero_load_model", "/hops/mean", "/links/utilisation_mean",
      "/links/utilisation_max", "/links/busy_mean", "/links/busy_max"};
  const finished_sweep sweep("[4, 5, 9]", [&](std::uint64_t seed, json& document) {
    for (std::size_t i = 0; i < figures.size(); ++i)
      document["results"][json::json_pointer(figures[i])] = 100 * (i + 1) + seed;
    document["results"]["stable"] = seed < 9;
    document["results"]["backlog"]["growth"] = 0;
  });
  std::map<std::string, std::string> row = sweep.row();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    std::string column = figures[i].substr(1);
    std::replace(column.begin(), column.end(), '/', '_');
    EXPECT_EQ(row[column], std::to_string(100 * (i + 1) + 6) + ".0") << column;
  }
  EXPECT_EQ(row["rate"], "0.1");
  EXPECT_EQ(row["runs"], "3");
  EXPECT_EQ(row["stable"], "true");
  EXPECT_EQ(row["stable_runs"], "2");
  EXPECT_EQ(row["curve"], "0");
  EXPECT_EQ(row["label"], "torus:4x4 uniform");
  EXPECT_EQ(row["topology"], "torus:4x4");
  EXPECT_EQ(row["routing"], "dor");
  EXPECT_EQ(row["vc_rule"], "balanced");
  EXPECT_EQ(row["traffic"], "uniform");
  for (const char* none : {"files", "failure", "command", "confirmation", "latency_histogram"})
    EXPECT_EQ(row.count(none), 0U) << none;
  const json whole = json::parse(sweep_json(sweep.plan, sweep.searches));
  EXPECT_THAT(sweep_json(sweep.plan, sweep.searches), ::testing::StartsWith("{\n \"kind\": \"sweep\",\n"));
  const json& curve = whole["curves"][0];
  EXPECT_EQ(curve["curve"], 0);
  EXPECT_EQ(curve["label"], "torus:4x4 uniform");
  EXPECT_EQ(curve["loads"], "fixed");
  EXPECT_EQ(curve["config"]["topology"]["spec"], "torus:4x4");
  EXPECT_EQ(curve["command"], sweep.plan.command_of(sweep.plan.curves()[0]));
  const json first = curve["points"][0];
  const auto point = [&](std::uint64_t seed) { return sweep.searches[0]->point_at(0.1, seed); };
  EXPECT_EQ(first["command"], point(4)->command());
  EXPECT_EQ(first["files"], json({result_store::file_name(*point(4)), result_store::file_name(*point(5)),
                                  result_store::file_name(*point(9))}));
  EXPECT_EQ(first["seeds"], json({4, 5, 9}));
  EXPECT_FALSE(first.contains("failure"));
}

void end_in_deadlock(json& document) {
  document["results"]["stable"] = false;
  document["results"]["failure"] = "deadlock in cycle 7";
  document["failure"] = {{"kind", "deadlock"}, {"since", 7}, {"detail", json::array()}};
}

TEST(sweep_tables, a_failure_of_any_run_is_told) {
  const finished_sweep sweep("[1, 2, 3]", [](std::uint64_t seed, json& document) {
    if (seed == 2) end_in_deadlock(document);
  });
  EXPECT_EQ(sweep.first_load()["failure"], "deadlock in cycle 7");
}

/// Of the run with the longer window.
TEST(sweep_tables, a_failure_of_a_confirming_run_is_told) {
  const sweep_plan plan =
      sweep_plan::from({}, R"({"topology": "torus:4x4", "seeds": 1, "tolerance": 0.5})", "plan.json");
  curve_searches searches;
  curve_search& search = *searches.emplace_back(std::make_unique<curve_search>(plan.curves()[0], plan.settings()));
  while (!search.done()) {
    const point& p = *search.wanted().front().what;
    json document = json::parse(scripted_output(p, saturates_at(0.3)));
    if (document["config"]["measurement"]["measure_cycles"] > measurement_config().measure_cycles &&
        document["results"]["offered"] > 0.1)
      end_in_deadlock(document);
    search.take(p, from_json(document.dump()));
  }
  const json points = json::parse(sweep_json(plan, searches))["curves"][0]["points"];
  std::set<bool> confirmed;
  for (const json& load : points) {
    if (load["confirmed"].is_boolean()) confirmed.insert(load["confirmed"].get<bool>());
    EXPECT_EQ(load.value("failure", ""), load["confirmed"] == false ? "deadlock in cycle 7" : "") << load["rate"];
  }
  EXPECT_THAT(confirmed, ::testing::ElementsAre(false, true));
}

TEST(sweep_tables, columns_say_what_differs_among_curves) {
  const sweep_plan plan = sweep_plan::from(
      {}, R"({"topology": ["mesh:2x2", "torus:4x4"], "rates": 0.1, "seeds": 1, "link_delay": [[1], [3]]})",
      "plan.json");
  curve_searches searches;
  for (const curve& c : plan.curves()) {
    curve_search& search = *searches.emplace_back(std::make_unique<curve_search>(c, plan.settings()));
    answer_load(search, 0.1, {1}, saturates_at(1));
  }
  for (const std::string& text : {points_csv(plan, searches), curves_csv(plan, searches)}) {
    const std::vector<std::string> lines = split(text, '\n');
    ASSERT_EQ(lines.size(), 6U) << "five lines, and what follows the last";
    EXPECT_THAT(lines[0], ::testing::StartsWith("curve,label,topology,routing,vc_rule,traffic,ties,link_delay,"));
    EXPECT_THAT(lines[2], ::testing::StartsWith("1,mesh:2x2 uniform link-delay=3,mesh:2x2,dor,single,uniform,,[3],"));
    EXPECT_THAT(lines[3],
                ::testing::StartsWith("2,torus:4x4 uniform link-delay=1,torus:4x4,dor,balanced,uniform,balanced,[1],"));
  }
  const std::string text = curves_text(searches);
  EXPECT_THAT(text,
              ::testing::StartsWith("curve                           zero-load latency     knee  saturation "
                                    "throughput             latency there\n"
                                    "mesh:2x2 uniform link-delay=1                  20        -           "
                                    "0.1 at least    22.22 (21.72 .. 22.72)\n"));
}

TEST(sweep_tables, a_column_is_as_wide_as_its_head) {
  curve short_name = scripted_curve();
  short_name.label = "c";
  search_settings settings;
  settings.rates = {0.1};
  settings.seeds = {1};
  curve_searches searches;
  curve_search& search = *searches.emplace_back(std::make_unique<curve_search>(short_name, settings));
  answer_all(search, saturates_at(1), 1);
  const std::vector<std::string> lines = split(curves_text(searches), '\n');
  EXPECT_EQ(lines[0], "curve  zero-load latency     knee  saturation throughput             latency there");
  EXPECT_EQ(lines[1], "c                     20        -           0.1 at least    22.22 (21.72 .. 22.72)");
}

TEST(sweep_tables, what_was_observed_has_four_decimals) {
  const finished_sweep sweep(
      "[7, 1]",
      [](std::uint64_t seed, json& document) {
        document["links"] = {0.123449, 0.98765, seed};
        document["links_busy"] = {0.25};
        document["ejection_ports"] = {0.5};
        document["stalls"] = "why";
      },
      /*observe*/ true);
  const json observed = json::parse(sweep_json(sweep.plan, sweep.searches))["curves"][0]["observed"];
  EXPECT_EQ(observed["rate"], 0.1);
  EXPECT_EQ(observed["seed"], 7);
  EXPECT_EQ(observed["links"], json({0.1234, 0.9877, 7}));
  EXPECT_EQ(observed["links_busy"], json({0.25}));
  EXPECT_EQ(observed["injection_ports"], json::array());
  EXPECT_EQ(observed["ejection_ports"], json({0.5}));
  EXPECT_EQ(observed["stalls"], "why");
  const auto seen = sweep.searches[0]->observed();
  EXPECT_EQ(observed["command"], seen->what->command());
  EXPECT_EQ(observed["file"], result_store::file_name(*seen->what));
}

}  // namespace
}  // namespace toriscope::sweep_tables_test
