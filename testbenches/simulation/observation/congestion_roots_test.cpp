// SPDX-License-Identifier: Apache-2.0
// Where waits have their root, of waits that are told by hand.
#include "testbenches/simulation/observation/congestion_roots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "topologies/registry.h"

namespace toriscope::congestion_roots_test {
namespace {

using testing::ElementsAre;

/// A line of four nodes with three VCs.
class congestion_roots_test : public testing::Test {
 protected:
  port_id port(node_id n, const std::string& name) const {
    return name == "local" ? line_.wiring->local_port(n) : line_.wiring->port_named(n, name);
  }
  wire_id link(node_id n, const char* name) const { return wire_out_of(*line_.wiring, n, port(n, name)); }
  /// A flit of input VC (in, v) of node n waits for its output port, and lacks one of these VCs behind it.
  void wait(node_id n, const char* in, unsigned v, const char* out, std::initializer_list<unsigned> lacked,
            cycle_t now) {
    vc_set set;
    for (const unsigned vc : lacked) set.add(vc);
    roots_.of_router(n).add(port(n, in), v, port(n, out), set, now);
  }

  const topology line_ = make_topology("mesh:1x4");
  congestion_roots roots_{*line_.wiring, 3, 0, 1000};
};

TEST_F(congestion_roots_test, a_flit_that_lost_to_another_waits_for_the_link_itself) {
  wait(1, "x-", 2, "x+", {}, 10);
  wait(1, "local", 0, "x+", {}, 10);
  wait(1, "x+", 0, "local", {}, 11);
  EXPECT_EQ(roots_.waits_for(link(1, "x+")), 2u);
  EXPECT_EQ(roots_.waits_for(ejection_wire(*line_.wiring, 1)), 1u);
  EXPECT_EQ(roots_.all_waits(), 3u);
}

TEST_F(congestion_roots_test, a_flit_that_lacks_a_vc_waits_for_what_the_flit_in_it_waited_for_a_cycle_ago) {
  for (const cycle_t begin : {10u, 13u}) {
    wait(2, "x-", 1, "local", {}, begin);
    wait(1, "local", 2, "x+", {1}, begin + 1);
    wait(1, "x-", 0, "x+", {0, 1, 2}, begin + 1);  // only the second has waited
    wait(0, "local", 0, "x+", {0}, begin + 2);     // for that flit
  }
  EXPECT_EQ(roots_.waits_for(ejection_wire(*line_.wiring, 2)), 2u * 4);
  EXPECT_EQ(roots_.waits_for(link(0, "x+")), 0u);
  EXPECT_EQ(roots_.all_waits(), 2u * 4);
}

TEST_F(congestion_roots_test, where_the_flit_in_the_vc_has_moved_on_the_credit_is_on_its_way) {
  wait(2, "x-", 1, "x+", {}, 10);
  wait(1, "x-", 1, "x+", {1}, 12);
  wait(1, "x-", 1, "x+", {1}, 10);  // in the same cycle it is not known yet
  EXPECT_EQ(roots_.waits_for(link(2, "x+")), 1u);
  EXPECT_EQ(roots_.waits_for(link(1, "x+")), 2u);
}

TEST_F(congestion_roots_test, the_largest_come_first_and_of_equal_ones_the_first) {
  const wire_id a = link(0, "x+"), b = link(1, "x+"), c = link(2, "x+"), d = ejection_wire(*line_.wiring, 0);
  EXPECT_THAT(roots_.largest(9), ElementsAre());
  EXPECT_EQ(roots_.all_waits(), 0u);
  for (const cycle_t now : {5u, 6u}) wait(2, "local", 0, "x+", {}, now);
  wait(1, "local", 0, "x+", {}, 5);
  for (const cycle_t now : {7u, 8u, 9u}) wait(0, "x+", 0, "local", {}, now);
  wait(0, "local", 0, "x+", {}, 5);
  EXPECT_THAT(roots_.largest(9), ElementsAre(d, c, std::min(a, b), std::max(a, b)));
  EXPECT_THAT(roots_.largest(3), ElementsAre(d, c, std::min(a, b)));
  EXPECT_THAT(roots_.largest(0), ElementsAre());
  EXPECT_THAT(roots_.largest(100), ElementsAre(d, c, std::min(a, b), std::max(a, b)));
}

}  // namespace
}  // namespace toriscope::congestion_roots_test
