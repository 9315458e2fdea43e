// SPDX-License-Identifier: Apache-2.0
// Message classes and limited reception at one network interface, cycle by cycle (docs/model.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "router/network_interface.h"

namespace toriscope::class_queues_test {
namespace {

class no_routing : public routing_function {
 public:
  unsigned route(const route_request&, route_option*) const override { return 0; }
  unsigned state_bits() const override { return 0; }
};

/// Says yes to a packet from a given cycle on, and notes what it was asked and told.
class test_gate : public reception_gate {
 public:
  std::map<packet_id, cycle_t> opens;
  std::map<packet_id, std::vector<cycle_t>> asked;
  std::vector<std::pair<packet_id, cycle_t>> sent;
  bool admit(packet_id id, const packet_record&, cycle_t now) override {
    asked[id].push_back(now);
    return now >= opens[id];
  }
  void packet_sent(packet_id id, const packet_record&, cycle_t now) override { sent.emplace_back(id, now); }
};

/// One interface, wires of delay 1, no router.
struct bench {
  no_routing routing;
  network_state network;
  arrival_schedule reader;
  flit_wire *injection, *ejection;
  credit_wire *injection_credit, *ejection_credit;
  std::unique_ptr<network_interface> ni;
  cycle_t now = 0;
  std::string sent;  ///< by cycle: class of the packet and VC, "0a 1c ..", a capital for a head
  std::map<cycle_t, std::uint16_t> credits_sent;

  bench(unsigned vcs, unsigned depth, unsigned classes, bool shared, bool limited)
      : network(config_of(vcs, depth), flit_layout(4, 0), routing, 1, 4),
        reader(network.memory, &network.wakes, 0, 1) {
    network.message_classes = classes;
    network.shared_classes = shared;
    network.limited_reception = limited;
    injection = &flit_wire::make(network.memory, 1);
    ejection = &flit_wire::make(network.memory, 1, &reader, ejection_arrival);
    injection_credit = &credit_wire::make(network.memory, 1, &reader, injection_credit_arrival);
    ejection_credit = limited ? &credit_wire::make(network.memory, 1) : nullptr;
    ni = std::make_unique<network_interface>(0, 0, network);
    ni->connect(*injection, *injection_credit, *ejection, ejection_credit);
  }
  static router_config config_of(unsigned vcs, unsigned depth) {
    router_config c;
    c.vcs = vcs;
    c.depth = depth;
    return c;
  }
  packet_id create(unsigned message_class, unsigned flits, node_id destination = 1) {
    return network.packets.create({0, destination, flits, static_cast<std::uint8_t>(message_class)}, now);
  }
  bool step() {
    const bool busy = ni->step(now, reader.arrivals(now));
    const flit_word f = injection->shown(now + 1);
    if (f.valid()) {
      const packet_id packet = network.packets.find(network.layout.tag(f), network.layout.tag_bits());
      sent += std::to_string(network.packets[packet].message_class);
      sent += static_cast<char>((f.head() ? 'A' : 'a') + static_cast<char>(f.vc()));
    } else {
      sent += "--";
    }
    sent += ' ';
    if (ejection_credit && ejection_credit->shown(now + 1).valid())
      credits_sent[now] = ejection_credit->shown(now + 1).vcs;
    ++now;
    return busy;
  }
  void run(unsigned cycles) {
    while (cycles-- > 0) step();
  }
};

TEST(message_classes, take_turns_flit_by_flit_on_their_own_vcs) {
  bench b(4, 8, 2, false, false);
  b.ni->enqueue(b.create(0, 3));
  b.ni->enqueue(b.create(0, 2));
  b.ni->enqueue(b.create(1, 2));
  EXPECT_EQ(b.ni->queue_length(), 3u);
  for (const int sending : {0, 2, 0, 0, -1, 1, -1, -1}) {  // that sent last, or else another that has begun
    b.step();
    ASSERT_EQ(b.ni->is_sending(), sending >= 0) << b.sent;
    EXPECT_EQ(b.ni->current_packet(), sending >= 0 ? static_cast<packet_id>(sending) : no_packet) << b.sent;
    if (sending >= 0) {
      EXPECT_EQ(b.ni->sending_vc(), static_cast<unsigned>(sending)) << b.sent;
    }
  }
  EXPECT_EQ(b.sent, "0A 1C 0a 1c 0a 0B 0b -- ");
  EXPECT_EQ(b.ni->queue_length(), 0u);
}

TEST(message_classes, a_class_without_credits_does_not_hold_up_another) {
  bench b(2, 1, 2, false, false);
  b.ni->enqueue(b.create(0, 3));
  b.ni->enqueue(b.create(1, 3));
  b.run(3);
  EXPECT_EQ(b.sent, "0A 1B -- ");
  b.injection_credit->send(b.now, {2});
  b.run(4);
  EXPECT_EQ(b.sent, "0A 1B -- -- 1b -- -- ");
}

TEST(message_classes, shared_vcs_are_not_taken_by_two_packets_at_once) {
  bench b(2, 4, 3, true, false);
  for (unsigned m = 0; m < 3; ++m) b.ni->enqueue(b.create(m, 3));
  b.run(8);
  // Class 2 waits for a VC without a packet under way: class 0's, when it is done. One credit is left there.
  EXPECT_EQ(b.sent, "0A 1B 0a 1b 0a 1b 2A -- ");
}

TEST(limited_reception, a_head_is_offered_until_it_is_admitted_and_then_a_flit_leaves_each_cycle) {
  bench b(2, 2, 1, false, true);
  test_gate gate;
  b.network.gate = &gate;
  const packet_id packet = b.create(0, 3, 0);
  gate.opens[packet] = 5;
  const std::uint64_t tag = b.network.layout.tag_of(packet);
  b.ejection->send(0, b.network.layout.head(0, 0, tag, false).on_vc(1));
  b.step();  // cycle 0
  b.ejection->send(1, b.network.layout.body(1, tag, false).on_vc(1));
  for (unsigned t = 1; t < 5; ++t) EXPECT_TRUE(b.step());
  EXPECT_TRUE(b.credits_sent.empty());
  EXPECT_EQ(b.ni->reception()->occupancy(1), 2u);
  EXPECT_TRUE(b.step());  // 5: the head leaves
  b.ejection->send(6, b.network.layout.body(2, tag, true).on_vc(1));
  EXPECT_FALSE(b.step());  // 6
  EXPECT_EQ(b.network.counters.packets_received, 0u);
  EXPECT_FALSE(b.step());  // 7: the tail comes and leaves
  EXPECT_EQ(b.network.counters.packets_received, 1u);
  EXPECT_EQ(b.credits_sent, (std::map<cycle_t, std::uint16_t>{{5, 2}, {6, 2}, {7, 2}}));
  EXPECT_EQ(gate.asked[packet], (std::vector<cycle_t>{1, 2, 3, 4, 5}));
}

TEST(limited_reception, every_vc_gives_a_flit_in_a_cycle_and_a_full_buffer_is_an_error) {
  bench b(2, 1, 1, false, true);
  test_gate gate;
  b.network.gate = &gate;
  packet_id packets[2];
  for (unsigned v = 0; v < 2; ++v) {
    packets[v] = b.create(0, 1, 0);
    gate.opens[packets[v]] = 4;
    b.ejection->send(b.now, b.network.layout.head(0, 0, b.network.layout.tag_of(packets[v]), true).on_vc(v));
    b.step();
  }
  b.run(4);
  EXPECT_EQ(b.credits_sent, (std::map<cycle_t, std::uint16_t>{{4, 3}}));
  EXPECT_EQ(b.network.counters.packets_received, 2u);

  gate.opens[b.create(0, 1, 0)] = 100;
  gate.opens[b.create(0, 1, 0)] = 100;
  for (const packet_id p : {2u, 3u}) {
    b.ejection->send(b.now, b.network.layout.head(0, 0, p, true).on_vc(0));
    b.step();
  }
  EXPECT_THROW(b.step(), invariant_violation);
}

TEST(limited_reception, tells_the_gate_what_was_sent) {
  for (const unsigned classes : {1u, 2u}) {
    bench b(2, 4, classes, false, true);
    test_gate gate;
    b.network.gate = &gate;
    b.ni->enqueue(b.create(0, 2));
    b.ni->enqueue(b.create(classes - 1, 1));
    b.run(4);
    EXPECT_EQ(gate.sent, classes == 1 ? (std::vector<std::pair<packet_id, cycle_t>>{{0, 1}, {1, 2}})
                                      : (std::vector<std::pair<packet_id, cycle_t>>{{1, 1}, {0, 2}}));
  }
}

TEST(message_classes, a_packet_on_the_vc_of_another_class_is_broken) {
  for (const bool shared : {false, true})
    for (const std::uint8_t of_class : {0, 1})
      for (const unsigned vc : {0u, 1u, 2u, 3u}) {
        bench b(4, 4, 2, shared, false);
        const packet_id packet = b.create(of_class, 1, 0);
        b.ejection->send(0, b.network.layout.head(0, 0, packet, true).on_vc(vc));
        b.step();
        EXPECT_EQ(error_of([&] { b.step(); }), shared || vc / 2 == of_class
                                                   ? "none"
                                                   : "packet 0: it was ejected on a VC of another message class")
            << vc;
      }
}

const flit_layout layout(4, 0);  // that of the bench

/// What the interface of terminal 0 says of the last of these flits, if it is told that packet 0 has three and goes
/// there.
std::string said_of(const std::vector<flit_word>& flits) {
  bench b(2, 4, 1, false, false);
  b.create(0, 3, 0);
  b.create(0, 3, 0);
  for (const flit_word f : flits) {
    b.ejection->send(b.now, f);
    b.step();
  }
  const std::string said = error_of<invariant_violation>([&] { b.step(); });
  EXPECT_EQ(b.network.counters.packets_received, said == "none" && flits.back().tail()) << said;
  return said;
}

TEST(network_interface, says_what_is_wrong_with_a_flit_that_arrives) {
  const flit_word head = layout.head(0, 0, 0, false), tail = layout.body(2, 0, true);
  EXPECT_EQ(said_of({head}), "none");
  EXPECT_EQ(said_of({head, layout.body(1, 0, false), tail}), "none");
  EXPECT_EQ(said_of({layout.head(0, 0, 0, true)}), "packet 0: flits are missing");
  EXPECT_EQ(said_of({head, layout.body(1, 0, true)}), "packet 0: flits are missing");
  EXPECT_EQ(said_of({head, layout.body(1, 0, false), layout.body(2, 0, false), layout.body(3, 0, true)}),
            "packet 0: flits are missing");
  EXPECT_EQ(said_of({layout.head(1, 0, 0, false)}), "packet 0: it was ejected at the wrong node");
  EXPECT_EQ(said_of({head, layout.head(0, 0, 1, false)}),
            "packet 1: its head came within another packet of the same VC");
  EXPECT_EQ(said_of({head, layout.head(0, 0, 1, false).on_vc(1)}), "none") << "on a VC of its own";
  EXPECT_EQ(said_of({head, tail}), "packet 0: its flits arrive out of order");
  EXPECT_EQ(said_of({head, layout.body(1, 0, false), layout.body(1, 0, false)}),
            "packet 0: its flits arrive out of order");
  EXPECT_EQ(said_of({head, layout.body(1, 1, false)}), "packet 1: a flit at the wrong position arrived");
  EXPECT_EQ(said_of({head, layout.body(1, 0, false).on_vc(1)}), "packet 0: a flit at the wrong position arrived");
  EXPECT_EQ(said_of({tail}), "packet 0: a flit at the wrong position arrived");
}

TEST(message_classes, say_which_packet_is_being_sent_on_which_vc) {
  bench b(4, 8, 2, false, false);
  const class_queues& queues = *b.ni->classes();
  for (const unsigned m : {0u, 1u}) {
    EXPECT_EQ(queues.length(m), 0u);
    EXPECT_EQ(queues.current_packet(m), no_packet);
    EXPECT_EQ(queues.startable(m).mask(), m == 0 ? 3u : 12u);
  }
  b.ni->enqueue(b.create(0, 3));  // packet 0
  b.ni->enqueue(b.create(1, 2));  // packet 1
  const packet_id none = no_packet, sent_0[] = {0, 0, 0, 0, none}, sent_1[] = {none, 1, 1, none, none};
  for (unsigned done = 0; done < 5; ++done) {
    EXPECT_EQ(b.step(), done < 4) << done;
    EXPECT_EQ(queues.current_packet(0), sent_0[done]) << done;
    EXPECT_EQ(queues.current_packet(1), sent_1[done]) << done;
    if (done < 4) {
      EXPECT_EQ(queues.sending_vc(0), 0u);
    }
    if (done == 1 || done == 2) {
      EXPECT_EQ(queues.sending_vc(1), 2u);
    }
    EXPECT_EQ(queues.length(0), done < 4);
    EXPECT_EQ(queues.length(1), done < 3);
    EXPECT_EQ(b.ni->queue_length(), (done < 4) + (done < 3));
    EXPECT_EQ(b.ni->flits_sent(), done + 1);
  }
  EXPECT_EQ(b.sent, "0A 1C 0a 1c 0a ");
  EXPECT_EQ(b.network.packets[0].head_sent, 0u);
  EXPECT_EQ(b.network.packets[1].head_sent, 1u);
  const unsigned credits[] = {8 - 3, 8, 8 - 2, 8};
  for (unsigned v = 0; v < 4; ++v) EXPECT_EQ(b.ni->credits(v), credits[v]);
  EXPECT_EQ(b.network.counters.flits_injected, 5u);
}

TEST(message_classes, that_share_vcs_start_where_no_packet_is_under_way) {
  bench b(3, 8, 2, true, false);
  const class_queues& queues = *b.ni->classes();
  b.ni->enqueue(b.create(0, 2));
  b.ni->enqueue(b.create(1, 2));
  const unsigned free_vcs[] = {6, 4, 5, 7, 7};
  for (const unsigned vcs : free_vcs) {
    b.step();
    for (const unsigned m : {0u, 1u}) EXPECT_EQ(queues.startable(m).mask(), vcs) << b.sent;
  }
  EXPECT_EQ(b.sent, "0A 1B 0a 1b -- ");
}

TEST(network_interface, says_which_packet_is_being_sent_on_which_vc) {
  bench b(2, 4, 1, false, false);
  EXPECT_FALSE(b.ni->has_work(0));
  EXPECT_EQ(b.ni->classes(), nullptr);
  EXPECT_EQ(b.ni->reception(), nullptr);
  for (unsigned packet = 0; packet < 2; ++packet) b.ni->enqueue(b.create(0, 3));
  const packet_id none = no_packet, current[] = {0, 0, none, 1, 1, none};
  for (unsigned done = 0; done < 6; ++done) {
    EXPECT_TRUE(b.ni->has_work(0));
    EXPECT_EQ(b.step(), done < 5);
    EXPECT_EQ(b.ni->current_packet(), current[done]) << done;
    EXPECT_EQ(b.ni->is_sending(), current[done] != none) << done;
    EXPECT_EQ(b.ni->sending_vc(), done < 3 ? 0u : 1u) << done;
    EXPECT_EQ(b.ni->queue_length(), done < 2 ? 2u : done < 5 ? 1u : 0u) << done;
  }
  EXPECT_EQ(b.sent, "0A 0a 0a 0B 0b 0b ");
  EXPECT_FALSE(b.ni->has_work(0));
  EXPECT_TRUE(b.ni->has_work(arrival_mask{1} << ejection_arrival));
  EXPECT_TRUE(b.ni->has_work(arrival_mask{1} << injection_credit_arrival));
  EXPECT_EQ(b.network.packets[1].head_sent, 3u);
  for (unsigned v = 0; v < 2; ++v) EXPECT_EQ(b.ni->credits(v), 1u);
}

}  // namespace
}  // namespace toriscope::class_queues_test
