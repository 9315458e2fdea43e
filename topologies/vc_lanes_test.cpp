// SPDX-License-Identifier: Apache-2.0
#include "topologies/vc_lanes.h"

#include <gmock/gmock.h>

namespace toriscope::vc_lanes_test {
namespace {

TEST(vc_lanes, are_classes_before_they_are_shared_out) {
  const vc_lanes lanes(2, 3, 4);
  for (const std::size_t link : {0u, 1u})
    for (const unsigned c : {0u, 1u, 2u}) EXPECT_EQ(lanes.of(link, c), 1u << c);
}

TEST(vc_lanes, all_vcs_of_a_link_go_to_its_classes) {
  vc_lanes lanes(4, 3, 5);
  lanes.note(0, 0b101);
  lanes.note(1, 0b010);
  lanes.note(2, 0b001);
  lanes.note(2, 0b110);
  lanes.share_out();
  EXPECT_EQ(lanes.of(0, 0), 0b00011);
  EXPECT_EQ(lanes.of(0, 1), 0);
  EXPECT_EQ(lanes.of(0, 2), 0b11100);
  EXPECT_EQ(lanes.of(1, 1), 0b11111);
  for (const unsigned c : {0u, 1u, 2u}) {
    EXPECT_EQ(lanes.of(2, c), vc_class(c, 3, 5));
    EXPECT_EQ(lanes.of(3, c), 0) << "no packet goes there";
  }
}

TEST(vc_lanes, alike) {
  vc_lanes lanes(2, 3, 4);
  lanes.note(0, 0b001);
  lanes.share_out_alike();
  for (const std::size_t link : {0u, 1u})
    for (const unsigned c : {0u, 1u, 2u}) EXPECT_EQ(lanes.of(link, c), vc_class(c, 3, 4));
}

TEST(vc_lanes, a_rule_has_a_vc_for_each_class) { EXPECT_THROW(vc_lanes(2, 3, 2), std::invalid_argument); }

}  // namespace
}  // namespace toriscope::vc_lanes_test
