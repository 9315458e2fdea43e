// SPDX-License-Identifier: Apache-2.0
// `toriscope explain --json`: the hops of packets are those of the network, one behind the other.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "testbenches/program/program_process.h"
#include "topologies/registry.h"

namespace toriscope {
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

}  // namespace
}  // namespace toriscope
