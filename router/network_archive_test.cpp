// SPDX-License-Identifier: Apache-2.0
// States that no network can have: each rule of router/network_archive.h is broken by one number.
#include "router/network_archive.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error_of_test.h"

namespace toriscope::network_archive_test {
namespace {

class no_routing : public routing_function {
 public:
  unsigned route(const route_request&, route_option*) const override { return 0; }
  unsigned state_bits() const override { return 2; }
};

constexpr cycle_t now = 100;
constexpr terminal_id terminals = 12;
constexpr unsigned depth = 3;
const std::string accepted = "none";

/// A network of 3 VCs with packets 0 to 4, of 3 flits each from terminal 1 to terminal 2 + packet, created in cycle 10
/// + packet. Packet 3 has ended; packet 4 is of message class 1, the others of class 0.
struct bench {
  no_routing routing;
  network_state network{config(), flit_layout(terminals, 2), routing, 1, 4};
  state_archive saved;
  std::string bytes;

  bench() {
    for (packet_id p = 0; p < 5; ++p)
      network.packets.create({1, static_cast<node_id>(2 + p), 3, static_cast<std::uint8_t>(p == 4)}, 10 + p);
    network.packets.retire(3);
    network.message_classes = 2;
    for (packet_id p = 0; p < 3; ++p) network.packets[p].head_sent = 20 + p;
  }
  static router_config config() {
    router_config c;
    c.vcs = 3;
    c.depth = depth;
    return c;
  }
  flit_word head(packet_id p, unsigned vc = 1) const {
    return network.layout.head(static_cast<std::uint32_t>(2 + p), 0, network.layout.tag_of(p), false).on_vc(vc);
  }
  flit_word body(packet_id p, unsigned index, unsigned vc = 1) const {
    return network.layout.body(index, network.layout.tag_of(p), index == 2).on_vc(vc);
  }
  void save(flit_word f) { saved.word(f.bits); }
  /// What `read` throws over what has been saved.
  template <class Read>
  std::string verdict(Read read) {
    bytes = saved.bytes();
    state_archive a{std::string_view(bytes)};
    network_archive s(a, network, terminals, now);
    return error_of<damaged_state>([&] { read(s); });
  }

  /// These flits, one after the other.
  std::string flits(const std::vector<flit_word>& words) {
    for (const flit_word f : words) save(f);
    return verdict([&](network_archive& s) {
      for (const flit_word expected : words) {
        flit_word f;
        s.flit(f);
        EXPECT_EQ(f.bits, expected.bits);
      }
    });
  }
  /// The buffer of VC 1 with these flits.
  std::string buffer(const std::vector<flit_word>& words) {
    unsigned count = static_cast<unsigned>(words.size());
    saved.number(count);
    for (const flit_word f : words) save(f);
    return verdict([&](network_archive& s) {
      flit_word slots[4];
      vc_buffer b;
      b.push(slots, 3, {});
      s.buffer(b, slots, 3, depth, 1);
      EXPECT_EQ(b.size(), words.size());
      for (unsigned i = 0; i < words.size(); ++i) EXPECT_EQ(b.at(slots, 3, i), words[i]);
    });
  }
};

/// The source queue of terminal 1, class 0, as a state has it.
struct queue_words {
  unsigned pointer = 0;
  std::vector<packet_id> packets;
  unsigned sent = 0, vc = 0;

  void save(state_archive& a) const {
    unsigned p = pointer, s = sent, v = vc;
    a.number(p);
    a.size(packets.size());
    packet_id before = 0;
    for (const packet_id packet : packets) {
      packet_id step = packet - before;
      a.number(step);
      before = packet;
    }
    if (packets.empty()) return;
    a.number(s);
    if (s > 0) a.number(v);
  }
};

std::string of_queue(const queue_words& q, terminal_id terminal = 1, unsigned message_class = 0,
                     const std::vector<flit_word>& flits_before = {}) {
  bench b;
  for (const flit_word f : flits_before) b.save(f);
  q.save(b.saved);
  return b.verdict([&](network_archive& s) {
    for (flit_word f : flits_before) s.flit(f);
    source_queue read;
    s.queue(read, terminal, message_class);
    EXPECT_EQ(read.length, q.packets.size());
    EXPECT_EQ(read.vc_pointer, q.pointer);
    packet_id at = read.first;
    for (const packet_id packet : q.packets) {
      EXPECT_EQ(at, packet);
      at = b.network.packets[at].next;
    }
    if (q.sent == 0) return;
    EXPECT_EQ(read.sent, q.sent);
    EXPECT_EQ(read.vc, q.vc);
    EXPECT_EQ(read.next_flit(b.network.layout), b.body(q.packets[0], q.sent, q.vc));
    EXPECT_EQ(b.network.packets[q.packets[0]].head_sent, 20 + q.packets[0]) << "is kept";
  });
}

TEST(network_archive, a_flit_is_one_of_a_packet_under_way) {
  const bench b;
  const std::string none = "a flit is none", homeless = "a flit belongs to no packet",
                    unsent = "a flit belongs to a packet that was not sent";
  EXPECT_EQ(bench().flits({b.head(0), b.body(0, 1), b.body(0, 2)}), accepted);
  EXPECT_EQ(bench().flits({b.head(0, 2), b.body(1, 2, 0)}), accepted);
  EXPECT_EQ(bench().flits({flit_word{}}), none);
  EXPECT_EQ(bench().flits({b.head(0, 3)}), none) << "there are VCs 0 to 2";
  EXPECT_EQ(bench().flits({b.body(3, 1)}), homeless) << "it has ended";
  EXPECT_EQ(bench().flits({b.body(5, 1)}), homeless) << "it is not created";
  EXPECT_EQ(bench().flits({b.body(4, 1)}), unsent);
  for (const auto& [sent, verdict] :
       {std::pair{cycle_t{10}, accepted}, {9, unsent}, {now - 1, accepted}, {now, unsent}}) {
    bench sent_then;
    sent_then.network.packets[0].head_sent = sent;
    EXPECT_EQ(sent_then.flits({b.body(0, 1)}), verdict) << sent;
  }
  EXPECT_EQ(bench().flits({b.network.layout.head(3, 0, 0, false)}), "a head goes elsewhere than its packet");
  EXPECT_EQ(bench().flits({b.head(0), b.head(1), b.head(0)}), "a packet has two heads or tails");
  EXPECT_EQ(bench().flits({b.body(0, 2), b.body(1, 2), b.body(0, 2)}), "a packet has two heads or tails");
}

TEST(network_archive, a_buffer_has_packets_one_after_the_other) {
  const bench b;
  const std::string mixed = "packets in a buffer are mixed up";
  EXPECT_EQ(bench().buffer({}), accepted);
  EXPECT_EQ(bench().buffer({b.body(0, 1), b.body(0, 2), b.head(1)}), accepted);
  EXPECT_EQ(bench().buffer({b.head(0), b.body(0, 1), b.body(0, 2), b.head(1)}), "a number is out of its range");
  EXPECT_EQ(bench().buffer({b.head(0, 2)}), "a flit is in a buffer of another VC");
  EXPECT_EQ(bench().buffer({b.head(0), b.head(1)}), mixed) << "the tail of the first is missing";
  EXPECT_EQ(bench().buffer({b.body(0, 2), b.body(1, 1)}), mixed) << "the head of the second is missing";
  EXPECT_EQ(bench().buffer({b.body(0, 1), b.body(1, 1)}), mixed);
}

TEST(network_archive, a_source_queue_has_packets_of_its_terminal_that_have_ends_nowhere_else) {
  const bench b;
  const std::string foreign = "a packet is in a source queue of another node",
                    twice = "a packet has two heads or tails", out_of_range = "a number is out of its range";
  EXPECT_EQ(of_queue({}), accepted);
  EXPECT_EQ(of_queue({16, {}}), accepted);
  EXPECT_EQ(of_queue({17, {}}), out_of_range);
  EXPECT_EQ(of_queue({2, {0, 1, 2}}), accepted);
  EXPECT_EQ(of_queue({2, {0, 1, 2}, 1, 2}), accepted);
  EXPECT_EQ(of_queue({2, {1, 2}, 2, 0}), accepted);
  EXPECT_EQ(of_queue({2, {1, 2}, 3, 0}), out_of_range) << "a packet of 3 flits of which 3 were sent";
  EXPECT_EQ(of_queue({2, {1, 2}, 2, 3}), out_of_range) << "VC 3";
  EXPECT_EQ(of_queue({0, {0, 0}}), twice);
  EXPECT_EQ(of_queue({0, {0, 3}}), foreign) << "it has ended";
  EXPECT_EQ(of_queue({0, {0, 5}}), foreign) << "it is not created";
  EXPECT_EQ(of_queue({0, {0, 4}}), foreign) << "of another class";
  EXPECT_EQ(of_queue({0, {4}}, 1, 1), accepted);
  EXPECT_EQ(of_queue({0, {0}}, 2), foreign);
  EXPECT_EQ(of_queue({0, {4}, 1, 0}, 1, 1), "the head of a packet was sent in another cycle") << "in cycle 0";
  // What is in the network of them beside: of a packet that waits nothing, of the one that is sent no tail.
  EXPECT_EQ(of_queue({0, {0, 1}, 2, 0}, 1, 0, {b.body(0, 1)}), accepted);
  EXPECT_EQ(of_queue({0, {0, 1}, 1, 0}, 1, 0, {b.body(0, 1), b.body(0, 1)}), "a packet has more flits than its own");
  EXPECT_EQ(of_queue({0, {0, 1}}, 1, 0, {b.body(0, 1)}), "a packet has more flits than its own");
  EXPECT_EQ(of_queue({0, {0, 1}}, 1, 0, {b.head(0)}), twice);
  EXPECT_EQ(of_queue({0, {0, 1}}, 1, 0, {b.head(1)}), twice);
  EXPECT_EQ(of_queue({0, {0, 1}}, 1, 0, {b.body(1, 2)}), twice);
  EXPECT_EQ(of_queue({0, {0, 1}, 1, 0}, 1, 0, {b.head(0)}), accepted);
  EXPECT_EQ(of_queue({0, {0, 1}, 1, 0}, 1, 0, {b.body(0, 2)}), twice);
}

TEST(network_archive, packets_that_arrive_or_are_given_up_have_no_head_elsewhere) {
  const std::string twice = "a packet has two heads or tails";
  const auto arriving = [](std::uint64_t code, bool head_of_0) {
    bench b;
    if (head_of_0) b.save(b.head(0));
    b.saved.number(code);
    return b.verdict([&](network_archive& s) {
      flit_word f;
      if (head_of_0) s.flit(f);
      packet_id packet = 77;
      s.arriving(packet);
      EXPECT_EQ(packet, code - 1);
    });
  };
  const std::string unknown = "flits arrive of a packet that does not exist";
  EXPECT_EQ(arriving(0, true), accepted);
  EXPECT_EQ(arriving(1, false), accepted);
  EXPECT_EQ(arriving(1, true), twice);
  EXPECT_EQ(arriving(2, true), accepted);
  EXPECT_EQ(arriving(4, false), unknown);
  EXPECT_EQ(arriving(6, false), unknown);

  bench b;
  EXPECT_EQ(b.verdict([&](network_archive& s) { s.headless(b.body(0, 1)); }), accepted);
  EXPECT_EQ(b.verdict([&](network_archive& s) { s.headless(b.head(0)); }), "a packet is given up with its head");
  EXPECT_EQ(b.verdict([&](network_archive& s) {
    s.headless(b.body(0, 1));
    s.headless(b.body(0, 2));
  }),
            twice);
}

TEST(network_archive, tells_which_ends_it_has_seen) {
  bench b;
  for (const flit_word f : {b.head(0), b.body(1, 2), b.head(2), b.body(2, 2)}) b.save(f);
  EXPECT_EQ(b.verdict([&](network_archive& s) {
    flit_word f;
    for (int i = 0; i < 4; ++i) s.flit(f);
    // Head and tail of packets 0, 1, 2 and 4.
    EXPECT_EQ(s.ends_seen(), std::vector<std::uint64_t>{0b00111001});
  }),
            accepted);
}

TEST(network_archive, knows_whether_each_packet_has_its_tail) {
  const bench b;
  const auto verdict = [](const std::vector<flit_word>& flits) {
    bench one;
    for (const flit_word f : flits) one.save(f);
    return one.verdict([&](network_archive& s) {
      flit_word f;
      for (std::size_t i = 0; i < flits.size(); ++i) s.flit(f);
      s.check_tails();
    });
  };
  bench waits;  // packet 4 has not been sent
  queue_words{0, {4}}.save(waits.saved);
  for (packet_id p = 0; p < 3; ++p) waits.save(waits.body(p, 2));
  EXPECT_EQ(waits.verdict([&](network_archive& s) {
    source_queue queue;
    s.queue(queue, 1, 1);
    for (int i = 0; i < 3; ++i) {
      flit_word f;
      s.flit(f);
    }
    s.check_tails();
  }),
            accepted);
  EXPECT_EQ(verdict({b.body(0, 2), b.body(1, 2), b.body(2, 2)}), "a packet has no tail") << "packet 4";
}

TEST(network_archive, cycles_are_kept_by_how_long_ago_they_are) {
  for (const unsigned ago : {1u, 30u, 99u}) {
    state_archive saved;
    bench b;
    std::uint16_t cycle = static_cast<std::uint16_t>(now - ago);
    network_archive(saved, b.network, terminals, now).low_bits(cycle);
    EXPECT_EQ(saved.bytes(), std::string(1, static_cast<char>(ago)));
    state_archive read{std::string_view(saved.bytes())};
    std::uint16_t back = 0;
    network_archive(read, b.network, terminals, 70000).low_bits(back);
    EXPECT_EQ(back, static_cast<std::uint16_t>(70000 - ago));
  }
}

}  // namespace
}  // namespace toriscope::network_archive_test
