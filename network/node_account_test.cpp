// SPDX-License-Identifier: Apache-2.0
// The account of a node: what it holds, and each thing that must not be.
#include "network/node_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace toriscope::node_account_test {
namespace {

class node_account_test : public testing::Test {
 protected:
  static constexpr unsigned ports = 5, local = 4;
  node_account_test()
      : made_(make_topology("mesh:3x3", {})),
        network_(config(), flit_layout(9, 0), *made_.routing, 9, 8),
        account_(ports, network_) {
    first_ = network_.packets.create({0, 8, 2}, 0);
    second_ = network_.packets.create({1, 8, 1}, 0);
  }
  static router_config config() {
    router_config c;
    c.vcs = 2;
    c.depth = 2;
    return c;
  }
  flit_word flit(packet_id packet, unsigned vc) const {
    return network_.layout.head(8, 0, network_.layout.tag_of(packet), false).on_vc(vc);
  }

  std::string leave(port_id p, flit_word f) { return account_.flit_out(p, f, now_++); }

  topology made_;
  cycle_t now_ = 10;
  network_state network_;
  node_account account_;
  packet_id first_, second_;
};

TEST_F(node_account_test, holds_what_went_in_and_has_not_come_out) {
  EXPECT_EQ(account_.contents().packets, 0u);
  EXPECT_EQ(account_.contents().flits, 0u);
  EXPECT_EQ(account_.contents().oldest, no_packet);
  EXPECT_EQ(account_.contents().since, 0u);
  account_.flit_in(0, flit(first_, 1), 7);
  account_.flit_in(0, flit(first_, 1), 8);
  account_.flit_in(1, flit(second_, 0), 8);
  account_.flit_in(2, {}, 9);
  node_contents held = account_.contents();
  EXPECT_EQ(held.flits, 3u);
  EXPECT_EQ(held.packets, 2u);
  EXPECT_EQ(held.oldest, first_);
  EXPECT_EQ(held.since, 7u);
  EXPECT_EQ(account_.occupancy(0, 1), 2u);
  EXPECT_EQ(leave(3, flit(first_, 0)), "");
  EXPECT_EQ(leave(3, flit(first_, 0)), "");
  EXPECT_EQ(account_.credits_out(0, {2}), "");
  EXPECT_EQ(account_.credits(3, 0), 0u);
  EXPECT_EQ(account_.occupancy(0, 1), 1u);
  held = account_.contents();
  EXPECT_EQ(held.oldest, second_);
  EXPECT_EQ(held.since, 8u);
}

TEST_F(node_account_test, the_oldest_packet_came_first_and_has_the_lowest_number) {
  for (packet_id packet = 0; packet < 10; ++packet) {
    if (packet > second_) network_.packets.create({2, 8, 1}, 0);
    const cycle_t since = packet == 8 ? 41 : 50 - packet;  // packet 9 since 41, too
    account_.flit_in(static_cast<port_id>(packet / 2), flit(packet, packet % 2), since);
  }
  EXPECT_EQ(account_.contents().packets, 10u);
  EXPECT_EQ(account_.contents().oldest, 8u);
  EXPECT_EQ(account_.contents().since, 41u);
}

TEST_F(node_account_test, credits_that_are_late_and_lost) {
  account_.flit_in(1, flit(first_, 1), 0);
  account_.flit_in(1, flit(first_, 1), 1);
  EXPECT_FALSE(account_.owing()) << "the flits are inside";
  EXPECT_EQ(account_.credits_out(1, {2}), "");
  EXPECT_EQ(leave(0, flit(first_, 0)), "");
  EXPECT_FALSE(account_.owing()) << "the credit came before its flit left";
  EXPECT_FALSE(account_.look_for_lost_credits());
  EXPECT_EQ(leave(0, flit(first_, 0)), "");
  ASSERT_TRUE(account_.owing());
  EXPECT_FALSE(account_.look_for_lost_credits()) << "it may be late";
  // Others pass meanwhile, as fast as they can: the one that is owed is always a new one.
  EXPECT_EQ(account_.credits_out(1, {2}), "");
  account_.flit_in(1, flit(second_, 1), 2);
  EXPECT_EQ(leave(local, flit(second_, 0)), "");
  EXPECT_FALSE(account_.look_for_lost_credits());
  const auto lost = account_.look_for_lost_credits();
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->p, 1u);
  EXPECT_EQ(lost->v, 1u);
}

TEST_F(node_account_test, a_packet_inside_by_two_inputs_is_not_judged) {
  account_.flit_in(0, flit(first_, 0), 0);
  account_.flit_in(1, flit(first_, 0), 1);
  EXPECT_EQ(leave(local, flit(first_, 0)), "");
  EXPECT_EQ(account_.credits_out(1, {1}), "");
  EXPECT_FALSE(account_.owing()) << "the flit by input 0 may be the one that is inside";
}

TEST_F(node_account_test, tells_what_must_not_be) {
  using testing::HasSubstr;
  EXPECT_THAT(leave(0, flit(first_, 0)), HasSubstr("none is inside"));
  EXPECT_THAT(account_.credits_out(0, {1}), HasSubstr("a credit for VC 0 of an input buffer that is empty"));
  for (unsigned i = 0; i < 3; ++i) account_.flit_in(1, flit(first_, i % 2), i);
  EXPECT_EQ(leave(0, flit(first_, 1)), "");
  EXPECT_EQ(leave(0, flit(first_, 1)), "");
  EXPECT_THAT(leave(0, flit(first_, 1)), HasSubstr("on VC 1, for which there is no credit"));
  account_.flit_in(1, flit(first_, 0), 4);
  account_.credits_in(0, {2});
  EXPECT_EQ(leave(0, flit(first_, 1)), "");
  for (unsigned i = 0; i < 5; ++i) {
    account_.flit_in(1, flit(second_, 0), 5);
    EXPECT_EQ(leave(local, flit(second_, 0)), "") << "a network interface always takes";
  }
}

TEST_F(node_account_test, a_narrow_link_carries_one_flit_at_a_time) {
  router_config behind = config();
  behind.vcs = 1;
  behind.depth = 3;
  account_.set_link(2, behind, 4);
  EXPECT_EQ(account_.credits(2, 1), 3u);
  for (unsigned i = 0; i < 4; ++i) account_.flit_in(1, flit(first_, 0), i);
  EXPECT_EQ(account_.flit_out(2, flit(first_, 0), 20), "");
  EXPECT_EQ(account_.flit_out(2, flit(first_, 0), 24), "");
  EXPECT_EQ(account_.flit_out(3, flit(first_, 0), 25), "") << "another port";
  EXPECT_THAT(account_.flit_out(2, flit(first_, 0), 27),
              testing::HasSubstr("left 3 cycles after the one before, and the link carries a flit in 4"));
  account_.flit_in(1, flit(second_, 0), 30);
  EXPECT_THAT(account_.flit_out(2, flit(second_, 1), 40),
              testing::HasSubstr("on VC 1, for which there is no credit"))
      << "the router there has one VC";
}

TEST_F(node_account_test, tells_in_full_what_must_not_be) {
  EXPECT_EQ(leave(0, {}), "");
  EXPECT_EQ(leave(0, flit(second_, 0)), "a flit of packet 1 left, and none is inside");
  EXPECT_EQ(account_.credits_out(2, {2}),
            "a credit for VC 1 of an input buffer that is empty: every flit that came in has had its credit");
  account_.flit_in(2, flit(first_, 1), 0);
  account_.flit_in(2, flit(first_, 1), 1);
  EXPECT_EQ(account_.credits_out(2, {4}),
            "a credit for VC 2 of an input buffer that is empty: every flit that came in has had its credit")
      << "there is no such VC";
  EXPECT_EQ(account_.credits_out(2, {2}), "");
  EXPECT_EQ(account_.credits_out(2, {2}), "");
  EXPECT_EQ(account_.credits_out(2, {2}),
            "a credit for VC 1 of an input buffer that is empty: every flit that came in has had its credit");
  EXPECT_EQ(leave(0, flit(first_, 2)), "a flit of packet 0 left on VC 2, for which there is no credit")
      << "there is no such VC";
  EXPECT_EQ(account_.contents().flits, 1u);
}

TEST_F(node_account_test, a_head_has_the_destination_of_its_packet) {
  account_.flit_in(2, flit(first_, 1), 0);
  const std::uint64_t tag = network_.layout.tag_of(first_);
  EXPECT_EQ(leave(0, network_.layout.head(15, 0, tag, false)),
            "the head of packet 0 left with destination 15; the packet's is 8");
  EXPECT_EQ(leave(0, network_.layout.body(15, tag, false)), "") << "an index stands there";
}

/// Flits that leave by the last three of five ports: how many, before a credit is lacked.
unsigned leave_by_local_port(node_account& account, network_state& network, port_id p) {
  const packet_id packet = network.packets.create({0, 8, 20}, 0);
  const flit_word f = network.layout.head(8, 0, network.layout.tag_of(packet), false);
  unsigned left = 0;
  for (; left < 9; ++left) {
    account.flit_in(0, f, left);
    if (!account.flit_out(p, f, left).empty()) break;
  }
  return left;
}

TEST_F(node_account_test, local_ports_have_credits_where_reception_is_limited) {
  for (const bool limited : {false, true}) {
    network_.limited_reception = limited;
    for (const port_id p : std::vector<port_id>{1, 2, 3, 4}) {
      node_account account(ports, network_, 3);
      EXPECT_EQ(leave_by_local_port(account, network_, p), p < 2 || limited ? 2u : 9u) << limited << unsigned{p};
      EXPECT_EQ(account.credits(p, 0), p < 2 || limited ? 0u : 2u);
      EXPECT_EQ(account.credits(p, 1), 2u);
    }
  }
}

TEST_F(node_account_test, a_credit_may_be_owed_for_any_buffer) {
  for (port_id p = 0; p < ports; ++p)
    for (unsigned v = 0; v < 2; ++v) {
      node_account account(ports, network_);
      account.flit_in(p, flit(first_, v), 0);
      EXPECT_FALSE(account.owing());
      EXPECT_EQ(account.flit_out(local, flit(first_, 0), 1), "");
      ASSERT_TRUE(account.owing());
      EXPECT_EQ(account.owing()->p, p);
      EXPECT_EQ(account.owing()->v, v);
      EXPECT_FALSE(account.look_for_lost_credits());
      const auto lost = account.look_for_lost_credits();
      ASSERT_TRUE(lost);
      EXPECT_EQ(lost->p, p);
      EXPECT_EQ(lost->v, v);
      EXPECT_EQ(account.credits_out(p, {static_cast<std::uint16_t>(1u << v)}), "");
      EXPECT_FALSE(account.owing());
      EXPECT_FALSE(account.look_for_lost_credits());
    }
}

}  // namespace
}  // namespace toriscope::node_account_test
