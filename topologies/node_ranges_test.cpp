// SPDX-License-Identifier: Apache-2.0
#include "topologies/node_ranges.h"

#include <gmock/gmock.h>

#include <vector>

#include "topologies/registry.h"

namespace toriscope::node_ranges_test {
namespace {

std::vector<node_id> first_nodes(const char* spec, unsigned count) {
  const topology t = make_topology(spec);
  const node_ranges ranges(*t.wiring, count);
  std::vector<node_id> first;
  for (unsigned i = 0; i < ranges.count(); ++i) first.push_back(ranges.first(i));
  for (node_id n = 0; n < t.wiring->node_count(); ++n) {
    const unsigned range = ranges.of(n);
    EXPECT_LE(ranges.first(range), n);
    if (range + 1 < ranges.count()) {
      EXPECT_LT(n, ranges.first(range + 1));
    }
  }
  return first;
}

TEST(node_ranges, begin_where_modules_do) {
  using testing::ElementsAre;
  EXPECT_THAT(first_nodes("torus:8x8", 1), ElementsAre(0));
  EXPECT_THAT(first_nodes("torus:8x8", 2), ElementsAre(0, 32)) << "rows 0, 4";
  EXPECT_THAT(first_nodes("torus:8x8", 3), ElementsAre(0, 24, 48)) << "rows 0, 3, 6: 24 nodes, 21.3 on average";
  EXPECT_THAT(first_nodes("mesh:5x5", 3), ElementsAre(0, 10, 20)) << "10 nodes: a fifth more than 8.3";
  EXPECT_THAT(first_nodes("ttn:2,2,0", 3), ElementsAre(0, 96, 176)) << "basic modules 0, 6, 11 of 16";
}

TEST(node_ranges, begin_anywhere_where_modules_are_not_even) {
  EXPECT_THAT(first_nodes("torus:8x8", 5), testing::ElementsAre(0, 13, 26, 39, 52)) << "two rows are 16, not 12.8";
}

TEST(node_ranges, are_no_more_than_nodes) { EXPECT_THAT(first_nodes("mesh:2x1", 5), testing::ElementsAre(0, 1)); }

}  // namespace
}  // namespace toriscope::node_ranges_test
