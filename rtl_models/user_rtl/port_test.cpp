// SPDX-License-Identifier: Apache-2.0
// What stands around a user's router, part by part: its ports, the packets inside, and the watch for
// starvation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "rtl_models/user_rtl/adapter_bench.h"
#include "rtl_models/user_rtl/router_adapter.h"
#include "rtl_models/user_rtl/starvation.h"

namespace toriscope::port_test {
namespace {

constexpr unsigned west = 0, east = 1, south = 2, local = 4;
/// To the node behind each port of the middle node.
constexpr node_id behind[] = {3, 5, 1, 7, 4};

/// The middle node with a router whose flits say all that counts.
class rig {
 public:
  rig(unsigned network_vcs, unsigned depth, unsigned vcs, const std::string& spec = "mesh:3x3")
      : bench(network_vcs, depth, vc_reallocation::non_atomic, spec), context(bench.context()) {
    config.ports = ports_of_middle(bench.wiring());
    config.format.width = 34;
    config.format.head = {{{0, 4}, expression("tag")}};
    config.format.body = {{{0, 30}, expression("payload")}};
    config.format.all = {
        {{31, 1}, expression("head")}, {{30, 1}, expression("tail")}, {{32, 2}, expression("vc")}};
    config.vcs = vcs;
    config.depth = depth;
    config.patience_cycles = 100;
  }
  packet_scoreboard& board() {
    if (!board_) board_ = std::make_unique<packet_scoreboard>(context, config);
    return *board_;
  }
  /// Flit `i` of a new packet, or of the last one.
  flit_word flit(node_id to, unsigned length, unsigned i, unsigned vc) {
    const flit_layout& layout = context.network.layout;
    if (i == 0) id_ = context.network.packets.create({3, to, length}, 0);
    const flit_word f = i == 0 ? layout.head(to, 0, layout.tag_of(id_), length == 1)
                               : layout.body(i, layout.tag_of(id_), i + 1 == length);
    return f.on_vc(vc);
  }
  /// The flit goes in by the west port, and is inside. @returns it as the router has it
  wide_flit enter(node_id to, unsigned length = 1, unsigned i = 0, unsigned vc = 0, cycle_t now = 0) {
    const flit_word f = flit(to, length, i, vc);
    if (i == 0) packet = board().open(f, bench.wiring().port_named(4, "x-"), vc, now);
    board().enter(*packet, f);
    return board().encode(*packet, f, i);
  }

  adapter_bench bench;
  const node_context context;
  adapter_config config;
  packet_inside* packet = nullptr;

 private:
  std::unique_ptr<packet_scoreboard> board_;
  packet_id id_ = 0;
};

wide_flit on_vc(wide_flit flit, unsigned vc) {
  bit_field{32, 2}.set(flit, vc);
  return flit;
}

TEST(egress_port_parts, a_port_of_each_number_waits_for_credits) {
  for (unsigned r = 0; r < 5; ++r) {
    SCOPED_TRACE(r);
    rig g(2, 1, 1);
    egress_port out(g.context, g.config, r, true, g.board());
    const bool limited = r != local;
    EXPECT_TRUE(out.exists());
    EXPECT_TRUE(out.open());
    EXPECT_FALSE(out.blocked());
    EXPECT_EQ(out.ready(), 1u);
    out.take(g.enter(behind[r], 2, 0));
    EXPECT_EQ(out.waiting(), 1u);
    EXPECT_EQ(out.ready(), 0u) << "one flit waits";
    EXPECT_FALSE(out.open());
    EXPECT_EQ(out.blocked(), limited);
    EXPECT_EQ(out.send().vc(), 0u);
    EXPECT_EQ(out.ready(), limited ? 0u : 1u) << "its VC has no credit";
    EXPECT_FALSE(out.open()) << "a packet is coming out";
    EXPECT_EQ(out.blocked(), limited);
    if (limited) out.credits({1});
    EXPECT_EQ(out.ready(), 1u);
    EXPECT_FALSE(out.blocked());
    out.take(g.enter(behind[r], 2, 1));
    EXPECT_TRUE(out.send().tail());
    EXPECT_EQ(out.ready(), 1u) << "the other VC";
    EXPECT_EQ(out.open(), !limited);
    EXPECT_EQ(out.blocked(), limited);
    out.take(g.enter(behind[r]));
    EXPECT_EQ(out.send().vc(), 1u);
    EXPECT_EQ(out.ready(), limited ? 0u : 1u);
    EXPECT_FALSE(out.send().valid());
  }
}

TEST(egress_port_parts, a_port_that_the_node_does_not_have) {
  rig g(1, 4, 1);
  g.config.ports.push_back({"extra", -1});
  egress_port out(g.context, g.config, 5, true, g.board());
  EXPECT_FALSE(out.exists());
  EXPECT_FALSE(out.open());
  EXPECT_FALSE(out.blocked());
  EXPECT_NE(out.ready(), 0u) << "what comes is an error";
}

TEST(egress_port_parts, bits_are_those_of_vcs) {
  rig g(3, 1, 3);
  egress_port out(g.context, g.config, east, true, g.board());
  EXPECT_EQ(out.ready() & 7u, 7u);
  out.take(on_vc(g.enter(5, 1, 0, 1), 1));
  EXPECT_EQ(out.send().vc(), 1u);
  EXPECT_EQ(out.ready() & 7u, 5u);

  rig two(2, 4, 2);
  egress_port off(two.context, two.config, east, true, two.board());
  two.config.depth = 2;
  two.config.slack = 1;
  EXPECT_EQ(off.on() & 3u, 3u);
  off.take(on_vc(two.enter(5), 0));
  EXPECT_EQ(off.on() & 3u, 2u);
  off.take(on_vc(two.enter(5), 0));
  EXPECT_NO_THROW(off.check_room());
  off.take(on_vc(two.enter(5), 0));
  EXPECT_EQ(error_of<rtl_assertion>([&] { off.check_room(); }),
            "a flit left by port east on VC 0, which was off for longer than 1 flits (slack): its 2 slots "
            "downstream are full (depth)");

  egress_port counted_by_the_router(two.context, two.config, east, false, two.board());
  counted_by_the_router.credits({2});
  counted_by_the_router.credits({2});
  EXPECT_EQ(counted_by_the_router.pulses(), 2u);
  EXPECT_EQ(counted_by_the_router.pulses(), 2u);
  EXPECT_EQ(counted_by_the_router.pulses(), 0u);
}

TEST(egress_port_parts, a_vc_that_there_is_not) {
  rig g(2, 4, 2);
  egress_port out(g.context, g.config, east, true, g.board());
  const wide_flit flit = g.enter(5);
  EXPECT_EQ(error_of<rtl_assertion>([&] { out.take(on_vc(flit, 2)); }),
            "a flit left by port east on VC 2; it has VC 0 to 1, or valid was set for several VCs");
  EXPECT_EQ(error_of<rtl_assertion>([&] { out.take(on_vc(flit, 3)); }),
            "a flit left by port east on VC 3; it has VC 0 to 1");
}

TEST(egress_port_parts, vcs_have_their_turn) {
  rig g(4, 1, 1);
  egress_port out(g.context, g.config, east, true, g.board());
  std::vector<unsigned> sent;
  for (int i = 0; i < 6; ++i) {
    if (i == 4) out.credits({2 + 8});
    out.take(g.enter(5));
    sent.push_back(out.send().vc());
  }
  EXPECT_THAT(sent, testing::ElementsAre(0, 1, 2, 3, 1, 3));

  rig four(4, 4, 4);
  egress_port of_four(four.context, four.config, east, true, four.board());
  for (const unsigned vc : {3u, 3u, 1u, 1u}) of_four.take(on_vc(four.enter(5), vc));
  sent.clear();
  for (int i = 0; i < 4; ++i) sent.push_back(of_four.send().vc());
  EXPECT_THAT(sent, testing::ElementsAre(1, 3, 1, 3));
}

/// By south in place of east, which the routing does not say. VCs 2 and 3 are those of the second class.
TEST(egress_port_parts, a_router_with_its_own_ways_keeps_to_the_vcs_of_the_class) {
  for (const bool shared : {false, true})
    for (unsigned vc = 0; vc < 4; ++vc) {
      rig g(4, 4, 4);
      g.config.own_routes = true;
      g.context.network.message_classes = 2;
      g.context.network.shared_classes = shared;
      egress_port out(g.context, g.config, south, true, g.board());
      out.take(on_vc(g.enter(5, 1, 0, 3), vc));
      flit_word sent;
      const std::string said = error_of<rtl_assertion>([&] { sent = out.send(); });
      if (shared || vc >= 2)
        EXPECT_EQ(sent.vc(), vc) << said;
      else
        EXPECT_EQ(
            said,
            "packet 0 (from node 3 to node 5, 1 flit) came on VC 3 and leaves by port south on VC " +
                std::to_string(vc) +
                "; the network's routing allows it VC 2, 3 there, and other VCs can deadlock: the router "
                "has to follow this VC rule");
    }
}

/// The VC rule of a torus says which VC a packet gets.
TEST(egress_port_parts, takes_a_vc_that_the_routing_allows) {
  for (const node_id to : {3u, 5u}) {
    rig g(2, 4, 1, "torus:3x3");
    const port_id in = g.bench.wiring().port_named(4, "x-");
    route_option option;
    ASSERT_EQ(g.bench.routing().route({4, in, 0, to, 0}, &option), 1u);
    const unsigned r = to == 3 ? west : east;
    ASSERT_EQ(option.out_port, g.config.ports[r].of_node);
    egress_port out(g.context, g.config, r, true, g.board());
    for (int i = 0; i < 2; ++i) {
      out.take(g.enter(to));
      EXPECT_TRUE(vc_set(option.vcs).has(out.send().vc())) << to;
    }
    EXPECT_TRUE(routed(*g.packet, g.context, option.out_port).has_value());
    for (int p = 0; p < 5; ++p)
      EXPECT_EQ(routed(*g.packet, g.context, p).has_value(), p == option.out_port) << p;
    for (unsigned vc = 0; vc < 2; ++vc)
      EXPECT_EQ(routed(*g.packet, g.context, option.out_port, static_cast<int>(vc)).has_value(),
                vc_set(option.vcs).has(vc));
  }
}

TEST(egress_port_parts, a_packet_at_another_node) {
  rig g(1, 4, 1);
  egress_port out(g.context, g.config, local, true, g.board());
  EXPECT_EQ(error_of<rtl_assertion>([&] { out.take(g.enter(5)); }),
            "packet 0 (from node 3 to node 5, 1 flit) left by port local, the local one, of node 4");
  rig two(1, 4, 1, "cmesh:3x3,2");
  egress_port one_of_two(two.context, two.config, local, true, two.board());
  EXPECT_EQ(error_of<rtl_assertion>([&] { one_of_two.take(two.enter(9)); }),
            "packet 0 (from terminal 3 to terminal 9, 1 flit) left by port local, a local one, of node 4");
}

/// Two have been sent and two wait: the fifth is one too many.
TEST(egress_port_parts, flits_without_credits_are_counted) {
  rig g(1, 4, 1);
  egress_port out(g.context, g.config, east, true, g.board());
  for (int i = 0; i < 4; ++i) out.take(g.enter(5));
  EXPECT_TRUE(out.send().valid());
  EXPECT_TRUE(out.send().valid());
  EXPECT_NO_THROW(out.check_credits());
  out.take(g.enter(5));
  EXPECT_EQ(
      error_of<rtl_assertion>([&] { out.check_credits(); }),
      "a flit left by port east on VC 0, for which it has no credit: 4 slots are downstream (depth), and 5 "
      "flits have left without one coming back");
}

TEST(ingress_port_parts, vcs_have_their_turn) {
  rig g(4, 4, 1);
  ingress_port in(g.context, g.config, west, false, g.board());
  for (unsigned vc = 0; vc < 4; ++vc) in.arrive(g.flit(5, 1, 0, vc));
  for (const unsigned vc : {1u, 2u, 3u, 0u}) {
    const wide_flit* const offered = in.offer(1, 0);
    ASSERT_NE(offered, nullptr);
    const wide_flit before = *offered;
    ASSERT_EQ(in.offer(1, 0), offered);
    EXPECT_EQ(*offered, before) << "an offer stays";
    EXPECT_EQ(in.offered_vc(), 0u);
    in.accepted();
    EXPECT_EQ(in.waiting(vc), 0u);
  }
  EXPECT_EQ(in.offer(1, 0), nullptr);
}

TEST(ingress_port_parts, a_packet_is_not_interrupted) {
  rig g(2, 4, 1);
  ingress_port in(g.context, g.config, west, false, g.board());
  in.arrive(g.flit(5, 2, 0, 1));
  ASSERT_NE(in.offer(1, 0), nullptr);
  in.accepted();
  const flit_word body = g.flit(5, 2, 1, 1);
  in.arrive(g.flit(5, 1, 0, 0));
  EXPECT_EQ(in.offer(1, 0), nullptr) << "its tail is not here";
  in.arrive(body);
  for (const std::size_t left : {1u, 0u}) {
    ASSERT_NE(in.offer(1, 0), nullptr);
    in.accepted();
    EXPECT_EQ(in.waiting(0), left);
  }
}

/// The second waits until the first has left, if it is for the same VC of the router.
TEST(ingress_port_parts, atomic_vcs) {
  for (const unsigned vcs : {1u, 2u}) {
    rig g(2, 4, vcs);
    g.config.atomic_vcs = true;
    ingress_port in(g.context, g.config, west, false, g.board());
    for (const unsigned vc : {1u, 0u}) in.arrive(g.flit(5, 1, 0, vc));
    const wide_flit* const offered = in.offer(~0u, 0);
    ASSERT_NE(offered, nullptr);
    EXPECT_EQ(in.offered_vc(), vcs - 1);
    const wide_flit first = *offered;
    in.accepted();
    EXPECT_EQ(g.board().taken(static_cast<port_id>(g.config.ports[west].of_node), vcs - 1), 1u);
    EXPECT_EQ(in.offer(~0u, 0) != nullptr, vcs == 2);
    g.board().leave(g.board().find(first, "east"), first, "east");
    EXPECT_NE(in.offer(~0u, 0), nullptr);
  }
}

TEST(packet_scoreboard_parts, one_packet_at_a_time_without_a_tag) {
  rig g(1, 4, 1);
  g.config.format.head.clear();
  EXPECT_EQ(g.board().packets(), 0u);
  const wide_flit first = g.enter(5);
  EXPECT_EQ(g.board().packets(), 1u);
  EXPECT_EQ(g.board().flits(), 1u);
  EXPECT_EQ(g.board().open(g.flit(5, 1, 0, 0), 0, 0, 0), nullptr);
  g.board().leave(g.board().find(first, "east"), first, "east");
  EXPECT_EQ(g.board().packets(), 0u);
  EXPECT_EQ(g.board().finished(), 1u);
  EXPECT_NE(g.board().open(g.flit(5, 1, 0, 0), 0, 0, 0), nullptr);
}

TEST(packet_scoreboard_parts, values_of_a_flit) {
  rig g(2, 4, 1);
  g.config.format = {};
  g.config.format.width = 112;
  g.config.format.all = {{{0, 8}, expression("index")},
                         {{8, 1}, expression("head")},
                         {{9, 1}, expression("tail")},
                         {{10, 2}, expression("vc")},
                         {{32, 64}, expression("payload")}};
  const wide_flit head = g.enter(5, 3, 0, 1), body = g.enter(5, 3, 1, 1), tail = g.enter(5, 3, 2, 1);
  EXPECT_EQ(head[0], 0x100u) << "no VC: the router has none";
  EXPECT_EQ(body[0], 1u);
  EXPECT_EQ(tail[0], 0x202u);
  EXPECT_NE((bit_field{32, 64}.of(head)), (bit_field{32, 64}.of(body)));
  g.config.vcs = 2;
  EXPECT_EQ((bit_field{10, 2}.of(g.board().encode(*g.packet, g.flit(5, 3, 1, 1), 1))), 1u);
}

TEST(packet_scoreboard_parts, unknown_tags) {
  rig g(1, 4, 1);
  g.config.format.head[0].bits = {0, 13};
  wide_flit flit{};
  bit_field{31, 1}.set(flit, 1);
  bit_field{0, 13}.set(flit, 4096);
  const auto said = [&] { return error_of<rtl_assertion>([&] { g.board().find(flit, "east"); }); };
  const std::string begin = "a head left by its port east with the tag 4096, which no packet inside has (",
                    end = "): an invented flit, or bits 12:0 do not survive the router; it is 0x0_80001000";
  EXPECT_EQ(said(), begin + "none is inside" + end);
  g.enter(5);
  EXPECT_EQ(said(), begin + "inside: 0" + end);
  for (int i = 1; i < 8; ++i) g.enter(5);
  EXPECT_EQ(said(), begin + "inside: 0, 1, 2, 3, 4, 5, 6, 7" + end);
  for (int i = 8; i < 10; ++i) g.enter(5);
  EXPECT_EQ(said(), begin + "inside: 0, 1, 2, 3, 4, 5, 6, 7 and 2 more" + end);
}

/// Of VC 1: it came in by the west port, and has left.
TEST(packet_scoreboard_parts, credits_that_are_owed) {
  rig g(2, 4, 2);
  const auto in_port = static_cast<port_id>(g.config.ports[west].of_node);
  g.config.gives_credits = true;
  const wide_flit flit = g.enter(5, 1, 0, 1);
  EXPECT_EQ(g.board().owed_credit(), "");
  g.board().leave(g.board().find(flit, "east"), flit, "east");
  EXPECT_EQ(g.board().owed_credit(),
            "it has not given back a credit for VC 1 of its input port west although the flit left 100 "
            "cycles ago or "
            "earlier; each flit that leaves its buffer gives back one credit");
  EXPECT_EQ(g.board().taken(in_port, 1), 1u);
  g.config.gives_credits = false;
  EXPECT_EQ(g.board().taken(in_port, 1), 0u);
  g.config.gives_credits = true;
  g.board().credit(in_port, 1);
  EXPECT_EQ(g.board().taken(in_port, 1), 0u);
  EXPECT_EQ(g.board().owed_credit(), "");
}

/// Cycles until a packet at the west port, which came in in cycle 7, is starved while the outputs are `open`.
class starved {
 public:
  explicit starved(unsigned vcs = 1, bool own_routes = false)
      : g(2, 4, vcs), watch_(g.context, configured(own_routes)) {}

  std::string look(cycle_t now) {
    return watch_.look(g.board(), now, [this](const packet_inside&) { return comes; });
  }
  template <class Open>
  void pass(int cycles, Open&& open) {
    for (int i = 0; i < cycles; ++i) watch_.cycle_done(open);
  }
  void another_leaves() {
    const wide_flit other = g.enter(5, 1, 0, 0, 50);
    g.board().leave(g.board().find(other, "east"), other, "east");
  }

  rig g;
  bool comes = false;

 private:
  const adapter_config& configured(bool own_routes) {
    g.config.own_routes = own_routes;
    g.config.ports.push_back({"extra", -1});
    return g.config;
  }
  starvation_watch watch_;
};

TEST(starvation_watch_parts, needs_its_own_output_and_that_others_leave) {
  for (const unsigned vc : {0u, 1u}) {
    starved s(vc + 1);
    s.another_leaves();
    s.g.enter(5, 1, 0, vc, 7);
    const auto open = [](unsigned r) { return r == east; };
    EXPECT_EQ(s.look(10), "");
    s.pass(100, open);
    EXPECT_EQ(s.look(110), "") << "no other packet has left";
    s.another_leaves();
    EXPECT_EQ(s.look(111),
              "packet 1 (from node 3 to node 5, 1 flit) entered 104 cycles ago by port west and is never "
              "served: its "
              "output port east was open in 100 cycles since, and 1 other packets have left");
  }
}

/// An older packet came in there on VC 0. Without VCs it is in front of the one on VC 1.
TEST(starvation_watch_parts, the_oldest_of_its_vc_is_at_the_front) {
  for (const unsigned vcs : {1u, 2u}) {
    starved s(vcs);
    s.g.enter(7, 1, 0, 0, 3);
    s.g.enter(5, 1, 0, 1, 7);
    EXPECT_EQ(s.look(10), "");
    s.pass(100, [](unsigned r) { return r == east; });
    s.another_leaves();
    EXPECT_EQ(s.look(110).empty(), vcs == 1);
  }
}

/// A port that the node does not have need not be open.
TEST(starvation_watch_parts, all_ports_count_where_the_router_has_its_own_ways) {
  for (unsigned closed = 0; closed < 6; ++closed) {
    starved s(1, true);
    s.g.enter(5, 1, 0, 0, 7);
    EXPECT_EQ(s.look(10), "");
    s.pass(100, [closed](unsigned r) { return r != closed; });
    s.another_leaves();
    EXPECT_EQ(s.look(110).empty(), closed < 5) << closed;
  }
}

/// A packet whose next flit is not in front of the router waits for its own flits.
TEST(starvation_watch_parts, counts_anew_from_when_the_rest_is_there) {
  starved s;
  s.g.enter(5, 3, 0, 0, 7);
  const auto open = [](unsigned) { return true; };
  s.comes = true;
  EXPECT_EQ(s.look(10), "");
  s.comes = false;
  s.pass(60, open);
  EXPECT_EQ(s.look(70), "");
  s.comes = true;
  EXPECT_EQ(s.look(71), "") << "it is at the front again";
  s.pass(60, open);
  packet_inside* const first = s.g.packet;
  s.another_leaves();
  EXPECT_EQ(s.look(131), "");
  s.pass(40, open);
  EXPECT_THAT(s.look(171), testing::HasSubstr("was open in 100 cycles since"));
  first->leaving = true;
  EXPECT_EQ(s.look(172), "");
}

}  // namespace
}  // namespace toriscope::port_test
