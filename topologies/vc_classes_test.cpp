// SPDX-License-Identifier: Apache-2.0
#include "topologies/vc_classes.h"

#include <gmock/gmock.h>

namespace toriscope::vc_classes_test {
namespace {

TEST(vc_classes, known_shares) {
  EXPECT_EQ(vc_class(0, 1, 4), 0b1111);
  EXPECT_EQ(vc_class(0, 2, 4), 0b0011);
  EXPECT_EQ(vc_class(1, 2, 4), 0b1100);
  EXPECT_EQ(vc_class(0, 2, 3), 0b001);
  EXPECT_EQ(vc_class(1, 2, 3), 0b110);
  EXPECT_EQ(vc_class(0, 3, 4), 0b0001);
  EXPECT_EQ(vc_class(1, 3, 4), 0b0010);
  EXPECT_EQ(vc_class(2, 3, 4), 0b1100);
  EXPECT_EQ(vc_class(0, 1, 16), 0xffff);
  EXPECT_EQ(vc_class(15, 16, 16), 0x8000);
}

TEST(vc_classes, share_no_vc_and_leave_none_out) {
  for (unsigned vcs = 1; vcs <= max_vcs; ++vcs)
    for (unsigned classes = 1; classes <= vcs; ++classes) {
      unsigned all = 0;
      for (unsigned c = 0; c < classes; ++c) {
        const unsigned mask = vc_class(c, classes, vcs);
        const int size = __builtin_popcount(mask);
        EXPECT_EQ(all & mask, 0u);
        EXPECT_TRUE(mask > all) << "classes are not in order";
        EXPECT_GE(size, static_cast<int>(vcs / classes));
        EXPECT_LE(size, static_cast<int>((vcs + classes - 1) / classes));
        all |= mask;
      }
      EXPECT_EQ(all, (1u << vcs) - 1);
    }
}

TEST(vc_classes, refuse) {
  EXPECT_THAT([] { vc_class(0, 3, 2); }, testing::ThrowsMessage<std::invalid_argument>(
                                             "a VC rule with 3 classes needs at least 3 VCs, not 2"));
  EXPECT_THROW(vc_class(2, 2, 4), std::invalid_argument);
  EXPECT_THROW(vc_class(0, 0, 4), std::invalid_argument);
  EXPECT_THROW(vc_class(0, 1, 17), std::invalid_argument);
}

}  // namespace
}  // namespace toriscope::vc_classes_test
