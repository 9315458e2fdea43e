// SPDX-License-Identifier: Apache-2.0
// The route units that compute (sv/route_cube.sv, sv/route_ttn.sv) give the answers of the routing function, to every
// request that any packet can make of any node: to each (router, input port, VC, destination, route state) that comes
// about. In Icarus Verilog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <ostream>
#include <random>
#include <set>

#include "base/bits_for.h"
#include "base/test_file.h"
#include "rtl_models/packet_walk.h"
#include "rtl_models/route_table.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/rtl_sources.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

struct computed_network {
  const char* spec;
  unsigned vcs;
  const char *rule, *ties, *links, *routing;
  unsigned step = 1;  ///< of the destinations that are looked at; 0: a few packets alone
};
std::ostream& operator<<(std::ostream& out, const computed_network& c) {
  return out << c.spec << " vcs " << c.vcs << ' ' << c.rule << ' ' << c.ties << ' ' << c.links << ' ' << c.routing;
}

topology make(const computed_network& c) {
  topology_options options;
  options.vcs = c.vcs;
  if (*c.rule) options.vc_rule = c.rule;
  if (*c.ties) options.ties = c.ties;
  if (*c.links) options.links = c.links;
  if (*c.routing) options.routing = c.routing;
  return make_topology(c.spec, options);
}

/// What a command prints.
std::string output_of(const std::string& command) {
  std::string text;
  std::array<char, 256> part{};
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
  pclose(pipe);
  return text;
}

/// Parameters out of their ranges, each of a router of its own; and what is just within them.
TEST(router_parameters, are_what_they_may_be) {
  const std::string few = ".VCS(1), .DEPTH(1), .DST_BITS(1), .STATE_BITS(0)";
  const std::vector<std::string> wrong = {
      ".PORTS(1), " + few,
      ".PORTS(33), " + few,
      ".LOCAL_PORTS(-1), " + few,
      ".PORTS(2), .LOCAL_PORTS(3), " + few,
      ".VCS(0)",
      ".VCS(17)",
      ".VCS(2), .IN_VCS(0)",
      ".VCS(2), .IN_VCS(3)",
      ".DEPTH(0)",
      ".DEPTH(65)",
      ".OUT_DEPTH(-1)",
      ".OUT_DEPTH(65)",
      ".DST_BITS(0)",
      ".STATE_BITS(-1)",
      ".OPTIONS(0)",
  };
  std::vector<std::string> all = wrong;
  for (const std::string within : {".PORTS(2), .LOCAL_PORTS(0), ", ".PORTS(32), .LOCAL_PORTS(32), "})
    all.push_back(within + few);
  all.insert(all.end(), {".VCS(16), .DEPTH(2)", ".VCS(1), .DEPTH(64), .OUT_DEPTH(64)"});
  const std::string top = test_file("top.sv");
  std::ofstream file(top);
  file << "module top;\n";
  for (std::size_t i = 0; i < all.size(); ++i) file << "  router #(" << all[i] << ") r" << i << " ();\n";
  file << "endmodule\n";
  file.close();
  std::string sources;
  for (const std::string& source : rtl_router_sources()) sources += source + ' ';
  EXPECT_THAT(output_of(TORISCOPE_IVERILOG " -g2012 -t null -s top " + sources + top),
              testing::HasSubstr("parameter_of_router_is_out_of_range referenced " +
                                 std::to_string(wrong.size()) + " times.\n"));
}

class route_arithmetic_test : public testing::TestWithParam<computed_network> {};

TEST_P(route_arithmetic_test, answers_every_request_as_the_routing_function) {
  const topology made = make(GetParam());
  const route_arithmetic arithmetic = made.routing->arithmetic();
  ASSERT_NE(arithmetic.unit, route_arithmetic::none) << arithmetic.obstacle;
  const flit_layout layout(made.wiring->terminal_count(), made.routing->state_bits());
  std::vector<node_id> nodes(made.wiring->node_count());
  std::iota(nodes.begin(), nodes.end(), node_id{0});
  router_config config;
  config.vcs = GetParam().vcs;
  rtl_parameters rtl;
  if (GetParam().step > 0) {
    rtl = route_tables(*made.wiring, *made.routing, layout, config.vcs, nodes).parameters(config, false, 0);
  } else {  // tables of 65,536 nodes take long
    rtl.ports = 0;
    for (const node_id n : nodes) rtl.ports = std::max(rtl.ports, made.wiring->port_count(n));
    rtl.vcs = config.vcs;
    rtl.destination_bits = bits_for(made.wiring->terminal_count());
    rtl.state_bits = made.routing->state_bits();
  }

  const std::string requests = test_file("requests.txt"), constants = test_file("route_unit_constants.svh");
  std::ofstream(constants) << "localparam int Unit = " << arithmetic.unit << ", Ports = " << rtl.ports
                           << ", Vcs = " << rtl.vcs << ", DstBits = " << rtl.destination_bits
                           << ", StateBits = " << rtl.state_bits << ";\nlocalparam logic [511:0] Network = "
                           << to_verilog(arithmetic) << ";\n";
  std::ofstream file(requests);
  file << std::hex;
  std::size_t count = 0;
  const bool by_vc = arithmetic.unit == route_arithmetic::cube;  // whether the unit knows it
  std::set<std::uint64_t> asked;
  const auto ask = [&](const route_request& r, const route_option* options, unsigned) {
      const unsigned port_bits = bits_for(rtl.ports);
      const std::uint64_t answer = (options->state << rtl.vcs | options->vcs) << port_bits |
                                   port_of_rtl(*made.wiring, r.node, options->out_port, rtl);
      const std::uint64_t asks = std::uint64_t{r.state << rtl.destination_bits | r.destination} << 24 |
                                 std::uint64_t{r.node} << 5 | r.in_port;
      if (!by_vc && !asked.insert(asks << 16 | answer).second) return;
      file << r.node << ' ' << +port_of_rtl(*made.wiring, r.node, r.in_port, rtl) << ' ' << +r.in_vc << ' '
           << (r.state << rtl.destination_bits | r.destination) << ' '
           << answer << '\n';
      ++count;
  };
  if (GetParam().step > 0) {
    packet_walk packets(*made.wiring, *made.routing, rtl.vcs);
    for (terminal_id to = 0; to < made.wiring->terminal_count(); to += GetParam().step) packets.follow_to(to, ask);
  }
  std::mt19937 random(1);
  for (unsigned packet = 0; GetParam().step == 0 && packet < 200; ++packet) {
    const auto drawn = [&] { return static_cast<node_id>(random() % nodes.size()); };
    route_request at{drawn(), 0, 0, drawn(), 0};
    at.in_port = made.wiring->local_port(at.node);
    for (;;) {
      std::array<route_option, routing_function::max_options> options{};
      ask(at, options.data(), made.routing->route(at, options.data()));
      if (at.node == at.destination) break;
      const netlist_link& wire = made.wiring->link(made.wiring->ports(at.node)[options[0].out_port].out);
      const auto vc = static_cast<std::uint8_t>(__builtin_ctz(options[0].vcs));
      at = {wire.to, wire.to_port, vc, at.destination, options[0].state};
    }
  }
  file.close();

  const std::string sources = TORISCOPE_RTL_MODELS "/sv/route_cube.sv " TORISCOPE_RTL_MODELS
                              "/sv/route_ttn.sv " TORISCOPE_RTL_MODELS "/route_unit_tb.sv";
  const std::string program = test_file("route_unit_tb.vvp");
  const std::string directory = constants.substr(0, constants.rfind('/'));
  EXPECT_EQ(output_of(TORISCOPE_IVERILOG " -g2012 -I " + directory + " -s route_unit_tb -o " + program + ' ' +
                      sources + " && vvp -n " + program + " +requests=" + requests),
            "PASS " + std::to_string(count) + " requests\n");
}

const computed_network networks[] = {
    {"mesh:4x4", 2, "", "", "", ""},
    {"mesh:3x8", 1, "", "", "", "xy"},
    {"mesh:5x2x4", 3, "", "", "", ""},
    {"torus:4x4", 2, "balanced", "balanced", "", ""},
    {"torus:8x8", 4, "balanced", "balanced", "", ""},
    {"torus:5x4", 3, "balanced", "nowrap", "", "xy"},
    {"torus:3x8", 3, "dateline", "positive", "", ""},
    {"torus:4x2x4", 2, "dateline", "balanced", "", "xy"},
    {"torus:7x8", 4, "wrapping", "nowrap", "", ""},
    {"torus:2x2", 1, "", "", "", ""},
    {"ucube:4,2", 2, "balanced", "", "", ""},
    {"hypercube:5", 2, "", "", "", ""},
    {"ring:6", 2, "dateline", "balanced", "", ""},
    {"ring:300", 2, "dateline", "balanced", "", "", 149},  // a radix of more than eight bits
    {"hypercube:8", 2, "", "", "", "", 0},                 // as many dimensions as take four bits
    {"torus:1x4", 2, "dateline", "balanced", "", ""},      // a dimension without a digit
    {"ttn:2,2,0", 2, "", "", "", "", 23},
    {"ttn:2,2,0", 4, "paper", "positive", "U", "", 23},
    {"ttn:2,2,0", 4, "C", "positive", "B", "", 23},
    {"ttn:2,4,0", 4, "F", "nowrap", "B", "",
     0},  // from Level 4 on packets move in a BM between two hops of a ring
};
INSTANTIATE_TEST_SUITE_P(networks, route_arithmetic_test, testing::ValuesIn(networks));

const computed_network large_networks[] = {
    {"ttn:2,2,0", 2, "", "", "", ""},
    {"ttn:2,2,0", 4, "paper", "positive", "U", ""},
    {"ttn:2,2,0", 4, "C", "positive", "B", ""},
    {"ttn:2,2,0", 3, "D3", "nowrap", "B", ""},
    {"ttn:2,2,0", 5, "E", "nowrap", "U", ""},
    {"ttn:2,2,0", 4, "G", "nowrap", "B", ""},
    {"ttn:2,3,0", 4, "", "nowrap", "U", "", 997},
    {"torus:32x32", 4, "", "", "", ""},
};
INSTANTIATE_TEST_SUITE_P(long_networks, route_arithmetic_test, testing::ValuesIn(large_networks));

TEST(route_arithmetic, what_has_none_says_why) {
  const auto obstacle = [](const computed_network& c) { return make(c).routing->arithmetic().obstacle; };
  EXPECT_EQ(obstacle({"torus:4x6", 2, "", "", "", ""}),
            "all sizes but the first number of the topology must be powers of two; x has 6");
  EXPECT_EQ(obstacle({"cube:2,15", 2, "", "", "", ""}), "");
  EXPECT_EQ(obstacle({"cube:2,16", 2, "", "", "", ""}), "it has at most 15 dimensions");
  EXPECT_EQ(obstacle({"ttn:2,2,1", 4, "", "", "", ""}), "of TTN, TESH and STTN only TTN(2,L,0) has one");
  EXPECT_EQ(obstacle({"fattree:3,2", 2, "", "", "", ""}),
            "dimension order in a mesh, torus or cube, and a TTN with q = 0 have one");
}

}  // namespace
}  // namespace toriscope
