// SPDX-License-Identifier: Apache-2.0
// Request and reply on whole networks: with all VCs shared a protocol deadlock freezes them and the watchdog
// says so; with VC sets of their own, under the same load, everything is delivered. All networks run side by
// side in one simulation.
#include "testbenches/simulation/traffic/request_reply_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "network/network.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"
#include "topologies/registry.h"

namespace toriscope::request_reply_test {
namespace {

/// Looks at the limits in every cycle.
class watching_source final : public traffic_source {
 public:
  explicit watching_source(request_reply_source& inner) : inner_(inner) {}
  unsigned max_outstanding = 0;
  unsigned max_held = 0;
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    inner_.packets_at(now, out);
    for (node_id n = 0; n < 16; ++n) {
      max_outstanding = std::max(max_outstanding, inner_.outstanding(n));
      max_held = std::max(max_held, inner_.replies_held(n));
    }
  }

 private:
  request_reply_source& inner_;
};

packet_record packet_of_class(std::uint8_t message_class, node_id source, node_id destination) {
  packet_record r;
  r.source = source;
  r.destination = destination;
  r.message_class = message_class & 15u;
  return r;
}

TEST(reply_slots, are_taken_by_requests_and_given_back_by_replies) {
  reply_slots slots(4, 2);
  const packet_record request = packet_of_class(0, 1, 3), reply = packet_of_class(1, 3, 1);
  EXPECT_TRUE(slots.admit(0, request, 0));
  EXPECT_TRUE(slots.admit(1, request, 0));
  EXPECT_FALSE(slots.admit(2, request, 0));
  EXPECT_EQ(slots.held(3), 2);
  EXPECT_EQ(slots.waits_for_queues(2, request), 0u) << "the replies are still to come";
  slots.reply_created(3);
  EXPECT_EQ(slots.waits_for_queues(2, request), 0u);
  slots.reply_created(3);
  EXPECT_EQ(slots.waits_for_queues(2, request), 1u << reply_slots::reply_class);
  EXPECT_EQ(slots.waits_for_queues(3, packet_of_class(1, 1, 3)), 0u) << "replies are always admitted";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(slots.admit(3, packet_of_class(1, 1, 3), 0));
  EXPECT_EQ(slots.held(3), 2);
  slots.packet_sent(4, request, 0);
  EXPECT_EQ(slots.held(3), 2) << "a request that leaves gives nothing back";
  slots.packet_sent(4, reply, 0);
  EXPECT_EQ(slots.held(3), 1);
  EXPECT_TRUE(slots.admit(2, request, 0));
}

TEST(reply_slots, of_any_number_are_never_waited_for) {
  reply_slots slots(4, 0);
  const packet_record request = packet_of_class(0, 1, 3);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(slots.admit(0, request, 0));
  slots.reply_created(3);
  slots.packet_sent(0, packet_of_class(1, 3, 1), 0);
  EXPECT_EQ(slots.waits_for_queues(0, request), 0u);
  EXPECT_EQ(slots.held(3), 0);
}

TEST(request_reply, requests_are_of_their_class_whatever_classes_are_drawn) {
  request_reply_source::config settings;
  settings.requests.rate_flits_per_node_cycle = 1;
  settings.requests.lengths = packet_lengths(1);
  settings.requests.message_classes = 2;
  settings.outstanding = 100;
  request_reply_source source(16, std::make_shared<uniform_pattern>(16, false), settings);
  std::vector<packet_request> out;
  for (cycle_t now = 0; now < 10; ++now) source.packets_at(now, out);
  ASSERT_EQ(out.size(), 160u) << "a flit of each node in each cycle";
  for (const packet_request& request : out) EXPECT_EQ(request.message_class, 0u);
}

struct bench final : round_trip_sink, packet_sink {
  topology made;
  request_reply_source source;
  watching_source watching;
  network net;
  std::uint64_t round_trips = 0, shortest = ~std::uint64_t{0};
  std::uint64_t received[2] = {};

  bench(const char* name, bool shared, pipeline stages, const request_reply_source::config& settings,
        sc_core::sc_clock& clock)
      : made(make_topology("torus:4x4", {{}, 4, shared ? 1u : 2u})),
        source(16, std::make_shared<uniform_pattern>(16, false), settings),
        watching(source),
        net(name, made.wiring, made.routing, config_of(shared, stages)) {
    net.clk(clock);
    net.set_source(&watching);
    net.add_sink(&source);
    net.add_sink(this);
    net.set_gate(&source);
    source.set_sink(this);
    net.keep_simulating_after_failure();
  }
  static network_config config_of(bool shared, pipeline stages) {
    network_config config;
    config.router.pipeline = stages;
    config.router.vcs = 4;
    config.router.depth = stages == pipeline::paper2009 ? 1 : 4;
    config.message_classes = 2;
    config.shared_classes = shared;
    config.limited_reception = true;
    config.watchdog_cycles = 500;
    config.checks = check_level::full;
    return config;
  }
  void request_answered(cycle_t asked, cycle_t answered) override {
    ++round_trips;
    shortest = std::min(shortest, answered - asked);
  }
  void packet_received(packet_id, const packet_record& record, cycle_t) override {
    ++received[record.message_class];
  }
};

request_reply_source::config settings_of(double rate, unsigned outstanding, unsigned reply_queue) {
  request_reply_source::config settings;
  settings.requests.rate_flits_per_node_cycle = rate;
  settings.requests.lengths = packet_lengths(4);
  settings.reply_lengths = packet_lengths(8);
  settings.outstanding = outstanding;
  settings.service_cycles = 10;
  settings.reply_queue = reply_queue;
  return settings;
}

TEST(request_reply, freezes_on_shared_vcs_and_not_on_vcs_of_their_own) {
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  std::vector<std::unique_ptr<bench>> shared, own;
  const request_reply_source::config heavy = settings_of(1, 16, 1);
  for (const pipeline p : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
    const std::string name = to_string(p);
    shared.push_back(std::make_unique<bench>(("shared_" + name).c_str(), true, p, heavy, clock));
    own.push_back(std::make_unique<bench>(("own_" + name).c_str(), false, p, heavy, clock));
  }
  bench light("light", false, pipeline::four_stage, settings_of(0.01, 2, 0), clock);
  sc_core::sc_start(12'000, sc_core::SC_NS);

  for (const auto& b : shared) {
    ASSERT_NE(b->net.failure(), nullptr) << b->net.name();
    EXPECT_EQ(b->net.failure()->what, network_failure::kind::deadlock);
    EXPECT_THAT(b->net.failure()->message, testing::HasSubstr("protocol deadlock since cycle "));
    EXPECT_THAT(b->net.failure()->message, testing::HasSubstr("message classes with VCs of their own"));
    EXPECT_THAT(b->net.failure()->detail, testing::Contains(testing::HasSubstr("is not admitted")));
    EXPECT_THAT(b->net.failure()->detail, testing::Contains(testing::HasSubstr("source queue of class 1")));
    EXPECT_FALSE(b->net.failure()->nodes.empty());
    EXPECT_EQ(b->net.check_conservation(), "");
  }
  for (const auto& b : own) {
    EXPECT_EQ(b->net.failure(), nullptr) << b->net.name() << ": " << b->net.failure()->message;
    EXPECT_EQ(b->watching.max_outstanding, 16u) << "the limit is reached, and not exceeded";
    EXPECT_EQ(b->watching.max_held, 1u);
    EXPECT_GT(b->source.requests_held_back(), 0u);
    EXPECT_GT(b->round_trips, 500u);
    EXPECT_EQ(b->round_trips, b->received[1]);
    // All that is under way is within the limit: requests unanswered = asked - answered.
    std::uint64_t open = 0;
    for (node_id n = 0; n < 16; ++n) open += b->source.outstanding(n);
    EXPECT_EQ(open, b->source.requests_created() - b->source.requests_answered());
    EXPECT_EQ(b->net.check_conservation(), "");
  }
  EXPECT_EQ(light.net.failure(), nullptr);
  EXPECT_GT(light.round_trips, 300u);
  EXPECT_LE(light.watching.max_outstanding, 2u);
  // Zero load, neighbours (H = 2): request 2*3 + 1 + 2 + 3, service 10, reply 2*3 + 1 + 2 + 7.
  EXPECT_EQ(light.shortest, 12u + 10u + 16u);
}

}  // namespace
}  // namespace toriscope::request_reply_test
