// SPDX-License-Identifier: Apache-2.0
// `toriscope analyze` and `draw` as scripts see them: keys and values of the JSON, the comparisons, the
// picture, one line for bad input. Values: exhaustive searches by programs that share nothing with this one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::analyze_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json analyze(const strings& options) {
  return json_of(program_directory(), with({"analyze", "--json", "-"}, options));
}

TEST(analyze, json_of_a_ttn) {
  const json found = analyze({"--topology", "ttn:2,2,0"});
  EXPECT_EQ(found["nodes"], 256);
  EXPECT_EQ(found["links"], 544);
  EXPECT_EQ(found["degree"]["min"], 4);
  EXPECT_EQ(found["degree"]["max"], 6);
  EXPECT_EQ(found["shortest"]["diameter"], 14);
  EXPECT_EQ(found["shortest"]["mean_all"], 7.15625);
  EXPECT_EQ(found["routed"]["diameter"], 15);
  EXPECT_EQ(found["routed"]["mean_all"], 7.4375);
  EXPECT_NEAR(found["routed"]["mean_distinct"].get<double>(), 7.4375 * 256 / 255, 1e-12);
  EXPECT_EQ(found["arc_connectivity"], 4);
  EXPECT_EQ(found["bisection"]["cut"], 8);
  EXPECT_LE(found["bisection"]["bound"], 8);
  EXPECT_EQ(found["wiring"]["links"], 544);
  EXPECT_EQ(found["wiring"]["formula"], 576);
}

TEST(analyze, options_of_the_network_count) {
  const json two_way = analyze({"--topology", "tesh:2,3,0", "--links", "B"});
  EXPECT_EQ(two_way["links"], 7168);
  EXPECT_EQ(two_way["routed"]["diameter"], 32);
  EXPECT_NEAR(two_way["routed"]["mean_all"].get<double>(), 17.79102, 5e-6);
  EXPECT_EQ(two_way["arc_connectivity"], 3);
  const json positive = analyze({"--topology", "htn:4,4,2,1", "--ties", "positive", "--gates", "nearest"});
  EXPECT_EQ(positive["shortest"]["mean_all"], 7.21875);
  EXPECT_EQ(positive["routed"]["diameter"], 17);
  EXPECT_EQ(positive["routed"]["mean_all"], 7.46875);
  EXPECT_EQ(positive["arc_connectivity"], 6);
}

TEST(analyze, exact_mean_of_the_zero_load_latency) {
  const json none = analyze({"--topology", "htn:4,4,2,1"});
  EXPECT_TRUE(none["zero_load"].is_null());
  const json htn = analyze({"--topology", "htn:4,4,2,1", "--self", "--zero-load", "--pipeline", "paper2009"});
  EXPECT_EQ(htn["zero_load"]["hops_mean"], 7.46875);
  EXPECT_EQ(htn["zero_load"]["latency_mean"], 2 * 7.46875 + 33);
  const json mesh = analyze({"--topology", "mesh:8x8", "--traffic", "complement", "--zero-load", "--packet",
                             "4:1,16:1", "--link-delay", "2"});
  EXPECT_EQ(mesh["zero_load"]["hops_mean"], 8);
  EXPECT_EQ(mesh["zero_load"]["latency_mean"], 9 * 3 + 8 * 2 + 2 + 9);  // flits behind the head: 3 or 15
}

TEST(analyze, graphs_without_a_routing) {
  const json found = analyze({"--topology", "kautz:2,4"});
  EXPECT_TRUE(found["routed"].is_null());
  EXPECT_GT(found["shortest"]["diameter"], 0);
}

// At offered load 1, destinations drawn among all nodes.
TEST(analyze, load_of_the_busiest_link_in_an_htn) {
  struct {
    const char* pattern;
    double nearest, destination;
  } const expected[] = {
      {"uniform", 13.5, 6}, {"bit_reversal", 16, 16}, {"bit_flip", 16, 16}, {"shuffle", 40, 16}};
  for (const auto& e : expected)
    for (const bool nearest : {true, false}) {
      std::vector<std::string> options{"--topology", "htn:4,4,2,1",
                                       "--gates",    nearest ? "nearest" : "destination",
                                       "--traffic",  e.pattern};
      if (e.pattern == std::string("uniform")) options.emplace_back("--self");
      const json found = analyze(options);
      EXPECT_NEAR(found["channel_load"]["max"].get<double>(), nearest ? e.nearest : e.destination, 1e-9)
          << e.pattern;
      EXPECT_NEAR(found["channel_load"]["bound"].get<double>(), 1 / (nearest ? e.nearest : e.destination),
                  1e-9);
    }
}

TEST(analyze, a_port_may_bound_throughput) {
  const program_directory dir;
  const auto bound = [&](const strings& options) {
    const std::string text = dir.run(with({"analyze"}, options)).out;
    const std::size_t at = text.find("throughput bound");
    return at == std::string::npos ? text : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_THAT(bound({"--topology", "torus:2x4", "--traffic", "hotspot", "--hot-node", "3",
                     "--hot-probability", ".5"}),
              testing::MatchesRegex(
                  "throughput bound +0.25 +flits/node/cycle, when the ejection port of node 03 is full"));
  EXPECT_THAT(bound({"--topology", "hypercube:5", "--traffic", "uniform"}),
              testing::MatchesRegex("throughput bound +1 +flits/node/cycle, when the ports are full"));
  EXPECT_THAT(bound({"--topology", "mesh:8x8", "--traffic", "uniform"}),
              testing::EndsWith("when the link node_0_3.x+ is full"));
  // At the bounds between these: each link has a flit per cycle; the hot node has 1.28 of them, and no link
  // has one.
  EXPECT_THAT(
      bound({"--topology", "ring:8", "--traffic", "neighbour"}),
      testing::MatchesRegex("throughput bound +1 +flits/node/cycle, when the link node_0.x[+] is full"));
  EXPECT_THAT(bound({"--topology", "torus:4x4", "--traffic", "hotspot", "--hot-node", "3",
                     "--hot-probability", ".02"}),
              testing::EndsWith("when the ejection port of node 03 is full"));
  // Most flits pass the middle of a line; the narrow link at its end passes 7/7 of a flit in 16 cycles each.
  EXPECT_THAT(bound({"--topology", "mesh:8", "--traffic", "uniform", "--link", "0.x+:width=4"}),
              testing::MatchesRegex("throughput bound +0.0625 +flits/node/cycle, when the link node_0.x[+] is full"));
}

TEST(analyze, a_bisection_of_so_many_bits_makes_links_narrow) {
  const auto bound = [](const strings& options) {
    return analyze(with({"--topology", "mesh:8x8", "--traffic", "uniform"}, options))["channel_load"]["bound"]
        .get<double>();
  };
  EXPECT_NEAR(bound({"--equal", "bisection:512"}), bound({}) / 2, 1e-9) << "16 links of 32 bits, flits of 64";
  EXPECT_NEAR(bound({"--link-width", "32"}), bound({}) / 2, 1e-9);
}

/// Four wires of one pitch each.
TEST(analyze, lengths_in_mm) {
  const program_directory dir;
  const std::string text = dir.run({"analyze", "--topology", "mesh:2x2", "--pitch", "0.5"}).out;
  EXPECT_THAT(text, testing::ContainsRegex("\n  wire length +4   node pitches in all; 2 mm\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n  longest wire +1   node pitches; 0.5 mm\n"));
  const json wiring = analyze({"--topology", "mesh:2x2", "--pitch", "0.5"})["wiring"];
  EXPECT_EQ(wiring["total_length_mm"], 2);
  EXPECT_EQ(wiring["longest_mm"], 0.5);
}

/// Of 1600 nodes no proof is made (prove_test.cpp).
TEST(analyze, vcs_of_no_packet_are_those_that_are_known) {
  EXPECT_TRUE(analyze({"--topology", "torus:40x40"})["vc_use"].is_null());
}

/// A file without positions tells nothing of where wires run, and neither do chiplets with it.
TEST(analyze, chiplets_without_positions_have_no_lengths) {
  const program_directory dir;
  dir.write("net.json", R"({"nodes": 3, "links": [{"from": 0, "to": 1}, {"from": 1, "to": 2}]})");
  for (const char* spec : {"chiplets:file:net.json+mesh:2x2", "chiplets:mesh:2x2+file:net.json"}) {
    const process_result r = dir.run({"analyze", "--topology", spec, "--json", "-"});
    ASSERT_EQ(r.status, 0) << r.err;
    const json found = json::parse(r.out);
    EXPECT_TRUE(found["wiring"]["total_length"].is_null()) << spec;
    EXPECT_TRUE(found["wire_density"].is_null()) << spec;
  }
}

TEST(analyze, networks_side_by_side) {
  const program_directory dir;
  const process_result two = dir.run({"analyze", "--compare", "torus:8x8,mesh:8x8", "--json", "-"});
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(json::parse(two.out)["networks"].size(), 2u);
  const process_result commas =
      dir.run({"analyze", "--compare", "chiplets:cmesh:2x2,2+mesh:2x2,fattree:2,3", "mesh:3x2"});
  const char* const rows = "\nchiplets:cmesh:2x2,2\\+mesh:2x2 +36 .*\nfattree:2,3 .* -\nmesh:3x2 ";
  EXPECT_THAT(commas.out, testing::ContainsRegex(rows)) << commas.err;
  EXPECT_THAT(dir.run({"analyze", "--compare", "ring:4"}).out,
              testing::StartsWith("network      nodes  degree"));
  // Tried before anything is analysed.
  EXPECT_EQ(dir.run({"analyze", "--compare", "mesh:2x2,nonsense:3", "--json", "/nonexistent/c.json"}).err,
            "toriscope: cannot write /nonexistent/c.json: No such file or directory\n");
  const json duplex = analyze({"--compare", "ttn:2,2,0", "--inter-module-links", "duplex"})["networks"][0];
  EXPECT_EQ(duplex["topology"]["links"], "B");
  EXPECT_EQ(duplex["routed"]["diameter"], 13) << "15 with links one way";
}

TEST(analyze, bad_input_is_one_line) {
  const program_directory dir;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"analyze", "--topology", "ttn:2,9,0"},
        {"analyze", "--compare", "ttn2009-tabel1"},
        {"analyze", "--traffic", "unifrom"},
        {"analyze", "--depth", "4"},
        {"draw", "--topology", "torus:8y8"},
        {"draw", "--output", "/nowhere/network.svg"}}) {
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << arguments[0] << " " << arguments[2];
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_EQ(r.out, "");
  }
  EXPECT_THAT(dir.files(), testing::IsEmpty());
}

TEST(analyze, outputs_that_lack_what_they_show_are_rejected) {
  const program_directory dir;
  dir.write("flows.csv", ",1\n0,0.3\n");
  for (const auto& [options, said] : std::vector<std::pair<strings, std::string>>{
           {{"--topology", "mesh:2x2", "--load-csv", "l.csv"},
            "--load-csv needs --traffic PATTERN, for example uniform, or --flows FILE"},
           {{"--topology", "mesh:2x2", "--flows", "flows.csv", "--zero-load"},
            "--zero-load has no effect with --flows; leave one of them out"},
           {{"--compare", "mesh:2x2", "--load-csv", "l.csv"},
            "--load-csv has no effect with --compare; leave it out"},
           {{"--compare", "mesh:2x2", "--zero-load"}, "--zero-load has no effect with --compare; leave it out"}}) {
    const process_result r = dir.run(with({"analyze"}, options));
    EXPECT_EQ(r.status, 2) << said;
    EXPECT_EQ(r.err, "toriscope: " + said + "\n");
    EXPECT_EQ(r.out, "");
  }
  EXPECT_THAT(dir.files(), testing::ElementsAre("flows.csv"));
}

TEST(draw, an_svg_of_all_nodes) {
  const program_directory dir;
  for (const char* network : {"ttn:2,2,0", "htn:4,2,2,1", "rdt:alpha,16", "torus:4x4", "kautz:2,3"}) {
    const process_result r = dir.run({"draw", "--topology", network, "--output", "network.svg"});
    EXPECT_EQ(r.status, 0) << r.err;
    const std::string picture = dir.read("network.svg");
    EXPECT_THAT(picture, testing::StartsWith("<?xml"));
    EXPECT_THAT(picture, HasSubstr("</svg>"));
  }
  EXPECT_EQ(dir.run({"draw", "--topology", "mesh:2x2", "--output", "a.SVG"}).status, 0);
  EXPECT_THAT(dir.read("a.SVG"), HasSubstr("</svg>"));
  EXPECT_EQ(dir.run({"draw", "--topology", "mesh:128x128", "--output", "/dev/null"}).status, 0)
      << "the most nodes that are drawn";
}

/// By hand: nodes are 30 apart; folded, a ring goes out over every other place and comes back over those between.
TEST(draw, a_folded_ring) {
  const program_directory dir;
  for (const auto& [layout, last] : {std::pair{"planar", "150.0"}, {"folded", "30.0"}})
    EXPECT_THAT(dir.run({"draw", "--topology", "torus:1x6", "--layout", layout, "--output", "-"}).out,
                testing::ContainsRegex("<circle cx=\"" + std::string(last) + "\"[^\n]*<title>node_0_5</title>"));
}

/// The colour of the element that has this text in its title.
std::string colour_of(const std::string& picture, const std::string& title) {
  const std::size_t at = picture.find(title);
  EXPECT_NE(at, std::string::npos) << title;
  const std::size_t stroke = picture.rfind("stroke=\"#", at);
  return picture.substr(stroke + 8, 7);
}

/// Runs a network in which one terminal sends to another in a quarter of the cycles, into r.json.
void use_a_quarter(const program_directory& dir, const std::string& topology, const std::string& terminals) {
  std::string packets;
  for (int cycle = 0; cycle < 400; cycle += 16) packets += std::to_string(cycle) + ' ' + terminals + " 4\n";
  dir.write("t.txt", packets);
  ASSERT_EQ(dir.run({"run", "--topology", topology, "--traffic-file", "t.txt", "--warmup", "0", "--cycles", "400",
                     "--json", "r.json", "--json-links", "--quiet"})
                .status,
            0);
}

TEST(draw, the_use_of_several_ports_at_a_node) {
  const program_directory dir;
  ASSERT_NO_FATAL_FAILURE(use_a_quarter(dir, "cmesh:2x2,2", "5 4"));  // both of node 2
  const process_result r = dir.run({"draw", "--use", "r.json", "--output", "-"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("injection port: busy 0.25"));
}

TEST(draw, the_use_of_links_and_ports_as_colours) {
  const program_directory dir;
  ASSERT_NO_FATAL_FAILURE(use_a_quarter(dir, "torus:8", "0 1"));
  const json busy = json::parse(dir.read("r.json"))["links_busy"];
  const process_result r = dir.run({"draw", "--use", "r.json", "--output", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("0 x+ -&gt; 1: busy 0.25\n1 x- -&gt; 0: busy 0<"));
  EXPECT_EQ(colour_of(r.out, "0 x+ -&gt; 1"), "#4a0d2c") << "the busiest";
  EXPECT_EQ(colour_of(r.out, "3 x+ -&gt; 4"), "#bcc7d3") << "idle";
  EXPECT_THAT(r.out, HasSubstr("injection port: busy 0.25\nejection port: busy 0<"));
  EXPECT_THAT(r.out, HasSubstr("busy (share of cycles in use)  0</text>"));
  EXPECT_THAT(r.out, HasSubstr(">0.25; lines: the busier way"));
  // The network is that of the result, and the file must have its use.
  EXPECT_THAT(dir.run({"draw", "--topology", "mesh:3", "--use", "r.json"}).err,
              HasSubstr("--topology has no effect with --use"));
  dir.write("c.json", R"({"topology": "mesh:3"})");
  EXPECT_THAT(dir.run({"draw", "--config", "c.json", "--use", "r.json"}).err,
              HasSubstr("--config has no effect with --use, which has its network from the result"));
  dir.run({"run", "--topology", "torus:8", "--cycles", "50", "--json", "plain.json", "--quiet"});
  const process_result plain = dir.run({"draw", "--use", "plain.json"});
  EXPECT_EQ(plain.status, 2);
  EXPECT_EQ(plain.err,
            "toriscope: plain.json: links_busy: missing; toriscope run --json FILE --json-links writes it\n");
  EXPECT_EQ(dir.run({"draw", "--use", "plain.json", "--output", "/nonexistent/u.svg"}).err,
            "toriscope: cannot write /nonexistent/u.svg: No such file or directory\n");
  // Shares of cycles alone are drawn.
  json result = json::parse(dir.read("r.json"));
  result["links_busy"][3] = 1;
  dir.write("all.json", result.dump());
  EXPECT_THAT(dir.run({"draw", "--use", "all.json", "--output", "-"}).out,
              HasSubstr("\n2 x- -&gt; 1: busy 1<"));
  for (const double share : {-1.0, 1.5, 7.0, 1e300}) {
    result["links_busy"][3] = share;
    dir.write("bad.json", result.dump());
    const process_result bad = dir.run({"draw", "--use", "bad.json", "--output", "-"});
    EXPECT_EQ(bad.status, 2) << share;
    EXPECT_EQ(bad.err, "toriscope: bad.json: links_busy: expected 16 shares from 0 to 1\n");
    EXPECT_EQ(bad.out, "");
  }
}

// In the long tier.
TEST(analyze, a_million_nodes) {
  const json found = analyze({"--topology", "ttn:2,5,0", "--traffic", "uniform"});
  EXPECT_EQ(found["nodes"], 1048576);
  EXPECT_EQ(found["routed"]["diameter"], 54);
  EXPECT_NEAR(found["routed"]["mean_all"].get<double>(), 28.876541, 1e-6);
  EXPECT_GT(found["channel_load"]["max"], 0);
}

}  // namespace
}  // namespace toriscope::analyze_test
