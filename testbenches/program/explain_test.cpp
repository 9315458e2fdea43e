// SPDX-License-Identifier: Apache-2.0
// `toriscope explain --json`: the hops of packets are those of the network, one behind the other.
#include <gmock/gmock.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"
#include "topologies/registry.h"

namespace toriscope::explain_test {
namespace {

using nlohmann::json;

TEST(explain, hops_follow_the_links) {
  const program_directory dir;
  const topology mesh = make_topology("mesh:4x4");
  std::set<std::string> ports;
  for (int packet = 0; packet < 12; ++packet) {
    const json told =
        json_of(dir, {"explain", "--topology", "mesh:4x4", "--packet", std::to_string(packet), "--rate",
                      "0.1", "--warmup", "0", "--cycles", "500", "--quiet", "--json", "-"});
    node_id node = told.at("source");
    std::string in_port = "local";
    for (const json& hop : told.at("hops")) {
      EXPECT_EQ(hop.at("node"), node) << packet;
      EXPECT_EQ(hop.at("address"), mesh.wiring->address(node));
      EXPECT_EQ(hop.at("in_port"), in_port);
      ASSERT_TRUE(hop.at("out_port").is_string()) << hop;
      ASSERT_TRUE(hop.at("out_vc").is_number()) << hop;
      EXPECT_LE(hop.at("sa"), hop.at("sent"));
      const std::string out_port = hop.at("out_port");
      ports.insert(out_port);
      if (out_port == "local") break;
      const netlist_link& link =
          mesh.wiring->link(mesh.wiring->ports(node)[mesh.wiring->port_named(node, out_port)].out);
      node = link.to;
      in_port = mesh.wiring->port_name(link.to, link.to_port);
    }
    EXPECT_EQ(told.at("destination"), node);
    EXPECT_EQ(told.at("hops").back().at("out_port"), "local");
  }
  EXPECT_EQ(ports, (std::set<std::string>{"local", "x+", "x-", "y+", "y-"}));
}

/// Half of these packets go by y first.
TEST(explain, latency_without_others_of_packets_whose_way_is_drawn) {
  const program_directory dir;
  std::string packets;
  for (int n = 0; n < 8; ++n) packets += std::to_string(7 + 100 * n) + " 0 10 4\n";
  dir.write("t.txt", packets);
  std::set<std::string> first_ports;
  for (int packet = 0; packet < 8; ++packet) {
    const json told = json_of(dir, {"explain", "--topology", "mesh:4x4", "--routing", "o1turn", "--packet",
                                    std::to_string(packet), "--traffic-file", "t.txt", "--quiet", "--json", "-"});
    EXPECT_EQ(told.at("latency"), told.at("zero_load")) << packet;
    first_ports.insert(told.at("hops").at(0).at("out_port").get<std::string>());
  }
  EXPECT_EQ(first_ports, (std::set<std::string>{"x+", "y+"}));
}

/// A terminal of a butterfly sends into one router and receives from another.
TEST(explain, names_terminals_and_local_ports) {
  const program_directory dir;
  for (int packet = 0; packet < 8; ++packet) {
    const strings what = {"explain", "--topology", "butterfly:2,3", "--packet", std::to_string(packet),
                          "--rate",  "0.2",        "--warmup",      "0"};
    strings as_json = what;
    as_json.insert(as_json.end(), {"--quiet", "--json", "-"});
    const json told = json_of(dir, as_json);
    const unsigned source = told.at("source"), destination = told.at("destination");
    ASSERT_EQ(told.at("hops").size(), 3U);
    EXPECT_EQ(told["hops"][0]["node"], source / 2);
    EXPECT_EQ(told["hops"][0]["in_port"], "local" + std::to_string(source % 2));
    EXPECT_EQ(told["hops"][2]["node"], 8 + destination / 2);
    EXPECT_EQ(told["hops"][2]["out_port"], "local" + std::to_string(destination % 2));
    EXPECT_EQ(told.at("no_wait").get<int>() + told.at("waits").get<int>(), told.at("latency"));
    EXPECT_THAT(dir.run(what).out,
                testing::HasSubstr("(terminal " + std::to_string(destination) + ", stage_0.switch_"));
  }
}

const strings hot = {"--topology", "torus:4x4", "--rate", "0.4", "--warmup", "300", "--cycles", "700"};

strings with(strings words, const strings& more) {
  words.insert(words.end(), hot.begin(), hot.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Lines of --packet-stats: {packet, source, destination, class, flits, created, sent, received, hops}.
std::vector<std::vector<std::string>> measured_packets(const program_directory& dir) {
  EXPECT_EQ(dir.run(with({"run"}, {"--quiet", "--packet-stats", "p.csv"})).status, 0);
  std::istringstream lines(dir.read("p.csv"));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    const std::vector<std::string> row = split(line, ',');
    const int created = std::stoi(row.at(5));
    if (created >= 300 && created < 1000) rows.push_back(row);
  }
  return rows;
}

TEST(explain, finds_the_slowest_packets) {
  const program_directory dir;
  std::vector<int> latencies;
  for (const auto& row : measured_packets(dir)) latencies.push_back(std::stoi(row[7]) - std::stoi(row[5]));
  std::sort(latencies.rbegin(), latencies.rend());
  const json told = json_of(dir, with({"explain"}, {"--slowest", "3", "--quiet", "--json", "-"}));
  ASSERT_EQ(told.at("packets").size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const json& packet = told["packets"][i];
    EXPECT_EQ(packet.at("latency"), latencies.at(i));
    EXPECT_EQ(packet.at("no_wait").get<int>() + packet.at("waits").get<int>(), latencies[i]);
  }
}

TEST(explain, finds_the_slowest_packet_of_routing_that_may_deadlock) {
  const program_directory dir;
  const process_result r = dir.run({"explain", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--allow-deadlock",
                                    "--rate", "0.001", "--warmup", "0", "--cycles", "300", "--slowest", "1"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, testing::StartsWith("packet "));
}

/// The window of --precision is known when the run is over; that of a batch is the whole run.
TEST(explain, finds_the_slowest_packet_of_windows_without_a_fixed_end) {
  const program_directory dir;
  for (const strings& options : {strings{"--topology", "torus:4x4", "--rate", "0.3", "--precision", "10%", "--warmup",
                                         "300", "--cycles", "1000"},
                                 strings{"--topology", "mesh:4x4", "--traffic-mode", "batch", "--batch", "400"}}) {
    const json results = json_of(dir, toriscope::with({"run", "--json", "-"}, options))["results"];
    const json told =
        json_of(dir, toriscope::with({"explain", "--slowest", "100", "--quiet", "--json", "-"}, options));
    EXPECT_EQ(told.at("packets")[0].at("latency"), results.at("latency").at("max"));
    if (!results.contains("precision")) continue;
    for (const json& packet : told["packets"])
      EXPECT_GE(packet.at("created"), results["precision"].at("warmup_cycles")) << packet;
  }
}

/// All packets go to one node: a late one has many before it at its source.
TEST(explain, the_wait_in_the_source_queue_is_one_line) {
  const program_directory dir;
  const process_result r = dir.run({"explain", "--topology", "mesh:2x2", "--traffic", "hotspot", "--hot-node",
                                    "3", "--hot-probability", "1", "--rate", "0.9", "--packet-flits", "8",
                                    "--warmup", "0", "--cycles", "400", "--slowest", "1"});
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string before = r.out.substr(0, r.out.find("head sent"));
  EXPECT_THAT(before,
              testing::ContainsRegex("waited [0-9]+ cycles: in the source queue behind [0-9]+ packets\n"));
  EXPECT_EQ(before.find("behind packet"), std::string::npos) << before;
}

/// Requests and replies have queues of their own; nothing waits in one behind a packet of the other.
TEST(explain, packets_wait_in_the_source_queue_of_their_class) {
  const program_directory dir;
  const strings busy{"--topology", "torus:4x4", "--traffic-mode", "request_reply", "--rate",   "0.5", "--packet-flits",
                     "4",          "--reply-packet", "8",         "--warmup",      "50", "--cycles", "300"};
  ASSERT_EQ(dir.run(with(with(strings{"run"}, busy), {"--packet-stats", "p.csv", "--drain", "3000"})).status, 0);
  std::map<std::string, std::string> classes;  // by packet
  std::istringstream rows(dir.read("p.csv"));
  std::string row;
  std::getline(rows, row);
  const strings names = split(row, ',');
  const auto column = std::find(names.begin(), names.end(), "class") - names.begin();
  ASSERT_LT(column, static_cast<std::ptrdiff_t>(names.size())) << row;
  while (std::getline(rows, row)) classes[row.substr(0, row.find(','))] = split(row, ',')[column];
  const process_result r =
      dir.run(with(with(strings{"explain"}, busy), {"--drain", "3000", "--slowest", "60", "--json", "-"}));
  ASSERT_EQ(r.status, 0) << r.err;
  unsigned behind = 0, beside = 0;
  const json told = json::parse(r.out);
  for (const json& packet : told["packets"])
    for (const json& wait : packet["interface"]["waits"]) {
      const std::string text = wait["text"], other = text.substr(text.rfind(' ') + 1);
      if (wait["reason"] == "source_queue") {
        ++behind;
        EXPECT_EQ(classes[other], classes[packet["packet"].dump()]) << packet["packet"] << ": " << text;
      }
      const bool before = wait["from"] < packet["interface"]["head_sent"];
      beside += before && text.find("the interface sent a flit of packet") == 0;
    }
  EXPECT_GT(behind, 20u);
  EXPECT_GT(beside, 0u) << "the first of its queue waits for the other class";
}

/// A flit in an output buffer waits while one of the other VC leaves by the same port.
TEST(explain, names_the_packet_to_which_the_link_was_lost) {
  const program_directory dir;
  const auto explain = [&](const strings& which) {
    return json_of(dir, toriscope::with({"explain", "--topology", "torus:4x4", "--vcs", "2", "--pipeline", "paper2009",
                                         "--rate", "0.5", "--warmup", "0", "--cycles", "700", "--quiet", "--json", "-"},
                                        which));
  };
  const std::string lost = "lost the link ", to = " to packet ";
  unsigned seen = 0;
  const json told = explain({"--slowest", "60"});
  for (const json& packet : told.at("packets"))
    for (const json& hop : packet.at("hops"))
      for (const char* whose : {"waits", "waits_behind_head"})
        for (const json& wait : hop.at(whose)) {
          const std::string text = wait.at("text");
          if (!begins_with(text, lost) || seen == 8) continue;
          ++seen;
          const std::size_t end = text.find(to);
          ASSERT_NE(end, std::string::npos) << text;
          EXPECT_EQ(text.substr(lost.size(), end - lost.size()), hop.at("out_port")) << text;
          const json winner = explain({"--packet", text.substr(end + to.size())});
          EXPECT_TRUE(std::any_of(winner.at("hops").begin(), winner.at("hops").end(), [&](const json& other) {
            return other.at("node") == hop.at("node") && other.at("out_port") == hop.at("out_port") &&
                   other.at("out_vc") != hop.at("out_vc") && other.at("sent") <= wait.at("from");
          })) << text << "\n"
              << winner;
        }
  EXPECT_GE(seen, 4u);
}

TEST(explain, finds_the_first_measured_packet_between_two_terminals) {
  const program_directory dir;
  const auto rows = measured_packets(dir);
  ASSERT_FALSE(rows.empty());
  const auto& [from, to] = std::pair(rows.back()[1], rows.back()[2]);
  std::vector<int> numbers;
  for (const auto& row : rows)
    if (row[1] == from && row[2] == to) numbers.push_back(std::stoi(row[0]));
  const auto node = [](const std::string& address) { return 4 * (address[0] - '0') + address[1] - '0'; };
  const json told = json_of(dir, with({"explain"}, {"--from", std::to_string(node(from)), "--to",
                                                    std::to_string(node(to)), "--quiet", "--json", "-"}));
  EXPECT_EQ(told.at("packet"), *std::min_element(numbers.begin(), numbers.end()));
  EXPECT_EQ(told.at("source"), node(from));
  EXPECT_EQ(told.at("destination"), node(to));
}

/// The save file has the routers in the order of the way, and a marker where each is shown the head.
TEST(explain, writes_a_waveform_of_the_way) {
  const program_directory dir;
  const json told = json_of(dir, with({"explain"}, {"--slowest", "1", "--quiet", "--json", "-", "--wave",
                                                    "way.vcd"}))["packets"][0];
  const std::string save = dir.read("way.gtkw");
  std::vector<std::string> marks;
  std::size_t at = 0;
  for (const json& hop : told.at("hops")) {
    const std::string address = hop.at("address");
    const std::string module = std::string("-node_") + address[0] + '_' + address[1] + '\n';
    at = save.find(module, at);
    ASSERT_NE(at, std::string::npos) << module << save;
    for (const auto& [key, side] : {std::pair("in_port", "\n-in_"), std::pair("out_port", "\n-out_")})
      EXPECT_NE(save.find(side + hop.at(key).get<std::string>() + '\n', at), std::string::npos);
    marks.push_back(std::to_string(hop.at("shown").get<int>()) + "000");
  }
  EXPECT_GT(marks.size(), 1U);
  EXPECT_THAT(save, testing::HasSubstr(' ' + marks[0] + ' ' + boost::algorithm::join(marks, " ") + " -1"));
  EXPECT_FALSE(dir.read("way.vcd").empty());
}

/// A head that is shown in cycle 1, with a stage in each cycle.
TEST(explain, of_a_packet_under_way_tells_what_has_happened_so_far) {
  const program_directory dir;
  dir.write("one.txt", "0 0 3 4\n");
  const auto told = [&](const char* cycles) {
    const std::string text = dir.run({"explain", "--topology", "mesh:4x4", "--packet", "0", "--traffic-file",
                                      dir.file("one.txt"), "--warmup", "0", "--cycles", cycles, "--drain", "0"})
                                 .out;
    const std::size_t begin = text.find("router 1: "), end = text.find("routing proven");
    return begin == std::string::npos ? text : text.substr(begin, end - begin);
  };
  const std::string place = "router 1: 00 (node 0, node_0_0), in local VC 0", granted = place + ", out x+ VC 0\n";
  EXPECT_EQ(told("2"), place + "\n         1  shown; RC 1\nnot received in the 2 cycles of the run\n");
  EXPECT_EQ(told("3"), granted + "         1  shown; RC 1, VA 2\nnot received in the 3 cycles of the run\n");
  EXPECT_EQ(told("4"), granted + "         1  shown; RC 1, VA 2, SA 3\nnot received in the 4 cycles of the run\n");
  EXPECT_EQ(told("5"),
            granted + "         1  shown; RC 1, VA 2, SA 3, sent 4\nnot received in the 5 cycles of the run\n");
  EXPECT_THAT(told("1"), testing::HasSubstr("head sent on VC 0\nnot received in the 1 cycles of the run\n"));
}

/// The first and the last cycle of the window count; the long packets outside do not. Of equal latencies the
/// packet that was created first comes first.
TEST(explain, finds_the_packets_of_the_window_alone) {
  const program_directory dir;
  dir.write("t.txt", "9 0 1 64\n10 2 3 4\n12 2 3 30\n29 3 2 4\n30 1 0 64\n");
  const strings run{"explain", "--topology", "mesh:2x2", "--traffic-file", "t.txt", "--warmup",
                    "10",      "--cycles",   "20"};
  const json told = json_of(dir, toriscope::with(run, {"--slowest", "9", "--quiet", "--json", "-"}));
  std::vector<int> numbers;
  for (const json& packet : told.at("packets")) numbers.push_back(packet.at("packet"));
  EXPECT_EQ(numbers, (std::vector<int>{2, 1, 3}));
  const std::string first = dir.run(toriscope::with(run, {"--from", "2", "--to", "3"})).out;
  EXPECT_THAT(first, testing::StartsWith("packet 1: "));
  EXPECT_EQ(first.find("\npacket "), std::string::npos) << "no other one";
  EXPECT_EQ(
      dir.run(toriscope::with(run, {"--packet", "7"})).err,
      "toriscope: --packet: packet 7 is not created in the 53 cycles of this run; it creates 0 to 4\n");
  ASSERT_EQ(dir.run(toriscope::with(run, {"--packet", "1", "--quiet", "--wave", "w.vcd"})).status, 0);
  EXPECT_THAT(dir.read("w.gtkw"), testing::HasSubstr("\n-out_x+\n"));
  EXPECT_EQ(dir.run(toriscope::with(run, {"--packet", "1", "--quiet", "--wave", "/dev/full"})).err,
            "toriscope: cannot write /dev/full: No space left on device\n");
}

/// Of a packet that arrived before the run froze all is known.
TEST(explain, finds_the_slowest_packet_of_a_run_that_freezes) {
  const program_directory dir;
  const process_result r =
      dir.run({"explain", "--vc-rule", "paper", "--vcs", "2", "--allow-deadlock", "--rate", "0.3",
               "--watchdog", "300", "--warmup", "0", "--cycles", "3000", "--slowest", "1"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, testing::StartsWith("packet "));
}

/// --precision finds no window where the run freezes in its warm-up.
TEST(explain, writes_no_waveform_named_none) {
  const program_directory dir;
  EXPECT_EQ(dir.run({"explain", "--topology", "mesh:2x2", "--packet", "0", "--wave", "none"}).err,
            "toriscope: --wave: none; expected a file, or leave it out\n");
}

TEST(explain, finds_no_packet_of_a_run_that_freezes_before_its_window) {
  const program_directory dir;
  const process_result r =
      dir.run({"explain", "--vc-rule", "paper", "--vcs", "2", "--allow-deadlock", "--rate", "0.5",
               "--watchdog", "200", "--precision", "5%", "--slowest", "1", "--quiet"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "toriscope: no packet of the measured cycles is received; choose others, or more --cycles\n");
}

/// Link by link the ways there and back differ.
TEST(explain, compares_with_an_empty_network_in_the_direction_of_the_packet) {
  const program_directory dir;
  dir.write("n.json",
            R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b", "duplex": false, "delay": 5},
                                                         {"from": "b", "to": "a", "duplex": false}]})");
  dir.write("one.txt", "0 0 1 4\n");
  const json told = json_of(dir, {"explain", "--topology", "file:n.json", "--traffic-file", "one.txt",
                                  "--packet", "0", "--json", "-"});
  EXPECT_EQ(told.at("zero_load"), told.at("latency"));
}

/// The first packet is alone and takes the first options; some that follow go round those between 1 and 3.
TEST(explain, knows_the_zero_load_latency_of_the_way_by_first_options) {
  const program_directory dir;
  std::string packets = "0 0 15 16\n";
  for (int i = 0; i < 8; ++i) packets += "200 1 3 64\n200 0 15 16\n";
  dir.write("t.txt", packets);
  const json told =
      json_of(dir, {"explain", "--topology", "mesh:4x4", "--routing", "adaptive", "--traffic-file", "t.txt",
                    "--from", "0", "--to", "15", "--slowest", "9", "--quiet", "--json", "-"})["packets"];
  std::map<int, strings> ways;
  for (const json& packet : told)
    for (const json& hop : packet.at("hops")) ways[packet.at("packet")].push_back(hop.at("out_port"));
  unsigned others = 0;
  for (const json& packet : told) {
    const bool is_first = ways.at(packet.at("packet")) == ways.at(0);
    others += !is_first;
    EXPECT_EQ(packet.at("zero_load").is_null(), !is_first) << packet.at("packet");
  }
  EXPECT_GT(others, 0u);
}

TEST(explain, leaves_the_cache_alone_where_it_is_told_to) {
  const program_directory dir;
  const std::string explain =
      "$T explain --topology mesh:2x2 --slowest 1 --warmup 0 --cycles 2000 --quiet --json /dev/null ";
  EXPECT_EQ(dir.shell(explain + "--no-cache && ls ../cache/toriscope 2>/dev/null").out, "");
  EXPECT_THAT(dir.shell(explain + "&& ls ../cache/toriscope").out, testing::StartsWith("verdict_"));
}

TEST(explain, says_which_packet_cannot_be_found) {
  const program_directory dir;
  for (const auto& [words, said] : std::vector<std::pair<strings, std::string>>{
           {{"--packet", "1", "--to", "3"}, "--packet names one packet"},
           {{"--slowest", "0"}, "expected a whole number from 1 to 100"},
           {{"--from", "16"}, "'16' is out of range"},
           {{"--from", "3", "--to", "3"}, "no packet from 03 to 03 of the measured cycles is received"}}) {
    const process_result r = dir.run(with({"explain"}, words));
    EXPECT_EQ(r.status, 2) << said;
    EXPECT_THAT(r.err, testing::HasSubstr(said));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

/// A timeline has no time in ns. In cycle 0 a packet is created and sent, so that no router is shown it.
TEST(explain, says_what_a_timeline_does_not_have) {
  const program_directory dir;
  dir.write("one.txt", "0 0 3 4\n");
  for (const auto& [words, said] : std::vector<std::pair<strings, std::string>>{
           {{"--clock", "2"}, "--clock has no effect on the timeline of a packet, which is in cycles; leave it out"},
           {{"--cycles", "1", "--wave", "w.vcd"},
            "--wave: the packet has not left its source; there is no way to show"}}) {
    const process_result r =
        dir.run(toriscope::with({"explain", "--topology", "mesh:4x4", "--packet", "0", "--traffic-file", "one.txt",
                                 "--warmup", "0", "--drain", "0", "--quiet"},
                                words));
    EXPECT_EQ(r.status, 2) << said;
    EXPECT_EQ(r.err, "toriscope: " + said + "\n");
    EXPECT_THAT(dir.files(), testing::ElementsAre("one.txt"));
  }
}

}  // namespace
}  // namespace toriscope::explain_test
