// SPDX-License-Identifier: Apache-2.0
// What the page is given: recognised, checked and thinned out.
#include "testbenches/experiments/report/report_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "base/error_of_test.h"
#include "testbenches/experiments/report/network_cost.h"
#include "testbenches/experiments/report/network_layout.h"
#include "testbenches/experiments/report/result_files.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;
namespace fs = std::filesystem;

class report_document_test : public testing::Test {
 protected:
  void SetUp() override { fs::create_directory(root_); }
  void TearDown() override { fs::remove_all(root_); }

  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
    return (root_ / name).string();
  }
  static json document(const std::vector<std::string>& paths) {
    return report_document(read_results(paths), "1.2.3");
  }
  /// The line that is said; "" when nothing is wrong.
  static std::string said(const std::vector<std::string>& paths) {
    try {
      document(paths);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  const fs::path root_ = fs::temp_directory_path() / ("report_document_test." + std::to_string(getpid()));
};

json latency(double mean) {
  return {{"mean", mean},
          {"interval_95", nullptr},
          {"histogram", {{"first", 10}, {"bin_width", 2}, {"counts", json::array()}}}};
}

json config(double rate) {
  return {{"topology", {{"spec", "torus:4x4"}}},
          {"traffic", {{"pattern", "uniform"}, {"rate_flits_per_node_cycle", rate}, {"seed", 1}}}};
}

json sweep() {
  json point = {{"rate", 0.123456789},
                {"stable", true},
                {"offered", 0.1},
                {"accepted", nullptr},
                {"latency", latency(20)},
                {"hops", {{"mean", 17}}},
                {"links", {{"utilisation_mean", 0.18}, {"utilisation_max", 0.19}}}};
  point["latency"].update(
      {{"min", 11}, {"p50", 12}, {"p90", 13}, {"p99", 14}, {"max", 15}, {"zero_load_model", 16}});
  for (int i = 0; i < 300; ++i) point["latency"]["histogram"]["counts"].push_back(i);
  json curve = {{"config", config(0)}, {"summary", {{"saturation_throughput", 0.4}}}, {"points", {point}}};
  curve["observed"] = {
      {"rate", 0.1}, {"links", std::vector<double>(64, 0.25)}, {"stalls", {{"front_cycles", 10}}}};
  return {{"kind", "sweep"}, {"curves", {curve}}};
}

json run(double rate, double mean) {
  return {{"config", config(rate)},
          {"results", {{"stable", true}, {"offered", rate}, {"accepted", rate}, {"latency", latency(mean)}}}};
}

TEST_F(report_document_test, sweep_keeps_what_the_page_shows) {
  json s = sweep();
  s["curves"][0]["points"][0].update(
      {{"failure", "deadlock in cycle 7"}, {"command", "toriscope run"}, {"runs", 3}, {"stable_runs", 2}});
  const json summary =
      json::parse(R"({"zero_load_latency": 21, "saturation_throughput": 0.4, "saturation_upper": 0.5,
      "tolerance": 0.02, "confidence": 0.9, "latency_at_saturation": 50, "runs": 7})");
  s["curves"][0]["summary"] = summary;
  s["curves"][0]["observed"]["command"] = "toriscope run --observe";
  write("s/sweep.json", s.dump());
  const json d = document({(root_ / "s").string()});
  EXPECT_EQ(d["toriscope"], "1.2.3");
  EXPECT_EQ(d["sources"], json::parse(R"([{"name": "s", "kind": "sweep"}])"));
  ASSERT_EQ(d["curves"].size(), 1U);
  const json& curve = d["curves"][0];
  EXPECT_EQ(curve["topology"], "torus:4x4");
  for (const auto& [name, value] : summary.items()) EXPECT_EQ(curve["summary"][name], value) << name;
  EXPECT_EQ(curve["points"][0]["runs"], 3);
  EXPECT_EQ(curve["points"][0]["stable_runs"], 2);
  EXPECT_EQ(curve["observed"]["command"], "toriscope run --observe");
  const json twice = document({(root_ / "s").string(), write("t/sweep.json", s.dump())});
  EXPECT_EQ(twice["curves"][1]["source"], 1) << twice["sources"];
  EXPECT_TRUE(curve["summary"]["knee"].is_null());
  EXPECT_EQ(curve["points"][0]["rate"], 0.12346) << "five digits";
  EXPECT_TRUE(curve["points"][0]["accepted"].is_null());
  const json figures = {{"mean", 20}, {"min", 11},  {"p50", 12},  {"p90", 13},       {"p99", 14},
                        {"max", 15},  {"zero", 16}, {"hops", 17}, {"link_max", 0.19}};
  for (const auto& [name, value] : figures.items()) EXPECT_EQ(curve["points"][0][name], value) << name;
  EXPECT_EQ(curve["points"][0].value("failure", ""), "deadlock in cycle 7");
  EXPECT_EQ(curve["points"][0].value("command", ""), "toriscope run");
  EXPECT_EQ(curve["observed"].value("stalls", json()), json({{"front_cycles", 10}}));
}

TEST_F(report_document_test, histograms_are_joined_and_lose_no_packet) {
  const json d = document({write("sweep.json", sweep().dump())});
  const json& histogram = d["curves"][0]["points"][0]["histogram"];
  EXPECT_LE(histogram["counts"].size(), 80U);
  EXPECT_EQ(histogram["first"], 10);
  EXPECT_EQ(histogram["bin_width"], 8) << "300 bins of 2 cycles: four at a time";
  std::uint64_t sum = 0;
  for (const json& n : histogram["counts"]) sum += n.get<std::uint64_t>();
  EXPECT_EQ(sum, 300U * 299 / 2);
  EXPECT_EQ(histogram["counts"][1], 4 + 5 + 6 + 7);
}

TEST_F(report_document_test, histograms_of_up_to_80_bins_are_kept) {
  json s = sweep();
  json& counts = s["curves"][0]["points"][0]["latency"]["histogram"]["counts"];
  for (const auto& [bins, kept, width] : {std::array{80U, 80U, 2U}, {81U, 41U, 4U}}) {
    counts = std::vector<int>(bins, 1);
    const json d = document({write("sweep.json", s.dump())});
    const json& histogram = d["curves"][0]["points"][0]["histogram"];
    EXPECT_EQ(histogram["counts"].size(), kept) << bins;
    EXPECT_EQ(histogram["bin_width"], width) << bins;
  }
}

TEST_F(report_document_test, links_are_drawn_where_the_network_has_them) {
  const json d = document({write("sweep.json", sweep().dump())});
  const json& layout = d["networks"][d["curves"][0]["observed"]["network"].get<std::string>()];
  EXPECT_EQ(layout["nodes"].size(), 16U);
  EXPECT_EQ(layout["names"][7], "13") << "its address";
  for (const char* list : {"from", "to", "port", "levels", "bends"})
    EXPECT_EQ(layout[list].size(), 64U) << list;
  // Ways to the next node are straight, those round the torus bent, and nodes stand where draw puts them.
  std::size_t bent = 0;
  for (std::size_t l = 0; l < 64; ++l) {
    const json &a = layout["nodes"][layout["from"][l].get<std::size_t>()],
               &b = layout["nodes"][layout["to"][l].get<std::size_t>()];
    const double apart =
        std::abs(a[0].get<double>() - b[0].get<double>()) + std::abs(a[1].get<double>() - b[1].get<double>());
    EXPECT_EQ(layout["bends"][l].is_null(), apart == 30) << l;
    bent += !layout["bends"][l].is_null();
  }
  EXPECT_EQ(bent, 16U) << "eight rings with two ways round";
}

TEST_F(report_document_test, links_that_do_not_fit_are_left_out_with_a_note) {
  json s = sweep();
  s["curves"][0]["observed"]["links"] = {0.1, 0.2};
  const json d = document({write("sweep.json", s.dump())});
  EXPECT_FALSE(d["curves"][0]["observed"].contains("links"));
  ASSERT_EQ(d["notes"].size(), 1U);
  EXPECT_THAT(d["notes"][0].get<std::string>(),
              testing::AllOf(HasSubstr("torus:4x4"), HasSubstr("2"), HasSubstr("64")));
  s["curves"].push_back(s["curves"][0]);
  EXPECT_EQ(document({write("sweep.json", s.dump())})["notes"].size(), 1U) << "once for both";
  // None, as sweeps of earlier versions have it.
  s = sweep();
  s["curves"][0]["observed"]["links"] = json::array();
  const json none = document({write("sweep.json", s.dump())});
  EXPECT_TRUE(none["notes"].empty()) << none["notes"];
  EXPECT_FALSE(none["curves"][0]["observed"].contains("links"));
  // What is not known of a link is none.
  s = sweep();
  json& uses = s["curves"][0]["observed"]["links"];
  uses[0] = nullptr;
  EXPECT_EQ(document({write("sweep.json", s.dump())})["curves"][0]["observed"]["links"][0], 0);
  uses[0] = "busy";
  EXPECT_THAT(said({write("sweep.json", s.dump())}), HasSubstr("curves[0].observed.links: expected numbers"));
  // Lists beside the links: of 64 links and 16 nodes, and one value short.
  s = sweep();
  json& observed = s["curves"][0]["observed"];
  for (const auto& [list, size] :
       {std::pair{"links_busy", 64U}, {"injection_ports", 16U}, {"ejection_ports", 16U}})
    for (const int missing : {0, 1}) {
      observed[list] = std::vector<double>(missing ? size - 1 : size, 0.5);
      const json kept = document({write("sweep.json", s.dump())})["curves"][0]["observed"];
      EXPECT_TRUE(kept.contains("links")) << list;
      EXPECT_EQ(kept.contains("busy") + kept.contains("injection") + kept.contains("ejection"), 1 - missing)
          << list;
      observed.erase(list);
    }
}

/// A mesh of 4 routers with 2 terminals each; a fat tree of 4 switches, the upper 2 without terminals; a butterfly of
/// 2 stages, entered at the first and left at the last.
TEST_F(report_document_test, use_of_ports_is_that_of_the_busiest_terminal_of_a_node) {
  bool rises = true;
  const auto ports = [&](const std::string& network, std::size_t terminals) {
    json s = sweep();
    json& observed = s["curves"][0]["observed"];
    s["curves"][0]["config"]["topology"]["spec"] = network;
    run_config config;
    config.topology.spec = network;
    observed["links"] = std::vector<double>(network_layout(config)["from"].size(), 0.5);
    for (std::size_t i = 0; i < terminals; ++i)
      for (const char* list : {"injection_ports", "ejection_ports"})
        observed[list].push_back((rises ? i : terminals - i) / 100.0);
    const json d = document({write("sweep.json", s.dump())});
    for (const json& layout : d["networks"]) EXPECT_FALSE(layout.contains("injection") || layout.contains("ejection"));
    return json{d["curves"][0]["observed"]["injection"], d["curves"][0]["observed"]["ejection"]};
  };
  const auto both = [](const char* list) { return json{json::parse(list), json::parse(list)}; };
  EXPECT_EQ(ports("cmesh:2x2,2", 8), both("[0.01, 0.03, 0.05, 0.07]"));
  EXPECT_EQ(ports("fattree:2,2", 4), both("[null, null, 0.01, 0.03]"));
  EXPECT_EQ(ports("butterfly:2,2", 4),
            json({json::parse("[0.01, 0.03, null, null]"), json::parse("[null, null, 0.01, 0.03]")}));
  rises = false;
  EXPECT_EQ(ports("cmesh:2x2,2", 8), both("[0.08, 0.06, 0.04, 0.02]"));
}

TEST_F(report_document_test, folded_networks_are_drawn_folded) {
  run_config config;
  config.topology.spec = "torus:8x8";
  config.topology.layout = "folded";
  const json layout = network_layout(config);
  EXPECT_EQ(layout["nodes"][7][0], layout["nodes"][1][0].get<double>() - 30) << "0 7 1 6 2 5 3 4";
  config.topology = {};
  config.topology.spec = "ttn:2,2,0";
  EXPECT_EQ(network_layout(config)["frames"].size(), 16U) << "its tori of 16 nodes";
}

TEST_F(report_document_test, networks_of_up_to_4096_nodes_are_drawn) {
  run_config config;
  config.topology.spec = "torus:64x64";
  EXPECT_EQ(network_layout(config)["nodes"].size(), 4096U);
  config.topology.spec = "mesh:64x65";
  EXPECT_EQ(error_of<std::invalid_argument>([&] { network_layout(config); }),
            "topology 'mesh:64x65' has 4160 nodes; use of links is drawn for at most 4096");
}

/// A small file can name a network that takes gigabytes.
TEST_F(report_document_test, costs_are_those_of_networks_of_up_to_65536_nodes) {
  run_config config;
  config.topology.spec = "hypercube:24";
  for (const auto& call : {network_cost, network_layout})
    EXPECT_THAT(error_of<std::invalid_argument>([&] { call(config); }), testing::HasSubstr("has 16777216 nodes"));
  json large = run(0.1, 20);
  large["config"]["topology"]["spec"] = "hypercube:17";
  const json curves = document({write("a.json", run(0.1, 20).dump()), write("b.json", large.dump())})["curves"];
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0]["cost"]["nodes"], 16);
  EXPECT_EQ(curves[1]["cost"], nullptr);
}

TEST_F(report_document_test, runs_of_one_configuration_are_one_curve) {
  json other = run(0.1, 99);
  other["config"]["topology"]["spec"] = "mesh:4x4";
  const json d = document({write("b.json", run(0.2, 30).dump()), write("c.json", other.dump()),
                           write("a.json", run(0.1, 20).dump())});
  ASSERT_EQ(d["curves"].size(), 2U);
  const json& points = d["curves"][0]["points"];
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0]["mean"], 20) << "by load";
  EXPECT_EQ(points[1]["mean"], 30);
  EXPECT_FALSE(d["curves"][0]["config"]["traffic"].contains("seed"));
  const std::string spaced = write("my run.json", run(0.1, 20).dump());
  EXPECT_EQ(document({spaced})["curves"][0]["command"], "toriscope run --config '" + spaced + "'");
}

TEST_F(report_document_test, four_runs_are_named) {
  std::vector<std::string> files;
  for (const char* name : {"a.json", "b.json", "c.json", "d.json"}) files.push_back(write(name, run(0.1, 20).dump()));
  EXPECT_EQ(document(files)["sources"][0]["name"], "a.json, b.json, c.json, d.json");
  files.push_back(write("e.json", run(0.1, 20).dump()));
  EXPECT_EQ(document(files)["sources"][0]["name"], "a.json, b.json, c.json, d.json ...");
}

TEST_F(report_document_test, what_a_run_observed_is_kept_with_its_load) {
  json seen = run(0.2, 30);
  seen["observation"] = {{"fronts", {{"front_cycles", 7}}}};
  const json d = document({write("a.json", run(0.1, 20).dump()), write("b.json", seen.dump())});
  ASSERT_EQ(d["curves"].size(), 1U);
  const json& observed = d["curves"][0]["observed"];
  ASSERT_TRUE(observed.is_object());
  EXPECT_EQ(observed.value("rate", json()), 0.2);
  EXPECT_EQ(observed.value("stalls", json()), json({{"front_cycles", 7}}));
  json last = run(0.3, 40);
  last["observation"] = {{"fronts", {{"front_cycles", 8}}}};
  const json later = document({write("b.json", seen.dump()), write("c.json", last.dump())});
  EXPECT_EQ(later["curves"][0]["observed"].value("rate", json()), 0.3) << "the last run that was observed";
}

TEST_F(report_document_test, a_run_says_how_it_failed) {
  json failed = run(0.1, 20);
  for (const std::string failure : {"broken invariant in cycle 7", "deadlock since cycle 72"}) {
    failed["results"]["failure"] = failure;
    const json point = document({write("f.json", failed.dump())})["curves"][0]["points"][0];
    EXPECT_EQ(point["failure"], failure);
    EXPECT_EQ(point["command"].get<std::string>().find(" --allow-deadlock") != std::string::npos,
              failure[0] == 'd');
  }
}

TEST_F(report_document_test, the_load_of_a_run_is_the_offered_one_where_none_was_asked_for) {
  json other = run(0.01, 20);
  other["results"]["offered"] = 0.3;
  const auto load = [&] {
    return document({write("open.json", other.dump())})["curves"][0]["points"][0]["rate"];
  };
  EXPECT_EQ(load(), 0.01);
  other["config"]["traffic"].erase("rate_flits_per_node_cycle");
  EXPECT_EQ(load(), 0.3);
  other["results"]["offered"] = nullptr;
  EXPECT_EQ(load(), 0) << "unknown";
  other = run(0.01, 20);
  other["results"]["offered"] = 0.3;
  other["config"]["traffic"]["mode"] = "batch";
  const json batch = document({write("batch.json", other.dump())})["curves"][0];
  EXPECT_EQ(batch["points"][0]["rate"], 0.3);
  EXPECT_EQ(batch["pattern"], "uniform batch");
  other["config"]["traffic"].update({{"mode", "open"}, {"file", "t.txt"}});
  const json of_file = document({write("file.json", other.dump())})["curves"][0];
  EXPECT_EQ(of_file["points"][0]["rate"], 0.3);
  EXPECT_EQ(of_file["pattern"], "t.txt");
  other["config"]["traffic"].update({{"file", ""}, {"flows", "f.json"}});
  const json of_flows = document({write("flows.json", other.dump())})["curves"][0];
  EXPECT_EQ(of_flows["points"][0]["rate"], 0.3);
  EXPECT_EQ(of_flows["pattern"], "f.json");
}

TEST_F(report_document_test, use_of_links_belongs_to_the_run_before_it) {
  json use = {{"from_cycle", 0}, {"cycles", 10}, {"links", json::array()}};
  for (int l = 0; l < 64; ++l) use["links"].push_back({{"link", l}, {"utilisation", l / 100.0}});
  const std::string links = write("links.json", use.dump()), a = write("a.json", run(0.1, 20).dump());
  const json d = document({a, links});
  EXPECT_EQ(d["curves"][0]["observed"]["links"][63], 0.63);
  EXPECT_EQ(d["curves"][0]["observed"]["rate"], 0.1);
  EXPECT_FALSE(d["curves"][0]["observed"].contains("busy")) << "an old file";
  EXPECT_THAT(said({links, a}), HasSubstr("links.json: the use of links of which run?"));
  EXPECT_THAT(said({write("s.json", sweep().dump()), links}), HasSubstr("links.json: the use of links of which"));
  json of_one = {{"from_cycle", 0}, {"links", json::array()}};
  EXPECT_EQ(document({a, write("none.json", of_one.dump())})["notes"].size(), 1U) << "no link, of 64";
  of_one["links"].push_back({{"utilisation", 0.1}, {"busy", 0.5}});
  const json one = document({a, write("one.json", of_one.dump())})["curves"][0]["observed"];
  EXPECT_EQ(one["busy"], json::parse("[0.5]"));
  for (json& row : use["links"]) row["busy"] = 0.5;
  for (const char* kind : {"injection", "ejection"})
    for (int n = 0; n < 16; ++n)
      use["ports"].push_back({{"link", 64 + n}, {"kind", kind}, {"busy", n / 100.0}});
  use["links"][7]["utilisation"] = nullptr;
  const std::string busy = write("links.json", use.dump());
  const json observed = document({a, busy})["curves"][0]["observed"];
  EXPECT_EQ(observed["links"][63], 0.63);
  EXPECT_EQ(observed["links"][7], 0) << "unknown";
  EXPECT_EQ(observed["busy"][63], 0.5);
  EXPECT_EQ(observed["injection"][15], 0.15);
  EXPECT_EQ(observed["ejection"].size(), 16U);
  json later = run(0.2, 30);
  later["observation"] = {{"fronts", {{"front_cycles", 7}}}};
  const std::string seen = write("seen.json", later.dump());
  const json kept = document({a, busy, seen})["curves"][0]["observed"];
  EXPECT_EQ(kept.value("rate", json()), 0.1) << "the run with a use of links";
  EXPECT_EQ(kept["links"].size(), 64U);
  const json newer = document({a, busy, seen, busy})["curves"][0]["observed"];
  EXPECT_EQ(newer.value("rate", json()), 0.2) << "the later one of two";
  EXPECT_EQ(newer["busy"].size(), 64U);
  EXPECT_EQ(newer.value("stalls", json()), json({{"front_cycles", 7}}));
  json other = run(0.1, 99);
  other["config"]["topology"]["spec"] = "mesh:4x4";
  const std::string mesh = write("mesh.json", other.dump()), b = write("b.json", run(0.2, 30).dump());
  const json two = document({a, mesh, b, busy})["curves"];
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0]["observed"].value("rate", json()), 0.2) << "the second run of the torus";
  EXPECT_TRUE(two[1]["observed"].is_null()) << "the mesh between them";
}

TEST_F(report_document_test, intervals_are_known_or_not) {
  json s = sweep();
  json& latency = s["curves"][0]["points"][0]["latency"];
  const auto ends = [&] {
    const json d = document({write("sweep.json", s.dump())});
    const json& point = d["curves"][0]["points"][0];
    return json{point["low"], point["high"]};
  };
  EXPECT_EQ(ends(), json({nullptr, nullptr}));
  latency["interval_95"] = {19.123456, 21};
  EXPECT_EQ(ends(), json({19.123, 21}));
  latency.erase("interval_95");
  EXPECT_EQ(ends(), json({nullptr, nullptr})) << "an older sweep";
  for (const char* const other : {"[19]", "[19, 20, 21]", "[null, 20]", "[19, null]"}) {
    latency["interval_95"] = json::parse(other);
    EXPECT_THAT(said({write("sweep.json", s.dump())}),
                HasSubstr("points[0].latency.interval_95: expected two numbers or null"))
        << other;
  }
}

TEST_F(report_document_test, says_what_networks_are_built_of) {
  const auto cost = [&](const json& topology, const json& router) {
    json s = sweep();
    s["curves"][0]["config"]["topology"] = topology;
    s["curves"][0]["config"]["router"] = router;
    s["curves"][0]["observed"] = nullptr;
    return document({write("sweep.json", s.dump())})["curves"][0]["cost"];
  };
  // 4 links and the NI; 2 VCs of 8 flits of 64 bits at each.
  EXPECT_EQ(
      cost({{"spec", "torus:8x8"}}, {{"vcs", 2}, {"depth_flits", 8}}),
      json::parse(
          R"({"nodes": 64, "terminals": 64, "ports": 5, "links": 128, "bisection": 16, "buffer_bits": 5120.0, "link_bits": "64",
              "pins": 512, "bisection_bits": 2048.0, "wire_bits": 28672})"));
  EXPECT_EQ(
      cost({{"spec", "hypercube:6"}}, {{"vcs", 2}, {"depth_flits", 8}}),
      json::parse(
          R"({"nodes": 64, "terminals": 64, "ports": 7, "links": 192, "bisection": 32, "buffer_bits": 7168.0, "link_bits": "64",
              "pins": 768, "bisection_bits": 4096.0, "wire_bits": 57344})"));
  // One flit before and one behind the switch; borders of a mesh have fewer ports: 2 * 24 links and 16 NIs.
  EXPECT_EQ(
      cost({{"spec", "mesh:4x4"}, {"flit_bits", 32}, {"link_width_bits", {8}}},
           {{"vcs", 1}, {"depth_flits", 1}, {"pipeline", "paper2009"}}),
      json::parse(
          R"({"nodes": 16, "terminals": 16, "ports": 5, "links": 24, "bisection": 4, "buffer_bits": 256.0, "link_bits": "8",
              "pins": 64, "bisection_bits": 64.0, "wire_bits": 384})"));
  // Wires are counted, not what they need to be: flits of 64 bits pass 20 in 4 cycles, as they would 16.
  EXPECT_EQ(
      cost({{"spec", "torus:4x4"}, {"link_width_bits", {20}}}, {{"vcs", 2}, {"depth_flits", 1}}),
      json::parse(
          R"({"nodes": 16, "terminals": 16, "ports": 5, "links": 32, "bisection": 8, "buffer_bits": 640.0, "link_bits": "20",
              "pins": 160, "bisection_bits": 320, "wire_bits": 1920})"));
  // Several terminals: 14 links between routers and 18 NIs, 8 flits of 64 bits at each, 6 routers.
  const json concentrated = cost({{"spec", "cmesh:3x2,3"}}, {{"vcs", 2}, {"depth_flits", 4}});
  EXPECT_EQ(concentrated["terminals"], 18);
  EXPECT_EQ(concentrated["ports"], 6);
  EXPECT_EQ(concentrated["buffer_bits"], 2731);
  EXPECT_TRUE(cost({{"spec", "file:gone.json"}}, json::object()).is_null());
  EXPECT_TRUE(cost({{"spec", "fattree:2,3"}}, {{"vcs", 1}})["wire_bits"].is_null()) << "no layout";
  EXPECT_TRUE(cost({{"spec", "file:/dev/zero"}}, json::object()).is_null()) << "which has no end";
  const json narrow = {{"spec", "torus:4x4"}, {"link_overrides", {"0.x+:width=8"}}};
  EXPECT_EQ(cost(narrow, json::object())["link_bits"], "8 to 64");
  EXPECT_EQ(cost({{"spec", "torus:4x4"}, {"link_width_bits", {1}}}, json::object())["link_bits"], "1");
  const std::string hub = write("hub.json", R"({"nodes": ["hub", "a", "b"],
      "links": [{"from": "hub", "to": "a"}, {"from": "hub", "to": "b"}]})");
  EXPECT_EQ(cost({{"spec", "file:" + hub}}, json::object())["ports"], 3) << "of the first router, with its NI";
  // A ring with a link from a to c, and NIs: 3 * 2 inputs with 4 VCs of 8 flits, and 3 of c with 2 of 3.
  const std::string one_way = write("one_way.json", R"({"nodes": ["a", "b", {"name": "c", "vcs": 2, "depth": 3}, "d"],
      "links": [{"from": "a", "to": "b", "duplex": false}, {"from": "b", "to": "c", "duplex": false},
                {"from": "c", "to": "d", "duplex": false}, {"from": "d", "to": "a", "duplex": false},
                {"from": "a", "to": "c", "duplex": false}]})");
  EXPECT_EQ(cost({{"spec", "file:" + one_way}}, {{"vcs", 4}, {"depth_flits", 8}})["buffer_bits"], 3360)
      << "210 flits of 64 bits in 4 routers";
}

TEST_F(report_document_test, bad_input_is_named_with_its_place) {
  EXPECT_THAT(said({(root_ / "none").string()}), HasSubstr("none cannot be read: No such file"));
  EXPECT_THAT(said({root_.string()}), HasSubstr("without sweep.json and verdicts.json"));
  fs::create_directory(root_ / "d");
  ASSERT_EQ(mkfifo((root_ / "d/sweep.json").c_str(), 0600), 0);
  EXPECT_THAT(said({(root_ / "d").string()}), HasSubstr("d/sweep.json: a pipe or device; expected a file"));
  EXPECT_THAT(said({write("e.json", "")}), HasSubstr("e.json is empty"));
  EXPECT_THAT(said({write("t.json", "{\n\"kind\": \"sweep\",\n\"cur")}),
              HasSubstr("t.json:3: the JSON ends too early"));
  EXPECT_THAT(said({write("x.json", "{\n}}")}), HasSubstr("x.json:2: this is not JSON"));
  for (const char* const other :
       {"7", R"({"nodes": 2, "links": []})", R"({"from_cycle": 0})", R"({"config": {}})", R"({"results": {}})",
        "[7]", "[{}]"})
    EXPECT_THAT(said({write("n.json", other)}), HasSubstr("n.json: neither a sweep")) << other;
  EXPECT_THAT(said({write("0.json", R"({"kind": "sweep", "curves": []})")}),
              HasSubstr("0.json: there is nothing in it"));
  EXPECT_THAT(said({write("v.json", R"([{"verdict": "differs"}])")}),
              HasSubstr("v.json: [0].paper: expected a text"));
  const json row = {{"paper", "rdt"}, {"item", "diameter"}, {"verdict", "differs"}};
  const json verdicts = document({write("v/verdicts.json", json::array({row, row}).dump())});
  EXPECT_EQ(verdicts["verdicts"], json::array({row, row}));
  EXPECT_EQ(verdicts["sources"], json::parse(R"([{"name": "v", "kind": "verdicts"}])"));
  const result_file here{result_file::kind::sweep, "./sweep.json", json::parse(sweep().dump())};
  EXPECT_EQ(report_document({here}, "1")["sources"][0]["name"], "sweep.json");
  json s = sweep();
  s["curves"][0]["points"][0]["rate"] = "fast";
  EXPECT_THAT(said({write("r.json", s.dump())}),
              HasSubstr("r.json: curves[0].points[0].rate: expected a number"));
  s = sweep();
  s["curves"][0]["points"][0]["latency"]["histogram"]["bin_width"] = 0;
  EXPECT_THAT(said({write("h.json", s.dump())}),
              HasSubstr("curves[0].points[0].latency.histogram.bin_width"));
  s = sweep();
  s["curves"][0]["config"]["traffic"]["file"] = 3;
  EXPECT_THAT(said({write("f.json", s.dump())}), HasSubstr("curves[0].config.traffic.file: expected a text"));
  s = sweep();
  s["curves"].push_back(1);
  EXPECT_THAT(said({write("c.json", s.dump())}), HasSubstr("curves[1]: expected an object"));
}

}  // namespace
}  // namespace toriscope
