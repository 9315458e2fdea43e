// SPDX-License-Identifier: Apache-2.0
// The wrapper around a user's router, as text: what is connected to what, and what is said of pins that do
// not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "rtl_models/user_rtl/pin_wrapper.h"

namespace toriscope::wrapper_test {
namespace {

using testing::HasSubstr;

top_pin pin(const std::string& name, bool is_input, std::vector<index_range> packed,
            std::vector<index_range> unpacked = {}) {
  top_pin p;
  p.name = name;
  p.is_input = is_input;
  for (const index_range& r : packed) p.width *= r.size();
  p.packed = std::move(packed);
  p.unpacked = std::move(unpacked);
  return p;
}

/// A router of two ports, and its description.
struct described {
  described() {
    d.file = "d.json";
    d.top = "m";
    d.clock_pin = "clk";
    v.ports = {"a", "b"};
    top.pins = {pin("clk", true, {})};
  }
  void tie(const port_pin& pin, const std::string& constant = "") {
    d.ties.push_back({pin, "0"});
    v.constants.push_back(constant);
  }
  top_pin& at(const std::string& name) {
    return *std::find_if(top.pins.begin(), top.pins.end(), [&](const top_pin& p) { return p.name == name; });
  }
  pin_wrapper wrapper() const { return pin_wrapper(d, v, top); }

  router_description d;
  router_variant v;
  top_module top;
};

/// Pins of every shape: ready is an array, and inverted; ties of 4, 70 and 4 bits, the last one a text.
described plain() {
  described r;
  r.d.reset_pin = "rst";
  r.d.reset_active_low = true;
  r.d.in_valid = {"pins.in_valid", "v_i"};
  r.d.out_valid = {"pins.out_valid", "v_o"};
  r.d.in_flit = {{"pins.in_flit", "f_i"}};
  r.d.out_flit = {{"pins.out_flit", "f_o"}};
  r.d.in_ready = {"pins.in_ready", "r_o", true};
  r.d.out_ready = {"pins.out_ready", "r_i"};
  r.v.parameters = {{"P", "1"}, {"Q", "2"}};
  for (const top_pin& p : {pin("rst", true, {}), pin("v_i", true, {{2, 1}}), pin("v_o", false, {{1, 0}}),
                           pin("f_i", true, {{1, 0}, {7, 0}}), pin("f_o", false, {{16, 1}}),
                           pin("r_o", false, {}, {{1, 2}}), pin("r_i", true, {{1, 0}}),
                           pin("x", true, {{3, 0}}), pin("y", true, {{69, 0}}), pin("z", true, {{3, 0}})})
    r.top.pins.push_back(p);
  r.tie({"ties.x", "x"});
  r.tie({"ties.y", "y"});
  r.tie({"ties.z", "z"}, "4'd3");
  return r;
}

TEST(pin_wrapper, pins_of_every_shape) {
  EXPECT_EQ(plain().wrapper().text, R"(// verilator tracing_off
module toriscope_pins (
    input logic clk_i,
    input logic rst_i,
    input logic [191:0] ties_i,
    input logic [1:0] in_valid_i,
    input logic [15:0] in_flit_i,
    output logic [1:0] in_back_o,
    output logic [1:0] out_valid_o,
    output logic [15:0] out_flit_o,
    input logic [1:0] out_back_i
);
  logic pin_clk;
  logic pin_rst;
  logic [3:0] pin_x;
  logic [69:0] pin_y;
  logic [3:0] pin_z;
  logic [1:0][7:0] pin_f_i;
  logic [16:1] pin_f_o;
  logic [2:1] pin_v_i;
  logic [1:0] pin_v_o;
  logic pin_r_o [1:2];
  logic [1:0] pin_r_i;
  assign pin_clk = clk_i;
  assign pin_rst = !rst_i;
  assign pin_x = ties_i[0+:4];
  assign pin_y = 70'(ties_i[64+:64]);
  assign pin_z = 4'd3;
  assign pin_v_i[1+:1] = in_valid_i[0];
  assign pin_f_i[0] = in_flit_i[0+:8];
  assign out_flit_o[0+:8] = pin_f_o[1+:8];
  assign out_valid_o[0] = pin_v_o[0+:1];
  assign in_back_o[0+:1] = ~pin_r_o[1];
  assign pin_r_i[0+:1] = out_back_i[0+:1];
  assign pin_v_i[2+:1] = in_valid_i[1];
  assign pin_f_i[1] = in_flit_i[8+:8];
  assign out_flit_o[8+:8] = pin_f_o[9+:8];
  assign out_valid_o[1] = pin_v_o[1+:1];
  assign in_back_o[1+:1] = ~pin_r_o[2];
  assign pin_r_i[1+:1] = out_back_i[1+:1];
  // verilator tracing_on
  m #(.P(1), .Q(2)) rtl (
      .clk(pin_clk),
      .rst(pin_rst),
      .x(pin_x),
      .y(pin_y),
      .z(pin_z),
      .f_i(pin_f_i),
      .f_o(pin_f_o),
      .v_i(pin_v_i),
      .v_o(pin_v_o),
      .r_o(pin_r_o),
      .r_i(pin_r_i)
  );
endmodule
)");
  described r = plain();
  r.d.flit.width = 8;
  r.at("y").packed = {{63, 0}};
  r.at("y").width = 64;
  EXPECT_THAT(r.wrapper().text, HasSubstr("  assign pin_y = ties_i[64+:64];\n"));
  r.at("y").packed = {{64, 0}};
  r.at("y").width = 65;
  EXPECT_THAT(r.wrapper().text, HasSubstr("  assign pin_y = 65'(ties_i[64+:64]);\n"));
  EXPECT_EQ(r.wrapper().format.width, 8u);
  EXPECT_THAT(r.wrapper().tie_bits, testing::ElementsAre(4, 65, 4));
  r.d.ties.clear();
  EXPECT_THAT(error_of([&] { r.wrapper(); }), HasSubstr("input 'x' of m is in none of pins"));
  std::vector<top_pin> rest;
  for (const top_pin& p : r.top.pins)
    if (std::string("xyz").find(p.name) == std::string::npos) rest.push_back(p);
  r.top.pins = rest;
  EXPECT_THAT(r.wrapper().text, HasSubstr("    input logic [63:0] ties_i,\n"));
}

/// Three VCs, each with a valid bit of its own: {valid, flit {hdr, rest}, ready} for each port.
described structures() {
  described r;
  for (const char* const name : {"a_in", "b_in", "a_out", "b_out"}) {
    top_pin p = pin(name, name[2] == 'i', {{15, 0}});
    p.members = {{"valid", 13, 3}, {"flit", 3, 10}, {"flit.hdr", 9, 4}, {"flit.rest", 3, 6}, {"ready", 0, 3}};
    r.top.pins.push_back(p);
  }
  r.d.vcs = 3;
  r.d.in_valid = {"pins.in_valid", "{p}_in", false, "valid"};
  r.d.in_flit = {{"pins.in_flit", "{p}_in", false, "flit"}};
  r.d.out_ready = {"pins.out_ready", "{p}_in", false, "ready"};
  r.d.out_valid = {"pins.out_valid", "{p}_out", true, "valid"};
  r.d.out_flit = {{"pins.out_flit", "{p}_out", false, "flit"}};
  r.d.in_ready = {"pins.in_ready", "{p}_out", false, "ready"};
  r.d.flit.head = {{{}, expression("tag"), "hdr"}};
  return r;
}

TEST(pin_wrapper, members_and_a_valid_bit_of_each_vc) {
  const pin_wrapper w = structures().wrapper();
  EXPECT_EQ(w.format.width, 12u);
  EXPECT_EQ(to_string(w.format.tag()), "9:6");
  EXPECT_EQ(to_string(w.format.vc()), "11:10");
  const auto number = [](const std::string& valid) {
    return "(~" + valid + ") == (3'd1 << 0) ? 2'd0 : (~" + valid + ") == (3'd1 << 1) ? 2'd1 : (~" + valid +
           ") == (3'd1 << 2) ? 2'd2 : 2'd3;\n";
  };
  EXPECT_EQ(w.text, R"(// verilator tracing_off
module toriscope_pins (
    input logic clk_i,
    input logic rst_i,
    input logic [63:0] ties_i,
    input logic [1:0] in_valid_i,
    input logic [23:0] in_flit_i,
    output logic [5:0] in_back_o,
    output logic [1:0] out_valid_o,
    output logic [23:0] out_flit_o,
    input logic [5:0] out_back_i
);
  logic pin_clk;
  logic [15:0] pin_a_in;
  logic [15:0] pin_a_out;
  logic [15:0] pin_b_in;
  logic [15:0] pin_b_out;
  logic [15:0] bits0_a_in;
  logic [15:0] bits0_a_out;
  logic [15:0] bits1_b_in;
  logic [15:0] bits1_b_out;
  assign pin_clk = clk_i;
  assign pin_a_in = bits0_a_in;
  assign bits0_a_out = pin_a_out;
  assign bits0_a_in[13+:3] = (in_valid_i[0] ? 3'd1 << in_flit_i[10+:2] : 3'd0);
  assign bits0_a_in[3+:10] = in_flit_i[0+:10];
  assign out_flit_o[0+:10] = bits0_a_out[3+:10];
  assign out_valid_o[0] = |(~bits0_a_out[13+:3]);
  assign out_flit_o[10+:2] = )" +
                        number("bits0_a_out[13+:3]") +
                        R"(  assign in_back_o[0+:3] = bits0_a_out[0+:3];
  assign bits0_a_in[0+:3] = out_back_i[0+:3];
  assign pin_b_in = bits1_b_in;
  assign bits1_b_in[13+:3] = (in_valid_i[1] ? 3'd1 << in_flit_i[22+:2] : 3'd0);
  assign bits1_b_in[3+:10] = in_flit_i[12+:10];
  assign bits1_b_out = pin_b_out;
  assign out_flit_o[12+:10] = bits1_b_out[3+:10];
  assign out_valid_o[1] = |(~bits1_b_out[13+:3]);
  assign out_flit_o[22+:2] = )" +
                        number("bits1_b_out[13+:3]") +
                        R"(  assign in_back_o[3+:3] = bits1_b_out[0+:3];
  assign bits1_b_in[0+:3] = out_back_i[3+:3];
  // verilator tracing_on
  m rtl (
      .clk(pin_clk),
      .a_in(pin_a_in),
      .a_out(pin_a_out),
      .b_in(pin_b_in),
      .b_out(pin_b_out)
  );
endmodule
)");
}

/// Two VCs; valid is a bit of the flit, and credits come as a number with a bit that says that there is none.
described credits() {
  described r;
  r.d.flow = router_description::flow_control::credit;
  r.d.vcs = 2;
  r.d.depth = 1;
  r.d.flit.valid = flit_format::field{{7, 1}, expression("1")};
  r.d.flit.all = {{{6, 1}, expression("vc")}};
  r.d.in_flit = {{"pins.in_flit", "f_i"}};
  r.d.out_flit = {{"pins.out_flit", "f_o"}};
  r.d.in_credit_valid = {"pins.in_credit_valid", "cv", true};
  r.d.in_credit_vc = {"pins.in_credit_vc", "cn"};
  r.d.out_credit_valid = {"pins.out_credit_valid", "{p}_cr", true, "", 0, 1};
  r.d.out_credit_vc = {"pins.out_credit_vc", "{p}_cr", false, "", 1, 1};
  for (const top_pin& p :
       {pin("f_i", true, {{15, 0}}), pin("f_o", false, {{15, 0}}), pin("cv", false, {{1, 0}}),
        pin("cn", false, {{1, 0}}), pin("a_cr", true, {{1, 0}}), pin("b_cr", true, {{1, 0}})})
    r.top.pins.push_back(p);
  return r;
}

TEST(pin_wrapper, credits_by_number_and_valid_in_the_flit) {
  const pin_wrapper w = credits().wrapper();
  EXPECT_EQ(w.format.width, 8u);
  EXPECT_THAT(w.text, HasSubstr(R"(  logic [1:0] bits0_a_cr;
  logic [1:0] bits1_b_cr;
  assign pin_clk = clk_i;
  assign pin_f_i[0+:8] = in_flit_i[0+:8];
  assign out_flit_o[0+:8] = pin_f_o[0+:8];
  assign out_valid_o[0] = out_flit_o[7];
  assign in_back_o[0+:2] = 2'(!pin_cv[0+:1]) << pin_cn[0+:1];
  assign pin_a_cr = bits0_a_cr;
  assign bits0_a_cr[0+:1] = ~(out_back_i[0+:2] != 0);
  assign bits0_a_cr[1+:1] = out_back_i[1] ? 1'd1 : 1'd0;
  assign pin_f_i[8+:8] = in_flit_i[8+:8];
  assign out_flit_o[8+:8] = pin_f_o[8+:8];
  assign out_valid_o[1] = out_flit_o[15];
  assign in_back_o[2+:2] = 2'(!pin_cv[1+:1]) << pin_cn[1+:1];
  assign pin_b_cr = bits1_b_cr;
  assign bits1_b_cr[0+:1] = ~(out_back_i[2+:2] != 0);
  assign bits1_b_cr[1+:1] = out_back_i[3] ? 1'd1 : 1'd0;
)"));
  described inverted = credits();
  inverted.d.in_flit[0].inverted = inverted.d.out_flit[0].inverted = true;
  inverted.d.in_credit_vc.inverted = inverted.d.out_credit_vc.inverted = true;
  const std::string text = inverted.wrapper().text;
  for (const std::string line : {"pin_f_i[0+:8] = ~in_flit_i[0+:8]", "out_flit_o[8+:8] = ~pin_f_o[8+:8]",
                                 "in_back_o[2+:2] = 2'(!pin_cv[1+:1]) << ~pin_cn[1+:1]",
                                 "bits0_a_cr[1+:1] = ~(out_back_i[1] ? 1'd1 : 1'd0)"})
    EXPECT_THAT(text, HasSubstr("  assign " + line + ";\n"));
  described twice = credits();
  twice.tie({"ties.{p}_cr[1]", "{p}_cr", false, "", 1, 1});
  EXPECT_EQ(error_of([&] { twice.wrapper(); }),
            "d.json: pins.out_credit_vc: bit 1 of input 'a_cr' of m has a value already");
}

/// The same value for the pin of each port.
TEST(pin_wrapper, ties_of_each_port) {
  described r = credits();
  for (const char* const name : {"a_t", "b_t"}) r.top.pins.push_back(pin(name, true, {{63, 0}}));
  r.tie({"ties.f", "clk_2"});
  r.top.pins.push_back(pin("clk_2", true, {}));
  r.tie({"ties.{p}_t", "{p}_t"});
  EXPECT_THAT(r.wrapper().text,
              HasSubstr("  assign pin_a_t = ties_i[64+:64];\n  assign pin_b_t = ties_i[64+:64];\n"));
  EXPECT_THAT(r.wrapper().tie_bits, testing::ElementsAre(1, 64));
  for (const char* const name : {"a_t", "b_t"}) r.at(name).width = 65;
  EXPECT_EQ(error_of([&] { r.wrapper(); }), "d.json: ties.{p}_t: 65 bits; 64 at most are possible");
}

struct misfit {
  std::function<void(described&)> change;
  std::string said;
};

TEST(pin_wrapper, tells_what_does_not_fit) {
  const auto said = [](described r, const std::function<void(described&)>& change) {
    change(r);
    return error_of([&] { r.wrapper(); });
  };
  const misfit plain_ones[] = {
      {[](described& r) {
         r.v.ports = {"a", ""};
       },
       "ports: a port without a name"},
      {[](described& r) {
         r.at("clk") = pin("clk", true, {{1, 0}});
       },
       "clock.pin: pin 'clk' of m is 2 bits wide; 1 is expected"},
      {[](described& r) {
         r.at("x").unpacked = {{1, 0}};
       },
       "ties.x: the pin is an array"},
      {[](described& r) {
         r.at("r_o").unpacked = {{1, 2}, {1, 0}};
       },
       "pins.in_ready: pin 'r_o' of m is an array of arrays; one dimension is possible"},
      {[](described& r) {
         r.at("r_o").unpacked = {{1, 3}};
       },
       "pins.in_ready: pin 'r_o' of m has 3 elements; 2 ports need 2, or a multiple of it, or a pin for each "
       "of them "
       "('{p}' in the name)"},
      {[](described& r) {
         r.at("r_i") = pin("r_i", true, {{3, 0}});
       },
       "pins.out_ready: pin 'r_i' of m has 2 bits for each port; 1 is expected, the router has no VCs (vcs: "
       "1)"},
      {[](described& r) {
         r.at("v_i") = pin("v_i", true, {{3, 0}});
       },
       "pins.in_valid: pin 'v_i' of m has 2 bits for each port; 1 is expected, a valid bit"},
      {[](described& r) {
         r.at("f_o") = pin("f_o", false, {{17, 0}});
       },
       "pins.out_flit: a flit is 9 bits wide there and 8 bits in pins.in_flit"},
      {[](described& r) { r.d.flit.width = 9; },
       "pins.in_flit: a flit is 8 bits wide at the pins of m, and flit.width says 9"}};
  for (const misfit& m : plain_ones) EXPECT_EQ(said(plain(), m.change), "d.json: " + m.said);

  const misfit of_structures[] = {{[](described& r) {
                                     r.at("a_out").unpacked = {{1, 0}};
                                   },
                                   "pins.out_flit: pin 'a_out' of m is an array"},
                                  {[](described& r) { r.d.in_ready.bit_count = 2; },
                                   "pins.in_ready: pin 'a_out' of m has 2 bits for each port; 3 are "
                                   "expected, one for each of its VCs (vcs: 3), or "
                                   "\"ready\": \"of_offer\""},
                                  {[](described& r) { r.d.out_ready.bit_count = 1; },
                                   "pins.out_ready: pin 'a_in' of m has 1 bit for each port; 3 are expected, "
                                   "one for each of its VCs (vcs: 3), or "
                                   "\"ready\": \"of_offer\""}};
  for (const misfit& m : of_structures) EXPECT_EQ(said(structures(), m.change), "d.json: " + m.said);

  EXPECT_EQ(said(structures(),
                 [](described& r) {
                   r.d.flow = router_description::flow_control::on_off;
                   r.d.in_ready.bit_count = 2;
                 }),
            "d.json: pins.in_ready: pin 'a_out' of m has 2 bits for each port; 3 are expected, one for each "
            "of its VCs "
            "(vcs: 3)");
}

/// A field is a member of 64 bits at most.
TEST(pin_wrapper, wide_members) {
  for (const unsigned bits : {64u, 65u}) {
    described r = structures();
    const int more = static_cast<int>(bits) - 4;
    for (const char* const name : {"a_in", "b_in", "a_out", "b_out"}) {
      top_pin& p = r.at(name);
      p.packed = {{15 + more, 0}};
      p.width = 16 + bits - 4;
      p.members[0].first += bits - 4;
      p.members[1].bits += bits - 4;
      p.members[2].bits = bits;
    }
    EXPECT_EQ(error_of([&] { r.wrapper(); }),
              bits == 64 ? "none" : "d.json: flit: 'hdr' has 65 bits; 64 at most are possible");
  }
}

}  // namespace
}  // namespace toriscope::wrapper_test
