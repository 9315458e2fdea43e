// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/flow_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "testbenches/simulation/traffic/bare_netlist.h"
#include "testbenches/simulation/traffic/terminal_names.h"

namespace toriscope::flow_file_test {
namespace {

using terminals = std::vector<terminal_id>;

const netlist& ttn() {
  static const auto net = bare_netlist("ttn", {2, 2, 2, 2}, {{"bm", 2}, {"node", 2}});
  return *net;
}

std::vector<flow> read(const std::string& text, unsigned message_classes = 1, const netlist& wiring = ttn()) {
  const scratch_directory directory;
  flow_setting setting;
  setting.traffic.flows = directory.file("f");
  setting.message_classes = message_classes;
  write_text_file(setting.traffic.flows, text);
  return read_flows(setting, wiring);
}

std::string flow_with(const std::string& more) {
  return "{\"flows\": [{\"from\": 0, \"to\": 1" + more + "}]}";
}

/// What follows the name of the file.
std::string error_in(const std::string& text) {
  const std::string error = error_of<std::invalid_argument>([&] { read(text); });
  const std::size_t name = error.find("/f:");
  return name == std::string::npos ? error : error.substr(name + 3);
}

TEST(flow_file, names_terminals_by_number_address_path_glob_module_and_group) {
  const std::vector<flow> all = read(R"({
    "groups": {"low": [0, 1], "ends": ["low", "11.11"]},
    "flows": [{"from": 3, "to": "01.10", "rate": 0.1},
              {"from": ["bm_1_1.node_0_1", "0"], "to": "bm_0_1", "rate": 0.1},
              {"from": "ttn.bm_1_?.node_0_0", "to": "*node_1_1", "rate": 0.1},
              {"from": "ends", "to": "ends", "rate": 0.1}]})");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].from, terminals{3});
  EXPECT_EQ(all[0].to, terminals{6});
  EXPECT_EQ(all[0].name, "3 -> 01.10");
  EXPECT_EQ(all[1].from, (terminals{0, 13}));
  EXPECT_EQ(all[1].to, (terminals{4, 5, 6, 7}));
  EXPECT_EQ(all[2].from, (terminals{8, 12}));
  EXPECT_EQ(all[2].to, (terminals{3, 7, 11, 15}));
  EXPECT_EQ(all[3].from, (terminals{0, 1, 15}));
  EXPECT_EQ(all[3].destinations_of(15), 2u) << "never to itself";
  const std::vector<flow> to_one = read(R"({"flows": [{"from": "bm_0_0", "to": 2, "rate": 0.1}]})");
  EXPECT_EQ(to_one[0].from, (terminals{0, 1, 3})) << "all but the destination";
  const std::vector<flow> once = read(R"({"flows": [{"from": ["bm_0_0", 3, "0"], "to": 4, "rate": 0.1}]})");
  EXPECT_EQ(once[0].from, (terminals{0, 1, 2, 3}));
}

TEST(flow_file, a_flow_without_a_name_has_one_of_60_characters_on_each_side) {
  const auto name = [](unsigned ones, unsigned tens) {
    std::string from = tens > 0 ? "10" : "0";
    for (unsigned i = 1; i < ones + tens; ++i) from += i < tens ? ", 10" : ", 0";
    return std::pair(from, read(R"({"flows": [{"from": [)" + from + R"(], "to": 1, "rate": 0.1}]})")[0].name);
  };
  const auto whole = name(18, 2), longer = name(21, 0);
  ASSERT_EQ(whole.first.size(), 60u);
  EXPECT_EQ(whole.second, whole.first + " -> 1");
  ASSERT_EQ(longer.first.size(), 61u);
  EXPECT_EQ(longer.second, longer.first.substr(0, 45) + " ... " + longer.first.substr(46) + " -> 1");
}

/// A node that is a switch, two whose names are not what modules can be called, and one whose name begins another's.
TEST(terminal_names, are_those_of_nodes_and_of_their_modules) {
  netlist net("soc", {5}, {{"node", 1}});
  for (int i = 0; i < 5; ++i) net.add_node({});
  net.set_terminals({1, 2, 3, 4});
  net.set_node_names({"hub", "die.cpu-0", "die.cpu-1", "a", "a.b"}, {"hub", "die.cpu_0", "die.cpu_1", "a", "a.b"});
  terminal_names names(net);
  const auto error = [&](const std::string& text) {
    return error_of<std::invalid_argument>([&] { names.named(text); });
  };
  for (const char* text : {"die", "die.*", "soc.die", "*cpu-?", "*cpu_?", "soc.*.cpu_*", "die.cpu*"})
    EXPECT_EQ(names.named(std::string(text)), (terminals{0, 1})) << text;
  for (const char* text : {"1", "die.cpu-1", "die.cpu_1", "*-1", "*_1"})
    EXPECT_EQ(names.named(std::string(text)), terminals{1}) << text;
  EXPECT_EQ(names.named(std::string("a")), terminals{2}) << "not a.b, which is in a module of that name";
  EXPECT_EQ(names.named(std::string("a*")), (terminals{2, 3}));
  EXPECT_EQ(names.named(std::vector<std::string>{"a.b", "die", "1", "die.cpu-0"}), (terminals{0, 1, 3}));
  names.name_group("die", {3});
  EXPECT_EQ(names.named(std::string("die")), terminals{3});
  names.name_group("workers", {0});
  EXPECT_THAT(error("worker"), testing::HasSubstr("workers")) << "a group is a name";
  EXPECT_EQ(error("hub"), "'hub' has no terminal; expected a node that has one");
  EXPECT_THAT(error("cpu-0"), testing::StartsWith("no terminal of soc matches 'cpu-0'; the nearest names are "));
  EXPECT_EQ(error("4"), "terminal 4 does not exist; expected a number from 0 to 3");
  const std::string zeros(38, '0');
  EXPECT_EQ(error(zeros + "99"), "terminal " + zeros + "99 does not exist; expected a number from 0 to 3");
  EXPECT_EQ(error(zeros + "099"), "terminal " + zeros.substr(0, 30) + " ... " + zeros.substr(0, 8) +
                                      "99 does not exist; expected a number from 0 to 3");
  const std::string unknown(100, 'q');
  EXPECT_THAT(error(unknown), testing::HasSubstr("'" + unknown + "'"));
  EXPECT_THAT(error(unknown + "q"),
              testing::HasSubstr("'" + unknown.substr(0, 75) + " ... " + unknown.substr(0, 25) + "'"));
}

TEST(flow_file, of_a_matrix_may_have_comments_and_blanks) {
  const std::vector<flow> all = read(" # rates\n\n\t, 1 ,\t2 \r\n 0 , 0.1,\n#\n3,,1\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "0 -> 1");
  EXPECT_EQ(all[0].from, terminals{0});
  EXPECT_EQ(all[0].to, terminals{1});
  EXPECT_EQ(all[0].rate, 0.1);
  EXPECT_EQ(all[1].name, "3 -> 2");
  EXPECT_EQ(all[1].rate, 1);
  for (const flow& f : all) EXPECT_EQ(f.message_class, 0);
}

TEST(flow_file, what_a_flow_does_not_say_the_options_do) {
  const scratch_directory directory;
  flow_setting setting;
  setting.traffic.flows = directory.file("f");
  setting.traffic.packet_flits = "5";
  setting.traffic.arrivals = "on_off";
  setting.traffic.mean_burst_packets = 3;
  setting.flit_bits = 32;
  for (const char* text :
       {",1\n0,0.5\n", R"({"clock_ghz": 0.5, "flows": [{"from": 0, "to": 1, "bandwidth": 1, "class": 0}]})"}) {
    write_text_file(setting.traffic.flows, text);
    const std::vector<flow> all = read_flows(setting, ttn());
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].rate, 0.5);
    EXPECT_EQ(all[0].lengths.mean(), 5);
    EXPECT_EQ(all[0].arrivals, arrival_kind::on_off);
    EXPECT_EQ(all[0].mean_burst_packets, 3);
    EXPECT_EQ(all[0].message_class, 0);
  }
}

TEST(flow_file, has_rates_lengths_arrivals_classes_and_bounds) {
  const std::vector<flow> all = read(R"({"clock_ghz": 2, "flows": [
      {"name": "a", "from": 0, "to": 1, "bandwidth": 4, "packet": 5, "arrivals": "on_off", "burst": 3, "class": 2,
       "latency_bound": 77},
      {"name": "b", "from": 0, "to": 1, "rate": 1},
      {"name": "c", "from": 0, "to": 1, "rate": 0.001, "arrivals": "on_off", "burst": 1000000},
      {"name": "d", "from": 0, "to": 1, "rate": 0.001, "arrivals": "on_off", "burst": 1}]})",
                                     3);
  EXPECT_EQ(all[2].mean_burst_packets, 1e6);
  EXPECT_EQ(all[3].mean_burst_packets, 1);
  EXPECT_DOUBLE_EQ(all[0].rate, 0.25) << "4 GB/s at 2 GHz are 2 bytes per cycle, of the 8 of a flit";
  EXPECT_EQ(all[0].lengths.mean(), 5);
  EXPECT_EQ(all[0].arrivals, arrival_kind::on_off);
  EXPECT_EQ(all[0].mean_burst_packets, 3);
  EXPECT_EQ(all[0].message_class, 2);
  EXPECT_EQ(all[0].latency_bound, 77u);
  EXPECT_EQ(all[1].lengths.mean(), 16) << "the options'";
  EXPECT_EQ(all[1].latency_bound, 0u);
}

TEST(flow_file, says_what_is_wrong_and_what_would_be_right) {
  const std::pair<std::string, std::string> wrong[] = {
      {"{\"flows\": []}", " it has no flow; at least one is needed"},
      {flow_with(", \"rate\": 0.1, \"packets\": 4"),
       " flows[0]: unknown key 'packets'; did you mean 'packet'?"},
      {flow_with(""), " flows[0]: 'rate' is missing: flits per cycle of each source; or 'bandwidth' in GB/s"},
      {flow_with(", \"rate\": 1, \"bandwidth\": 1"),
       " flows[0]: 'rate' and 'bandwidth' say the same; keep one of them"},
      {flow_with(", \"rate\": 1.5"),
       " flows[0].rate: expected flits per cycle, above 0 and at most 1, not 1.5"},
      {flow_with(", \"rate\": 0"), " flows[0].rate: expected flits per cycle, above 0 and at most 1, not 0"},
      {R"({"clock_ghz": 0.3, "flows": [{"from": 0, "to": 1, "bandwidth": 3}]})",
       " flows[0].bandwidth: expected GB/s, above 0 and at most 2.4, a flit of 64 bits per cycle, not 3"},
      {flow_with(", \"rate\": 0.1, \"class\": 16"), " flows[0].class: expected a whole number from 0 to 15, not 16"},
      {flow_with(", \"bandwidth\": 9"),
       " flows[0].bandwidth: expected GB/s, above 0 and at most 8.0, a flit of 64 bits per cycle, not 9"},
      {flow_with(", \"rate\": 0.1, \"class\": 1"),
       " flows[0].class: class 1 does not exist, the network has 1; use --message-classes 2"},
      {flow_with(", \"rate\": 0.1, \"packet\": 0"),
       " flows[0]: packet length '0': a packet has 1 to 65535 flits; "
       "expected a number of flits (16) or lengths with weights "
       "(4:0.5,16:0.5)"},
      {flow_with(", \"rate\": 0.1, \"latency_bound\": 0"),
       " flows[0].latency_bound: expected a whole number from 1 to 281474976710656, not 0"},
      {flow_with(", \"rate\": 0.1, \"burst\": 4"),
       " flows[0].burst: no effect with arrivals bernoulli; use \"arrivals\": \"on_off\" or leave it out"},
      {flow_with(", \"rate\": 0.1, \"arrivals\": \"on_off\", \"burst\": 1000001"),
       " flows[0].burst: expected packets per burst in the mean, 1 to 1000000, not 1000001"},
      {flow_with(", \"rate\": 0.1, \"arrivals\": \"on_off\", \"burst\": 0.5"),
       " flows[0].burst: expected packets per burst in the mean, 1 to 1000000, not 0.5"},
      {flow_with(", \"rate\": 1, \"packet\": 1, \"arrivals\": \"on_off\", \"burst\": 4"),
       " flows[0]: burst: bursts of 4.000000 packets with gaps of at least one cycle cannot make so high a load; "
       "lower the rate, or take longer bursts or packets"},
      {R"({"flows": [{"from": "bm_0_0.node_0_2", "to": 1, "rate": 0.1}]})",
       " flows[0].from: no terminal of ttn matches 'bm_0_0.node_0_2'; the nearest names are bm_0_0.node_0_0, "
       "bm_0_0.node_0_1, bm_0_0.node_1_0"},
      {R"({"flows": [{"from": 0, "to": [1, 16], "rate": 0.1}]})",
       " flows[0].to: terminal 16 does not exist; expected a number from 0 to 15"},
      {R"({"flows": [{"from": 1, "to": "00.01", "rate": 0.1}]})",
       " flows[0]: terminal bm_0_0.node_0_1 would send to itself only; expected another one in 'to'"},
      {R"({"flows": [{"from": 0, "to": 1, "rate": 0.1}, {"from": 0, "to": 1, "rate": 0.2}]})",
       " flows[1]: two flows are called '0 -> 1'; give each a name of its own"},
      {"0 1 2\n",
       "1: this is neither JSON nor a matrix; expected {\"flows\": [...]}, or a line with the names of "
       "the destinations: \",ddr0,ddr1\""},
      {",1,2\n0,0.1\n", "2: 2 cells; expected 3, a source and a rate for each destination of the first line"},
      {",1,2\n0,0.1,x\n", "2: column 3: 'x' is not a rate; expected flits per cycle, 0 to 1"},
      {" # rates\n\n,1\n0,x\n", "4: column 2: 'x' is not a rate; expected flits per cycle, 0 to 1"},
      {",1\n0,0.1x\n", "2: column 2: '0.1x' is not a rate; expected flits per cycle, 0 to 1"},
      {",1\n0,1.5\n", "2: column 2: '1.5' is not a rate; expected flits per cycle, 0 to 1"},
      {",1\n0,-0.1\n", "2: column 2: '-0.1' is not a rate; expected flits per cycle, 0 to 1"},
      {",1\n0," + std::string(40, '9') + "\n",
       "2: column 2: '" + std::string(40, '9') + "' is not a rate; expected flits per cycle, 0 to 1"},
      {",1\n0," + std::string(41, '9') + "\n",
       "2: column 2: '" + std::string(30, '9') + " ... " + std::string(10, '9') +
           "' is not a rate; expected flits per cycle, 0 to 1"},
      {",1,2\n1,0.1,0\n",
       "2: column 2: terminal bm_0_0.node_0_1 would send to itself only; expected another one in 'to'"},
      {",1,2\n0,0,0\n", " it has no flow; at least one is needed"},
  };
  for (const auto& [text, error] : wrong) EXPECT_EQ(error_in(text), error) << text;
  EXPECT_THAT(error_in(flow_with(", \"rate\": 0.1, \"packet\": [1]")),
              testing::AllOf(testing::StartsWith(" flows[0].packet: expected "),
                             testing::Not(testing::HasSubstr("/f:")))) << "the file is named once";
  for (const char* clock : {"0", "-1", "\"2\""})
    EXPECT_THAT(error_in(std::string("{\"clock_ghz\": ") + clock + ", \"flows\": []}"),
                testing::HasSubstr("expected GHz, a number above 0, not "));
}

TEST(flow_file, a_switch_is_no_terminal_by_its_name_or_its_module) {
  netlist net("net", {4}, {{"node", 1}});
  for (int i = 0; i < 4; ++i) net.add_node({});
  net.set_terminals({0, 1});
  const std::string longest(100, 'n'), too_long(101, 'n');
  net.set_node_names({"a", "b", "die.hub-0", longest}, {"a", "b", "die.hub_0", too_long});
  const auto error = [&](const std::string& to) {
    const std::string flow = R"({"from": 0, "to": ")" + to + R"(", "rate": 0.1})";
    return error_of<std::invalid_argument>([&] { read("{\"flows\": [" + flow + "]}", 1, net); });
  };
  for (const std::string& name : {std::string("die.hub-0"), std::string("die.hub_0"), longest})
    EXPECT_THAT(error(name), testing::EndsWith(" flows[0].to: '" + name +
                                               "' has no terminal; expected a node that has one"));
  EXPECT_THAT(error(too_long),
              testing::EndsWith("nnn ... " + std::string(25, 'n') + "' has no terminal; expected a node that has one"));
}

TEST(flow_file, an_error_leaves_out_the_middle_of_a_long_name) {
  const std::string name(101, 'n'), flow = R"({"name": ")" + name + R"(", "from": 0, "to": 1, "rate": 0.1})";
  const std::string error = error_in("{\"flows\": [" + flow + "," + flow + "]}");
  EXPECT_THAT(error, testing::HasSubstr("two flows are called 'nnn"));
  EXPECT_THAT(error, testing::Not(testing::HasSubstr(name)));
}

TEST(flow_file, all_pairs_of_4096_terminals_may_talk_and_not_one_more) {
  const auto net = bare_netlist("large", {64, 64}, {{"node", 2}});
  const std::string all = R"({"name": "all", "from": "large.*", "to": "large.*", "rate": 0.1})";
  ASSERT_EQ(read("{\"flows\": [" + all + "]}", 1, *net).front().from.size(), 4096u);
  const std::string more = R"({"name": "one", "from": 0, "to": 1, "rate": 0.1})";
  EXPECT_THAT(error_of<std::invalid_argument>([&] { read("{\"flows\": [" + all + "," + more + "]}", 1, *net); }),
              testing::HasSubstr("flows[1]: the flows have more than 2^24 pairs of terminals; name fewer of them"));
}

TEST(flow_file, rates_add_up_over_flows) {
  const std::vector<flow> all = read(R"({"flows": [{"name": "a", "from": [0, 1], "to": [1, 2], "rate": 0.2},
                                                   {"name": "b", "from": 0, "to": 2, "rate": 0.5}]})");
  const traffic_matrix rates = rates_of(all, 16);
  double to_1 = 0, to_2 = 0;
  for (const auto& [node, rate] : rates(0).points) (node == 1 ? to_1 : to_2) += rate;
  EXPECT_DOUBLE_EQ(to_1, 0.1);
  EXPECT_DOUBLE_EQ(to_2, 0.6);
  ASSERT_EQ(rates(1).points.size(), 1u) << "1 does not send to itself";
  EXPECT_DOUBLE_EQ(rates(1).points[0].second, 0.2);
}

}  // namespace
}  // namespace toriscope::flow_file_test
