// SPDX-License-Identifier: Apache-2.0
// Routing functions made for other VCs, or other message classes, than a network has.
#include "topologies/routing_fit.h"

#include <gtest/gtest.h>

#include "topologies/narrow_routers.h"
#include "topologies/registry.h"

namespace toriscope::routing_fit_test {
namespace {

topology mesh_for(unsigned vcs, unsigned classes) {
  topology_options options;
  options.vcs = vcs;
  options.message_classes = classes;
  return make_topology("mesh:2x2", options);
}

std::string words(unsigned made_for, unsigned there, const std::string& of_what) {
  return "the routing function was made for " + std::to_string(made_for) +
         " VCs in a message class, the network has " + std::to_string(there) + " (" + of_what +
         " with VCs of their own); topology_options and network_config must agree on vcs and message_classes";
}

TEST(routing_fit, names_the_vcs_of_both) {
  const auto misfit = [](unsigned made_for, unsigned its_classes, unsigned vcs, unsigned classes) {
    const topology t = mesh_for(made_for, its_classes);
    return routing_misfit(*t.wiring, *t.routing, vcs, classes);
  };
  EXPECT_EQ(misfit(4, 1, 4, 1), "");
  EXPECT_EQ(misfit(4, 2, 4, 2), "");
  EXPECT_EQ(misfit(4, 2, 4, 1), "") << "a class does with its half";
  EXPECT_EQ(misfit(2, 1, 4, 1), words(2, 4, "4 VCs, 1 message class")) << "VCs 2 and 3 would idle";
  EXPECT_EQ(misfit(4, 1, 2, 1), words(4, 2, "2 VCs, 1 message class"));
  EXPECT_EQ(misfit(4, 1, 4, 2), words(4, 2, "4 VCs, 2 message classes"));
  EXPECT_EQ(misfit(4, 2, 6, 2), words(2, 3, "6 VCs, 2 message classes")) << "VC 3 is of the class before";
}

TEST(routing_fit, looks_at_the_router_where_terminal_0_leaves) {
  const topology t = mesh_for(4, 1);
  t.wiring->set_node_values({{2, 0, ""}, {}, {}, {}});
  EXPECT_EQ(routing_misfit(*t.wiring, *fit_to_routers(t.wiring, t.routing, 4), 4, 1), "");
  EXPECT_EQ(routing_misfit(*t.wiring, *t.routing, 4, 1), words(4, 2, "4 VCs, 1 message class"));
}

}  // namespace
}  // namespace toriscope::routing_fit_test
