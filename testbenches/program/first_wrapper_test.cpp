// SPDX-License-Identifier: Apache-2.0
// `toriscope describe rtl --wrapper`: from routers whose ports no description can name to runs. And what is
// shown of routers in RTL: open groups of a waveform, the line of progress.
#include <gmock/gmock.h>

#include "testbenches/program/your_own_rtl_bench.h"

namespace toriscope::first_wrapper_test {
namespace {

using testing::HasSubstr;

/// From a router whose ports are interfaces through the wrapper that is written to a run; what is filled in is below.
TEST_F(your_own_rtl, first_wrapper_around_interfaces) {
  ASSERT_EQ(dir_.shell("mkdir mine && cp " + test_rtl +
                       "interface_router.sv mine && cp " TORISCOPE_ROOT "/rtl_models/sv_wormhole/*.sv mine")
                .status,
            0);
  dir_.write("mine/r.json",
             R"({"top": "interface_router", "sources": ["interface_router.sv", "wormhole_router.sv",
                                "wormhole_fifo.sv", "wormhole_output.sv", "wormhole_xy.sv"],
                                "clock": {"pin": "clk"}, "pins": {"in_valid": "in_link.valid", "in_ready": "in_link.ready",
                                "in_flit": "in_link.flit", "out_valid": "out_link.valid", "out_flit": "out_link.flit",
                                "out_ready": "out_link.ready"}})");
  const process_result without = run("", "mine/r.json");
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err,
              HasSubstr("interface_router has an interface as a port: toriscope describe rtl mine/r.json "
                        "--wrapper writes a first wrapper with plain pins"));
  EXPECT_THAT(dir_.run({"describe", "rtl", "mine/r.json"}).out,
              HasSubstr("\n  flit_link.receive in_link[PORTS]  (an interface"));
  const process_result written = dir_.run({"describe", "rtl", "mine/r.json", "--wrapper"});
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out,
            "mine/interface_router_pins.sv: module interface_router_pins, 1 places to fill in (FILL IN)\n"
            "mine/interface_router_pins.json: its description, 6 places\n"
            "Verilator takes the module as it is\n");
  const process_result again = dir_.run({"describe", "rtl", "mine/r.json", "--wrapper"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("mine/interface_router_pins.sv is there already"));
  std::string wrapper = dir_.read("mine/interface_router_pins.sv"),
              text = dir_.read("mine/interface_router_pins.json");
  EXPECT_THAT(run("", "mine/interface_router_pins.json").err, HasSubstr("FILL IN"));
  replace_all(wrapper, "logic [31:0] /* FILL IN: the type */", "logic [3:0]");
  replace_all(text, "\"x\": \"FILL IN: a value, x, y, id ...\"", "\"x\": \"x\"");
  replace_all(text, "\"y\": \"FILL IN: a value, x, y, id ...\"", "\"y\": \"y\"");
  replace_all(text, "\"ports\": \"local_last\"",
              R"("ports": {"local": "local", "north": "y+", "east": "x+", "south": "y-", "west": "x-"})");
  text.replace(text.find("\"flit\""), text.find("\"ties\"") - text.find("\"flit\""),
               R"("flit": {"type": {"bits": "33:32", "head": 1, "body": 0, "tail": 2, "single": 3},
                  "head": {"31:28": "dest_x", "27:24": "dest_y", "11:0": "tag"}},)");
  EXPECT_THAT(wrapper.substr(wrapper.find("module")), testing::Not(HasSubstr("FILL IN")));
  EXPECT_THAT(text.substr(text.find('{')), testing::Not(HasSubstr("FILL IN")));
  dir_.write("mine/interface_router_pins.sv", wrapper);
  dir_.write("mine/interface_router_pins.json", text);
  const process_result r =
      run("--routing xy --packet 4 --rtl '*' --json -", "mine/interface_router_pins.json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_GT(nlohmann::json::parse(r.out)["results"]["packets"], 10) << r.out;
}

/// One interface for each port, by its name; an interface with parameters and without modports is left to be filled in.
TEST_F(your_own_rtl, first_wrapper_of_named_ports) {
  dir_.write("r.sv", R"(interface link #(parameter int W = 8); logic valid, ready; logic [W-1:0] flit;
      modport rx(input valid, flit, output ready); modport tx(output valid, flit, input ready); endinterface
    interface plain; logic [1:0] mode; endinterface
    // A comment with module r (input no);
    module r (input bit clk_i, input arst_ni, link.rx north_in, east_in, local_in, link.tx north_out, east_out, local_out,
      plain status, output logic done); endmodule)");
  dir_.write("r.json", R"({"top": "r", "sources": "r.sv", "vcs": 1})");
  const process_result written = dir_.run({"describe", "rtl", "r.json", "--wrapper"});
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("Verilator takes the module as it is")) << dir_.read("r_pins.sv");
  const std::string wrapper = dir_.read("r_pins.sv");
  EXPECT_THAT(wrapper, HasSubstr("input  logic [7:0] east_in_flit"));
  EXPECT_THAT(wrapper, HasSubstr("output logic east_in_ready"));
  EXPECT_THAT(wrapper, HasSubstr("link local_out ();  // FILL IN: its parameters"));
  EXPECT_THAT(wrapper, HasSubstr("// FILL IN: it has no modport"));
  const auto tree = nlohmann::json::parse(dir_.read("r_pins.json"), nullptr, true, true);
  EXPECT_EQ(tree["pins"]["in_valid"], "{p}_in_valid");
  EXPECT_EQ(tree["pins"]["out_ready"], "{p}_out_ready");
  EXPECT_EQ(tree["ports"].dump(), R"({"east":"x+","local":"local","north":"y+"})");
  EXPECT_EQ(tree["reset"]["active"], "low");
  EXPECT_EQ(tree["vcs"], 1);
}

/// Structs of interfaces are split into members where valid or ready is one of them.
TEST_F(your_own_rtl, first_wrapper_of_structs_in_interfaces) {
  dir_.write("r.sv",
             R"(package p; typedef struct packed {logic valid; logic [1:0] vc; logic [7:0] data;} req_t;
      typedef struct packed {logic ready;} resp_t; endpackage
    interface link; p::req_t req; p::resp_t resp;
      modport rx(input req, output resp); modport tx(output req, input resp); endinterface
    module r (input clk, rst, link.rx north_rx, east_rx, local_rx, link.tx north_tx, east_tx, local_tx); endmodule)");
  dir_.write("r.json", R"({"top": "r", "sources": ["r.sv"]})");
  const process_result written = dir_.run({"describe", "rtl", "r.json", "--wrapper"});
  EXPECT_THAT(written.out, HasSubstr("Verilator takes the module as it is")) << dir_.read("r_pins.sv");
  EXPECT_THAT(dir_.read("r_pins.sv"), HasSubstr("  assign north_rx.req.vc = north_rx_req_vc;\n"));
  const auto tree = nlohmann::json::parse(dir_.read("r_pins.json"), nullptr, true, true);
  EXPECT_EQ(tree["pins"].dump(),
            R"({"in_flit":["{p}_rx_req_vc","{p}_rx_req_data"],"in_ready":"{p}_rx_resp_ready",)"
            R"("in_valid":"{p}_rx_req_valid","out_flit":["{p}_tx_req_vc","{p}_tx_req_data"],)"
            R"("out_ready":"{p}_tx_resp_ready","out_valid":"{p}_tx_req_valid"})");
}

TEST_F(your_own_rtl, first_wrapper_knows_the_names_of_five_ports) {
  for (const strings& names :
       {strings{"n", "e", "s", "w", "l"}, strings{"north", "east", "south", "west", "local"}}) {
    std::string ports;
    for (const std::string& p : names)
      ports += ", input logic " + p + "_valid_i, output logic " + p + "_ready_o, input logic [7:0] " + p +
               "_flit_i, output logic " + p + "_valid_o, input logic " + p + "_ready_i, output logic [7:0] " +
               p + "_flit_o";
    dir_.write(names[0] + ".sv",
               "module " + names[0] + " (input logic clk_i, input logic rst_ni" + ports + "); endmodule\n");
    dir_.write("r.json", R"({"top": ")" + names[0] + R"(", "sources": ")" + names[0] + R"(.sv"})");
    const process_result written = dir_.run({"describe", "rtl", "r.json", "--wrapper"});
    ASSERT_EQ(written.status, 0) << written.err;
    const auto tree = nlohmann::json::parse(dir_.read(names[0] + "_pins.json"), nullptr, true, true);
    const nlohmann::json expected = {
        {names[0], "y+"}, {names[1], "x+"}, {names[2], "y-"}, {names[3], "x-"}, {names[4], "local"}};
    EXPECT_EQ(tree["ports"], expected);
    EXPECT_EQ(tree["pins"]["in_ready"], "{p}_ready_o");
    EXPECT_EQ(tree["clock"]["pin"], "clk_i");
  }
}

/// Types of a package, and a parameter that cannot be set.
TEST_F(your_own_rtl, first_wrapper_of_pins_with_credits) {
  dir_.write("r.sv", R"(package link_types; typedef logic [7:0] word_t; endpackage
    module r import link_types::*; #(parameter int PORTS = 5, localparam int Bits = 8) (input logic clk_i, input logic rst_i,
      input logic [PORTS-1:0] valid_i, input word_t [PORTS-1:0] data_i, output logic [PORTS-1:0] credit_o,
      output logic [PORTS-1:0] valid_o, output word_t [PORTS-1:0] data_o, input logic [PORTS-1:0] credit_i); endmodule)");
  dir_.write("r.json", R"({"top": "r", "sources": "r.sv"})");
  EXPECT_THAT(dir_.run({"describe", "rtl", "r.json"}).out,
              testing::StartsWith(
                  "module r\n  parameter int PORTS = 5\n  localparam int Bits = 8\n  input logic clk_i\n"));
  const process_result written = dir_.run({"describe", "rtl", "r.json", "--wrapper"});
  EXPECT_THAT(written.out, HasSubstr("Verilator takes the module as it is")) << written.err;
  const std::string wrapper = dir_.read("r_pins.sv");
  EXPECT_THAT(wrapper, HasSubstr("\nmodule r_pins\n  import link_types::*;"));
  EXPECT_THAT(wrapper, HasSubstr("\n  r #(.PORTS(PORTS)) rtl (\n"));
  const auto tree = nlohmann::json::parse(dir_.read("r_pins.json"), nullptr, true, true);
  EXPECT_EQ(tree["interface"], "credit");
  EXPECT_EQ(tree["pins"]["in_credit"], "credit_o");
  EXPECT_EQ(tree["pins"]["out_credit"], "credit_i");
}

TEST_F(your_own_rtl, first_wrapper_of_arrays_with_bounds) {
  dir_.write("r.sv", R"(interface link; logic valid, ready; logic [7:0] flit;
      modport rx(input valid, flit, output ready); modport tx(output valid, flit, input ready); endinterface
    module r (input clk, rst, link.rx up[0:4], link.tx down[4:0], link.rx late[5:1]); endmodule)");
  dir_.write("r.json", R"({"top": "r", "sources": "r.sv"})");
  const process_result written = dir_.run({"describe", "rtl", "r.json", "--wrapper"});
  EXPECT_EQ(written.status, 0) << written.err;
  const std::string wrapper = dir_.read("r_pins.sv");
  for (const char* line :
       {"input  logic [4:0] up_valid", "input  logic [4:0][7:0] up_flit",
        "for (genvar i = 0; i <= 4; i++) begin : gen_up\n", "output logic [4:0] down_valid",
        "input  logic [5:0] late_valid", "// FILL IN: late [5:1] does not begin at 0\n"})
    EXPECT_THAT(wrapper, HasSubstr(line));
  EXPECT_THAT(wrapper, testing::Not(testing::ContainsRegex("FILL IN: (up|down)")));
}

/// A packet comes in from the west and leaves to the east.
TEST_F(your_own_rtl, groups_of_the_ports_that_a_packet_passes_are_open) {
  dir_.write("one.txt", "0 4 6 4\n");
  ASSERT_EQ(
      run("--routing xy --traffic-file one.txt --wave 'mesh.node_1_1@0:100' --wave-file o.vcd").status, 0);
  const std::string rows = dir_.read("o.gtkw");
  for (const char* const open : {"east", "west"})
    EXPECT_THAT(rows, HasSubstr(std::string("@800200\n-port ") + open + '\n'));
  for (const char* const closed : {"local", "north", "south"})
    EXPECT_THAT(rows, HasSubstr(std::string("@c00200\n-port ") + closed + '\n'));
}

/// As that of a run (interrupt_test.cpp).
TEST_F(your_own_rtl, progress_of_a_comparison_is_shown_on_a_terminal) {
  const std::string cosim = "cosim --topology torus:4x4 --vcs 2 --depth 2 --rtl 5,6 --cycles 300 ";
  const std::optional<std::string> shown = shown_on_a_terminal(dir_, cosim);
  if (!shown) GTEST_SKIP() << "no terminal can be made";
  EXPECT_THAT(*shown, HasSubstr("flits in flight"));
  EXPECT_EQ(shown_on_a_terminal(dir_, cosim + "--quiet"), "");
}

}  // namespace
}  // namespace toriscope::first_wrapper_test
