// SPDX-License-Identifier: Apache-2.0
// The program as scripts see it: output, exit status, configuration, determinism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::program_test {
namespace {

using json = nlohmann::json;

const strings small = {"run",      "--topology", "torus:4x4", "--warmup", "100",
                       "--cycles", "1000",       "--json",    "-"};

TEST(program, helps_without_arguments) {
  const program_directory dir;
  const process_result r = dir.run({});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  for (const char* word : {"run", "list", "describe"}) EXPECT_THAT(r.out, testing::HasSubstr(word));
  EXPECT_THAT(dir.run({"run", "--help"}).out, testing::HasSubstr("--vc-rule"));
  EXPECT_THAT(dir.run({"--version"}).out, testing::MatchesRegex("toriscope [0-9.]+\n"));
}

TEST(program, run_alone_runs) {
  const program_directory dir;
  const process_result r = dir.run({"run"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "") << "no progress line in a pipe";
  EXPECT_THAT(r.out, testing::StartsWith("ttn:2,2,0: 256 nodes"));
  EXPECT_THAT(r.out, testing::HasSubstr("latency.mean"));
  EXPECT_TRUE(dir.files().empty());
}

TEST(program, json_holds_what_scripts_rely_on) {
  const program_directory dir;
  const json all = json_of(dir, with(small, {"--wire-hash"}));
  for (const char* key :
       {"/config/topology/spec", "/config/router/vcs", "/results/offered", "/results/accepted",
        "/results/stable", "/results/latency/mean", "/results/latency/network_mean", "/results/latency/p50",
        "/results/latency/p99", "/results/latency/min", "/results/latency/max",
        "/results/latency/zero_load_model", "/results/hops/mean", "/results/packets",
        "/performance/elaborate_s", "/performance/simulate_cpu_s", "/performance/max_rss_mb"})
    EXPECT_FALSE(all.value(json::json_pointer(key), json()).is_null()) << key;
  // Null where the processor's clock has not ticked.
  for (const char* key : {"router_cycles_per_s", "flit_hops_per_s"})
    EXPECT_TRUE(all["performance"].contains(key)) << key;
  EXPECT_THAT(all["results"]["packet_hash"].get<std::string>(), testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_THAT(all["results"]["wire_hash"].get<std::string>(), testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(all["results"]["cycles"].get<int>() >= 1100, true);
  int counted = 0;
  for (const json& n : all["results"]["latency"]["histogram"]["counts"]) counted += n.get<int>();
  EXPECT_EQ(counted, all["results"]["packets"].get<int>());
  EXPECT_FALSE(all["performance"].contains("ranks")) << "there is one process";
}

TEST(program, bytes_per_node_are_those_of_the_network_or_not_given) {
  const program_directory dir;
  const auto bytes_of = [&](const std::string& topology) {
    const json all = json_of(dir, {"run", "--topology", topology, "--rate", "0", "--warmup", "0", "--cycles",
                                   "10", "--json", "-"});
    return all["performance"]["bytes_per_node"];
  };
  EXPECT_TRUE(bytes_of("ttn:2,2,0").is_null()) << "64 nodes take less than what the libraries touch";
  const double of_9216 = bytes_of("torus:96x96");
  EXPECT_NEAR(bytes_of("torus:128x128").get<double>() / of_9216, 1, .1);
}

TEST(program, a_network_without_traffic_has_no_bottleneck) {
  const program_directory dir;
  const json all = json_of(dir, with(small, {"--rate", "0"}));
  EXPECT_EQ(all["results"]["bottleneck"]["name"], "none");
  EXPECT_EQ(all["results"]["bottleneck"]["busy"], 0);
}

TEST(program, the_latency_of_bursts_has_an_interval) {
  const program_directory dir;
  const json all = json_of(dir, {"run", "--topology", "hypercube:5", "--arrivals", "on_off", "--rate", "0.05",
                                 "--warmup", "1000", "--cycles", "20000", "--json", "-"});
  EXPECT_TRUE(all["results"]["latency"]["interval_95"].is_array()) << all["results"]["latency"];
}

TEST(program, same_seed_same_hashes_other_seed_others) {
  const program_directory dir;
  const strings arguments = with(small, {"--wire-hash", "--seed", "5"});
  const json first = json_of(dir, arguments)["results"];
  EXPECT_EQ(json_of(dir, arguments)["results"], first);
  EXPECT_NE(json_of(dir, with(arguments, {"--seed", "6"}))["results"]["packet_hash"], first["packet_hash"]);
}

TEST(program, waves_and_checks_do_not_change_the_hashes) {
  const program_directory dir;
  const json plain = json_of(dir, with(small, {"--wire-hash"}))["results"];
  const json watched =
      json_of(dir, with(small, {"--wire-hash", "--check", "full", "--wave", "*@50:300"}))["results"];
  EXPECT_EQ(watched, plain);
  EXPECT_THAT(dir.files(), testing::Contains("toriscope.vcd"));
}

TEST(program, the_effective_configuration_gives_the_same_run_again) {
  const program_directory dir;
  for (const strings& more :
       {strings{"--topology", "ttn:2,2,1", "--links", "B", "--rate", "0.01"},
        strings{"--topology", "mesh:4x4"},
        strings{"--topology", "torus:6x6", "--ties", "positive", "--arrivals", "poisson", "--packet",
                "2:1,5:2"},
        strings{"--topology", "ucube:4,2", "--pipeline", "paper2009", "--rate", "0.05"},
        strings{"--topology", "torus:4x4", "--stages", "rc=2,st=3", "--va-allocator", "islip",
                "--sa-allocator", "output_first", "--iterations", "3", "--arbiter", "matrix", "--lookahead",
                "--speculative"},
        strings{"--topology", "mesh:4x4", "--routing", "adaptive", "--adaptive-delay", "2"},
        strings{"--topology", "cube:4,3", "--traffic", "hotspot", "--hot-node", "1,2", "--hot-probability",
                "0.2", "--self"},
        strings{"--topology", "ttn:2,2,0", "--link-delay", "1,3", "--pipeline", "single_cycle", "--rate",
                "0.01"}}) {
    json first = json_of(dir, with(small, more));
    dir.write("config.json", first["config"].dump());
    json again = json_of(dir, {"run", "--config", "config.json", "--json", "-"});
    EXPECT_EQ(again["config"], first["config"]);
    EXPECT_EQ(again["results"], first["results"]) << more[1];
    // The whole result file is taken as well.
    dir.write("config.json", first.dump());
    EXPECT_EQ(json_of(dir, {"run", "--config", "config.json", "--json", "-"})["results"], first["results"]);
  }
}

TEST(program, the_configuration_may_come_from_standard_input) {
  const program_directory dir;
  const json first = json_of(dir, {"run", "--topology", "mesh:3x3", "--cycles", "200", "--json", "-"});
  dir.write("config.json", first["config"].dump());
  const process_result piped = dir.shell("cat config.json | \"$T\" run --config - --json -");
  EXPECT_EQ(json::parse(piped.out)["results"], first["results"]);
  EXPECT_THAT(dir.run({"run", "--config", "-"}).err, testing::HasSubstr("standard input is empty"));
}

TEST(program, options_override_the_file) {
  const program_directory dir;
  dir.write("c.json", R"({"router": {"vcs": 3}, "depth": 5, "traffic": "neighbour", // a comment
                          "topology": {"spec": "mesh:3x3"}, "packet": 7, "warmup": 10, "cycles": 50})");
  const json config = json_of(dir, {"run", "--config", "c.json", "--depth", "6", "--json", "-"})["config"];
  EXPECT_EQ(config["router"]["vcs"], 3);
  EXPECT_EQ(config["router"]["depth_flits"], 6);
  EXPECT_EQ(config["traffic"]["pattern"], "neighbour");
  EXPECT_EQ(config["traffic"]["packet_flits"], "7");
  EXPECT_EQ(config["topology"]["spec"], "mesh:3x3");
  EXPECT_EQ(config["measurement"]["warmup_cycles"], 10);
}

TEST(program, a_traffic_file_is_measured_whole) {
  const program_directory dir;
  // One packet at a time, far apart: latencies are those of the empty network.
  dir.write("t.txt", "0 0 0 1\n100 0 3 4\n12000 5 6 2\n");
  const json all = json_of(
      dir, {"run", "--topology", "mesh:4x4", "--traffic-file", "t.txt", "--check", "cheap", "--json", "-"});
  const json& r = all["results"];
  EXPECT_EQ(r["packets"], 3);
  EXPECT_EQ(r["stable"], true);
  EXPECT_EQ(r["latency"]["mean"], r["latency"]["zero_load_model"]);
  // four_stage, by hand: 3 + 2; 12 + 3 + 2 + 3; 6 + 1 + 2 + 1
  EXPECT_EQ(r["latency"]["min"], 5);
  EXPECT_EQ(r["latency"]["p50"], 10);
  EXPECT_EQ(r["latency"]["max"], 20);
  EXPECT_DOUBLE_EQ(r["hops"]["mean"].get<double>(), 4.0 / 3);
  EXPECT_EQ(all["config"]["measurement"]["warmup_cycles"], 0);
  EXPECT_EQ(all["config"]["measurement"]["measure_cycles"], 13000);
}

TEST(program, lone_packets_take_what_the_model_says) {
  const program_directory dir;
  std::string packets;
  for (unsigned i = 0; i < 20; ++i)
    packets += std::to_string(700 * i) + " " + std::to_string(i * 37 % 256) + " " +
               std::to_string(i * 101 % 256) + " " + std::to_string(1 + i % 17) + "\n";
  dir.write("t.txt", packets);
  for (const strings& more :
       {strings{"--pipeline", "four_stage", "--depth", "8"},
        strings{"--pipeline", "four_stage", "--depth", "3"},
        strings{"--pipeline", "four_stage", "--depth", "1", "--credit-delay", "2"},
        strings{"--pipeline", "single_cycle", "--depth", "2"}, strings{"--pipeline", "paper2009"},
        strings{"--stages", "rc=3,va=0,sa=2,st=2", "--depth", "64"},
        strings{"--speculative", "--lookahead", "--depth", "64", "--sa-allocator", "islip"}}) {
    const json r = json_of(
        dir, with({"run", "--topology", "ttn:2,2,0", "--link-delay", "2,5", "--injection-delay", "3",
                   "--ejection-delay", "2", "--traffic-file", "t.txt", "--check", "cheap", "--json", "-"},
                  more))["results"];
    EXPECT_EQ(r["packets_arrived"], 20);
    EXPECT_DOUBLE_EQ(r["latency"]["mean"].get<double>(), r["latency"]["zero_load_model"].get<double>())
        << more[1] << more.back();
  }
}

TEST(program, unstable_is_a_result) {
  const program_directory dir;
  const json r =
      json_of(dir, with(small, {"--rate", "1", "--topology", "mesh:8x8", "--drain", "200"}))["results"];
  EXPECT_EQ(r["stable"], false);
  EXPECT_LT(r["accepted"].get<double>(), 0.95 * r["offered"].get<double>());
  EXPECT_EQ(r["cycles"], 1300);
}

TEST(program, every_pattern_and_arrival_runs_at_low_load) {
  const program_directory dir;
  for (const char* pattern : {"uniform", "hotspot", "transpose", "bit_reversal", "complement", "bit_flip",
                              "shuffle", "bit_rotation", "tornado", "neighbour"}) {
    const json r = json_of(dir, with(small, {"--traffic", pattern, "--rate", "0.05"}))["results"];
    EXPECT_EQ(r["stable"], true) << pattern;
    EXPECT_GE(r["latency"]["mean"], r["latency"]["zero_load_model"]) << pattern;
  }
  for (const char* arrivals : {"bernoulli", "poisson", "constant"})
    EXPECT_EQ(json_of(dir, with(small, {"--arrivals", arrivals, "--rate", "0.05"}))["results"]["stable"],
              true);
}

TEST(program, says_how_many_nodes_send_to_themselves) {
  const program_directory dir;
  const auto head_of = [&](const std::string& topology, const std::string& traffic) {
    return dir.run(
        {"run", "--topology", topology, "--traffic", traffic, "--rate", "0.05", "--cycles", "200"});
  };
  EXPECT_THAT(head_of("mesh:4x4", "transpose").out,
              testing::HasSubstr("4 of 16 nodes send only to themselves: 25 % of the packets use no link\n"));
  EXPECT_THAT(head_of("mesh:4x4", "complement").out, testing::Not(testing::HasSubstr("themselves")));
  const process_result none = head_of("hypercube:4", "tornado");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, testing::HasSubstr("every node of hypercube would send all its packets to itself"));
}

TEST(program, files_are_written_beside_the_table) {
  const program_directory dir;
  const process_result r = dir.run({"run", "--topology", "mesh:2x2", "--cycles", "200", "--json", "r.json",
                                    "--csv", "r.csv", "--link-csv", "links.csv"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, testing::HasSubstr("latency.mean"));
  EXPECT_THAT(dir.files(), testing::ElementsAre("links.csv", "r.csv", "r.json"));
  EXPECT_EQ(json::parse(dir.read("r.json"))["config"]["topology"]["spec"], "mesh:2x2");
  const std::string csv = dir.read("r.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
  const std::string links = dir.read("links.csv");
  EXPECT_EQ(std::count(links.begin(), links.end(), '\n'), 1 + 8 + 2 * 4) << "and two ports of each node";
  EXPECT_THAT(links, testing::StartsWith("link,from,port,to,level,delay_cycles,utilisation,busy,kind\n0,"));
  EXPECT_THAT(links, testing::ContainsRegex("\n8,00,local,00,,1,[0-9.e-]+,[0-9.e-]+,injection\n"));
}

TEST(program, standard_output_has_several_names) {
  const program_directory dir;
  for (const char* const name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const std::string to_file = " --json " + std::string(name) + " > o.json";
    for (const char* const command : {"run --topology mesh:2x2 --cycles 100", "analyze --topology mesh:2x2"}) {
      EXPECT_EQ(dir.shell("\"$T\" " + std::string(command) + to_file).status, 0);
      EXPECT_TRUE(json::accept(dir.read("o.json"))) << command << to_file << "\n" << dir.read("o.json");
    }
  }
}

TEST(program, observing_adds_to_the_results_and_changes_nothing) {
  const program_directory dir;
  const strings arguments = with(small, {"--rate", "0.2"});
  const json plain = json_of(dir, arguments)["results"];
  const json all = json_of(dir, with(arguments, {"--observe", "--link-stats", "links.csv", "--stalls",
                                                 "stalls.json", "--events", "events.csv"}));
  EXPECT_EQ(all["results"], plain);
  const json& seen = all["observation"];
  EXPECT_EQ(seen["cycles"], 1000);
  EXPECT_EQ(seen["busiest_links"].size(), 10u);
  EXPECT_EQ(seen["busiest_links"][0]["busy"], plain["bottleneck"]["busy"]);
  EXPECT_EQ(seen["fronts"]["moved"], seen["events"]["buffer_reads"]);
  EXPECT_NEAR(seen["events"]["ejections"].get<double>(), plain["accepted"].get<double>() * 16 * 1000, 16)
      << "sent by routers, a cycle before the interfaces take them";

  const json stalls = json::parse(dir.read("stalls.json"));
  EXPECT_EQ(stalls["from_cycle"], 100);
  EXPECT_EQ(stalls["vcs"].size(), 16u * 5 * 4);
  std::uint64_t moved = 0;
  for (const json& vc : stalls["vcs"]) moved += vc["moved"].get<std::uint64_t>();
  EXPECT_EQ(seen["fronts"]["moved"], moved);

  const std::string links = dir.read("links.csv");
  EXPECT_EQ(std::count(links.begin(), links.end(), '\n'), 1 + 64 + 2 * 16);
  EXPECT_THAT(links,
              testing::StartsWith("link,from,port,to,level,delay_cycles,flit_cycles,flits,utilisation,busy,"
                                  "vc0_utilisation,"));
  const std::string events = dir.read("events.csv");
  EXPECT_EQ(std::count(events.begin(), events.end(), '\n'), 1 + 16);
  EXPECT_THAT(events, testing::StartsWith("node,address,buffer_writes,buffer_reads,"));
}

/// Lists of packets make the observation go flit by flit.
TEST(program, lists_of_packets_change_no_observation) {
  const program_directory dir;
  const strings run = with(small, {"--rate", "0.1", "--observe"});
  const json alone = json_of(dir, run);
  for (const strings& list : {strings{"--packet-stats", "p.csv"}, strings{"--transactions", "t.ftr"}})
    EXPECT_EQ(json_of(dir, with(run, list))["observation"], alone["observation"]) << list[0];
}

/// No packet ends that says so: not asked in steps of a size that other options set.
TEST(program, a_batch_that_is_refused_ends_at_once) {
  const program_directory dir;
  const json r = json_of(dir, {"run", "--topology", "mesh:2", "--traffic-mode", "batch", "--batch", "2", "--fail-link",
                               "0.x+", "--fail-link", "1.x-", "--no-cache", "--json", "-"});
  EXPECT_EQ(r["results"]["cycles"], 1);
}

TEST(program, the_table_shows_the_busiest_links) {
  const program_directory dir;
  const process_result r = dir.run({"run", "--topology", "mesh:2x2", "--cycles", "200", "--observe"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, testing::HasSubstr("\nbusiest links "));
  EXPECT_THAT(dir.run({"run", "--topology", "mesh:2x2", "--cycles", "200"}).out,
              testing::Not(testing::HasSubstr("\nbusiest links ")));
}

TEST(program, a_narrow_link_that_is_full_is_the_bottleneck) {
  const program_directory dir;
  // Two rings of four, joined by a link that takes eight cycles for a flit.
  json net = {{"nodes", 8}, {"links", json::array()}};
  for (int ring : {0, 4})
    for (int n = 0; n < 4; ++n) net["links"].push_back({{"from", ring + n}, {"to", ring + (n + 1) % 4}});
  net["links"].push_back({{"from", 0}, {"to", 4}, {"width", 8}});
  dir.write("rings.json", net.dump());
  const strings run = {"run", "--topology", "file:rings.json", "--rate", "0.06", "--packet", "4"};
  const json all = json_of(dir, with(run, {"--json", "-", "--json-links"}));
  const json& r = all["results"];
  EXPECT_EQ(r["links"]["utilisation_max"], 0.125);
  EXPECT_EQ(r["links"]["busy_max"], 1.0);
  EXPECT_EQ(r["bottleneck"], (json{{"name", "0 p2 -> 4"}, {"busy", 1.0}}));
  EXPECT_EQ(*std::max_element(all["links"].begin(), all["links"].end()), 0.125);
  EXPECT_EQ(*std::max_element(all["links_busy"].begin(), all["links_busy"].end()), 1.0);
  EXPECT_THAT(dir.run(run).out, testing::HasSubstr("The link 0 p2 -> 4 is full: busy 100.0 %"));
}

TEST(program, a_port_of_a_node_can_be_the_bottleneck) {
  const program_directory dir;
  const strings run = {"run", "--topology", "torus:8x8", "--traffic", "hotspot", "--hot-node",
                       "27",  "--packet",   "4",         "--rate",    "0.1",     "--warmup",
                       "500", "--cycles",   "1500",      "--drain",   "0",       "--vcs",
                       "4",   "--depth",    "8"};
  for (const char* fidelity : {"cycle", "transaction"}) {
    const strings hot = with(run, {"--hot-probability", "0.2", "--fidelity", fidelity});
    const json all = json_of(dir, with(hot, {"--json", "-", "--json-links"}));
    EXPECT_EQ(all["results"]["bottleneck"]["name"], "33 local out") << fidelity;
    EXPECT_GT(all["results"]["bottleneck"]["busy"], 0.98) << fidelity;
    EXPECT_EQ(all["results"]["bottleneck"]["busy"], all["ejection_ports"][27]) << fidelity;
    double ejected = 0;
    for (const json& port : all["ejection_ports"]) ejected += port.get<double>();
    EXPECT_NEAR(ejected / 64, all["results"]["accepted"], 0.001) << "counted a cycle earlier, or by packet";
    EXPECT_THAT(dir.run(hot).out, testing::HasSubstr("\nThe ejection port of node 27 (33) is full: busy "));
  }
}

TEST(program, what_is_not_full_is_not_called_full) {
  const program_directory dir;
  // A VC of paper2009 passes a flit in two cycles.
  const strings papers = {"run", "--topology", "mesh:1x2", "--pipeline", "paper2009", "--vcs",
                          "1",   "--rate",     "1",        "--cycles",   "500"};
  EXPECT_THAT(dir.run(papers).out, testing::HasSubstr("\nNo link or port is full; the busiest, "));
  // Stable and far from any limit: no sentence.
  EXPECT_THAT(dir.run({"run", "--topology", "mesh:1x2", "--cycles", "500"}).out,
              testing::Not(testing::HasSubstr(" full")));
}

TEST(program, explains_a_lone_packet_as_the_model_does) {
  const program_directory dir;
  dir.write("t.txt", "7 0 10 4\n");
  for (const strings& more : {strings{"--pipeline", "single_cycle"}, strings{"--pipeline", "four_stage"},
                              strings{"--pipeline", "paper2009"}, strings{"--depth", "1"}}) {
    const json j = json_of(dir, with({"explain", "--packet", "0", "--topology", "mesh:4x4", "--traffic-file",
                                      "t.txt", "--link-delay", "2", "--json", "-"},
                                     more));
    EXPECT_EQ(j["created"], 7);
    EXPECT_EQ(j["source"], 0);
    EXPECT_EQ(j["destination"], 10);
    EXPECT_EQ(j["hops"].size(), 5u) << "two links in each direction";
    EXPECT_EQ(j["latency"], j["zero_load"]) << more[1];
    EXPECT_EQ(j["latency"].get<int>(), j["no_wait"].get<int>() + j["waits"].get<int>());
    EXPECT_EQ(j["waits"].get<int>() > 0, more[1] == "paper2009" || more[1] == "1") << "short buffers only";
  }
}

TEST(program, explains_any_packet_of_a_run) {
  const program_directory dir;
  const strings run = {"--topology", "torus:4x4", "--rate",         "0.4", "--warmup", "100",
                       "--cycles",   "900",       "--packet-flits", "8"};
  const process_result text = dir.run(with({"explain", "--packet", "300", "--json", "s.json"}, run));
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, testing::StartsWith("packet 300: 8 flits from "));
  EXPECT_THAT(text.out, testing::HasSubstr("tail received\n"));
  EXPECT_THAT(text.out, testing::Not(testing::HasSubstr("do not add up")));
  const json j = json::parse(dir.read("s.json"));
  EXPECT_EQ(j["latency"].get<int>(), j["received"].get<int>() - j["created"].get<int>());
  EXPECT_EQ(j["latency"].get<int>(), j["no_wait"].get<int>() + j["waits"].get<int>());
}

TEST(program, says_that_packets_are_missing_where_no_queue_grows) {
  const program_directory dir;
  const process_result r =
      dir.run({"run", "--topology", "torus:8x8", "--rate", "0.05", "--drain", "0", "--cycles", "500"});
  EXPECT_THAT(r.out, testing::ContainsRegex(
                         "\nNot stable: [0-9]+ measured packets had not arrived at the end of the drain"));
}

TEST(program, a_deadlock_is_told_and_leaves_a_waveform) {
  const program_directory dir;
  const process_result r = dir.run({"run", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--rate", "0.3",
                                    "--allow-deadlock", "--watchdog", "1000", "--json", "r.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, testing::Not(testing::HasSubstr("Not stable"))) << "it has failed, which is more";
  EXPECT_THAT(r.err, testing::StartsWith("toriscope: deadlock since cycle "));
  EXPECT_THAT(r.err,
              testing::HasSubstr("\n  waveform of cycles 193:343 of the nodes concerned, with a marker on "
                                 "cycle 293: toriscope-failure.vcd\n"));
  EXPECT_THAT(dir.read("toriscope-failure.gtkw"), testing::HasSubstr("\n[timestart] 269000\n"));
  EXPECT_THAT(dir.files(),
              testing::IsSupersetOf({"r.json", "toriscope-failure.gtkw", "toriscope-failure.vcd"}));
  EXPECT_THAT(dir.read("toriscope-failure.vcd"), testing::HasSubstr("$enddefinitions"));
  const json results = json::parse(dir.read("r.json"))["results"];
  EXPECT_TRUE(results["unstable_sources"].is_null()) << "nothing grows in cycles that were not simulated";
  EXPECT_TRUE(results["backlog"]["growth"].is_null());
  EXPECT_FALSE(results.contains("worst_source"));
  EXPECT_EQ(results["stable"], false);
  EXPECT_THAT(results["failure"].get<std::string>(), testing::HasSubstr("deadlock"));
}

TEST(program, a_deadlock_stands_since_the_same_cycle_whenever_the_watchdog_looks) {
  const program_directory dir;
  for (const char* patience : {"20", "150", "5000"}) {
    const process_result r =
        dir.run({"run", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--rate", "0.3", "--allow-deadlock",
                 "--watchdog", patience, "--quiet", "--failure-wave", "none"});
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.err, testing::StartsWith("toriscope: deadlock since cycle 293: "));
    EXPECT_THAT(r.err, testing::HasSubstr("; found in cycle "));
  }
}

TEST(program, says_what_the_proof_is_not_of) {
  const program_directory dir;
  const std::vector<std::string> run = {"run", "--topology",     "torus:4x4",    "--cycles",
                                        "50",  "--traffic-mode", "request_reply"};
  const auto said = [&](const std::vector<std::string>& more) { return dir.run(with(run, more)).out; };
  EXPECT_THAT(said({"--shared-classes", "--reply-queue", "1"}),
              testing::ContainsRegex(
                  "\nrouting proven free of deadlock .*\nmessage classes share VCs: a protocol "
                  "deadlock is possible .requests wait for room in reply queues, --reply-queue 1,"));
  EXPECT_THAT(said({"--shared-classes"}), testing::HasSubstr("(--reply-queue); in this run it does not\n"));
  EXPECT_THAT(
      said({"--reply-queue", "1"}),
      testing::HasSubstr(
          "\n2 message classes on disjoint VCs: none waits for VCs of another; replies, which requests "
          "wait for (--reply-queue), wait for no request\n"));
  EXPECT_THAT(dir.run({"run", "--topology", "torus:4x4", "--cycles", "50"}).out,
              testing::Not(testing::HasSubstr("classes")));
}

TEST(program, control_characters_in_names_of_files_are_escaped) {
  const program_directory dir;
  const std::string file = "\x1b[31m\xc2\x9bn.json", spec = "file:" + file;
  dir.write(file, R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})");
  dir.write("t\x1b.txt", "0 0 1 4\n");
  const std::string network = "NET='" + spec + "'; ";
  for (const char* command :
       {"analyze --topology \"$NET\"", "analyze --compare \"$NET\"", "prove --topology \"$NET\"",
        "draw --topology \"$NET\" --output -", "export --topology \"$NET\" --sv sv && head -n 3 sv/rtl/*.sv",
        "run --topology \"$NET\" --cycles 50 --traffic-file t*.txt",
        "explain --packet 0 --topology \"$NET\" --traffic-file t*.txt"}) {
    const process_result r = dir.shell(network + "$T " + command);
    EXPECT_EQ(r.status, 0) << command << r.err;
    EXPECT_EQ((r.out + r.err).find('\x1b'), std::string::npos) << command << r.out;
    EXPECT_EQ((r.out + r.err).find("\xc2\x9b"), std::string::npos) << command << r.out;
  }
}

TEST(program, explains_a_packet_that_is_stuck) {
  const program_directory dir;
  const process_result r =
      dir.run({"explain", "--packet", "500", "--topology", "ttn:2,2,0", "--vc-rule", "paper",
               "--allow-deadlock", "--rate", "0.3", "--watchdog", "1000", "--json", "s.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, testing::StartsWith("toriscope: deadlock since cycle "));
  EXPECT_THAT(r.out, testing::HasSubstr("no free output VC in "));
  EXPECT_THAT(r.out, testing::HasSubstr("not received in the "));
  EXPECT_TRUE(json::parse(dir.read("s.json"))["received"].is_null());
}

TEST(program, the_same_traffic_without_the_deadlock) {
  const program_directory dir;
  EXPECT_EQ(dir.run({"run", "--topology", "ttn:2,2,0", "--rate", "0.3", "--watchdog", "1000", "--check",
                     "cheap", "--cycles", "3000", "--drain", "1000", "--quiet"})
                .status,
            0);
}

}  // namespace
}  // namespace toriscope::program_test
