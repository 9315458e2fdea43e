// SPDX-License-Identifier: Apache-2.0
// Routing where some routers have fewer VCs, and routes that lead nowhere.
#include "topologies/narrow_routers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of_test.h"
#include "topologies/path.h"
#include "topologies/registry.h"

namespace toriscope::narrow_routers_test {
namespace {

/// Answers as it is told to, and unlike any default.
struct told_routing final : routing_function {
  unsigned route(const route_request&, route_option* options) const override {
    ++asked;
    options[0] = answer;
    return count;
  }
  unsigned state_bits() const override { return 3; }
  route_state injection_states() const override { return 5; }
  bool takes_states_in_turn() const override { return true; }
  unsigned options_at_most() const override { return 2; }
  bool compares_queues() const override { return true; }
  void weigh(const route_request& request, unsigned options, unsigned* weights) const override {
    weights[0] = request.node + options;
  }
  vc_mask escape_vcs() const override { return 6; }

  route_option answer{0, 15, 0};
  unsigned count = 1;
  mutable unsigned asked = 0;
};

// Node 1 has two VCs, the others four.
TEST(fit_to_routers, leaves_all_but_the_vcs_of_narrow_routers) {
  const topology made = make_topology("mesh:3x1");
  made.wiring->set_node_values({{}, {2, 0, ""}, {}});
  const auto inner = std::make_shared<told_routing>();
  const auto fitted = fit_to_routers(made.wiring, inner, 4);
  EXPECT_EQ(fitted->state_bits(), 3u);
  EXPECT_EQ(fitted->injection_states(), 5u);
  EXPECT_TRUE(fitted->takes_states_in_turn());
  EXPECT_EQ(fitted->options_at_most(), 2u);
  EXPECT_TRUE(fitted->compares_queues());
  EXPECT_EQ(fitted->escape_vcs(), 6u);
  unsigned weight = 0;
  fitted->weigh({2, 0, 0, 0, 0}, 7, &weight);
  EXPECT_EQ(weight, 9u);
  const auto vcs = [&](node_id node, port_id port) {
    route_option options[routing_function::max_options];
    inner->answer.out_port = port;
    options[1] = {0, 0xff, 0};
    EXPECT_EQ(fitted->route({node, 0, 0, 0, 0}, options), 1u);
    EXPECT_EQ(options[1].vcs, 0xff) << "it is none of the options";
    EXPECT_EQ(options[0].out_port, port);
    return options[0].vcs;
  };
  EXPECT_EQ(vcs(0, 0), 3u) << "to node 1";
  EXPECT_EQ(vcs(0, made.wiring->local_port(0)), 15u);
  EXPECT_EQ(vcs(1, 0), 15u) << "from node 1";
  EXPECT_EQ(vcs(1, made.wiring->local_port(1)), 3u) << "the interface has the VCs of its router";
  EXPECT_EQ(vcs(2, 0), 3u);
}

TEST(fit_to_routers, is_the_routing_itself_where_all_are_alike) {
  const topology made = make_topology("mesh:3x1");
  EXPECT_EQ(fit_to_routers(made.wiring, made.routing, 4), made.routing);
  made.wiring->set_node_values({{}, {4, 0, ""}, {}});
  EXPECT_EQ(fit_to_routers(made.wiring, made.routing, 4), made.routing);
  made.wiring->set_node_values({{2, 0, ""}, {}, {}});
  EXPECT_NE(fit_to_routers(made.wiring, made.routing, 4), made.routing);
}

// From node 0 of a line of three, whose one link has port 0 and whose local port is 1.
TEST(walk, says_where_a_route_is_broken) {
  const topology made = make_topology("mesh:3x1");
  told_routing routing;
  const auto error = [&](unsigned count, route_option answer) {
    routing.count = count;
    routing.answer = answer;
    return error_of<std::logic_error>([&] { walk(*made.wiring, routing, 0, 2, 4); });
  };
  EXPECT_EQ(error(0, {0, 1, 0}), "route 00 -> 20 at 00: 0 options");
  EXPECT_EQ(error(3, {0, 1, 0}), "route 00 -> 20 at 00: 3 options");
  EXPECT_EQ(error(1, {0, 0, 0}), "route 00 -> 20 at 00: no such VC");
  EXPECT_EQ(error(1, {0, 16, 0}), "route 00 -> 20 at 00: no such VC");
  EXPECT_EQ(error(1, {2, 1, 0}), "route 00 -> 20 at 00: there is no port 2");
  EXPECT_EQ(error(1, {1, 1, 0}), "route 00 -> 20 at 00: leaves the network there");
  EXPECT_EQ(error(1, {0, 1, 8}), "route 00 -> 20 at 00: a state beyond its bits");
  EXPECT_THAT(error(1, {0, 1, 7}), testing::EndsWith(": never arrives"));
}

/// Up and down between nodes 1 and 2, over 4 links with 4 VCs in 8 states.
TEST(walk, ends_where_a_head_may_have_been_everywhere_in_every_state) {
  const topology made = make_topology("mesh:3x1");
  told_routing routing;
  routing.answer = {0, 1, 0};
  EXPECT_THAT(error_of<std::logic_error>([&] { walk(*made.wiring, routing, 0, 2, 4); }),
              testing::EndsWith(": never arrives"));
  EXPECT_EQ(routing.asked, 4 * 4 * 8 + 1u);
}

/// On along a line as long as the state is 0; out at once in any other.
struct on_in_state_0 final : routing_function {
  explicit on_in_state_0(const netlist& line) : net(line) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const bool on = request.state == 0 && request.node != request.destination;
    options[0] = {on ? port_id{0} : net.local_port(request.node), 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 1; }
  const netlist& net;
};

TEST(walk, begins_in_state_0_unless_another_was_drawn) {
  const topology made = make_topology("mesh:3x1");
  const on_in_state_0 routing(*made.wiring);
  EXPECT_EQ(walk(*made.wiring, routing, 0, 2, 1).size(), 2u);
  EXPECT_EQ(routed_distance(*made.wiring, routing, 0, 2, 1), 2u);
  for (const bool counted : {false, true})
    EXPECT_EQ(error_of<std::logic_error>([&] {
                if (counted)
                  routed_distance(*made.wiring, routing, 0, 2, 1, 1);
                else
                  walk(*made.wiring, routing, 0, 2, 1, 1);
              }),
              "route 00 -> 20 at 00: leaves the network there");
}

TEST(measure_routes, of_one_node_and_of_a_line_of_three) {
  netlist one("one", {1}, {{"node", 1}});
  one.add_node(std::vector<std::string_view>{});
  told_routing stays;
  stays.answer = {one.local_port(0), 1, 0};
  const routed_distances none = measure_routes(one, stays, 4);
  EXPECT_EQ(none.diameter, 0u);
  EXPECT_EQ(none.total, 0u);
  EXPECT_EQ(none.mean_all, 0);
  EXPECT_EQ(none.mean_distinct, 0);
  const topology line = make_topology("mesh:3x1");
  const routed_distances found = measure_routes(*line.wiring, *line.routing, 4);
  EXPECT_EQ(found.diameter, 2u);
  EXPECT_EQ(found.total, 4 * 1 + 2 * 2u);
  EXPECT_DOUBLE_EQ(found.mean_all, 8. / 9);
  EXPECT_DOUBLE_EQ(found.mean_distinct, 8. / 6);
}

}  // namespace
}  // namespace toriscope::narrow_routers_test
