// SPDX-License-Identifier: Apache-2.0
// The caller's router returns one credit for each flit that came in, not more and not fewer. Node 5 of a mesh is
// row 1, column 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "testbenches/c_api/owned_network.h"

namespace toriscope::outside_node_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

owned around_node_5() {
  owned net(toriscope_create_around(R"({"topology": "mesh:4x4"})", 0, "5"));
  EXPECT_TRUE(net) << toriscope_error();
  return net;
}

/// A whole network, and one around node 5 whose router is driven with what that of the whole one sends. A packet of one
/// flit goes through it, from node 4 to node 6.
struct mirrored {
  const owned whole = made({{"topology", "mesh:4x4"}}), around = around_node_5();
  unsigned driven = 0;  ///< ports and cycles in which something was

  mirrored() {
    for (const owned* each : {&whole, &around})
      EXPECT_EQ(toriscope_inject(each->get(), 4, 6, 1, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  }

  /// A cycle of both. @returns what toriscope_step() says of the second
  int step(bool with_credits) {
    EXPECT_EQ(toriscope_step(whole.get(), 1), TORISCOPE_OK);
    for (std::uint32_t p = 0; p < 5; ++p) {
      std::uint64_t flit = 0;
      std::uint32_t credits = 0;
      EXPECT_EQ(toriscope_sent(whole.get(), 5, p, &flit, &credits), TORISCOPE_OK);
      if (!with_credits) credits = 0;
      if (flit == 0 && credits == 0) continue;
      EXPECT_EQ(toriscope_drive(around.get(), 5, p, flit, credits), TORISCOPE_OK) << toriscope_error();
      ++driven;
    }
    return toriscope_step(around.get(), 1);
  }
};

TEST(outside_node, a_credit_without_a_flit_is_a_failure) {
  const owned net = around_node_5();
  ASSERT_EQ(toriscope_drive(net.get(), 5, 0, 0, 1), TORISCOPE_OK) << toriscope_error();
  ASSERT_EQ(toriscope_step(net.get(), 1), TORISCOPE_FAILED);
  EXPECT_THAT(toriscope_failure(net.get()),
              AllOf(HasSubstr("cycle 0: mesh.node_1_1: port x+: "),
                    HasSubstr("a credit for VC 0 of an input buffer that is empty")));
}

/// The router sends the flit as the model's does, and never a credit for it. What is owed in one look, every 1000
/// cycles, and still in the next is lost. The flit enters by x-.
TEST(outside_node, a_credit_that_is_not_returned_is_a_failure) {
  mirrored networks;
  const owned& net = networks.around;
  unsigned t = 0;
  for (int status = TORISCOPE_OK; t < 2100 && status == TORISCOPE_OK; ++t) status = networks.step(false);
  toriscope_packet packet{};
  EXPECT_EQ(toriscope_receive(net.get(), &packet), 1) << "the flit itself is not lost";
  ASSERT_NE(toriscope_failure(net.get()), nullptr);
  EXPECT_THAT(toriscope_failure(net.get()),
              AllOf(HasSubstr("mesh.node_1_1: port x-: a flit of VC 0 left 1000 cycles ago or earlier"),
                    HasSubstr("its credit was not returned")));
  EXPECT_GT(t, 1000u);
  EXPECT_LT(t, 2020u) << "1000 to 2000 cycles after the flit has left";
  EXPECT_EQ(t, 2000u) << "the looks are at the end of 1000 cycles, and of 2000";
}

/// Two flits in turn leave by the first port, x+, over a link that carries one in two cycles.
TEST(outside_node, a_flit_too_soon_for_a_narrow_link_is_a_failure) {
  const owned net(toriscope_create_around(R"({"topology": "mesh:4x4", "flit_bits": 64, "link_width": 32})", 0, "5"));
  ASSERT_TRUE(net) << toriscope_error();
  ASSERT_EQ(toriscope_inject(net.get(), 4, 6, 2, 0, nullptr), TORISCOPE_OK) << toriscope_error();
  std::vector<std::uint64_t> flits;
  for (unsigned t = 0; t < 100 && flits.size() < 2; ++t) {
    for (std::uint32_t p = 0; p < 5; ++p) {
      std::uint64_t flit = 0;
      std::uint32_t credits = 0;
      ASSERT_EQ(toriscope_shown(net.get(), 5, p, &flit, &credits), TORISCOPE_OK) << toriscope_error();
      if (flit != 0) flits.push_back(flit);
    }
    ASSERT_EQ(toriscope_step(net.get(), 1), TORISCOPE_OK) << toriscope_failure(net.get());
  }
  ASSERT_EQ(flits.size(), 2u);
  for (const int expected : {TORISCOPE_OK, TORISCOPE_FAILED}) {
    ASSERT_EQ(toriscope_drive(net.get(), 5, 0, flits[expected == TORISCOPE_OK ? 0 : 1], 0), TORISCOPE_OK);
    ASSERT_EQ(toriscope_step(net.get(), 1), expected);
  }
  EXPECT_THAT(toriscope_failure(net.get()),
              AllOf(HasSubstr("mesh.node_1_1: port x+: "),
                    HasSubstr("left 1 cycles after the one before, and the link carries a flit in 2")));
}

/// The next router would look its route up by it. Terminals are 0 .. 8; the field has room for 15.
TEST(outside_node, a_head_with_the_destination_of_no_packet_is_a_failure) {
  for (const bool corrupted : {false, true}) {
    const owned net(toriscope_create_around(R"({"topology": "mesh:3x3"})", 0, "4"));
    ASSERT_TRUE(net) << toriscope_error();
    ASSERT_EQ(toriscope_inject(net.get(), 3, 5, 1, 0, nullptr), TORISCOPE_OK) << toriscope_error();
    int status = TORISCOPE_OK;
    for (unsigned t = 0; t < 100 && status == TORISCOPE_OK; ++t) {
      for (std::uint32_t p = 0; p < 5; ++p) {
        std::uint64_t flit = 0;
        std::uint32_t credits = 0;
        ASSERT_EQ(toriscope_shown(net.get(), 4, p, &flit, &credits), TORISCOPE_OK) << toriscope_error();
        if (flit == 0) continue;
        const std::uint64_t sent = corrupted ? flit | 15u << 7 : flit;
        ASSERT_EQ(toriscope_drive(net.get(), 4, 0, sent, 0), TORISCOPE_OK) << toriscope_error();
        ASSERT_EQ(toriscope_drive(net.get(), 4, p, 0, 1u << (flit >> 3 & 15)), TORISCOPE_OK) << toriscope_error();
      }
      status = toriscope_step(net.get(), 1);
    }
    ASSERT_EQ(status, corrupted ? TORISCOPE_FAILED : TORISCOPE_OK);
    if (!corrupted) continue;
    EXPECT_THAT(toriscope_failure(net.get()),
                AllOf(HasSubstr("mesh.node_1_1: port x+: "),
                      HasSubstr("the head of packet 0 left with destination 15; the packet's is 5")));
  }
}

/// What is driven is sent in one cycle, and nothing in those for which nothing is driven.
TEST(outside_node, what_is_driven_is_sent_once) {
  mirrored networks;
  for (unsigned t = 0; t < 100; ++t)
    ASSERT_EQ(networks.step(true), TORISCOPE_OK) << toriscope_failure(networks.around.get());
  EXPECT_EQ(networks.driven, 2u) << "a flit by x+, its credit by x-";
}

/// In a butterfly links leave the first stage by p0 and p1, and terminals send into it by the local ports.
TEST(outside_node, nothing_is_sent_by_a_side_that_a_port_does_not_have) {
  const owned net(toriscope_create_around(R"({"topology": "butterfly:2,2"})", 0, "0"));
  ASSERT_TRUE(net) << toriscope_error();
  const std::uint64_t flit = 7;  // valid, head and tail
  for (std::uint32_t p = 0; p < 4; ++p) {
    const bool leaves = p < 2;
    EXPECT_EQ(toriscope_drive(net.get(), 0, p, flit, 0), leaves ? TORISCOPE_OK : TORISCOPE_BAD_INPUT) << p;
    EXPECT_EQ(toriscope_drive(net.get(), 0, p, 0, 1), leaves ? TORISCOPE_BAD_INPUT : TORISCOPE_OK) << p;
    EXPECT_THAT(toriscope_error(), HasSubstr(leaves ? "no link enters here" : "no link leaves here"));
  }
}

}  // namespace
}  // namespace toriscope::outside_node_test
