// SPDX-License-Identifier: Apache-2.0
// Wires, their readers and the words on them against maps of what was sent.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "base/hash.h"
#include "links/delay_line.h"

namespace toriscope::wire_test {
namespace {

TEST(arrival_schedule, knows_what_comes_in_each_cycle_within_reach) {
  for (const unsigned reach : {1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u}) {
    arena memory;
    wake_calendar wakes(3, reach + 1);
    arrival_schedule reader(memory, &wakes, 2, reach);
    std::map<cycle_t, arrival_mask> expected;
    std::set<cycle_t> woken;
    for (cycle_t now = 0; now < 200; ++now) {
      for (std::uint64_t draw = 0; draw < 4; ++draw) {
        const cycle_t cycle = now + 1 + mix(now, draw) % reach;
        const auto bit = static_cast<unsigned>(mix(now, draw, 1) % 64);
        if (mix(now, draw, 2) % 4 == 0) {
          reader.retract(cycle, bit);
          expected[cycle] &= ~(arrival_mask{1} << bit);
        } else {
          reader.expect(cycle, bit);
          expected[cycle] |= arrival_mask{1} << bit;
          woken.insert(cycle);
        }
      }
      for (cycle_t cycle = now; cycle <= now + reach; ++cycle)
        ASSERT_EQ(reader.arrivals(cycle), expected[cycle]) << reach << ": " << cycle << " in " << now;
      unsigned visits = 0;
      wakes.take(now, [&](std::uint32_t node) {
        EXPECT_EQ(node, 2u);
        return ++visits == 0;
      });
      ASSERT_EQ(visits, woken.count(now)) << reach << ": " << now;
    }
  }
}

/// Two wires of a reader, each against what was sent last for each cycle.
TEST(wire, shows_what_was_sent_last_for_a_cycle) {
  for (const unsigned delay : {1u, 2u, 3u, 4u, 9u})
    for (const unsigned ahead : {0u, 1u, 3u, 6u}) {
      arena memory;
      arrival_schedule reader(memory, nullptr, 0, delay + ahead + 1);
      flit_wire* const wires[] = {&flit_wire::make(memory, delay, &reader, 5, ahead),
                                  &flit_wire::make(memory, delay + 1, &reader, 40, ahead)};
      flit_wire& alone = flit_wire::make(memory, delay, nullptr, 0, ahead);
      std::map<cycle_t, std::uint64_t> shown[2];
      for (cycle_t now = 0; now < 150; ++now) {
        for (std::uint64_t draw = 0; draw < 4; ++draw) {
          const std::size_t w = mix(now, draw, 3) % 2;
          const cycle_t sent = now + mix(now, draw) % (ahead + 1);
          const flit_word word{mix(now, draw, 1) % 3 == 0 ? 0 : mix(now, draw, 2) | 1u};
          wires[w]->send(sent, word);
          if (w == 0) alone.send(sent, word);
          shown[w][sent + delay + w] = word.bits;
        }
        for (std::size_t w = 0; w < 2; ++w) {
          EXPECT_EQ(wires[w]->delay_cycles(), delay + w);
          EXPECT_EQ(wires[w]->reach_cycles(), delay + w + ahead);
          for (cycle_t cycle = now; cycle <= now + wires[w]->reach_cycles(); ++cycle) {
            ASSERT_EQ(wires[w]->shown(cycle).bits, shown[w][cycle]) << delay << ' ' << ahead << ": " << cycle;
            const arrival_mask bit = arrival_mask{1} << (w == 0 ? 5 : 40);
            ASSERT_EQ((reader.arrivals(cycle) & bit) != 0, shown[w][cycle] != 0) << cycle;
            if (shown[w][cycle] != 0) {
              ASSERT_EQ(wires[w]->arrived(cycle).bits, shown[w][cycle]);
            }
            if (w == 0) {
              ASSERT_EQ(alone.shown(cycle).bits, shown[w][cycle]) << "with a reader of its own";
            }
          }
        }
      }
    }
}

TEST(wire, that_is_near_is_as_any_other) {
  arena memory;
  arrival_schedule reader(memory, nullptr, 0, 3);
  credit_wire& one = credit_wire::make(memory, 1, &reader, 3, 2);
  credit_wire& other = credit_wire::make(memory, 1, &reader, 4, 2);
  for (cycle_t now = 0; now < 60; ++now) {
    const auto vcs = static_cast<std::uint16_t>(mix(now) % 0xffff + 1);
    one.send_word(now + now % 3, {vcs}, true);
    other.send_word(now + now % 3, {vcs});
    for (cycle_t cycle = now; cycle <= now + 3; ++cycle) {
      ASSERT_EQ(one.shown(cycle).vcs, other.shown(cycle).vcs) << now;
      if (one.shown(cycle).valid()) {
        ASSERT_EQ(one.arrived(cycle, true).vcs, other.arrived(cycle).vcs);
      }
    }
  }
}

struct counting_watcher final : wire_watcher {
  void word_sent(cycle_t shown) override { told.push_back(shown); }
  std::vector<cycle_t> told;
};

TEST(wire, tells_those_who_watch_it_when_a_word_is_shown) {
  arena memory;
  flit_wire& wire = flit_wire::make(memory, 3, nullptr, 0, 2);
  counting_watcher a, b, c, stranger;
  const auto expect_told = [&](std::vector<cycle_t> of_a, std::vector<cycle_t> of_b, std::vector<cycle_t> of_c) {
    EXPECT_EQ(a.told, of_a);
    EXPECT_EQ(b.told, of_b);
    EXPECT_EQ(c.told, of_c);
  };
  wire.send(0, flit_word{1});
  for (counting_watcher* w : {&a, &b, &c}) wire.watch(*w);
  wire.send(1, flit_word{1});
  wire.send(4, flit_word{1});
  wire.send(4, flit_word{});  // not after all
  wire.send_word(5, flit_word{1});
  wire.put_back(7, flit_word{1});  // of an earlier run
  expect_told({4, 7, 7, 8}, {4, 7, 7, 8}, {4, 7, 7, 8});
  wire.unwatch(stranger);
  wire.unwatch(b);
  wire.send(6, flit_word{1});
  expect_told({4, 7, 7, 8, 9}, {4, 7, 7, 8}, {4, 7, 7, 8, 9});
  wire.unwatch(c);  // the last to come, and the first in the list
  wire.send(7, flit_word{1});
  wire.unwatch(a);
  wire.send(8, flit_word{1});
  expect_told({4, 7, 7, 8, 9, 10}, {4, 7, 7, 8}, {4, 7, 7, 8, 9});
  wire.watch(b);
  wire.send(9, flit_word{1});
  expect_told({4, 7, 7, 8, 9, 10}, {4, 7, 7, 8, 12}, {4, 7, 7, 8, 9});
  EXPECT_TRUE(stranger.told.empty());
}

TEST(flit_layout, has_room_for_the_tag_of_a_packet) {
  EXPECT_EQ(flit_layout(1u << 17, 20).tag_bits(), 20u);
  EXPECT_EQ(error_of([] { flit_layout(1u << 17, 21); }),
            "the flit word has 64 bits: 7 of control, 17 of destination and 21 of route state leave fewer than 20 for "
            "the packet tag");
}

TEST(flit_layout, has_its_fields_one_behind_the_other) {
  for (const std::uint64_t nodes : {2u, 3u, 4u, 5u, 16u, 17u, 1000u})
    for (const unsigned state_bits : {0u, 1u, 4u}) {
      const flit_layout layout(nodes, state_bits);
      unsigned bits = 0;
      while (std::uint64_t{1} << bits < nodes) ++bits;
      ASSERT_EQ(layout.destination_bits(), bits);
      ASSERT_EQ(layout.state_bits(), state_bits);
      ASSERT_EQ(layout.destination_shift(), 7u);
      ASSERT_EQ(layout.state_shift(), 7 + bits);
      ASSERT_EQ(layout.tag_shift(), 7 + bits + state_bits);
      ASSERT_EQ(layout.tag_bits(), 64 - 7 - bits - state_bits);
      const std::uint64_t index_mask = (std::uint64_t{1} << (bits + state_bits)) - 1;
      ASSERT_EQ(layout.index_mask(), index_mask);
      for (std::uint64_t draw = 0; draw < 50; ++draw) {
        const auto destination = static_cast<std::uint32_t>(mix(draw, 1) % nodes),
                   state = static_cast<std::uint32_t>(mix(draw, 2) % (1u << state_bits)),
                   other = static_cast<std::uint32_t>(mix(draw, 3) % (1u << state_bits));
        const std::uint64_t sequence = mix(draw, 4), tag = layout.tag_of(sequence), index = mix(draw, 5) % 5000;
        const auto vc = static_cast<unsigned>(mix(draw, 6) % 16);
        ASSERT_EQ(tag, sequence % (std::uint64_t{1} << layout.tag_bits()));
        const std::uint64_t shifted_tag = tag << (7 + bits + state_bits);
        for (const bool tail : {false, true}) {
          const flit_word head = layout.head(destination, state, tag, tail), body = layout.body(index, tag, tail);
          ASSERT_EQ(head.bits, (tail ? 7u : 3u) + (std::uint64_t{destination} << 7) +
                                   (std::uint64_t{state} << (7 + bits)) + shifted_tag);
          ASSERT_EQ(body.bits, (tail ? 5u : 1u) + ((index & index_mask) << 7) + shifted_tag);
          ASSERT_EQ(layout.with_index(layout.body(0, tag, tail), index), body);
          ASSERT_EQ(layout.destination(head), destination);
          ASSERT_EQ(layout.state(head), state);
          ASSERT_EQ(layout.tag(head), tag);
          ASSERT_EQ(layout.tag(body), tag);
          ASSERT_EQ(layout.index(body), index & index_mask);
          ASSERT_EQ(layout.with_state(head, other), layout.head(destination, other, tag, tail));
          ASSERT_EQ(head.on_vc(vc).bits, head.bits + 8 * vc);
          ASSERT_EQ(head.on_vc(vc).vc(), vc);
          ASSERT_EQ(head.on_vc(vc).in_itself(), layout.head(destination, state, tag, false));
          ASSERT_EQ(layout.body(index, tag, false).as_tail(), layout.body(index, tag, true));
          ASSERT_TRUE(head.valid() && head.head() && head.tail() == tail && body.valid() && !body.head());
        }
      }
    }
}

}  // namespace
}  // namespace toriscope::wire_test
