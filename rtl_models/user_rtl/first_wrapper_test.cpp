// SPDX-License-Identifier: Apache-2.0
// The first wrapper that a user gets, and its description, as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "base/json.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "rtl_models/user_rtl/first_wrapper.h"

namespace toriscope::first_wrapper_text_test {
namespace {

/// A router in a directory of its own, and its description.
class written_router {
 public:
  written_router(const std::string& source, const std::string& more = "") {
    write_text_file(scratch_.file("r.sv"), source);
    write_text_file(path(), R"({"top": "r", "sources": "r.sv")" + more + "}");
  }
  std::string path() const { return scratch_.file("r.json"); }
  std::string file(const std::string& name) const { return scratch_.file(name); }

 private:
  const scratch_directory scratch_;
};

TEST(first_wrapper, of_interfaces) {
  const written_router r(R"(package p;
  typedef struct packed {logic [1:0] a; logic b;} hdr_t;
endpackage
interface link (input logic clk, input logic rst_n, input logic mode_i, input logic extra);
  logic valid, ready; p::hdr_t hdr; logic list[2];
  modport rx(input valid, hdr, list, output ready);
endinterface
interface plain; logic [1:0] mode; modport in(input mode); endinterface
module r (output logic clk_o, input logic clk_i, input logic clk_b, input logic rst_ni, input logic mode_i,
  link.rx up, plain.in status); endmodule
)",
                         R"(, "ties": {"mode_i": 1}, "pins": {})");
  const first_wrapper wrapper(r.path());
  EXPECT_EQ(wrapper.module, "r_pins");
  EXPECT_EQ(wrapper.source_text, R"(// A first wrapper around r, written by toriscope describe rtl --wrapper.
// FILL IN marks what only you know.
module r_pins (
    output logic clk_o,
    input logic clk_i,
    input logic clk_b,
    input logic rst_ni,
    input logic mode_i,
    // link.rx up
    input  logic up_valid,
    input  logic [2:0] up_hdr,
    output logic up_ready,
    // plain.in status
    input  logic [1:0] status_mode
);
  link up (.clk(clk_i), .rst_n(rst_ni), .mode_i(mode_i), .extra(/* FILL IN */));
  // FILL IN: up.list, an array
  assign up.valid = up_valid;
  assign up.hdr = up_hdr;
  assign up_ready = up.ready;
  plain status ();
  assign status.mode = status_mode;
  r rtl (
      .clk_o(clk_o),
      .clk_i(clk_i),
      .clk_b(clk_b),
      .rst_ni(rst_ni),
      .mode_i(mode_i),
      .up(up),
      .status(status)
  );
endmodule
)");
  EXPECT_EQ(wrapper.description_text,
            "// A first description, written by toriscope describe rtl --wrapper; docs/your_own_rtl.md "
            "explains each "
            "key.\n"
            R"(// FILL IN marks what only you know; look at the others, too: they are guessed from names.
{
  "top": "r_pins",
  "sources": [
    "r.sv",
    "r_pins.sv"
  ],
  "ties": {
    "mode_i": 1
  },
  "clock": {
    "pin": "clk_i"
  },
  "reset": {
    "pin": "rst_ni",
    "active": "low"
  },
  "interface": "ready_valid",
  "ports": "local_last",
  "pins": {
    "in_valid": "up_valid",
    "in_flit": "up_hdr",
    "in_ready": "up_ready",
    "out_valid": "FILL IN: valid at the outputs",
    "out_flit": "FILL IN: the flit at the outputs",
    "out_ready": "FILL IN: what comes back to the outputs"
  },
  "flit": {
    "head_bit": "FILL IN: the bit that is set in heads, or give type",
    "tail_bit": "FILL IN: the bit that is set in tails",
    "head": {
      "FILL IN: bits of the destination": "dest",
      "FILL IN: bits for the tag": "tag"
    }
  }
}
)");
  EXPECT_EQ(wrapper.write(), r.file("r_pins.sv") + ": module r_pins, 2 places to fill in (FILL IN)\n" +
                                 r.file("r_pins.json") + ": its description, 7 places\n" +
                                 "Verilator takes the module as it is\n");
}

/// A part of the description of a router with these ports.
nlohmann::json described_part(const std::string& key, const std::vector<std::string>& ports) {
  std::string source = "module r (input logic clk";
  for (const std::string& port : ports) source += ", " + port;
  const written_router r(source + "); endmodule\n");
  return nlohmann::json::parse(first_wrapper(r.path()).description_text, nullptr, true, true)[key];
}

TEST(first_wrapper, pins_that_differ_in_a_word) {
  const std::vector<std::string>
      one_letter = {"input logic sa_valid", "input logic sb_valid", "input logic sc_valid"},
      empty_word = {"input logic _valid", "input logic a_valid",  "input logic b_valid",
                    "input logic p_flit", "input logic p_a_flit", "input logic p_b_flit"},
      two_ports = {"input logic a_valid", "input logic b_valid", "input logic a_flit", "input logic b_flit"},
      in_front = {"input logic up_a_flit", "input logic up_bb_flit", "input logic up_c_flit",
                  "input logic valid_xa",  "input logic valid_ya",   "input logic valid_za"},
      of_two_words = {"input logic a_b_valid", "input logic c_d_valid", "input logic e_f_valid"};
  EXPECT_EQ(described_part("pins", one_letter)["in_valid"], "{p}_valid");
  const auto empty = described_part("pins", empty_word);
  EXPECT_EQ(empty["in_valid"], "FILL IN: valid at the inputs; perhaps _valid, a_valid, b_valid");
  EXPECT_EQ(empty["in_flit"], "p_{p}");
  const auto two = described_part("pins", two_ports);
  EXPECT_EQ(two["in_valid"], "FILL IN: valid at the inputs; perhaps a_valid, b_valid");
  EXPECT_EQ(two["in_flit"].dump(), R"(["a_flit","b_flit"])");
  EXPECT_EQ(two["out_flit"], "FILL IN: the flit at the outputs");
  const auto front = described_part("pins", in_front);
  EXPECT_EQ(front["in_flit"], "up_{p}_flit");
  EXPECT_EQ(front["in_valid"], "valid_{p}");
  const std::string choose = "FILL IN: x+, x-, y+, y- or local";
  const nlohmann::json ports = {{"a", choose},  {"bb", choose}, {"c", choose},
                                {"xa", choose}, {"ya", choose}, {"za", choose}};
  EXPECT_EQ(described_part("ports", in_front), ports);
  EXPECT_EQ(described_part("pins", of_two_words)["in_valid"], "{p}_valid");
  EXPECT_EQ(described_part(
                "pins", {"input logic a_valid1", "input logic b_valid2", "input logic c_valid3"})["in_valid"],
            "{p}");
}

TEST(first_wrapper, credits_or_ready) {
  EXPECT_EQ(described_part("interface", {"output logic credit", "input logic credit_i"}), "credit");
  EXPECT_EQ(described_part("vcs", {"output logic credit", "input logic credit_i"}), 1);
  EXPECT_EQ(described_part("interface", {"output logic credit", "output logic ready"}), "ready_valid");
}

TEST(first_wrapper, what_is_wrong_with_the_sources) {
  const written_router other("module s (input logic a); endmodule\n"), broken("`include \"none.svh\"\n");
  EXPECT_EQ(error_of([&] { describe_ports(other.path()); }),
            other.path() + ": top: module r is not in the sources");
  EXPECT_THAT(error_of([&] { describe_ports(broken.path()); }),
              testing::StartsWith(broken.path() + ": Verilator does not take its sources: "));
}

}  // namespace
}  // namespace toriscope::first_wrapper_text_test
