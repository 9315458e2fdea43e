// SPDX-License-Identifier: Apache-2.0
// --flows from the command line: figures of each flow against packets counted one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"

namespace toriscope::flows_test {
namespace {

using json = nlohmann::json;
using testing::HasSubstr;

const char* const soc = R"({"name": "soc", "nodes": [
    {"name": "cpu0", "group": "north"}, {"name": "cpu1", "group": "north"}, {"name": "gpu", "terminals": 2}, "ddr"],
    "links": [{"from": "cpu0", "to": "cpu1"}, {"from": "cpu1", "to": "gpu"}, {"from": "gpu", "to": "ddr"}]})";

/// No two of them have a source and a class in common: the packets of each can be told apart.
const char* const flows = R"({"groups": {"engines": ["gpu.t0", "gpu.t1"]}, "flows": [
    {"name": "reads", "from": "north.*", "to": "ddr", "rate": 0.15, "packet": 4, "latency_bound": 60},
    {"name": "frames", "from": "engines", "to": ["ddr", "north.cpu0"], "bandwidth": 1.2, "packet": "8:1,16:1",
     "arrivals": "constant", "latency_bound": 30},
    {"name": "data", "from": "ddr", "to": ["north", "gpu"], "rate": 0.3, "packet": 5, "class": 1}]})";

struct packet {
  std::string source, destination;
  unsigned message_class = 0, flits = 0;
  std::uint64_t created = 0, received = 0;
};

std::vector<packet> packets_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::vector<packet> all;
  while (std::getline(lines, line)) {
    const strings f = split(line, ',');
    all.push_back({f[1], f[2], static_cast<unsigned>(std::stoul(f[3])),
                   static_cast<unsigned>(std::stoul(f[4])), std::stoull(f[5]), std::stoull(f[7])});
  }
  return all;
}

/// Which flow of the file above a packet is of.
std::string flow_of(const packet& p) {
  return p.message_class == 1 ? "data" : begins_with(p.source, "gpu") ? "frames" : "reads";
}

struct run_of_flows {
  json all;
  std::vector<packet> packets;
};

run_of_flows run(const program_directory& dir, const strings& more, const char* file = flows) {
  dir.write("soc.json", soc);
  dir.write("f.json", file);
  const process_result r = dir.run(
      with({"run", "--quiet", "--topology", "file:soc.json", "--message-classes", "2", "--flows", "f.json",
            "--warmup", "1000", "--cycles", "4000", "--json", "r.json", "--packet-stats", "p.csv"},
           more));
  EXPECT_EQ(r.status, 0) << r.err;
  return {json::parse(dir.read("r.json")), packets_of(dir.read("p.csv"))};
}

/// Nearest rank.
std::uint64_t percentile(const std::vector<std::uint64_t>& sorted, unsigned percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

void expect_figures_of_packets(const run_of_flows& r) {
  ASSERT_EQ(r.all["flows"].size(), 3u);
  for (const json& flow : r.all["flows"]) {
    SCOPED_TRACE(flow["name"]);
    std::uint64_t offered = 0, accepted = 0, sum = 0, late = 0;
    std::vector<std::uint64_t> latencies;
    for (const packet& p : r.packets) {
      if (flow_of(p) != flow["name"]) continue;
      if (p.received >= 1000 && p.received < 5000) accepted += p.flits;
      if (p.created < 1000 || p.created >= 5000) continue;
      offered += p.flits;
      latencies.push_back(p.received - p.created);
      sum += latencies.back();
      if (!flow["bound"].is_null() && latencies.back() > flow["bound"]) ++late;
    }
    std::sort(latencies.begin(), latencies.end());
    ASSERT_FALSE(latencies.empty());
    EXPECT_NEAR(flow["offered"].get<double>(), static_cast<double>(offered) / 4000, 1e-12);
    EXPECT_NEAR(flow["accepted"].get<double>(), static_cast<double>(accepted) / 4000, 1e-12);
    EXPECT_EQ(flow["packets"], latencies.size());
    EXPECT_EQ(flow["packets_arrived"], latencies.size());
    EXPECT_NEAR(flow["latency"]["mean"].get<double>(),
                static_cast<double>(sum) / static_cast<double>(latencies.size()), 1e-9);
    EXPECT_EQ(flow["latency"]["p50"], percentile(latencies, 50));
    EXPECT_EQ(flow["latency"]["p99"], percentile(latencies, 99));
    EXPECT_EQ(flow["latency"]["max"], latencies.back());
    if (flow["bound"].is_null()) {
      EXPECT_TRUE(flow["met"].is_null() && flow["slack"].is_null() && flow["late"].is_null());
      continue;
    }
    EXPECT_EQ(flow["late"], late);
    EXPECT_EQ(flow["met"], late == 0);
    EXPECT_EQ(flow["slack"], flow["bound"].get<std::int64_t>() - flow["latency"]["max"].get<std::int64_t>());
  }
}

TEST(flows, figures_are_those_of_the_packets_received) {
  const program_directory dir;
  const run_of_flows r = run(dir, {});
  expect_figures_of_packets(r);
  EXPECT_EQ(r.all["flows"][0]["met"], true);
  EXPECT_EQ(r.all["flows"][1]["met"], false);
  EXPECT_EQ(r.all["results"]["flows"], (json{{"count", 3}, {"bounded", 2}, {"missed", 1}}));
  // Rates: two sources of 0.15; 1.2 GB/s at 1 GHz are 0.15 flits of 64 bits per cycle, from two engines.
  for (const auto& [flow, rate] : {std::pair(0, 0.3), {1, 0.3}, {2, 0.3}})
    EXPECT_NEAR(r.all["flows"][flow]["offered"].get<double>(), rate, 0.03);
  // Destinations have equal shares, and "gpu" stands for both of its terminals.
  std::map<std::string, unsigned> to;
  for (const packet& p : r.packets)
    if (p.message_class == 1) ++to[p.destination];
  ASSERT_EQ(to.size(), 4u);
  for (const auto& share : to) EXPECT_NEAR(share.second, r.packets.empty() ? 0 : 5000 * 0.3 / 5 / 4, 30);
}

TEST(flows, offer_the_same_at_the_transaction_level) {
  const program_directory dir;
  const char* const file = R"({"flows": [
      {"name": "frames", "from": 1, "to": "*", "rate": 0.4, "packet": 5, "arrivals": "on_off", "burst": 3},
      {"name": "reads", "from": ["node_0_0", "3", 5], "to": "node_1_?", "rate": 0.1, "packet": 3}]})";
  const strings torus{"--topology", "torus:4x4", "--warmup", "500", "--cycles", "2000"};
  const json cycle = run(dir, torus, file).all["flows"];
  const json transaction = run(dir, with(torus, {"--fidelity", "transaction"}), file).all["flows"];
  for (std::size_t f = 0; f < 2; ++f) {
    EXPECT_EQ(transaction[f]["offered"], cycle[f]["offered"]);
    EXPECT_EQ(transaction[f]["packets_arrived"], cycle[f]["packets_arrived"]);
    EXPECT_NEAR(transaction[f]["latency"]["mean"], cycle[f]["latency"]["mean"], 1);
  }
}

TEST(flows, are_limited_by_the_busiest_wire_of_their_routes) {
  const program_directory dir;
  const run_of_flows r = run(dir, {"--link-stats", "l.csv"});
  std::map<std::string, double> busy;
  std::istringstream lines(dir.read("l.csv"));
  for (std::string line; std::getline(lines, line);) {
    const strings f = split(line, ',');
    if (f[0] == "link") continue;
    busy[(f[8] == "injection" ? f[3] : f[1]) + " " + f[2] +
         (f[8] == "link"        ? " -> " + f[3]
          : f[8] == "injection" ? " in"
                                : " out")] = std::stod(f[7]);
  }
  // The nodes are in a row: the wires that packets of each flow take, by hand.
  const strings east{"north.cpu0 p0 -> north.cpu1", "north.cpu1 p1 -> gpu", "gpu p1 -> ddr"};
  const strings west{"ddr p0 -> gpu", "gpu p0 -> north.cpu1", "north.cpu1 p0 -> north.cpu0"};
  const strings wires[] = {with(east, {"north.cpu0 local in", "north.cpu1 local in", "ddr local out"}),
                           {"gpu local0 in", "gpu local1 in", "gpu p1 -> ddr", "ddr local out", west[1],
                            west[2], "north.cpu0 local out"},
                           with(west, {"ddr local in", "gpu local0 out", "gpu local1 out",
                                       "north.cpu1 local out", "north.cpu0 local out"})};
  for (std::size_t f = 0; f < 3; ++f) {
    double most = 0;
    for (const std::string& wire : wires[f]) {
      ASSERT_EQ(busy.count(wire), 1u) << wire;
      most = std::max(most, busy[wire]);
    }
    const std::string limit = r.all["flows"][f]["limited_by"];
    EXPECT_THAT(wires[f], testing::Contains(limit));
    EXPECT_EQ(busy[limit], most) << limit;
  }
}

/// Packets of one flow, as text.
std::string packets_of_flow(const run_of_flows& r, const std::string& flow) {
  std::vector<std::pair<std::uint64_t, std::string>> created;
  for (const packet& p : r.packets)
    if (flow_of(p) == flow && p.created < 4000)
      created.emplace_back(p.created, p.source + " " + p.destination + " " + std::to_string(p.flits));
  std::sort(created.begin(), created.end());
  std::string text;
  for (const auto& p : created) text += std::to_string(p.first) + " " + p.second + "\n";
  return text;
}

TEST(flows, draw_their_packets_whatever_other_flows_there_are) {
  const program_directory dir;
  const run_of_flows all = run(dir, {});
  const run_of_flows alone = run(dir, {}, R"({"flows": [
      {"name": "data", "from": "ddr", "to": ["north", "gpu"], "rate": 0.3, "packet": 5, "class": 1},
      {"name": "frames", "from": ["gpu"], "to": ["north.cpu0", "ddr"], "rate": 0.15, "packet": "8:1,16:1",
       "arrivals": "constant"}]})");
  EXPECT_EQ(packets_of_flow(alone, "data"), packets_of_flow(all, "data"));
  EXPECT_EQ(packets_of_flow(alone, "frames"), packets_of_flow(all, "frames"));
  EXPECT_NE(packets_of_flow(run(dir, {"--seed", "2"}), "data"), packets_of_flow(all, "data"));
}

TEST(flows, of_a_matrix_take_lengths_and_arrivals_from_the_options) {
  const program_directory dir;
  dir.write("soc.json", soc);
  dir.write("m.csv", "# flits per cycle\n,ddr,gpu.t1\r\ncpu0, 0.1,\nnorth.cpu1,0,0.25\n");
  const process_result wrong = dir.run({"run", "--topology", "file:soc.json", "--flows", "m.csv"});
  EXPECT_EQ(
      wrong.err,
      "toriscope: m.csv:3: column 2: no terminal of soc matches 'cpu0'; the nearest names are gpu.t0, ddr, "
      "gpu.t1\n");
  dir.write("m.csv", "# flits per cycle\n,ddr,gpu.t1\r\n*cpu0, 0.1,\nnorth.cpu1,0,0.25\n");
  const process_result r = dir.run({"run", "--topology", "file:soc.json", "--flows", "m.csv", "--packet", "2",
                                    "--arrivals", "constant", "--warmup", "0", "--cycles", "2000", "--json",
                                    "r.json", "--packet-stats", "p.csv"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("\nflows of m.csv (2), 0.35 flits/cycle together, seed 1; 0 + 2000 cycles\n"));
  EXPECT_THAT(r.out, HasSubstr("\n  *cpu0 -> ddr              0.1"));
  std::map<std::string, unsigned> flits;
  for (const packet& p : packets_of(dir.read("p.csv"))) {
    EXPECT_EQ(p.flits, 2u);
    if (p.created < 2000) flits[p.source + ">" + p.destination] += p.flits;
  }
  EXPECT_EQ(flits, (std::map<std::string, unsigned>{{"north.cpu0>ddr", 200}, {"north.cpu1>gpu.t1", 500}}));
}

TEST(flows, that_exceed_a_link_miss_their_bounds_without_a_slack) {
  const program_directory dir;
  const run_of_flows r = run(dir, {"--drain", "0"}, R"({"flows": [
      {"name": "reads", "from": "north", "to": "ddr", "rate": 0.9, "packet": 4, "latency_bound": 5000}]})");
  const json& flow = r.all["flows"][0];
  EXPECT_LT(flow["packets_arrived"], flow["packets"]);
  EXPECT_EQ(flow["met"], false);
  EXPECT_TRUE(flow["slack"].is_null());
  EXPECT_NEAR(flow["accepted"].get<double>(), 1, 0.02);
  EXPECT_EQ(r.all["results"]["stable"], false);
}

/// Loads and least widths of a CSV file of analyze, by "FROM>TO".
std::map<std::string, std::pair<double, std::string>> loads_of(const std::string& csv) {
  std::map<std::string, std::pair<double, std::string>> loads;
  for (const std::string& line : split(csv, '\n')) {
    const strings f = split(line, ',');
    if (f.size() > 6 && f[0] != "link") loads[f[1] + ">" + f[3]] = {std::stod(f[5]), f[6]};
  }
  return loads;
}

TEST(flows, load_each_link_by_what_crosses_it) {
  const program_directory dir;
  dir.write("soc.json", soc);
  dir.write("f.json", flows);
  const strings analyze{"analyze", "--topology", "file:soc.json", "--message-classes",
                        "2",       "--flows",    "f.json"};
  const process_result r = dir.run(with(analyze, {"--load-csv", "l.csv"}));
  ASSERT_EQ(r.status, 0) << r.err;
  const auto loads = loads_of(dir.read("l.csv"));
  // From, to (places in the row) and flits per cycle of every pair that talks.
  struct talk {
    int from, to;
    double rate;
  };
  std::vector<talk> talks{{0, 3, 0.15}, {1, 3, 0.15}};
  for (int engine = 0; engine < 2; ++engine)
    for (const int to : {3, 0}) talks.push_back({2, to, 0.15 / 2});
  for (const int to : {0, 1, 2, 2}) talks.push_back({3, to, 0.3 / 4});
  const strings row{"north.cpu0", "north.cpu1", "gpu", "ddr"};
  ASSERT_EQ(loads.size(), 6u);
  double most = 0;
  for (int at = 0; at < 3; ++at)
    for (const bool east : {true, false}) {
      double load = 0;
      for (const talk& t : talks)
        if (east ? t.from <= at && t.to > at : t.from > at && t.to <= at) load += t.rate;
      most = std::max(most, load);
      const auto& found = loads.at(east ? row[at] + ">" + row[at + 1] : row[at + 1] + ">" + row[at]);
      EXPECT_NEAR(found.first, load, 1e-12);
      unsigned width = 1;  // the first with which the flits of a cycle take no more than a cycle
      while (load * ((64 + width - 1) / width) > 1 + 1e-9) ++width;
      EXPECT_EQ(found.second, std::to_string(width)) << load;
    }
  EXPECT_THAT(r.out,
              testing::ContainsRegex("link load +0.45 +flits/cycle at most, of 3 flows; first at gpu.p1"));
  EXPECT_THAT(
      r.out, testing::ContainsRegex("growth of flows +2.222222 +times their rates, when the link gpu.p1 is"));
  EXPECT_THAT(r.out,
              testing::ContainsRegex("link width +32 +bits carry the flows, on every link alike; 0 of 6"));
  const json all = json_of(dir, with(analyze, {"--json", "-"}));
  EXPECT_NEAR(all["flow_load"]["max"].get<double>(), most, 1e-12);
  EXPECT_EQ(all["flow_load"]["width_bits"], 32);
  EXPECT_EQ(all["flow_load"]["links"].size(), 6u);
}

TEST(flows, load_links_as_a_simulation_does) {
  const program_directory dir;
  dir.write("f.json",
            R"({"flows": [{"from": "*", "to": [3, 9], "rate": 0.06}, {"from": 5, "to": "*", "rate": 0.2}]})");
  const strings options{"--topology", "torus:4x4", "--flows", "f.json"};
  ASSERT_EQ(dir.run(with({"analyze", "--load-csv", "l.csv"}, options)).status, 0);
  ASSERT_EQ(dir.run(with({"run", "--quiet", "--packet", "2", "--arrivals", "constant", "--warmup", "1000",
                          "--cycles", "100000", "--link-stats", "u.csv"},
                         options))
                .status,
            0);
  const auto loads = loads_of(dir.read("l.csv"));
  unsigned used = 0;
  for (const std::string& line : split(dir.read("u.csv"), '\n')) {
    const strings f = split(line, ',');
    if (f.size() < 9 || f[8] != "link") continue;
    EXPECT_NEAR(loads.at(f[1] + ">" + f[3]).first, std::stod(f[6]), 0.005) << line;
    used += std::stod(f[6]) > 0.05;
  }
  EXPECT_GT(used, 10u);
}

TEST(flows, beyond_a_link_have_no_width) {
  const program_directory dir;
  dir.write("m.csv", ",3\n0,0.6\n1,0.6\n");
  const process_result r =
      dir.run({"analyze", "--topology", "mesh:1x4", "--flows", "m.csv", "--load-csv", "-"});
  EXPECT_THAT(r.out, HasSubstr(",1.2,\n"));
  EXPECT_THAT(r.out, HasSubstr(",0.6,64\n"));
  EXPECT_EQ(r.out.find("\n  "), std::string::npos) << "the loads alone, without the table";
  EXPECT_THAT(dir.run({"analyze", "--topology", "mesh:1x4", "--flows", "m.csv"}).out,
              testing::ContainsRegex(
                  "link width +- +no width carries the flows: a link passes 1 flit/cycle at most; 3 of 6 "
                  "links carry none"));
  const json load =
      json_of(dir, {"analyze", "--topology", "mesh:1x4", "--flows", "m.csv", "--json", "-"})["flow_load"];
  EXPECT_TRUE(load["width_bits"].is_null());
}

/// 64 bits, one at a time, take 64 of 100 cycles.
TEST(flows, of_few_flits_need_one_wire) {
  const program_directory dir;
  dir.write("m.csv", ",1\n0,0.01\n");
  const strings analyze{"analyze", "--topology", "mesh:1x3", "--flows", "m.csv"};
  EXPECT_THAT(dir.run(analyze).out, testing::ContainsRegex("link width +1 +bits carry the flows"));
  EXPECT_THAT(dir.run(with(analyze, {"--load-csv", "-"})).out, HasSubstr(",0.01,1\n"));
  const json load = json_of(dir, with(analyze, {"--json", "-"}))["flow_load"];
  EXPECT_EQ(load["width_bits"], 1);
  for (const json& link : load["links"]) EXPECT_EQ(link["width_bits"], 1) << link;
}

/// By hand: 0.3 and 0.4 of a flit per cycle leave at one node; then 0.3 and 0.3 enter at one.
TEST(flows, may_grow_until_a_port_is_full) {
  const program_directory dir;
  const auto growth = [&](const char* matrix) {
    dir.write("m.csv", matrix);
    return dir.run({"analyze", "--topology", "mesh:1x3", "--flows", "m.csv"}).out;
  };
  EXPECT_THAT(growth(",1\n0,0.3\n2,0.4\n"),
              testing::ContainsRegex(
                  "growth of flows +1.428571 +times their rates, when the ejection port of node_0_1 is full"));
  EXPECT_THAT(growth(",0,2\n1,0.3,0.3\n"),
              testing::ContainsRegex(
                  "growth of flows +1.666667 +times their rates, when the injection port of node_0_1 is full"));
  // As many flits leave there as enter.
  EXPECT_THAT(
      growth(",0,1,2\n0,,0.3,\n1,0.3,,0.3\n2,,0.3,\n"),
      testing::ContainsRegex("1.666667 +times their rates, when the injection port of node_0_1 is full"));
}

/// A flit takes eight cycles on the narrow link: 0.1 of them are .8 of what it carries, less than the .9 on
/// another one.
TEST(flows, may_grow_until_a_link_is_full) {
  const program_directory dir;
  dir.write("m.csv", ",1,3\n0,0.1,\n2,,0.9\n");
  const std::string text =
      dir.run({"analyze", "--topology", "mesh:1x4", "--flows", "m.csv", "--link", "0.x+:width=8"}).out;
  EXPECT_THAT(text,
              testing::ContainsRegex("growth of flows +1.111111 .*, when the link node_0_2.x\\+ is full"));
}

/// A file of the pages.
std::string file_text(const std::string& name) {
  std::ifstream in(TORISCOPE_ROOT "/docs/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(flows, of_the_page_print_what_it_shows) {
  const program_directory dir;
  const std::string page = file_text("flows.md");
  EXPECT_THAT(page, HasSubstr("```json\n" + file_text("flows/flows.json") + "```\n"));
  const strings example{"--topology", "file:" TORISCOPE_ROOT "/docs/flows/soc.json", "--flows",
                        TORISCOPE_ROOT "/docs/flows/flows.json"};
  const auto lines_of = [&](const strings& command, const std::string& first, const std::string& end) {
    const std::string out = dir.run(with(command, example)).out;
    const std::size_t at = out.find(first);
    return out.substr(at, out.find(end, at) - at);
  };
  for (const std::string& shown :
       {lines_of({"run"}, "flows\n", "performance\n"), lines_of({"analyze"}, "  link load", "  VCs"),
        lines_of({"analyze", "--load-csv", "-"}, "link,", "2,")}) {
    EXPECT_FALSE(shown.empty());
    EXPECT_THAT(page, HasSubstr("```\n" + shown + "```\n"));
  }
}

TEST(flows, of_a_result_can_be_run_again) {
  const program_directory dir;
  const run_of_flows first = run(dir, {});
  ASSERT_EQ(first.all["config"]["traffic"]["flows"], "f.json");
  const process_result again = dir.run({"run", "--quiet", "--config", "r.json", "--json", "again.json"});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(json::parse(dir.read("again.json"))["flows"], first.all["flows"]);
}

TEST(flows, packets_that_a_dead_link_loses_are_offered_and_do_not_arrive) {
  const program_directory dir;
  dir.write("f.json", R"({"flows": [{"name": "cut", "from": 0, "to": 1, "rate": 0.2, "latency_bound": 500},
                                    {"name": "alive", "from": 1, "to": 0, "rate": 0.2, "latency_bound": 500}]})");
  const json all = json_of(dir, {"run", "--topology", "mesh:2x2", "--flows", "f.json", "--fail-link", "0.x+@1000",
                                 "--fail-link", "0.y+@1000", "--warmup", "0", "--cycles", "2000", "--quiet", "--json",
                                 "-"});
  const json& cut = all["flows"][0];
  const unsigned lost = all["results"]["lost"]["packets_refused"].get<unsigned>() +
                        all["results"]["lost"]["packets_discarded"].get<unsigned>();
  EXPECT_GT(lost, 5u);
  EXPECT_EQ(cut["packets"], cut["packets_arrived"].get<unsigned>() + lost);
  EXPECT_GT(cut["packets_arrived"], 5u);
  EXPECT_EQ(cut["met"], false);
  EXPECT_EQ(cut["late"], 0);
  EXPECT_TRUE(cut["slack"].is_null());
  EXPECT_EQ(all["flows"][1]["packets"], all["flows"][1]["packets_arrived"]);
  EXPECT_EQ(all["flows"][1]["met"], true);
  EXPECT_EQ(all["results"]["flows"]["missed"], 1);
}

TEST(flows, only_pairs_that_talk_are_proven) {
  const program_directory dir;
  const strings cyclic{"run", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--cycles", "100",
                       "--quiet", "--flows"};
  dir.write("all.json", R"({"flows": [{"from": "*", "to": "*", "rate": 0.001}]})");
  dir.write("one.json", R"({"flows": [{"from": 0, "to": 1, "rate": 0.001}]})");
  const process_result all = dir.run(with(cyclic, {"all.json"}));
  EXPECT_EQ(all.status, 2);
  EXPECT_THAT(all.err, HasSubstr("VC rule 'paper' of ttn:2,2,0 with 2 VCs is not free of deadlock: "));
  EXPECT_EQ(dir.run(with(cyclic, {"one.json"})).status, 0);
}

}  // namespace
}  // namespace toriscope::flows_test
