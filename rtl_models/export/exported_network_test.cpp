// SPDX-License-Identifier: Apache-2.0
// What an export writes, as text: wires, delays and modules of a small network, worked out by hand from the
// headers. That whole exports run as the model does is tested with the program (program/export_test.cpp).
#include "rtl_models/export/exported_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "topologies/registry.h"

namespace toriscope::exported_network_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

topology network_of(const std::string& json, unsigned vcs = 2) {
  const std::string file = test_file("n.json");
  write_text_file(file, json);
  topology_options options;
  options.vcs = vcs;
  return make_topology("file:" + file, options);
}

/// Two nodes in a module, one within two and one in none. Node 1 has VCs and a depth of its own, node 2 two
/// terminals, node 3 none.
topology four_nodes() {
  topology made = network_of(R"({"name": "net", "nodes": ["die0.a", {"name": "die0.b", "vcs": 1, "depth": 2},
      {"name": "die1.x.c", "terminals": 2}, {"name": "d", "terminals": 0}],
      "links": [{"from": "die0.a", "to": "die0.b", "from_port": "e+", "to_port": "w-"},
                {"from": "die0.b", "to": "die1.x.c"}, {"from": "die1.x.c", "to": "d"},
                {"from": "d", "to": "die0.a"}, {"from": "d", "to": "die0.b"}]})");
  const auto set = [&](link_id first, std::uint16_t delay, std::uint8_t flit_cycles) {
    for (const link_id l : {first, first + 1}) {  // to and fro
      made.wiring->link(l).delay_cycles = delay;
      made.wiring->link(l).flit_cycles = flit_cycles;
    }
  };
  set(2, 2, 1);
  set(4, 3, 1);
  set(6, 1, 2);
  set(8, 2, 4);
  return made;
}

network_config config_of_four_nodes() {
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 3;
  config.injection_delay_cycles = 2;
  config.ejection_delay_cycles = 3;
  config.credit_delay_cycles = 1;
  config.limited_reception = true;
  return config;
}

/// A file of --sv.
std::string written(const topology& made, const network_config& config, const std::string& file,
                    const sv_style& names = {}) {
  const std::string directory = test_file("sv");
  export_network({*made.wiring, *made.routing, config, "a comment", names}, {"", directory});
  return text_of_file(directory + "/" + file, file);
}

/// Why it is rejected; "none": it is not.
std::string refused(const topology& made, const network_config& config, const sv_style& names = {}) {
  return error_of([&] { written(made, config, "network.h", names); });
}

/// A delay line of the top module.
std::string delay(unsigned number, const std::string& width, unsigned cycles, const std::string& from,
                  const std::string& to) {
  return "\n  delay_line #(.WIDTH(" + width + "), .CYCLES(" + std::to_string(cycles) + ")) delay_" +
         std::to_string(number) + " (.clk_i(clk_i), .rst_i(rst_i), .word_i(" + from + "), .word_o(" + to +
         "));\n";
}

/// D cycles are D-1 registers; a cycle more for credits.
TEST(exported_network, links_have_a_register_less_than_cycles) {
  const std::string top = written(four_nodes(), config_of_four_nodes(), "rtl/net.sv");
  const std::string flit = "FLIT_BITS";
  EXPECT_THAT(top, Not(HasSubstr("a.out_e+"))) << "of one cycle: shown where it is sent";
  EXPECT_THAT(top, HasSubstr("unused_credit_3_4;\n\n" +
                             delay(0, "2", 1, "\\die0.b.freed_w- ", "\\die0.a.credit_e+ ").substr(1)));
  EXPECT_THAT(top, HasSubstr(delay(2, flit, 1, "\\die0.b.out_p1 ", "\\die1.x.c.in_p0 ")));
  EXPECT_THAT(top, HasSubstr(delay(3, "2", 2, "\\die1.x.c.freed_p0 ", "\\die0.b.credit_p1 ")));
  EXPECT_THAT(top, HasSubstr(delay(6, flit, 2, "\\die1.x.c.out_p1 ", "\\d.in_p0 ")));
  // Of the network interface of terminal 0.
  EXPECT_THAT(top, HasSubstr(delay(16, flit, 1, "flit_i[0*FLIT_BITS+:FLIT_BITS]", "\\die0.a.in_local ")));
  EXPECT_THAT(top, HasSubstr(delay(17, "2", 2, "\\die0.a.credit_ni ", "credit_o[0*2+:2]")));
  EXPECT_THAT(top, HasSubstr(delay(18, flit, 2, "\\die0.a.out_local ", "flit_o[0*FLIT_BITS+:FLIT_BITS]")));
  EXPECT_THAT(top, HasSubstr(delay(19, "2", 3, "credit_i[0*2+:2]", "\\die0.a.credit_local ")));

  network_config at_once = config_of_four_nodes();
  at_once.credit_delay_cycles = 0;
  EXPECT_THAT(written(four_nodes(), at_once, "rtl/net.sv"), Not(HasSubstr("freed_w-")));
}

/// Words of a half and of a quarter of the bits, rounded up.
TEST(exported_network, narrow_links_are_words) {
  const std::string top = written(four_nodes(), config_of_four_nodes(), "rtl/net.sv");
  EXPECT_THAT(top, HasSubstr("\n  wire [(FLIT_BITS+1)/2-1:0] \\d.out_word_p1 ;\n"));
  EXPECT_THAT(top, Not(HasSubstr("a.in_word_"))) << "of one cycle";
  EXPECT_THAT(top, HasSubstr(delay(12, "(FLIT_BITS+3)/4", 1, "\\d.out_word_p2 ", "\\die0.b.in_word_p2 ")));
  EXPECT_THAT(top, AllOf(HasSubstr(".CYCLES(2)) sender_0 ("), HasSubstr(".CYCLES(2)) receiver_0 ("),
                         HasSubstr(".CYCLES(4)) sender_3 (")));
}

TEST(exported_network, plain_names_tell_plus_from_minus) {
  sv_style names;
  names.plain = true;
  EXPECT_THAT(written(four_nodes(), config_of_four_nodes(), "rtl/net.sv", names),
              AllOf(HasSubstr(" die0__a__credit_ep;\n"), HasSubstr(" die0__b__in_wm;\n")));
}

TEST(exported_network, pins_and_route_tables_of_the_module) {
  EXPECT_THAT(
      written(four_nodes(), config_of_four_nodes(), "rtl/net.sv"),
      AllOf(HasSubstr("\n`ifndef NET_ROUTES\n`define NET_ROUTES \"routes\"\n`endif\n"),
            HasSubstr("    input  logic [4*FLIT_BITS-1:0] flit_i,\n"
                      "    /// Credits for them, a bit per VC: bits 2n .. 2n+1 are those of terminal n.\n"
                      "    output logic [7:0] credit_o,\n")));
}

/// Each router in the generate blocks of its modules, which end before the next one that is elsewhere.
TEST(exported_network, routers_stand_in_their_modules) {
  std::istringstream lines(written(four_nodes(), config_of_four_nodes(), "rtl/net.sv"));
  std::string blocks;
  for (std::string line; std::getline(lines, line);) {
    const std::string begin = line.substr(std::min(line.find_first_not_of(' '), line.size()), 4);
    if (begin == "if (" || begin == "end" || begin == "`ROU") blocks += line + '\n';
  }
  EXPECT_EQ(blocks, R"(  if (1) begin : die0
    `ROUTER("die0.a.hex") a (
    `ROUTER_1("die0.b.hex") b (
  end
  if (1) begin : die1
    if (1) begin : x
      `ROUTER("die1.x.c.hex") c (
    end
  end
  `ROUTER("d.hex") d (
)");
}

/// Routers of a mesh are called 00, 10 ...: no identifier begins like that.
TEST(exported_network, names_that_begin_with_a_digit_get_a_word) {
  const topology made = make_topology("chiplets:mesh:2x1+mesh:2x1");
  network_config config;
  config.router.vcs = 4;
  EXPECT_THAT(written(made, config, "rtl/chiplets.sv"),
              AllOf(HasSubstr("begin : die1\n    `ROUTER(\"die1.node_00.hex\") node_00 (\n"),
                    HasSubstr("\\die1.node_00.in_y+ "), Not(HasSubstr("1.00"))));
  EXPECT_NE(written(made, config, "routes/die1.node_00.hex"), "");
}

/// Of die0.a, the last port first: a local port without a terminal, its own queues, a port without a link,
/// the link to d, that to die0.b, which has one VC.
TEST(exported_network, constants_tell_a_router_what_is_behind_its_ports) {
  EXPECT_THAT(written(four_nodes(), config_of_four_nodes(), "rtl/net.sv"),
              HasSubstr(".slots_i({7'd0, 7'd0, 7'd3, 7'd3, 7'd0, 7'd0, 7'd3, 7'd3, 7'd0, 7'd2}), "
                        ".flit_cycles_i({8'd1, 8'd1, 8'd1, 8'd2, 8'd1}), .node_i(2'd0),\n"));
}

/// By terminal, the last one first; a number where all are alike.
TEST(exported_network, network_interfaces_have_the_buffers_of_their_routers) {
  const std::string streams = written(four_nodes(), config_of_four_nodes(), "streams/net_streams.sv");
  EXPECT_THAT(streams,
              HasSubstr("\n  localparam logic [27:0] EntryVcs = {7'd2, 7'd2, 7'd1, 7'd2};  // by terminal\n"
                        "  localparam logic [27:0] EntryDepth = {7'd3, 7'd3, 7'd2, 7'd3};  // by terminal\n"
                        "  localparam logic [27:0] ExitDepth = {7'd3, 7'd3, 7'd2, 7'd3};  // by terminal\n"));
  EXPECT_THAT(streams,
              AllOf(HasSubstr(".ENTRY_VCS    (32'(EntryVcs[7*t+:7])),\n"), HasSubstr(".SHARED       (0),\n"),
                    HasSubstr(".receive_last_o(receive_last_o[t*1+:1])"),
                    HasSubstr(".receive_data_o(receive_data_o[t*DATA_BITS+:DATA_BITS])")));
  network_config unlimited = config_of_four_nodes();
  unlimited.limited_reception = false;
  unlimited.shared_classes = true;
  unlimited.message_classes = 2;
  EXPECT_THAT(written(four_nodes(), unlimited, "streams/net_streams.sv"),
              AllOf(HasSubstr(".EXIT_DEPTH   (0),\n"), HasSubstr(".SHARED       (1),\n")));
}

/// 18 terminals: each sends to the one half way round, in the cycle of its number modulo 16.
TEST(exported_network, packets_to_begin_with_and_what_the_testbenches_know) {
  topology_options options;
  options.vcs = 2;
  const topology ring = make_topology("ring:18", options);
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 4;
  const std::string packets = written(ring, config, "packets.txt");
  EXPECT_EQ(packets.substr(0, packets.find("2 2 ")),
            "# cycle source destination length\n0 0 9 16\n1 1 10 16\n");
  EXPECT_EQ(packets.substr(packets.find("15 15 ")), "15 15 6 16\n0 16 7 16\n1 17 8 16\n");
  // A line has twelve of them.
  const std::string header = written(ring, config, "network.h");
  EXPECT_THAT(header, HasSubstr(R"( = {"", "", "", "", "", "", "", "", "", "", "", "",)"
                                "\n    "
                                R"("", "", "", "", "", ""};)"))
      << "numbers alone, as in docs/packet_traces.md";
  EXPECT_THAT(written(four_nodes(), config_of_four_nodes(), "network.h"),
              HasSubstr("buffers[terminals] = {{2, 3}, {1, 2}, {2, 3}, {2, 3}};\n"));
  // Of words: at least 64 characters, and more than the longest address, here that of terminal 0.
  EXPECT_THAT(written(ring, config, "testbench.sv"), HasSubstr("\n  localparam int WordBits = 512;\n"));
  const topology named =
      network_of(R"({"nodes": [")" + std::string(70, 'a') + R"(", "b"], "links": [{"from": 0, "to": 1}]})");
  EXPECT_THAT(written(named, config, "testbench.sv"), HasSubstr("\n  localparam int WordBits = 568;\n"));
}

TEST(exported_network, what_the_rtl_has_not_is_refused) {
  topology_options options;
  options.vcs = 2;
  network_config config;
  config.router.pipeline = pipeline::paper2009;
  config.router.vcs = 2;
  config.router.depth = 1;
  EXPECT_EQ(refused(make_topology("ring:4", options), config),
            "node node_0 cannot be exported: the RTL router is single_cycle or four_stage; the network is "
            "paper2009");
  sv_style computes;
  computes.arithmetic.unit = route_arithmetic::cube;
  EXPECT_EQ(refused(four_nodes(), config_of_four_nodes(), computes),
            "--route-unit: routes of net cannot be computed by arithmetic (each node must have one terminal, "
            "of its "
            "number); expected table");
}

/// The middle of a word of more than 100 characters is left out.
TEST(exported_network, names_are_cut_in_messages_and_refused_by_the_byte) {
  const network_config config = config_of_four_nodes();
  const std::string a(300, 'a');
  const auto called = [&](const std::string& name, const std::string& node = "x") {
    return network_of(R"({"name": ")" + name + R"(", "nodes": [")" + node +
                      R"(", "b"], "links": [{"from": 0, "to": 1}]})");
  };
  for (const std::string digit : {"0", "9"})
    EXPECT_EQ(refused(called(digit + a.substr(0, 100)), config),
              "network '" + digit + a.substr(0, 74) + " ... " + a.substr(0, 25) +
                  "' cannot be exported: the name of a "
                  "module begins with a letter; expected another 'name' in its file");
  sv_style prefixed;
  prefixed.prefix = a.substr(0, 101);
  EXPECT_THAT(
      refused(four_nodes(), config, prefixed),
      HasSubstr("--module-prefix: '" + a.substr(0, 75) + " ... " + a.substr(0, 25) + "' does not begin an "));
  // File names have at most 255 bytes: NAME_streams.sv, NODE.hex.
  EXPECT_EQ(refused(called(a.substr(0, 244)), config), "none");
  EXPECT_THAT(refused(called(a.substr(0, 245)), config),
              HasSubstr("would have 256 bytes; expected a 'name' in its fi"));
  const auto tables_refused = [&](const std::string& node) {
    const topology made = called("net", node);
    return error_of([&] {
      export_network({*made.wiring, *made.routing, config, "", {}}, {test_file("routes"), ""});
    });
  };
  EXPECT_EQ(tables_refused(a.substr(0, 251)), "none");
  EXPECT_THAT(tables_refused(a.substr(0, 252)), HasSubstr("NODE.hex, would have 256 bytes; expected a"));
  // Routers find tables by shorter names; seen with Verilator 5.006.
  const std::string word = a.substr(0, 127), rest = a.substr(0, 200 - 127 - 1);
  EXPECT_EQ(refused(called("net", word + "." + rest), config), "none");
  for (const std::string& node : {word + "a", "m." + word + "a", word + "." + rest + "a"})
    EXPECT_THAT(refused(called("net", node), config),
                HasSubstr("by names of at most 127 bytes and 200 in all"));
}

}  // namespace
}  // namespace toriscope::exported_network_test
