// SPDX-License-Identifier: Apache-2.0
// The wires of a butterfly of two stages of two switches, by hand: links from stage to stage, terminals that send into
// the first stage and receive from the last.
#include "topologies/wire_place.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "topologies/registry.h"

namespace toriscope::wire_place_test {
namespace {

TEST(wire_place, names_links_then_injections_then_ejections) {
  const auto net = make_topology("butterfly:2,2").wiring;
  ASSERT_EQ(wire_count(*net), 12u);
  std::vector<std::string> names;
  for (wire_id w = 0; w < 12; ++w) names.push_back(wire_name(*net, w));
  EXPECT_THAT(names, testing::ElementsAre("0.0 p0 -> 1.0", "0.0 p1 -> 1.1", "0.1 p0 -> 1.0", "0.1 p1 -> 1.1",
                                          "0.0 local0 in", "0.0 local1 in", "0.1 local0 in", "0.1 local1 in",
                                          "1.0 local0 out", "1.0 local1 out", "1.1 local0 out", "1.1 local1 out"));
  EXPECT_EQ(injection_wire(*net, 3), 7u);
  EXPECT_EQ(ejection_wire(*net, 3), 11u);
  EXPECT_EQ(error_of<std::out_of_range>([&] { wire_at(*net, 12); }), "wire 12");
  EXPECT_STREQ(to_string(wire_kind::inter_router), "link");
  EXPECT_STREQ(to_string(wire_kind::injection), "injection");
  EXPECT_STREQ(to_string(wire_kind::ejection), "ejection");
}

TEST(wire_place, of_a_wire_has_its_nodes_its_port_and_its_terminal) {
  const auto net = make_topology("butterfly:2,2").wiring;
  net->link(2).flit_cycles = 7;
  const wire_place link = wire_at(*net, 2), in = wire_at(*net, 5), out = wire_at(*net, 10);
  EXPECT_EQ(link.what, wire_kind::inter_router);
  EXPECT_EQ(link.from, 1u);
  EXPECT_EQ(link.to, 2u);
  EXPECT_EQ(link.from_port, 0);
  EXPECT_EQ(link.terminal, no_terminal);
  EXPECT_EQ(link.flit_cycles, 7u);
  EXPECT_EQ(in.what, wire_kind::injection);
  EXPECT_EQ(in.from, 0u);
  EXPECT_EQ(in.to, 0u);
  EXPECT_EQ(in.from_port, 3);
  EXPECT_EQ(in.terminal, 1u);
  EXPECT_EQ(in.flit_cycles, 1u);
  EXPECT_EQ(out.what, wire_kind::ejection);
  EXPECT_EQ(out.from, 3u);
  EXPECT_EQ(out.to, 3u);
  EXPECT_EQ(out.from_port, 2);
  EXPECT_EQ(out.terminal, 2u);
  EXPECT_EQ(out.flit_cycles, 1u);
}

TEST(wire_place, leads_into_or_out_of_a_port_or_there_is_none) {
  const auto net = make_topology("butterfly:2,2").wiring;
  std::vector<wire_id> into, out_of;
  for (const node_id node : {0u, 2u})
    for (port_id p = 0; p < 4; ++p) {
      into.push_back(wire_into(*net, node, p));
      out_of.push_back(wire_out_of(*net, node, p));
    }
  EXPECT_THAT(into, testing::ElementsAre(no_wire, no_wire, 4, 5, 0, 2, no_wire, no_wire));
  EXPECT_THAT(out_of, testing::ElementsAre(0, 1, no_wire, no_wire, no_wire, no_wire, 8, 9));
}

}  // namespace
}  // namespace toriscope::wire_place_test
