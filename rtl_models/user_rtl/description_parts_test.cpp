// SPDX-License-Identifier: Apache-2.0
// The parts of a description one by one: expressions, options, fields of flits, headers and pins of modules,
// routes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "rtl_models/user_rtl/expression.h"
#include "rtl_models/user_rtl/flit_format.h"
#include "rtl_models/user_rtl/module_header.h"
#include "rtl_models/user_rtl/module_ports.h"
#include "rtl_models/user_rtl/route_texts.h"
#include "rtl_models/user_rtl/router_description.h"
#include "rtl_models/user_rtl/verilator_options.h"
#include "topologies/registry.h"

namespace toriscope::description_parts_test {
namespace {

using testing::HasSubstr;

TEST(expression_parts, limits_and_messages) {
  const quantity_values none;
  const auto value = [&](const std::string& text) { return expression(text).evaluate(none); };
  EXPECT_EQ(value("1" + std::string(9999, ' ')), 1) << "10000 characters";
  EXPECT_EQ(value(std::string(99, '(') + "1" + std::string(99, ')')), 1) << "100 levels";
  std::string ones = "1";
  for (int i = 0; i < 120; ++i) ones += "+1";
  EXPECT_EQ(value(ones), 121) << "which nest nowhere";
  EXPECT_EQ(value("0X1f"), 31);
  EXPECT_EQ(value("0x1F"), 31);
  EXPECT_EQ(value("7 % 4"), 3);
  EXPECT_EQ(value("7 / 2"), 3);
  EXPECT_EQ(value("2 - -3"), 5);
  errno = ERANGE;
  EXPECT_EQ(value("7"), 7) << "an error of before";
  const auto said = [](const std::string& text) { return error_of([&] { expression e(text); }); };
  EXPECT_EQ(said("x y"), "expression 'x y': 'y' is not expected here");
  EXPECT_EQ(said("x + )"), "expression 'x + )': ')' is not expected here");
  EXPECT_EQ(said("x +"), "expression 'x +': it ends too early");
  EXPECT_EQ(said("(x"), "expression '(x': a ')' is missing");
}

TEST(expression_parts, are_filled_in) {
  quantity_values values;
  values[quantity::x] = 3;
  EXPECT_EQ(fill_in("{x", values), "{x") << "no '}'";
  EXPECT_EQ(fill_in("{x}{x}", values), "33");
  EXPECT_EQ(fill_in("'{1, {x}, '{2, 3}}", values), "'{1, 3, '{2, 3}}");
  EXPECT_EQ(fill_in("", values), "");
}

TEST(verilator_options, those_that_are_known) {
  const auto said = [](const std::vector<std::string>& options) {
    return error_of([&] { check_verilator_options(options); });
  };
  EXPECT_EQ(said({"-Wall", "-Wno-WIDTH", "-Wwarn-LATCH", "-fno-dfg", "-O3", "--converge-limit", "123456789",
                  "--x-initial", "unique", "-Wno-a-b"}),
            "none");
  for (const char* const option : {"-Wno-", "--build", "--timing", "-Wno-a b"})
    EXPECT_THAT(said({"-Wall", option}), HasSubstr(std::string("'") + option + "' is not one of -Wno-NAME"));
  for (const char* const number : {"1234567890", "abc", ""})
    EXPECT_EQ(said({"--unroll-count", number}),
              std::string("--unroll-count takes a number as the next item, not '") + number + "'");
  EXPECT_EQ(said({"--x-initial", "1"}), "--x-initial takes 0, fast, unique as the next item, not '1'");
}

TEST(verilator_options, texts_without_calls_and_with_balanced_brackets) {
  const auto said = [](const std::string& text) { return error_of([&] { check_parameter_text(text); }); };
  for (const char* const good :
       {"1 + $clog2(8)", "$bits(x)", "$clog2(4)+$bits(y_t)", "\"a;b\"", "~x", "'{(1), [2]}"})
    EXPECT_EQ(said(good), "none") << good;
  EXPECT_EQ(said(std::string(65536, '1')), "none");
  const std::string size = ": expected the value of a parameter, 65536 characters at most";
  EXPECT_EQ(said(""), "''" + size);
  EXPECT_THAT(said(std::string(65537, '1')), HasSubstr("': expected the value of a parameter, 65536"));
  for (const char* const call : {"$system(1)", "$clog2(4)+$system(1)", "$bits_x", "$", "$$bits"})
    EXPECT_EQ(said(call), std::string("'") + call + "': of system functions, $clog2 and $bits are possible");
  for (const char* const open : {"(", ")", "(]", "{1", "\"a"})
    EXPECT_THAT(said(open), HasSubstr("not balanced")) << open;
  for (const char* const two : {"4 // x", "4 /* x", "4;5", "`A"})
    EXPECT_THAT(said(two), HasSubstr("expected one expression or type, without ;, ` and comments")) << two;
  for (const char* const odd : {"a\tb", "\x7f", "a\\b"})
    EXPECT_THAT(said(odd), HasSubstr("printable")) << odd;
}

TEST(flit_format_parts, valid_is_a_bit_of_each_flit) {
  flit_format f;
  f.width = 1;
  EXPECT_NO_THROW(f.check()) << "one bit";
  f.width = 0;
  EXPECT_EQ(error_of([&] { f.check(); }), "flits of 0 bits: 1 .. 512 are possible");
  f.width = 8;
  f.valid = flit_format::field{{7, 1}, expression("1")};
  f.all = {{{6, 1}, expression("head")}};
  f.head = {{{0, 4}, expression("tag")}};
  f.body = {{{0, 6}, expression("index")}};
  EXPECT_NO_THROW(f.check());
  quantity_values values;
  values[quantity::head] = 1;
  values[quantity::tag] = 5;
  EXPECT_EQ(f.encode(values)[0], 0xc5u);
  values[quantity::head] = 0;
  values[quantity::index] = 2;
  EXPECT_EQ(f.encode(values)[0], 0x82u);
  EXPECT_EQ(f.difference({0x83}, values), "bits 5:0 (index) entered as 2 and left as 3");
  f.idle = {{{7, 1}, expression("0")}};
  EXPECT_EQ(error_of([&] { f.check(); }), "flit bits 7: bit 7 belongs to two fields");
  f.idle = {{{8, 1}, expression("1")}};
  EXPECT_EQ(error_of([&] { f.check(); }), "flit bits 8: a flit has 8 bits, 7:0");
}

TEST(flit_format_parts, members_get_their_bits) {
  flit_format f;
  f.valid = flit_format::field{{}, expression("1"), "v"};
  f.type = flit_format::type_field{};
  f.type->member = "t";
  f.type->head = 1;
  f.type->tail = 2;
  f.resolve([](const std::string& member) { return member == "v" ? bit_field{9, 1} : bit_field{4, 2}; });
  EXPECT_EQ(to_string(f.valid->bits), "9");
  EXPECT_EQ(to_string(f.type->bits), "5:4");
  quantity_values single;
  single[quantity::head] = single[quantity::tail] = 1;
  EXPECT_THAT(error_of([&] { f.encode(single); }),
              HasSubstr("a packet of one flit, and flit.type has no value 'single'"));
}

TEST(flit_format_parts, fields_hold_what_fits) {
  EXPECT_EQ((bit_field{0, 64}).cut(~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_EQ((bit_field{5, 4}).cut(0x1f), 0xfu);
  EXPECT_EQ((bit_field{5, 1}).cut(1), 1u);
}

/// A list with all that may stand in one.
TEST(module_header_parts, parameters_imports_and_ports) {
  const module_header h = header_of(
      "module r import a::*;import b::c;# (parameter type T, parameter int W = 8, localparam int B = 3,C = 4,"
      "parameter string S = \"a\\\"b,(\")( input logic [W-1:0] a , output c = 1, input logic 2$x, input 12, "
      "input {a],"
      "link.rx e [3], f );",
      "r");
  EXPECT_EQ(h.imports, "import a::*; import b::c;");
  ASSERT_EQ(h.parameters.size(), 5u);
  const std::tuple<const char*, bool, bool, bool> parameters[] = {{"T", false, true, false},
                                                                  {"W", false, false, true},
                                                                  {"B", true, false, true},
                                                                  {"C", true, false, true},
                                                                  {"S", false, false, true}};
  for (std::size_t i = 0; i < 5; ++i) {
    const module_header::parameter& p = h.parameters[i];
    EXPECT_EQ(std::make_tuple(p.name, p.is_local, p.is_type, p.has_default), parameters[i]) << i;
  }
  EXPECT_EQ(h.parameters[4].text, "parameter string S = \"a\\\"b,(\"");
  ASSERT_EQ(h.ports.size(), 7u);
  EXPECT_EQ(h.ports[0].text, "input logic [W-1:0] a");
  EXPECT_EQ(h.ports[1].name, "c");
  EXPECT_EQ(h.ports[2].name, "x") << "a name begins with a letter";
  EXPECT_EQ(h.ports[3].name, "input 12");
  EXPECT_EQ(h.ports[4].name, "input {a]");
  EXPECT_EQ(h.ports[5].dimensions, "[3]");
  EXPECT_EQ(h.ports[6].interface, "link");
  EXPECT_EQ(h.ports[6].name, "f");
  EXPECT_EQ(h.ports[6].dimensions, "");
}

TEST(module_header_parts, what_is_wrong) {
  const auto said = [](const std::string& text) { return error_of([&] { header_of(text, "m"); }); };
  EXPECT_TRUE(header_of("module m();", "m").ports.empty());
  EXPECT_EQ(said("module m(input a"), "module m ends within its header");
  EXPECT_EQ(said("module m import a::*"), "module m ends within its header");
  EXPECT_EQ(said("module m;"), "module m has no list of ports");
  const std::string body = "', without a direction: ports that are declared in the body cannot be read";
  EXPECT_EQ(said("module m(a, b);"), "module m has the port 'a" + body);
  EXPECT_EQ(said("module m(input a, .b(c));"), "module m has the port '.b(c)" + body);
  const std::string x(194, 'x');
  EXPECT_EQ(said("module m(.b(" + x + "12));"), "module m has the port '.b(" + x + "12)" + body)
      << "200 characters";
  EXPECT_THAT(said("module m(.b(" + x + "123));"), HasSubstr("xxx ... xxx"));
}

TEST(module_ports_parts, ranges) {
  for (const auto& [range, size] :
       {std::pair{index_range{5, 1}, 5u}, {index_range{1, 5}, 5u}, {index_range{3, 3}, 1u}}) {
    EXPECT_EQ(range.size(), size);
    EXPECT_EQ(range.lowest(), size == 1 ? 3 : 1);
  }
}

/// As Verilator writes it: {union {17 elements of 2 bits; a bit} u; {a bit, 3 bits} s; a bit b}.
const char* const xml_text = R"(<?xml version="1.0" ?>
<verilator_xml><files><file id="a" filename="a.sv"/><file id="b" filename="b.svh"/></files><netlist>
<module name="other" origName="other"><var name="no" dir="input" dtype_id="1" origName="no"/></module>
<module name="m__P1" origName="m">
<var name="i" dir="input" dtype_id="20" origName="i"/><var name="l" dtype_id="1" origName="l"/>
<var name="o" dir="output" dtype_id="30" origName="o"/><var name="e" dir="input" dtype_id="31" origName="e"/>
<var name="k" dir="input" dtype_id="33" origName="k"/>
</module>
<iface name="first" origName="first"><var name="no" dtype_id="1" origName="no"/></iface>
<iface name="second" origName="second">
<var name="W" dtype_id="2" param="true" origName="W"/>
<var name="L" dtype_id="2" localparam="true" origName="L"/>
<var name="clk" dir="input" dtype_id="1" origName="clk"/><var name="s" dtype_id="21" origName="s"/>
<var name="v" dtype_id="2" origName="v"/>
<modport name="rx"><modportvarref name="s" direction="in"/><modportvarref name="v" direction="out"/></modport>
</iface>
<typetable>
<basicdtype id="1" name="logic"/><basicdtype id="2" name="logic" left="1" right="0"/>
<basicdtype id="3" name="logic" left="2" right="0"/>
<packarraydtype id="4" sub_dtype_id="2">
<range><const name="32&apos;h14"/><const name="32&apos;h4"/></range></packarraydtype>
<uniondtype id="5"><memberdtype id="6" name="words" sub_dtype_id="4"/>
<memberdtype id="7" name="one" sub_dtype_id="1"/></uniondtype>
<refdtype id="8" name="u_t" sub_dtype_id="5"/>
<structdtype id="9"><memberdtype id="10" name="first" sub_dtype_id="1"/>
<memberdtype id="11" name="rest" sub_dtype_id="3"/></structdtype>
<structdtype id="12"><memberdtype id="13" name="u" sub_dtype_id="8"/>
<memberdtype id="14" name="s" sub_dtype_id="9"/>
<memberdtype id="15" name="b" sub_dtype_id="1"/></structdtype>
<refdtype id="20" name="t" sub_dtype_id="12"/><refdtype id="21" name="s_t" sub_dtype_id="9"/>
<unpackarraydtype id="30" sub_dtype_id="20">
<range><const name="32&apos;sh1"/><const name="32&apos;sh5"/></range></unpackarraydtype>
<enumdtype id="31" name="e_t" sub_dtype_id="3"/><constdtype id="33" sub_dtype_id="2"/>
</typetable></netlist></verilator_xml>
)";

TEST(module_ports_parts, of_a_module) {
  const scratch_directory scratch;
  write_text_file(scratch.file("m.xml"), xml_text);
  const top_module top = read_top_module(scratch.file("m.xml"), "m");
  EXPECT_THAT(top.files, testing::ElementsAre("a.sv", "b.svh"));
  ASSERT_EQ(top.pins.size(), 4u);
  const top_pin& i = *top.find("i");
  EXPECT_TRUE(i.is_input);
  EXPECT_EQ(i.width, 39u);
  ASSERT_EQ(i.packed.size(), 1u);
  EXPECT_EQ(i.packed[0].left, 38);
  EXPECT_EQ(i.packed[0].right, 0);
  const std::tuple<const char*, unsigned, unsigned> members[] = {
      {"u", 5, 34},      {"u.words", 5, 34}, {"u.one", 5, 1}, {"s", 1, 4},
      {"s.first", 4, 1}, {"s.rest", 1, 3},   {"b", 0, 1}};
  ASSERT_EQ(i.members.size(), 7u);
  for (std::size_t m = 0; m < 7; ++m)
    EXPECT_EQ(std::make_tuple(i.members[m].path, i.members[m].first, i.members[m].bits), members[m]) << m;
  const top_pin& o = *top.find("o");
  EXPECT_FALSE(o.is_input);
  ASSERT_EQ(o.unpacked.size(), 1u);
  EXPECT_EQ(o.unpacked[0].left, 1);
  EXPECT_EQ(o.unpacked[0].right, 5);
  EXPECT_EQ(o.width, 39u);
  EXPECT_EQ(o.bits(), 195u);
  EXPECT_EQ(top.find("e")->width, 3u);
  EXPECT_EQ(top.find("k")->width, 2u);
  EXPECT_EQ(top.find("l"), nullptr) << "no pin";
  EXPECT_EQ(error_of([&] { read_top_module(scratch.file("m.xml"), "n"); }), "module n is not in the sources");
}

TEST(module_ports_parts, of_an_interface) {
  const scratch_directory scratch;
  write_text_file(scratch.file("m.xml"), xml_text);
  EXPECT_FALSE(read_interface(scratch.file("m.xml"), "first").has_parameters);
  const interface_module read = read_interface(scratch.file("m.xml"), "second");
  EXPECT_TRUE(read.has_parameters);
  ASSERT_EQ(read.ports.size(), 1u);
  EXPECT_EQ(read.ports[0].name, "clk");
  ASSERT_EQ(read.signals.size(), 2u);
  EXPECT_EQ(read.find("s")->width, 4u);
  EXPECT_EQ(read.find("v")->width, 2u);
  const std::vector<std::pair<std::string, unsigned>> of_s = {{"first", 1}, {"rest", 3}};
  EXPECT_EQ(read.members.at("s"), of_s);
  EXPECT_TRUE(read.members.at("v").empty());
  ASSERT_EQ(read.modports.size(), 1u);
  const std::vector<std::pair<std::string, std::string>> of_rx = {{"s", "in"}, {"v", "out"}};
  EXPECT_EQ(read.modports[0].name, "rx");
  EXPECT_EQ(read.modports[0].signals, of_rx);
}

/// Sends all by its first port, and remembers what it is asked.
class asked_routing final : public routing_function {
 public:
  unsigned route(const route_request& request, route_option* options) const override {
    requests.push_back(request);
    options[0] = {0, 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }
  mutable std::vector<route_request> requests;
};

TEST(route_texts_parts, are_those_of_packets_that_are_injected_or_come_by_the_first_link) {
  topology_options options;
  options.routing = "nca";
  const topology tree = make_topology("fattree:2,3", options);
  const netlist& wiring = *tree.wiring;
  unsigned switches = 0, hosts = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    const asked_routing routing{};
    const std::vector<adapter_config::port> ports = {{"a", -1}, {"b", 0}};
    const std::string ones(wiring.terminal_count(), '1');
    EXPECT_EQ(route_texts(wiring, routing, n, ports).fill("{routes}"),
              std::to_string(ones.size()) + "'b" + ones);
    ASSERT_EQ(routing.requests.size(), wiring.terminal_count());
    const bool is_switch = wiring.local_ports(n) == 0;
    ++(is_switch ? switches : hosts);
    for (terminal_id to = 0; to < wiring.terminal_count(); ++to) {
      const route_request& asked = routing.requests[to];
      EXPECT_EQ(asked.node, n);
      EXPECT_EQ(asked.in_port, is_switch ? 0 : wiring.local_port(n)) << n;
      EXPECT_EQ(asked.in_vc, 0u);
      EXPECT_EQ(asked.destination, to);
      EXPECT_EQ(asked.state, 0u);
    }
  }
  EXPECT_GT(switches, 0u);
  EXPECT_GT(hosts, 0u);
}

TEST(route_texts_parts, files_and_what_is_wrong) {
  topology_options options;
  options.routing = "xy";
  const topology row = make_topology("mesh:1x3", options);
  const adapter_config::port east{"e", row.wiring->port_named(1, "x+")},
      west{"w", row.wiring->port_named(1, "x-")}, local{"l", row.wiring->local_port(1)};
  const std::vector<adapter_config::port> ports = {east, west, local}, others = {local, east, west},
                                          without = {east, local};
  const route_texts texts(*row.wiring, *row.routing, 1, ports), other(*row.wiring, *row.routing, 1, others);
  const std::string file = texts.fill("{route_file}");
  EXPECT_EQ(texts.fill("{route_file}x{route_file}"), file + "x" + file);
  EXPECT_EQ(text_of_file(file, file), "1\n2\n0\n") << "to the west, to the node itself, to the east";
  EXPECT_NE(other.fill("{route_file}"), file) << "another table";
  EXPECT_EQ(texts.fill("{routes:32}").substr(0, 4), "96'b");
  EXPECT_EQ(error_of([&] { texts.fill("{routes:0}"); }), "'{routes}': 0 bits do not hold port 0");
  EXPECT_EQ(error_of([&] { texts.fill("{routes:1}"); }), "'{routes}': 1 bits do not hold port 2");
  EXPECT_EQ(error_of([&] { texts.fill("{routes:one_hot:2}"); }),
            "'{routes}': 2 bits do not hold port 2 as one of them");
  const std::string expected =
      "}': expected {routes:BITS}, 32 bits at most, {routes:one_hot} or {routes:reversed}; several "
      "are joined by ':'";
  for (const std::string wrong : {"routes:33", "routes:4:4", "routes:one_hot:one_hot", "routes:x", "routess"})
    EXPECT_EQ(error_of([&] { texts.fill("{" + wrong + "}"); }), "'{" + wrong + expected);
  const std::string long_one = "routes:" + std::string(93, 'x');
  EXPECT_EQ(error_of([&] { texts.fill("{" + long_one + "}"); }), "'{" + long_one + expected)
      << "100 characters";
  EXPECT_THAT(error_of([&] { texts.fill("{" + long_one + "y}"); }), HasSubstr("xx ... xx"));
  EXPECT_EQ(error_of([&] { texts.fill("{routes"); }), "'{routes' has no '}'");
  EXPECT_EQ(error_of([&] { route_texts(*row.wiring, *row.routing, 1, without).fill("{routes}"); }),
            "the way to node 0 leads out of a port that the router does not have");
}

/// A description in a directory of its own, with "a.sv" beside it. @param more  keys, with commas in front
class written_description {
 public:
  explicit written_description(const std::string& more, const std::string& flit = "",
                               const std::string& pins = R"("in_ready": "r", "out_ready": "s")") {
    write_text_file(scratch_.file("a.sv"), "module a; endmodule\n");
    write_text_file(scratch_.file("a.f"), "+define+A=1 a.sv\n");
    write_text_file(scratch_.file("d.json"), R"({"top": "a", "file_list": "a.f", "flit": {)" + flit +
                                                 R"(}, "pins": {"in_valid": "v",
                       "out_valid": "w", "in_flit": "f", "out_flit": "g", )" +
                                                 pins + "}" + more + "}");
  }
  router_description read() const { return router_description::read(scratch_.file("d.json")); }
  std::string said() const {
    return error_of([this] { read(); });
  }

 private:
  const scratch_directory scratch_;
};

const std::string clock_key = R"(, "clock": {"pin": "c"})";
const std::string on_off_pins = R"("in_on": "r", "out_on": "s")";

/// docs/your_own_rtl.md
TEST(description_parts, what_is_not_said) {
  const router_description unread{};
  const router_description read = written_description(clock_key).read();
  for (const router_description* d : {&unread, &read}) {
    EXPECT_EQ(d->clocks_per_cycle, 1u);
    EXPECT_EQ(d->reset_clocks, 4u);
    EXPECT_EQ(d->vcs, 1u);
    EXPECT_EQ(d->depth, 0u);
    EXPECT_EQ(d->slack, 0u);
    EXPECT_EQ(d->patience_cycles, 1000u);
    EXPECT_EQ(d->flit.width, 0u) << "that of the pins";
  }
}

TEST(description_parts, definitions_of_lists_and_of_the_description) {
  const router_description d = written_description(clock_key + R"(, "defines": ["B", "C=2"])").read();
  EXPECT_THAT(d.defines, testing::ElementsAre("A=1", "B", "C=2"));
}

TEST(description_parts, numbers_are_what_they_may_be) {
  const auto said = [](const std::string& more, const std::string& flit = "") {
    return written_description(more, flit).said();
  };
  EXPECT_EQ(said(clock_key, R"("width": 1)"), "none");
  EXPECT_EQ(said(R"(, "clock": {"pin": "c", "per_cycle": 500})"), "none");
  EXPECT_THAT(said(R"(, "clock": {"pin": "c", "per_cycle": 501})"), HasSubstr("from 1 to 500"))
      << "half a clock is 1 ps";
  EXPECT_EQ(said(clock_key + R"(, "reset": {"pin": "r", "clocks": 100000})"), "none");
  EXPECT_THAT(said(clock_key + R"(, "reset": {"pin": "r", "clocks": 100001})"),
              HasSubstr("from 1 to 100000"));
  EXPECT_EQ(said(clock_key + R"(, "depth": 65535)"), "none");
  EXPECT_THAT(said(clock_key + R"(, "depth": 65536)"), HasSubstr("from 1 to 65535"));
  EXPECT_EQ(said(clock_key + R"(, "patience_cycles": 1000000000)"), "none");
  EXPECT_THAT(said(clock_key + R"(, "patience_cycles": 1000000001)"), HasSubstr("from 10 to 1000000000"));
  const auto slack = [&](const std::string& depth_and_slack) {
    return written_description(clock_key + R"(, "interface": "on_off", )" + depth_and_slack, "", on_off_pins)
        .read()
        .slack;
  };
  EXPECT_EQ(slack(R"("depth": 1)"), 0u) << "no slot can be left over";
  EXPECT_EQ(slack(R"("depth": 2)"), 1u);
  EXPECT_EQ(slack(R"("depth": 4, "slack": 0)"), 0u);
  EXPECT_EQ(slack(R"("depth": 4, "slack": 3)"), 3u);
}

/// A bit for each VC, or a number; a router without VCs needs none.
TEST(description_parts, credits_name_their_vc) {
  const std::string valids = R"("in_credit_valid": "r", "out_credit_valid": "s")";
  const auto said = [](const std::string& vcs, const std::string& pins) {
    return written_description(clock_key + R"(, "interface": "credit", "depth": 4, "vcs": )" + vcs, "", pins)
        .said();
  };
  EXPECT_EQ(said("1", valids), "none");
  EXPECT_THAT(said("2", valids + R"(, "out_credit_vc": "u")"),
              HasSubstr("pins.in_credit_vc: is missing: which of the 2 VCs in_credit_valid is for"));
  EXPECT_THAT(said("2", valids + R"(, "in_credit_vc": "t")"),
              HasSubstr("pins.out_credit_vc: is missing: which of the 2 VCs out_credit_valid is for"));
  EXPECT_EQ(said("2", valids + R"(, "in_credit_vc": "t", "out_credit_vc": "u")"), "none");
  EXPECT_EQ(said("2", R"("in_credit": "r", "out_credit": "s")"), "none");
}

TEST(description_parts, names_and_bits) {
  const auto field = [](const std::string& bits) {
    return written_description(clock_key, R"("head": {")" + bits + R"(": "tag"})").said();
  };
  for (const char* const good : {"7", "0", "511", "63:0", "7:4", "a", "hdr.dst.x"})
    EXPECT_EQ(field(good), "none") << good;
  for (const char* const bad :
       {"+1", "1:+0", "4:7", "512", "7:", ":7", "1:1:1", "7::4", "64:0", "99999999999999999999", ""})
    EXPECT_THAT(field(bad),
                HasSubstr("bits are written as \"7:4\" or \"7\", 64 at most: '" + std::string(bad) + "'"));
  const auto tie = [](const std::string& pin) {
    return written_description(clock_key + R"(, "ties": {")" + pin + R"(": 0})").read().ties.at(0).pin;
  };
  EXPECT_EQ(tie("x[0").name, "x[0");
  EXPECT_EQ(tie("x]").name, "x]");
  EXPECT_EQ(tie("x[511:0]").bit_count, 512u);
  EXPECT_EQ(tie("x[9:6]").first_bit, 6u);
  EXPECT_THAT(written_description(clock_key + R"(, "parameters": {"1x": 1})").said(),
              HasSubstr("expected the name of a parameter: '1x'"));
  EXPECT_EQ(written_description(clock_key + R"(, "parameters": {"_x$1": 1})").said(), "none");
}

}  // namespace
}  // namespace toriscope::description_parts_test
