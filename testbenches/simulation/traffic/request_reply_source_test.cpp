// SPDX-License-Identifier: Apache-2.0
// Requests and replies one by one, without a network.
#include "testbenches/simulation/traffic/request_reply_source.h"

#include <gtest/gtest.h>

#include "base/error_of_test.h"
#include "testbenches/simulation/traffic/request_text_test.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"

namespace toriscope::request_reply_source_test {
namespace {

/// A node asks in each cycle in which it may: packets of a flit at rate 1.
struct asking_nodes : round_trip_sink {
  request_reply_source source;
  packet_table packets;
  cycle_t now = 0;
  std::vector<std::pair<cycle_t, cycle_t>> round_trips;
  std::vector<cycle_t> asked, lost;

  explicit asking_nodes(unsigned outstanding = 2, unsigned reply_queue = 1)
      : source(3, std::make_shared<uniform_pattern>(3, false), settings(outstanding, reply_queue)) {
    source.set_sink(this);
  }
  static request_reply_source::config settings(unsigned outstanding, unsigned reply_queue) {
    request_reply_source::config c;
    c.requests.rate_flits_per_node_cycle = 1;
    c.requests.lengths = packet_lengths(1);
    c.outstanding = outstanding;
    c.service_cycles = 4;
    c.reply_lengths = packet_lengths("2:1,3:1");
    c.reply_queue = reply_queue;
    return c;
  }
  void request_created(cycle_t created) override { asked.push_back(created); }
  void request_answered(cycle_t created, cycle_t answered) override {
    round_trips.emplace_back(created, answered);
  }
  void request_lost(cycle_t created) override { lost.push_back(created); }
  /// Packets of the next cycle.
  std::vector<packet_request> step() {
    std::vector<packet_request> out;
    source.packets_at(now, out);
    for (const packet_request& request : out) packets.create(request, now);
    ++now;
    return out;
  }
  /// In the cycle of the last step.
  void receive(packet_id id) {
    const packet_record record = packets[id];
    packets.retire(id);
    source.packet_received(id, record, now - 1);
  }
};

std::string in_words(const std::vector<packet_request>& list) {
  std::string text;
  for (const packet_request& r : list) text += to_text(r) + "; ";
  return text;
}

TEST(request_reply_source, answers_requests_of_a_cycle_in_their_order) {
  asking_nodes nodes;
  EXPECT_EQ(nodes.step().size(), 3u);
  EXPECT_EQ(nodes.step().size(), 3u);
  EXPECT_EQ(nodes.step().size(), 0u) << "two of each node are unanswered";
  EXPECT_EQ(nodes.source.requests_created(), 6u);
  EXPECT_EQ(nodes.source.requests_held_back(), 3u);
  for (const packet_id id : {5u, 1u, 4u}) nodes.receive(id);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(nodes.step().size(), 0u);
  const std::vector<packet_request> replies = nodes.step();
  ASSERT_EQ(replies.size(), 3u) << "four cycles later";
  EXPECT_EQ(nodes.source.answered_now(), (std::vector<packet_id>{1, 4, 5}));
  EXPECT_EQ(replies[0].destination, 1u);
  EXPECT_EQ(replies[1].destination, 1u);
  EXPECT_EQ(replies[2].destination, 2u);
  const packet_lengths lengths("2:1,3:1");  // drawn by each server from a stream of its own
  std::vector<random_stream> random;
  for (node_id n = 0; n < 3; ++n) random.emplace_back(~std::uint64_t{1}, n);
  for (const packet_request& reply : replies) EXPECT_EQ(reply.flits, lengths.draw(random[reply.source]));
  nodes.receive(6);
  EXPECT_EQ(nodes.source.outstanding(1), 1u);
  EXPECT_EQ(nodes.source.requests_answered(), 1u);
  EXPECT_EQ(nodes.round_trips, (std::vector<std::pair<cycle_t, cycle_t>>{{0, 6}}));
  const std::vector<packet_request> next = nodes.step();
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].source, 1u);
  EXPECT_EQ(nodes.asked, (std::vector<cycle_t>{0, 0, 0, 1, 1, 1, 7}));
  EXPECT_TRUE(nodes.lost.empty());
  EXPECT_TRUE(nodes.source.answered_now().empty());
}

TEST(request_reply_source, answers_in_the_next_cycle_at_the_earliest) {
  for (const cycle_t service : {0u, 1u, 2u}) {
    request_reply_source::config settings = asking_nodes::settings(1, 0);
    settings.service_cycles = service;
    request_reply_source source(2, std::make_shared<uniform_pattern>(2, false), settings);
    EXPECT_EQ(source.service_cycles(), service == 2 ? 2u : 1u);
    std::vector<packet_request> out;
    source.packets_at(0, out);
    ASSERT_EQ(out.size(), 2u);
    packet_record request;
    request.destination = 1;
    source.packet_received(0, request, 5);
    for (cycle_t now = 1; now < 5 + source.service_cycles(); ++now) source.packets_at(now, out);
    EXPECT_EQ(out.size(), 2u);
    source.packets_at(5 + source.service_cycles(), out);
    EXPECT_EQ(out.size(), 3u);
  }
}

TEST(request_reply_source, asks_the_same_where_draws_are_shared_out) {
  const auto requests = [](unsigned shares) {
    request_reply_source::config settings = asking_nodes::settings(1000, 0);
    settings.requests.rate_flits_per_node_cycle = .1;
    request_reply_source source(3, std::make_shared<uniform_pattern>(3, false), settings);
    if (shares > 0) source.share_draws(shares);
    std::vector<packet_request> out;
    for (cycle_t now = 0; now < 1000; ++now) {
      source.packets_at(now, out);
      for (unsigned share = 0; share < shares; ++share) source.draw_ahead(share);
    }
    return in_words(out);
  };
  EXPECT_GT(requests(0).size(), 1000u);
  EXPECT_EQ(requests(2), requests(0));
}

TEST(request_reply_source, a_packet_that_is_lost_is_not_waited_for) {
  asking_nodes nodes(1);
  nodes.now = 2;
  nodes.step();
  packet_record request = nodes.packets[0];
  const node_id server = request.destination;
  EXPECT_TRUE(nodes.source.admit(0, request, 0));
  EXPECT_EQ(nodes.source.replies_held(server), 1u);
  nodes.receive(0);
  for (int i = 0; i < 3; ++i) nodes.step();
  ASSERT_EQ(nodes.step().size(), 1u);
  nodes.source.packet_refused(3, nodes.packets[3]);  // the reply
  EXPECT_EQ(nodes.source.replies_held(server), 0u) << "its slot is free again";
  EXPECT_EQ(nodes.source.outstanding(0), 0u);
  EXPECT_EQ(nodes.lost, (std::vector<cycle_t>{2})) << "when its request was created";
  nodes.source.packet_discarded(1, nodes.packets[1], 0, 0, 5);  // a request
  EXPECT_EQ(nodes.lost, (std::vector<cycle_t>{2, 2}));
  EXPECT_EQ(nodes.source.outstanding(1), 0u);
  EXPECT_EQ(nodes.source.outstanding(2), 1u);
  EXPECT_EQ(nodes.source.requests_created(), 3u);
  nodes.source.packet_refused(2, nodes.packets[2]);  // another one, which was never created
  EXPECT_EQ(nodes.source.requests_created(), 2u);
  EXPECT_EQ(nodes.source.requests_answered(), 0u);
}

TEST(request_reply_source, goes_on_from_a_state) {
  asking_nodes before;
  for (int i = 0; i < 3; ++i) before.step();
  for (const packet_id id : {1u, 4u}) before.receive(id);
  before.step();
  before.receive(2);
  for (int i = 0; i < 3; ++i) before.step();
  ASSERT_EQ(before.packets.created(), 8u) << "six requests, and replies to 1 and 4; that to 2 comes next";
  EXPECT_TRUE(before.source.admit(3, before.packets[3], 6));

  asking_nodes after;
  state_archive saved;
  before.source.archive(saved, before.now, before.packets);
  state_archive read(saved.bytes());
  after.source.archive(read, before.now, before.packets);
  read.end();
  after.now = before.now;
  for (node_id n = 0; n < 3; ++n) {
    EXPECT_EQ(after.source.outstanding(n), before.source.outstanding(n));
    EXPECT_EQ(after.source.replies_held(n), before.source.replies_held(n));
  }
  EXPECT_EQ(after.source.requests_created(), 6u);
  EXPECT_EQ(after.source.requests_held_back(), before.source.requests_held_back());
  EXPECT_EQ(after.source.requests_answered(), 0u);
  std::vector<packet_request> first, second;
  const packet_record reply = before.packets[6];
  for (asking_nodes* nodes : {&before, &after}) {
    nodes->source.packet_received(6, reply, 6);
    std::vector<packet_request>& out = nodes == &before ? first : second;
    for (cycle_t now = nodes->now; now < nodes->now + 300; ++now) nodes->source.packets_at(now, out);
  }
  EXPECT_EQ(after.round_trips, (std::vector<std::pair<cycle_t, cycle_t>>{{0, 6}}));
  EXPECT_EQ(first.size(), 2u) << "the reply to 2, and a request";
  EXPECT_EQ(in_words(first), in_words(second));
  EXPECT_EQ(first[0].message_class, 1u);
}

/// By hand, of three nodes: nothing has been drawn, and a reply is to be created.
TEST(request_reply_source, a_state_is_refused_with_nodes_that_do_not_exist_or_replies_of_other_cycles) {
  const auto verdict = [](std::uint64_t outstanding, std::uint64_t created, std::uint64_t server,
                          std::uint64_t client) {
    state_archive a;
    const auto put = [&](std::initializer_list<std::uint64_t> numbers) {
      for (std::uint64_t n : numbers) a.number(n);
    };
    put({0});                     // the requests have not begun
    put({outstanding, 0, 0});     // by node
    std::uint64_t random = 5;
    for (int n = 0; n < 3; ++n) a.word(random);
    put({0, 0, 0});               // counts
    put({1, created, 1, 9, server, client, 3});
    request_reply_source source(3, std::make_shared<uniform_pattern>(3, false), asking_nodes::settings(2, 0));
    state_archive read(a.bytes());
    return error_of<damaged_state>([&] {
      source.archive(read, 100, packet_table());
      read.end();
    });
  };
  const std::string range = "a number is out of its range", cycles = "a reply is created too soon or too late";
  EXPECT_EQ(verdict(2, 100, 2, 2), "none");
  EXPECT_EQ(verdict(2, 104, 2, 2), "none");
  EXPECT_EQ(verdict(3, 100, 2, 2), range);
  EXPECT_EQ(verdict(2, 99, 2, 2), cycles);
  EXPECT_EQ(verdict(2, 105, 2, 2), cycles);
  EXPECT_EQ(verdict(2, 100, 3, 2), range);
  EXPECT_EQ(verdict(2, 100, 2, 3), range);
}

TEST(reply_slots, a_state_has_what_is_held_and_queued) {
  reply_slots before(2, 3), after(2, 3);
  packet_record request, reply;
  request.destination = 1;
  reply.source = 1;
  reply.message_class = reply_slots::reply_class;
  for (int i = 0; i < 3; ++i) before.admit(0, request, 0);
  for (int i = 0; i < 3; ++i) before.reply_created(1);
  reply.source = 0;
  before.packet_sent(0, reply, 0);  // of a trace, before its request
  const auto read = [](reply_slots& slots, const std::string& bytes) {
    state_archive a(bytes);
    return error_of<damaged_state>([&] {
      slots.archive(a);
      a.end();
    });
  };
  state_archive saved;
  before.archive(saved);
  EXPECT_EQ(read(after, saved.bytes()), "none");
  EXPECT_EQ(after.held(1), 3);
  EXPECT_EQ(after.held(0), -1);
  EXPECT_EQ(after.waits_for_queues(0, request), 1u << reply_slots::reply_class);
  for (const auto& [biased, wrong] : {std::pair<std::uint64_t, bool>{0, false},
                                      {std::uint64_t{1} << 31, false},
                                      {(std::uint64_t{1} << 31) + 1, true}}) {
    state_archive a;
    for (std::uint64_t n : {biased, biased, biased, biased}) a.number(n);
    EXPECT_EQ(read(after, a.bytes()), wrong ? "a number is out of its range" : "none") << biased;
  }
}

}  // namespace
}  // namespace toriscope::request_reply_source_test
