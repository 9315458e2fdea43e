// SPDX-License-Identifier: Apache-2.0
// What a network file may say, and every error message in its words.
#include "topologies/custom/network_file.h"

#include <gmock/gmock.h>

#include "base/words.h"
#include "topologies/custom/custom_network.h"
#include "topologies/custom/reserved_words.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/link_models/link_width.h"

namespace toriscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

network_file parsed(const std::string& text) { return parse_network(text, "file"); }

/// What is said against a file; "" when nothing is.
std::string error_in(const std::string& text) {
  try {
    build_custom(parsed(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// A file of nodes a, b, c and these links.
std::string with_links(const std::string& links) {
  return R"({"nodes": ["alpha", "beta", "gamma"], "links": [)" + links + "]}";
}

TEST(network_file, example) {
  const network_file file = read_network_file(TORISCOPE_EXAMPLE);
  EXPECT_EQ(file.name, "two_squares");
  ASSERT_EQ(file.nodes.size(), 9u);
  EXPECT_EQ(file.nodes[8].name, "server");
  EXPECT_THAT(file.nodes[8].position, ElementsAre(0, 3));
  ASSERT_EQ(file.links.size(), 12u);
  EXPECT_EQ(file.links[8].delay_cycles, 5u);
  EXPECT_EQ(file.links[8].width_bits, 16u);
  EXPECT_TRUE(file.routes.empty());

  const auto net = build_custom(file);
  EXPECT_EQ(net->name(), "two_squares");
  EXPECT_EQ(net->links().size(), 2u * 11 + 1);
  const auto port_names = [&](node_id node) {
    std::vector<std::string> names;
    for (port_id p = 0; p < net->ports(node).size(); ++p) names.push_back(net->port_name(node, p));
    return names;
  };
  EXPECT_THAT(port_names(0), ElementsAre("ring+", "ring-", "p2"));
  EXPECT_THAT(port_names(1), ElementsAre("ring-", "ring+", "bridge"));
  EXPECT_THAT(port_names(8), ElementsAre("p0", "p1"));
  const netlist_link& bridge = net->link(net->ports(1)[2].out);
  EXPECT_EQ(bridge.to, 4u);
  EXPECT_EQ(bridge.delay_cycles, 5u);
  EXPECT_EQ(bridge.length, 5u) << "from (1,0) to (6,0)";
  EXPECT_EQ(bridge.level, 2u);
  const netlist_link& to_server = net->link(net->ports(3)[net->port_named(3, "p2")].out);
  EXPECT_EQ(to_server.to, 8u);
  EXPECT_EQ(to_server.level, 2u) << "the server's";
  EXPECT_EQ(net->ports(0)[2].out, no_link) << "the server's link is one way";
  EXPECT_NE(net->ports(0)[2].in, no_link);
}

TEST(network_file, a_link_may_give_its_delay_or_its_width_alone) {
  const auto net = build_custom(parsed(with_links(
      R"({"from": "alpha", "to": "beta", "delay": 5}, {"from": "beta", "to": "gamma", "width": 16},
         {"from": "gamma", "to": "alpha"})")));
  const auto own = [&](link_id l) {
    return std::pair<unsigned, unsigned>(net->own_values(l).delay_cycles, net->own_values(l).width_bits);
  };
  EXPECT_EQ(own(0), std::pair(5u, 0u));
  EXPECT_EQ(own(2), std::pair(0u, 16u));
  EXPECT_EQ(own(4), std::pair(0u, 0u));
}

TEST(network_file, a_link_is_one_pitch_long_at_least) {
  const auto net = build_custom(parsed(
      R"({"nodes": [{"name": "a", "position": [0, 0]}, {"name": "b", "position": [0, 0.3]},
                    {"name": "c", "position": [2.6, 0]}, {"name": "d", "position": [100000, 5]}],
          "links": [{"from": "a", "to": "b"}, {"from": "a", "to": "c"}, {"from": "a", "to": "d"}]})"));
  EXPECT_EQ(net->link(0).length, 1u);
  EXPECT_EQ(net->link(2).length, 3u) << "2.6, rounded";
  EXPECT_EQ(net->link(4).length, 100005u);
  EXPECT_TRUE(net->has_places());
  EXPECT_FALSE(build_custom(parsed(R"({"nodes": 2, "links": [{"from": 0, "to": 1}]})"))->has_places());
}

TEST(network_file, links_keep_their_own_delay_and_width) {
  const auto net = build_custom(read_network_file(TORISCOPE_EXAMPLE));
  set_link_delays(*net, std::vector<std::string>{"3"});
  set_link_widths(*net, 64, {});
  EXPECT_EQ(net->link(net->ports(1)[2].out).delay_cycles, 5u);
  EXPECT_EQ(net->link(net->ports(1)[2].out).flit_cycles, 4u) << "16 bits for flits of 64";
  EXPECT_EQ(net->link(net->ports(0)[0].out).delay_cycles, 3u);
  EXPECT_EQ(net->link(net->ports(0)[0].out).flit_cycles, 1u);
  set_link_widths(*net, 64, {32});
  EXPECT_EQ(net->link(net->ports(1)[2].out).flit_cycles, 4u);
  EXPECT_EQ(net->link(net->ports(0)[0].out).flit_cycles, 2u);
}

TEST(network_file, nodes_by_number) {
  const network_file file = parsed(R"({"nodes": 3, "links": [{"from": 0, "to": "2", "length": 7}]})");
  ASSERT_EQ(file.nodes.size(), 3u);
  EXPECT_EQ(file.nodes[2].name, "2");
  EXPECT_EQ(file.links[0].to, 2u);
  EXPECT_EQ(build_custom(file)->link(0).length, 7u);
}

TEST(network_file, a_port_may_send_to_one_node_and_hear_another) {
  const auto net = build_custom(parsed(with_links(
      R"({"from": "alpha", "to": "beta", "duplex": false, "from_port": "x", "to_port": "x"},
         {"from": "beta", "to": "gamma", "duplex": false, "from_port": "x", "to_port": "x"})")));
  EXPECT_EQ(net->ports(1).size(), 1u);
  EXPECT_NE(net->ports(1)[0].in, no_link);
  EXPECT_NE(net->ports(1)[0].out, no_link);
}

TEST(network_file, refuses_what_is_no_json) {
  EXPECT_EQ(error_in("{\"nodes\": 3,\n \"links\": [}"),
            "file:2: this is not JSON: column 12: syntax error while parsing value - unexpected '}'; "
            "expected '[', '{', or a "
            "literal");
  EXPECT_EQ(error_in("[]"), "file: expected an object {...} with: name, comment, nodes, links, routes");
  EXPECT_THROW(read_network_file("no/such.json"), std::invalid_argument);
  try {
    read_network_file("no/such.json");
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "network file no/such.json cannot be read: No such file or directory");
  }
}

TEST(network_file, refuses_keys_and_values) {
  EXPECT_EQ(error_in(R"({"nodes": 3})"), "file: 'links' is missing");
  EXPECT_EQ(error_in(R"({"nodes": 3, "link": []})"), "file: unknown key 'link'; did you mean 'links'?");
  EXPECT_EQ(error_in(R"({"nodes": 1, "links": []})"),
            "file: nodes: expected a whole number from 2 to 4096, not 1");
  EXPECT_EQ(error_in(R"({"nodes": ["a"], "links": []})"), "file: nodes: expected from 2 to 4096 nodes, not 1");
  std::string names = "\"0\"";
  for (unsigned n = 1; n <= 4096; ++n) names += ",\"" + std::to_string(n) + "\"";
  EXPECT_EQ(error_in(R"({"nodes": [)" + names + R"(], "links": []})"),
            "file: nodes: expected from 2 to 4096 nodes, not 4097");
  EXPECT_EQ(parsed(R"({"nodes": ["a", "b"], "links": []})").nodes.size(), 2u);
  EXPECT_EQ(parsed(R"({"nodes": 4096, "links": []})").nodes.size(), 4096u);
  EXPECT_EQ(error_in(R"({"nodes": 2, "links": {}})"), "file: links: expected a list [...] of links");
  for (const std::string group : {"chiplet 2", "a..b"})
    EXPECT_EQ(error_in(R"({"nodes": ["a", {"name": "b", "group": ")" + group + R"("}], "links": []})"),
              "file: nodes[1].group: expected names of letters, digits and _, with dots between: chiplet_2, not \"" +
                  group + "\"");
  for (const auto& [terminals, said] : {std::pair{"0", "no terminal"}, {"1", "one terminal"}})
    EXPECT_EQ(error_in(R"({"nodes": [{"name": "a", "terminals": 0}, {"name": "b", "terminals": )" +
                       std::string(terminals) + R"(}], "links": [{"from": "a", "to": "b"}]})"),
              "file: " + std::string(said) + "; a network needs at least two");
  EXPECT_EQ(error_in(R"({"nodes": ["a", "a"], "links": []})"), "file: nodes[1]: there is a node 'a' already");
  EXPECT_EQ(error_in(R"({"nodes": ["a", {"name": "b", "position": [1]}], "links": []})"),
            "file: nodes[1].position: expected [x, y] or [x, y, z], not [1]");
  EXPECT_EQ(error_in(R"({"name": "my net", "nodes": 2, "links": []})"),
            "file: name: 'my net'; letters, digits and _ make the name of a module");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha"})")), "file: links[0]: 'to' is missing");
  EXPECT_EQ(error_in(with_links(R"({"form": "alpha", "to": "beta"})")),
            "file: links[0]: unknown key 'form'; did you mean 'from'?");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "btea"})")),
            "file: links[0].to: there is no node 'btea'; did you mean 'beta'?");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": 3})")),
            "file: links[0].to: expected a whole number from 0 to 2, not 3");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta", "delay": 0})")),
            "file: links[0].delay: expected a whole number from 1 to 1000, not 0");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta", "duplex": "no"})")),
            "file: links[0].duplex: expected true or false");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta", "from_port": "x y"})")),
            "file: links[0].from_port: 'x y'; the name of a port has no spaces and none of . , : @ \"");
  for (const char* const name : {"x.y", "x,y", "x:y", "x@y", R"(x\"y)"})
    EXPECT_THAT(error_in(with_links(R"({"from": "alpha", "to": "beta", "to_port": ")" + std::string(name) + R"("})")),
                HasSubstr("the name of a port has no spaces and none of"));
}

TEST(network_file, takes_values_up_to_their_limits) {
  struct limits {
    const char *place, *key;
    unsigned least, most;
  };
  for (const limits& l : std::vector<limits>{{"nodes[0]", "level", 1, 16},
                                             {"nodes[0]", "terminals", 0, 30},
                                             {"nodes[0]", "vcs", 1, 16},
                                             {"nodes[0]", "depth", 1, 64},
                                             {"links[0]", "delay", 1, 1000},
                                             {"links[0]", "width", 1, 65535},
                                             {"links[0]", "length", 1, 65535},
                                             {"links[0]", "level", 1, 16},
                                             {"links[0].from_end", "vcs", 1, 16},
                                             {"links[0].from_end", "depth", 1, 64},
                                             {"links[0].from_end", "width", 1, 65535}}) {
    const std::string place = l.place;
    const auto error_with = [&](long value) {
      const std::string given = ", \"" + std::string(l.key) + "\": " + std::to_string(value);
      const std::string end = place == "links[0].from_end" ? ", \"from_end\": {" + given.substr(2) + "}" : "";
      return error_in(R"({"nodes": [{"name": "a")" + (place == "nodes[0]" ? given : "") +
                      R"(}, "b", "c"], "links": [{"from": "a", "to": "b")" + (place == "links[0]" ? given : end) + "}]}");
    };
    EXPECT_EQ(error_with(l.least), "") << l.key;
    EXPECT_EQ(error_with(l.most), "") << l.key;
    for (const long beyond : {l.least - 1L, l.most + 1L})
      EXPECT_EQ(error_with(beyond), "file: " + place + "." + l.key + ": expected a whole number from " +
                                        std::to_string(l.least) + " to " + std::to_string(l.most) + ", not " +
                                        std::to_string(beyond));
  }
}

TEST(network_file, refuses_links) {
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "alpha"})")),
            "file: links[0]: a link from 'alpha' to itself");
  EXPECT_EQ(
      error_in(with_links(R"({"from": "alpha", "to": "beta"}, {"from": "beta", "to": "alpha"})")),
      "file: links[1]: 'beta' and 'alpha' are linked already; links side by side need names for their ports "
      "(from_port, to_port)");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta"}, {"from": "alpha", "to": "beta", "from_port": "E"})")),
            "file: links[1]: 'alpha' and 'beta' are linked already; links side by side need names for their ports "
            "(from_port, to_port)")
      << "one name says nothing of the other end";
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta", "duplex": false},
                                  {"from": "beta", "to": "alpha", "duplex": false})")),
            "")
      << "one each way";
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta", "duplex": false},
                                  {"from": "alpha", "to": "beta"})")),
            "file: links[1]: 'alpha' and 'beta' are linked already; links side by side need names for their ports "
            "(from_port, to_port)")
      << "one way, then both";
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "beta", "from_port": "x", "to_port": "x"},
                                  {"from": "alpha", "to": "gamma", "from_port": "x"})")),
            "file: links[1]: node 'alpha' has an outgoing link at port 'x' already");
  EXPECT_EQ(error_in(with_links(R"({"from": "alpha", "to": "gamma", "duplex": false, "to_port": "x"},
                                  {"from": "beta", "to": "gamma", "duplex": false, "to_port": "x"})")),
            "file: links[1]: node 'gamma' has an incoming link at port 'x' already");
  std::string star;
  for (unsigned leaf = 1; leaf <= 31; ++leaf)
    star += (leaf == 1 ? "" : ",") + std::string(R"({"from": 0, "to": )") + std::to_string(leaf) + "}";
  EXPECT_EQ(error_in(R"({"nodes": 32, "links": [)" + star + "]}"),
            "file: links[30]: node '0' has no port left; 30 is the most");
  // All ports of a node, those of its terminals included, are at most 31.
  const auto hub_of_three_terminals = [](unsigned leaves) {
    std::string nodes = R"({"name": "hub", "terminals": 3})", links;
    for (unsigned leaf = 1; leaf <= leaves; ++leaf) {
      nodes += ", \"leaf" + std::to_string(leaf) + "\"";
      links += (leaf == 1 ? "" : ",") + std::string(R"({"from": "hub", "to": )") + std::to_string(leaf) + "}";
    }
    return error_in(R"({"nodes": [)" + nodes + R"(], "links": [)" + links + "]}");
  };
  EXPECT_EQ(hub_of_three_terminals(28), "");
  EXPECT_EQ(hub_of_three_terminals(29), "file: links[28]: node 'hub' has no port left; 28 is the most");
}

TEST(network_file, ends_of_a_link_must_agree) {
  const auto ends = [](const std::string& from, const std::string& to, const std::string& more = "") {
    return error_in(with_links(R"({"from": "alpha", "to": "beta", "from_port": "E", "from_end": {)" + from +
                               R"(}, "to_end": {)" + to + "}" + more + "}"));
  };
  EXPECT_EQ(ends(R"("vcs": 4, "depth": 8, "width": 32, "protocol": "credit")",
                 R"("vcs": 4, "depth": 8, "width": 32, "protocol": "credit")"),
            "");
  EXPECT_EQ(ends(R"("vcs": 4)", R"("depth": 8)"), "") << "what one end alone says";
  EXPECT_EQ(
      ends(R"("vcs": 4)", R"("vcs": 2)"),
      "file: links[0]: its ends disagree: vcs 4 at 'alpha' (port E), 2 at 'beta'; expected the same at both");
  EXPECT_EQ(ends(R"("depth": 4)", R"("depth": 8)"),
            "file: links[0]: its ends disagree: depth 4 at 'alpha' (port E), 8 at 'beta'; expected the same "
            "at both");
  EXPECT_EQ(
      ends(R"("width": 64)", R"("width": 32)"),
      "file: links[0]: its ends disagree: width 64 at 'alpha' (port E), 32 at 'beta'; expected the same at "
      "both");
  EXPECT_EQ(ends(R"("protocol": "credit")", R"("protocol": "ready_valid")"),
            "file: links[0]: its ends disagree: protocol credit at 'alpha' (port E), ready_valid at 'beta'; "
            "expected "
            "the same at both");
  EXPECT_EQ(
      ends(R"("width": 64)", "", R"(, "width": 16)"),
      "file: links[0]: between 'alpha' and 'beta': width 64 at an end, 16 of the link; expected the same");
  EXPECT_EQ(ends(R"("pins": 64)", ""),
            "file: links[0].from_end: unknown key 'pins'; known: vcs, depth, width, protocol");
  for (const std::string key : {"vcs", "depth"})
    for (const std::string router : {"a", "b"})
      for (const std::string end : {"from_end", "to_end"}) {
        const auto node = [&](const std::string& name) {
          return R"({"name": ")" + name + (name == router ? "\", \"" + key + "\": 2}" : "\"}");
        };
        EXPECT_EQ(error_in(R"({"nodes": [)" + node("a") + ", " + node("b") +
                           R"(], "links": [{"from": "a", "to": "b", ")" + end + R"(": {")" + key + R"(": 4}}]})"),
                  "file: links[0]: between 'a' and 'b': " + key + " 4 at an end, 2 in the router '" + router +
                      "'; expected the same")
            << end;
      }
  EXPECT_EQ(build_custom(parsed(with_links(R"({"from": "alpha", "to": "beta", "to_end": {"width": 16}},
                                               {"from": "beta", "to": "gamma"})")))
                ->own_values(0)
                .width_bits,
            16u)
      << "the width of an end is the link's";
}

std::vector<std::string> names_made_of(const std::string& nodes,
                                       std::string (netlist::*what)(node_id) const) {
  const auto net = build_custom(parsed(R"({"nodes": [)" + nodes + R"(], "links": [{"from": 0, "to": 1}]})"));
  std::vector<std::string> names;
  for (node_id n = 0; n < net->node_count(); ++n) names.push_back(((*net).*what)(n));
  return names;
}

TEST(network_file, names_stay_and_modules_have_names_like_them) {
  const std::string names =
      R"x("cpu-0", {"name": "hub", "group": "die0"}, "mem.ddr0", "(0, 1)", "7", ".x.")x";
  EXPECT_THAT(names_made_of(names, &netlist::address),
              ElementsAre("cpu-0", "die0.hub", "mem.ddr0", "0_1", "7", "x"));
  EXPECT_THAT(names_made_of(names, &netlist::path),
              ElementsAre("cpu_0", "die0.hub", "mem.ddr0", "n0_1", "n7", "x"));
  EXPECT_THAT(names_made_of(R"("io/pad", "a+b", "_x")", &netlist::address), ElementsAre("io/pad", "a+b", "_x"));
  EXPECT_THAT(names_made_of(R"("io/pad", "a+b", "_x")", &netlist::path), ElementsAre("io_pad", "a_b", "_x"));
  EXPECT_THAT(names_made_of(R"("cpu.1", "cpu.0")", &netlist::address), ElementsAre("cpu.1", "cpu.0"));
  EXPECT_THAT(names_made_of(R"("5", "4")", &netlist::path), ElementsAre("node_0", "node_1"))
      << "numbers only";
  EXPECT_THAT(names_made_of(R"("edge", "io.output", "clk")", &netlist::path),
              ElementsAre("edge_", "io.output_", "clk_"))
      << "words of SystemVerilog and of the network";
  EXPECT_THAT(names_made_of(R"("edge", "io.output", "clk")", &netlist::address),
              ElementsAre("edge", "io.output", "clk"));
  EXPECT_EQ(error_in(R"({"name": "module", "nodes": 2, "links": [{"from": 0, "to": 1}]})"),
            "file: name: 'module' is a word of SystemVerilog; expected another name");
  const auto error = [](const std::string& nodes) {
    return error_in(R"({"nodes": [)" + nodes + R"(], "links": [{"from": 0, "to": 1}]})");
  };
  EXPECT_EQ(
      error(R"("a-b", "a_b")"),
      "file: nodes 'a-b' and 'a_b' would both be the module a_b; expected names that differ in letters, "
      "digits or _");
  EXPECT_THAT(error(R"("cpu", "0")"),
              testing::StartsWith("file: nodes[1]: '0' is the number of another node"));
  EXPECT_EQ(error(R"("cpu", "cpu.core")"), "file: 'cpu' names a node and a group; modules need two names");
  EXPECT_EQ(error(R"("cpu", "cpu.left.core")"), "file: 'cpu' names a node and a group; modules need two names");
}

/// Annex B of IEEE 1800-2017 has 248 keywords.
TEST(network_file, reserved_words_are_those_of_systemverilog_and_of_the_network) {
  const std::vector<std::string> keywords = split(
      "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin "
      "bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking "
      "cmos config const constraint context continue cover covergroup coverpoint cross deassign default defparam "
      "design disable dist do edge else end endcase endchecker endclass endclocking endconfig endfunction "
      "endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram endproperty endsequence "
      "endspecify endtable endtask enum event eventually expect export extends extern final first_match for "
      "force foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone "
      "ignore_bins illegal_bins implements implies import incdir include initial inout input inside instance int "
      "integer interconnect interface intersect join join_any join_none large let liblist library local "
      "localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos "
      "nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive "
      "priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent "
      "pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict "
      "return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared "
      "sequence shortint shortreal showcancelled signed small soft solve specify specparam static string strong "
      "strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this "
      "throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type "
      "typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait "
      "wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor",
      ' ');
  ASSERT_EQ(keywords.size(), 248u);
  for (const std::string& word : keywords) EXPECT_TRUE(is_reserved_word(word)) << word;
  // Ports and signals of a network, of its routers in RTL, and a task of that.
  for (const char* own :
       {"clk", "cycle", "tell_failure", "clk_i", "rst_i", "flit_i", "flit_o", "credit_i", "credit_o"})
    EXPECT_TRUE(is_reserved_word(own)) << own;
  for (const char* other : {"", "Module", "modules", "node_0", "out"}) EXPECT_FALSE(is_reserved_word(other)) << other;
}

TEST(network_file, comments_stay) {
  const auto net = build_custom(parsed(
      R"({"comment": "second draft", "nodes": [{"name": "a", "comment": "hard macro\nof 2024"}, "b", "c"],
          "links": [{"from": "a", "to": "b", "comment": "over the edge"}, {"from": "b", "to": "c"}]})"));
  EXPECT_EQ(net->comment(), "second draft");
  EXPECT_EQ(net->node_comment(0), "hard macro\\nof 2024") << "on one line";
  EXPECT_EQ(net->node_comment(1), "");
  EXPECT_EQ(net->link_comment(0), "over the edge");
  EXPECT_EQ(net->link_comment(1), "over the edge") << "the way back";
  EXPECT_EQ(net->link_comment(2), "");
}

TEST(network_file, comments_stay_where_one_alone_is_noted) {
  const auto with = [](const std::string& of_network, const std::string& of_node, const std::string& of_link) {
    return build_custom(parsed("{" + of_network + R"("nodes": ["a", {"name": "b")" + of_node + R"(}, "c"],
        "links": [{"from": "a", "to": "b", "duplex": false}, {"from": "b", "to": "c")" + of_link + "}]}"));
  };
  EXPECT_EQ(with(R"("comment": "draft", )", "", "")->comment(), "draft");
  EXPECT_EQ(with("", R"(, "comment": "macro")", "")->node_comment(1), "macro");
  const auto net = with("", "", R"(, "comment": "long")");
  EXPECT_EQ(net->link_comment(0), "") << "one way";
  EXPECT_EQ(net->link_comment(1), "long");
  EXPECT_EQ(net->link_comment(2), "long") << "the way back";
  EXPECT_EQ(net->node_comment(1), "");
}

TEST(network_file, lengths_are_those_between_positions_in_a_plane_or_in_space) {
  const auto net = build_custom(parsed(
      R"({"nodes": [{"name": "a", "position": [0, 0, 0]}, {"name": "b", "position": [1, 2, 4]},
                    {"name": "c", "position": [3, 0]}],
          "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "a"}]})"));
  EXPECT_EQ(net->link(0).length, 1u + 2 + 4);
  EXPECT_EQ(net->link(2).length, 2u + 2 + 4);
  EXPECT_EQ(net->link(4).length, 3u);
  ASSERT_EQ(net->positions().size(), 3u);
  EXPECT_EQ(net->positions()[1].x, 1);
  EXPECT_EQ(net->positions()[1].y, 2);
  const auto some = build_custom(parsed(
      R"({"nodes": [{"name": "a", "position": [5, 5]}, "b", {"name": "c", "position": [70005, 5]}],
          "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "a", "from_port": "x", "to_port": "x"},
                    {"from": "a", "to": "c"}]})"));
  EXPECT_EQ(some->link(0).length, 1u) << "b has no position";
  EXPECT_EQ(some->link(2).length, 1u);
  EXPECT_EQ(some->link(4).length, 70000u);
  EXPECT_TRUE(some->positions().empty());
  for (const char* position : {"[0, 0, 0, 0]", R"([0, "0"])", "7"})
    EXPECT_THAT(error_in(R"({"links": [], "nodes": ["a", {"name": "b", "position": )" + std::string(position) + "}]}"),
                HasSubstr("file: nodes[1].position: expected [x, y] or [x, y, z], not "));
  const auto of_position = [](const std::string& position) {
    return error_in(R"({"links": [], "nodes": ["a", {"name": "b", "position": )" + position + "}]}");
  };
  for (const char* position : {"[1e308, 0]", "[0, -1e308]", "[0, 0, 1000000001]"})
    EXPECT_THAT(of_position(position),
                HasSubstr("file: nodes[1].position: expected coordinates from -1000000000 to 1000000000, not "));
  EXPECT_THAT(of_position("[1000000000, -1e9]"), testing::Not(HasSubstr("position")));
}

TEST(network_file, a_link_has_the_higher_level_of_its_nodes_or_its_own) {
  const auto net = build_custom(parsed(
      R"({"nodes": ["a", {"name": "b", "level": 2}, {"name": "c"}],
          "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "level": 1}, {"from": "c", "to": "a"},
                    {"from": "b", "to": "a", "from_port": "x", "to_port": "x"}]})"));
  EXPECT_EQ(net->link(0).level, 2);
  EXPECT_EQ(net->link(1).level, 2);
  EXPECT_EQ(net->link(2).level, 1);
  EXPECT_EQ(net->link(4).level, 1) << "where none is given";
  EXPECT_EQ(net->link(6).level, 2) << "from the higher level to the lower one";
}

TEST(network_file, a_node_may_give_its_depth_or_its_pipeline_alone) {
  const auto with = [](const std::string& of_b) {
    return build_custom(parsed(R"({"links": [{"from": "a", "to": "b"}], "nodes": ["a", {"name": "b")" + of_b + "}]}"));
  };
  EXPECT_FALSE(with("")->has_node_values());
  ASSERT_TRUE(with(R"(, "depth": 3)")->has_node_values());
  EXPECT_EQ(with(R"(, "depth": 3)")->depth_of(1, 8), 3u);
  EXPECT_EQ(with(R"(, "depth": 3)")->depth_of(0, 8), 8u);
  ASSERT_TRUE(with(R"(, "pipeline": "four_stage")")->has_node_values());
  EXPECT_EQ(with(R"(, "pipeline": "four_stage")")->node_values(1).pipeline, "four_stage");
}

TEST(network_file, gaps_in_names_are_one_letter_and_none_beside_a_dot) {
  const std::string names = R"x("a (b) .c", "()")x";
  EXPECT_THAT(names_made_of(names, &netlist::address), ElementsAre("a_b.c", "_"));
  EXPECT_THAT(names_made_of(names, &netlist::path), ElementsAre("a_b.c", "_"));
}

TEST(network_file, long_names_are_shortened_in_messages) {
  for (const std::size_t letters : {200u, 201u}) {
    const std::string name(letters, 'x');
    EXPECT_THAT(error_in(with_links(R"({"from": "alpha", "to": ")" + name + R"("})")),
                HasSubstr("there is no node '" + (letters == 200 ? name : one_line(name, 200)) + "'; "));
  }
  const std::string one = std::string(100, 'x') + "-", other = std::string(100, 'x') + "_";
  EXPECT_THAT(error_in(R"({"nodes": [")" + one + R"(", ")" + other + R"("], "links": [{"from": 0, "to": 1}]})"),
              HasSubstr("file: nodes '" + one_line(one, 100) + "' and '" + one_line(other, 100) + "' would both be"));
}

TEST(network_file, refuses_routes) {
  const auto routes = [](const std::string& text) {
    return R"({"nodes": ["alpha", "beta"], "links": [{"from": "alpha", "to": "beta"}], "routes": )" + text +
           "}";
  };
  EXPECT_EQ(error_in(routes("{}")),
            "file: routes: no route is given; without 'routes' shortest paths are taken");
  EXPECT_EQ(error_in(routes("[]")), R"(file: routes: expected an object of nodes: {"a": {"b": "port"}})");
  EXPECT_EQ(error_in(routes(R"({"alpha": "p0"})")),
            R"(file: routes.alpha: expected an object of destinations: {"b": "port", "*": "port"})");
  for (const char* no_list : {"0", "[]"})
    EXPECT_EQ(error_in(routes(R"({"alpha": {"*": {"port": "p0", "vcs": )" + std::string(no_list) + "}}}")),
              "file: routes.alpha.*.vcs: expected a list of VCs: [0, 1]");
  EXPECT_EQ(error_in(routes(R"({"alhpa": {"*": "p0"}})")),
            "file: routes.alhpa: there is no node 'alhpa'; did you mean 'alpha'?");
  EXPECT_EQ(error_in(routes(R"({"alpha": {"alpha": "p0"}})")),
            "file: routes.alpha.alpha: a route from a node to itself");
  EXPECT_EQ(error_in(routes(R"({"alpha": {"*": {"prot": "p0"}}})")),
            "file: routes.alpha.*: unknown key 'prot'; did you mean 'port'?");
  EXPECT_EQ(error_in(routes(R"({"alpha": {"*": {"port": "p0", "vcs": [16]}}})")),
            "file: routes.alpha.*.vcs[0]: expected a whole number from 0 to 15, not 16");
}

}  // namespace
}  // namespace toriscope
