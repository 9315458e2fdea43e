// SPDX-License-Identifier: Apache-2.0
#include "network/silence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/gated_pair_test.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/registry.h"

namespace toriscope::silence_test {
namespace {

TEST(silence_watch, counts_from_the_look_that_saw_the_last_move) {
  const topology made = make_topology("mesh:2x2");
  const router_config config;
  const network_state network(config, flit_layout(4, 0), *made.routing, 4, 8);
  network_counters counters;
  silence_watch watch;
  const auto message_at = [&](cycle_t done) {
    const auto failure = watch.look(*made.wiring, {}, network, counters, done, /*cycles*/ 10);
    return failure ? failure->message : "";
  };
  // A flit goes in, and does not leave.
  counters.flits_injected = 1;
  EXPECT_EQ(message_at(9), "");
  EXPECT_EQ(message_at(18), "");
  EXPECT_THAT(message_at(19), testing::StartsWith("nothing moves: up to cycle 19 no flit has moved in 10 cycles, and "
                                                  "1 flits are under way"));
  counters.flits_ejected = 1;
  EXPECT_EQ(message_at(29), "");
  EXPECT_EQ(message_at(100), "") << "none is under way";
}

TEST(silence_watch, a_packet_that_waits_for_time_alone_is_not_stuck) {
  shut_gate gate;
  const gated_pair pair({}, gate);
  network& net = *pair.net;
  net.send({0, 1, 1});
  while (net.cycles_done() < 30) net.step();
  silence_watch watch;
  const auto is_stuck = [&](cycle_t done) {
    return watch.look(net.wiring(), pair.nodes, *pair.state, net.counters(), done, /*cycles*/ 10).has_value();
  };
  for (const cycle_t done : {100, 150, 200}) EXPECT_FALSE(is_stuck(done)) << "the gate admits it in time";
  queue_gate waits_for_queue;
  net.set_gate(&waits_for_queue);
  EXPECT_FALSE(is_stuck(209));
  EXPECT_TRUE(is_stuck(210)) << "it waits for a source queue that is empty";
}

// Of nine flits the reception buffer has eight, and the router one.
TEST(silence_watch, tells_the_flits_in_routers_of_the_model) {
  queue_gate gate;
  const gated_pair pair({}, gate);
  network& net = *pair.net;
  net.send({0, 1, 9});
  while (net.cycles_done() < 60) net.step();
  silence_watch watch;
  const auto look = [&](cycle_t done) {
    return watch.look(net.wiring(), pair.nodes, *pair.state, net.counters(), done, /*cycles*/ 10);
  };
  EXPECT_FALSE(look(100));
  const network_failure failure = look(110).value();
  EXPECT_EQ(failure.message, "nothing moves: up to cycle 110 no flit has moved in 10 cycles, and 9 flits are under "
                             "way, 0 of them in RTL routers: a deadlock, or a router that does not forward");
  EXPECT_EQ(failure.detail, std::vector<std::string>{net.wiring().address(1) + " (mesh." + net.wiring().path(1) +
                                                     "): 1 flits in the model's router"});
  EXPECT_EQ(failure.nodes, std::vector<node_id>{1});
}

/// A node whose router is not the model's.
class foreign_node final : public node {
 public:
  foreign_node(const char* name, const node_context& context)
      : node(name, context), books(context.wiring.port_count(context.id), context.network), network(context.network) {}
  const node_account* account() const override { return &books; }
  std::uint64_t flits_sent(port_id p) const override { return p == sends_by ? sent : 0; }
  void hold(packet_id packet, unsigned flits, cycle_t since) {
    const std::uint64_t tag = network.layout.tag_of(packet);
    for (unsigned i = 0; i < flits; ++i) {
      const flit_word f = i == 0 ? network.layout.head(0, 0, tag, false) : network.layout.body(i, tag, i + 1 == flits);
      books.flit_in(0, f.on_vc(static_cast<unsigned>(packet % 2)), since + i);
    }
  }

  node_account books;
  const network_state& network;
  port_id sends_by = 0;
  std::uint64_t sent = 0;
};

/// What is on a wire does not wait, however long it takes.
TEST(silence_watch, knows_how_long_links_are) {
  const topology made = make_topology("mesh:4x1");
  set_link_delays(*made.wiring, std::vector<std::string>{"300"});
  const simulation_context context;
  const simulation_context::entry here(context);
  for (const cycle_t delay : {300u, 1u}) {
    network_config config;
    config.watchdog_cycles = 100;
    if (delay == 1) set_link_delays(*made.wiring, std::vector<std::string>{"1"});
    network net("mesh", made.wiring, made.routing, config,
                [](const char* name, const node_context& c) -> std::unique_ptr<node> {
                  if (c.id != 2) return nullptr;
                  return std::make_unique<foreign_node>(name, c);
                });
    net.leave_kernel({1, sc_core::SC_NS});
    net.send({0, 1, 1});
    while (net.cycles_done() < 2000 && !net.failure()) net.step();
    EXPECT_EQ(net.failure(), nullptr) << delay;
    EXPECT_EQ(net.counters().packets_received, 1u);
    net.send({0, 2, 1});  // the foreign node keeps it
    while (net.cycles_done() < 6000 && !net.failure()) net.step();
    ASSERT_NE(net.failure(), nullptr) << delay;
    EXPECT_THAT(net.failure()->message, testing::StartsWith("nothing moves: up to cycle 2"));
  }
}

/// A network of such nodes that is not stepped.
class silence_test : public testing::Test {
 protected:
  silence_test() : made_(make_topology("mesh:5x4")) {
    net_ = std::make_unique<network>("mesh", made_.wiring, made_.routing, network_config{},
                                     [&](const char* name, const node_context& c) {
                                       auto node = std::make_unique<foreign_node>(name, c);
                                       foreign_.push_back(node.get());
                                       nodes_.push_back(node.get());
                                       state_ = &c.network;
                                       return node;
                                     });
    for (packet_id p = 0; p < 40; ++p) state_->packets.create({static_cast<node_id>(p % 7), 12, 4}, p);
    counters_.flits_injected = 50;
  }
  std::optional<network_failure> look(cycle_t done) {
    return watch_.look(*made_.wiring, nodes_, *state_, counters_, done, /*cycles*/ 10);
  }

  simulation_context context_;
  simulation_context::entry here_{context_};
  topology made_;
  std::unique_ptr<network> net_;
  std::vector<foreign_node*> foreign_;
  std::vector<node*> nodes_;
  network_state* state_ = nullptr;
  network_counters counters_;
  silence_watch watch_;
};

TEST_F(silence_test, a_flit_that_leaves_any_port_of_any_node_is_a_move) {
  cycle_t done = 100;
  EXPECT_FALSE(look(done));
  for (foreign_node* n : foreign_)
    for (port_id p = 0; p < made_.wiring->port_count(n->id()); ++p) {
      n->sends_by = p;
      n->sent = done;  // other than before
      EXPECT_FALSE(look(done += 10)) << n->id() << ' ' << unsigned{p};
      EXPECT_FALSE(look(done + 9));
      EXPECT_TRUE(look(done + 10));
      n->sent = 0;
      EXPECT_FALSE(look(done += 10));
    }
  const auto counts = {&counters_.flits_injected, &counters_.flits_ejected, &counters_.flits_discarded};
  for (std::uint64_t* moved : counts)
    for (std::uint64_t* beside : counts) {
      EXPECT_TRUE(look(done += 10));
      ++*moved;
      if (beside != moved) ++*beside;
      EXPECT_FALSE(look(done));
    }
  // By hand: each count went up 5 times, so that 50 + 5 went in, and 10 have left.
  EXPECT_THAT(look(done + 10)->message, testing::HasSubstr(", and 45 flits are under way, 0 of them in RTL routers: a "
                                                           "deadlock, or a router that does not forward"));
}

TEST_F(silence_test, tells_what_each_router_holds_and_what_is_oldest) {
  EXPECT_FALSE(look(90));
  foreign_[7]->hold(5, 1, 33);
  const network_failure one = look(100).value();
  EXPECT_EQ(one.what, network_failure::kind::deadlock);
  EXPECT_EQ(one.cycle, 100u);
  EXPECT_EQ(one.since, 90u) << "the look that saw the last move";
  EXPECT_THAT(one.message, testing::HasSubstr("50 flits are under way, 1 of them in RTL routers; the oldest packet "
                                              "there is in node " + made_.wiring->address(7) + " since cycle 33: "));
  EXPECT_EQ(one.nodes, std::vector<node_id>{7});
  ASSERT_EQ(one.detail.size(), 1u);
  EXPECT_EQ(one.detail[0], made_.wiring->address(7) + " (mesh." + made_.wiring->path(7) +
                               "): 1 packets in its RTL, the oldest since cycle 33: packet 5, " +
                               made_.wiring->address(5) + " -> " + made_.wiring->address(12));

  foreign_[3]->hold(9, 3, 33);  // as old: the first node is named
  foreign_[3]->hold(8, 2, 31);
  foreign_[11]->hold(2, 1, 32);
  const network_failure more = look(101).value();
  EXPECT_THAT(more.message, testing::HasSubstr("7 of them in RTL routers; the oldest packet there is in node " +
                                               made_.wiring->address(3) + " since cycle 31: "));
  EXPECT_EQ(more.nodes, (std::vector<node_id>{3, 7, 11}));
  EXPECT_THAT(more.detail[0], testing::HasSubstr("2 packets in its RTL, the oldest since cycle 31: packet 8, "));
  const foreign_contents all = contents_of_foreign_routers({nullptr, nodes_[3], nodes_[7], nodes_[11], nodes_[12]});
  EXPECT_EQ(all.node, 3u);
  EXPECT_EQ(all.all.packets, 4u);
  EXPECT_EQ(all.all.oldest, 8u);
  EXPECT_EQ(contents_of_foreign_routers({nodes_[7], nodes_[0]}).all.oldest, 5u);
  const foreign_contents none = contents_of_foreign_routers({nullptr, nodes_[0]});
  EXPECT_EQ(none.node, 0u);
  EXPECT_EQ(none.all.flits, 0u);
  EXPECT_EQ(none.all.packets, 0u);
  EXPECT_EQ(none.all.oldest, no_packet);
  EXPECT_EQ(none.all.since, 0u);
}

TEST_F(silence_test, adds_up_what_several_parts_hold) {
  const auto part = [](std::uint64_t flits, std::uint64_t packets, packet_id oldest, cycle_t since, node_id node) {
    foreign_contents c;
    c.all = {flits, packets, oldest, since};
    c.node = node;
    return c;
  };
  // The oldest is that of the earliest cycle, and of one cycle that of the lowest node.
  struct step {
    foreign_contents more, sum;
  };
  foreign_contents sum;
  for (const auto& [more, expected] : {step{part(0, 0, no_packet, 0, 0), part(0, 0, no_packet, 0, 0)},
                                       {part(3, 1, 20, 50, 9), part(3, 1, 20, 50, 9)},
                                       {part(4, 2, 10, 51, 1), part(7, 3, 20, 50, 9)},
                                       {part(1, 1, 30, 50, 8), part(8, 4, 30, 50, 8)},
                                       {part(1, 1, 5, 50, 10), part(9, 5, 30, 50, 8)},
                                       {part(2, 0, 1, 1, 1), part(11, 5, 30, 50, 8)},
                                       {part(1, 1, 40, 49, 11), part(12, 6, 40, 49, 11)}}) {
    std::vector<std::uint64_t> words;
    more.append_to(words);
    word_reader reader(words);
    sum.add(foreign_contents::from(reader));
    EXPECT_FALSE(reader.more());
    EXPECT_EQ(sum.all.flits, expected.all.flits);
    EXPECT_EQ(sum.all.packets, expected.all.packets);
    EXPECT_EQ(sum.all.oldest, expected.all.oldest);
    EXPECT_EQ(sum.all.since, expected.all.since);
    EXPECT_EQ(sum.node, expected.node);
  }
}

// Two parts of a network, of which the other one's words are given.
TEST_F(silence_test, looks_at_all_parts) {
  std::vector<std::vector<std::uint64_t>> others;  // of each meeting
  const auto look_together = [&](cycle_t done, std::vector<std::vector<std::uint64_t>> given) {
    others = std::move(given);
    std::size_t meeting = 0;
    const part_sharer share = [&](std::vector<std::uint64_t> own) {
      return std::vector<std::vector<std::uint64_t>>{std::move(own), others.at(meeting++)};
    };
    std::optional<network_failure> failure =
        watch_.look(*made_.wiring, nodes_, *state_, counters_, done, /*cycles*/ 10, share);
    EXPECT_EQ(meeting, others.size()) << "in as many meetings";
    return failure;
  };
  foreign_[6]->hold(5, 2, 33);
  // Under way, moves, and whether something waits for time to pass.
  EXPECT_FALSE(look_together(100, {{7, 1000, 0}}));
  EXPECT_FALSE(look_together(109, {{7, 1000, 0}}));
  EXPECT_FALSE(look_together(111, {{7, 1001, 0}})) << "a move over there";
  EXPECT_FALSE(look_together(121, {{7, 1001, 1}})) << "a wait over there";
  std::vector<std::uint64_t> there{9, 2, 3, 30, 12, 12};  // contents, and a line for node 12
  append_text(there, "twelve");
  there.push_back(4);
  append_text(there, "four");
  const auto failure = look_together(131, {{7, 1001, 0}, there});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->since, 121u);
  EXPECT_EQ(failure->message, "nothing moves: up to cycle 131 no flit has moved in 10 cycles, and 57 flits are under "
                              "way, 11 of them in RTL routers; the oldest packet there is in node " +
                                  made_.wiring->address(12) +
                                  " since cycle 30: a deadlock, or a router that does not forward");
  EXPECT_EQ(failure->nodes, (std::vector<node_id>{4, 6, 12}));
  ASSERT_EQ(failure->detail.size(), 3u);
  EXPECT_EQ(failure->detail[0], "four");
  EXPECT_EQ(failure->detail[2], "twelve");
}

TEST_F(silence_test, of_many_nodes_sixteen_are_told) {
  EXPECT_FALSE(look(90));
  for (packet_id p = 0; p < 16; ++p) foreign_[p]->hold(p, 1, 50 - p);
  network_failure failure = look(100).value();
  EXPECT_EQ(failure.detail.size(), 16u);
  EXPECT_THAT(failure.message, testing::HasSubstr(" in node " + made_.wiring->address(15) + " since cycle 35"));
  foreign_[16]->hold(16, 1, 60);
  foreign_[19]->hold(19, 1, 60);
  failure = look(100).value();
  ASSERT_EQ(failure.detail.size(), 17u);
  EXPECT_EQ(failure.detail[16], "and in 2 other nodes");
  EXPECT_EQ(failure.nodes.size(), 18u);
}

}  // namespace
}  // namespace toriscope::silence_test
