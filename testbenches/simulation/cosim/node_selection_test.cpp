// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/cosim/node_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error_of_test.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::ElementsAre;

const netlist& torus() {
  static const topology made = make_topology("torus:4x4");
  return *made.wiring;
}

std::string refusal(const std::string& patterns) {
  return error_of<std::invalid_argument>([&] { select_nodes(torus(), patterns); });
}

TEST(node_selection, is_by_number_address_and_name) {
  EXPECT_THAT(select_nodes(torus(), "6"), ElementsAre(6));
  EXPECT_THAT(select_nodes(torus(), "torus.node_1_2"), ElementsAre(6));
  EXPECT_THAT(select_nodes(torus(), "torus.node_1_*,,15,torus.node_1_2"), ElementsAre(4, 5, 6, 7, 15));
  EXPECT_THAT(select_nodes(torus(), "*"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_THAT(select_nodes(torus(), "15,0,torus.node_0_0"), ElementsAre(0, 15));
}

TEST(node_selection, refuses_what_means_no_node) {
  for (const char* nothing : {"", ",", ",,"})
    EXPECT_EQ(refusal(nothing), "no node is named: patterns are like 'torus.node_0_0' or '*'") << nothing;
  EXPECT_THAT(refusal("*,torus.node_1_4"),
              testing::StartsWith("no node of torus matches 'torus.node_1_4'; the nearest names are torus.node_1_"));
  EXPECT_EQ(refusal("torus.node_0_9"),
            "no node of torus matches 'torus.node_0_9'; the nearest names are torus.node_0_0, torus.node_0_1, "
            "torus.node_0_2");
  EXPECT_THAT(refusal("torus.node_0_0_"), testing::EndsWith(" are torus.node_0_0, torus.node_0_1, torus.node_0_2"))
      << "each once";
  EXPECT_THAT(refusal("torus.node_3_9"), testing::EndsWith("torus.node_3_0, torus.node_3_1, torus.node_3_2"));
  EXPECT_THAT(refusal("16"), testing::HasSubstr("16"));
}

}  // namespace
}  // namespace toriscope
