// SPDX-License-Identifier: Apache-2.0
// The small parts of the router against plain containers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "base/bit_set.h"
#include "base/error_of_test.h"
#include "base/hash.h"
#include "links/delay_line.h"
#include "links/wake_calendar.h"
#include "router/allocation/round_robin_switch_allocation.h"
#include "router/packet_table.h"
#include "router/router_config.h"
#include "router/vc_buffer.h"
#include "topologies/route.h"

namespace toriscope::units_test {
namespace {

TEST(vc_buffer, is_a_fifo) {
  for (const unsigned depth : {1u, 2u, 5u, 64u}) {
    std::vector<flit_word> slots(vc_buffer::slots_for(depth));
    const unsigned mask = static_cast<unsigned>(slots.size()) - 1;
    vc_buffer buffer;
    std::deque<flit_word> expected;
    for (std::uint64_t step = 0; step < 200000; ++step) {
      ASSERT_EQ(buffer.size(), expected.size());
      ASSERT_EQ(buffer.empty(), expected.empty());
      if (mix(step, depth) % 2 && expected.size() < depth) {
        buffer.push(slots.data(), mask, {step + 1});
        expected.push_back({step + 1});
      } else if (!expected.empty()) {
        ASSERT_EQ(buffer.front(slots.data(), mask), expected.front());
        ASSERT_EQ(buffer.pop(slots.data(), mask), expected.front());
        expected.pop_front();
      }
    }
  }
}

TEST(vc_slices, finds_the_lowest_of_each_port) {
  for (unsigned vcs = 1; vcs <= 16; ++vcs) {
    const router_shape n = router_shape::of(2, vcs);
    const vc_slices slices(n);
    for (std::uint64_t round = 0; round < 200; ++round) {
      const std::uint64_t set = mix(round, vcs) & mix(round + 1, vcs) & mix(round % 5, vcs);
      std::uint64_t lowest = 0, filled = 0;
      for (unsigned p = 0; p << n.shift < 64; ++p) {
        const std::uint64_t slice = n.of_port(vc_numbers(set), p).mask();
        lowest |= (slice & (~slice + 1)) << (p << n.shift);
        if (slice) filled |= vc_numbers::below(n.slice()).mask() << (p << n.shift);
      }
      ASSERT_EQ(slices.lowest(set), lowest) << vcs << " VCs, " << set;
      ASSERT_EQ(slices.filled(set), filled) << vcs << " VCs, " << set;
    }
  }
}

TEST(round_robin, picks_the_first_at_or_after_the_pointer) {
  for (std::uint32_t mask = 1; mask < 64; ++mask)
    for (unsigned pointer = 0; pointer <= 6; ++pointer) {  // 6: behind the last, the same as 0
      unsigned expected = pointer % 6;
      while (!(mask >> expected & 1u)) expected = (expected + 1) % 6;
      EXPECT_EQ(first_at_or_after(mask, pointer), expected) << mask << " from " << pointer;
    }
}

TEST(bit_set, is_a_set_of_numbers) {
  const auto members = [](auto set) {
    std::set<unsigned> found;
    for (const unsigned i : set) found.insert(found.end(), i);
    return found;
  };
  for (std::uint64_t round = 0; round < 500; ++round) {
    vc_set set;
    std::set<unsigned> expected;
    for (std::uint64_t step = 0; step < 20; ++step) {
      const auto vc = static_cast<unsigned>(mix(2 * step, round) % 16);
      if (mix(2 * step + 1, round) % 3) {
        set.add(vc);
        expected.insert(vc);
      } else {
        set.remove(vc);
        expected.erase(vc);
      }
      ASSERT_EQ(members(set), expected);
      ASSERT_EQ(set.size(), expected.size());
      ASSERT_EQ(static_cast<bool>(set), !expected.empty());
      if (set) {
        ASSERT_EQ(set.first(), *expected.begin());
      }
      for (unsigned v = 0; v < 16; ++v) ASSERT_EQ(set.has(v), expected.count(v) == 1);
    }
  }
  const vc_set low = vc_set::below(6), odd(0xaaaa);
  EXPECT_EQ(members(low & odd), (std::set<unsigned>{1, 3, 5}));
  EXPECT_EQ(members(low - odd), (std::set<unsigned>{0, 2, 4}));
  EXPECT_EQ(members(low | vc_set::of(15)), (std::set<unsigned>{0, 1, 2, 3, 4, 5, 15}));
}

TEST(bit_set, below_all_bits_of_the_word) {
  EXPECT_EQ(vc_set::below(0).mask(), 0u);
  EXPECT_EQ(vc_set::below(16).mask(), 0xffffu);
  EXPECT_EQ(bits_of::below(31).mask(), 0x7fffffffu);
  EXPECT_EQ(bits_of::below(32).mask(), 0xffffffffu);
  EXPECT_EQ(bits_of::below(32).size(), 32u);
  EXPECT_EQ(bits_of::of(31).first(), 31u);
}

void expect_wakes(std::uint32_t nodes, unsigned furthest) {
  wake_calendar calendar(nodes, furthest);
  std::map<cycle_t, std::set<std::uint32_t>> expected;
  for (cycle_t now = 0; now < 16 * furthest; ++now) {  // more and more are woken
    for (const std::uint32_t n : {0u, nodes / 2, nodes - 1})
      for (cycle_t ahead = 0; ahead < furthest; ++ahead)
        ASSERT_EQ(calendar.is_woken(n, now + ahead), expected[now + ahead].count(n) == 1) << n << ", " << now << ahead;
    std::vector<std::uint32_t> visited;
    calendar.take(now, [&](std::uint32_t n) {
      visited.push_back(n);
      const std::uint32_t other = static_cast<std::uint32_t>(mix(n, now) % nodes);  // while visiting, as nodes do
      calendar.wake(other, now + 1 + n % furthest);
      expected[now + 1 + n % furthest].insert(other);
      const bool again = mix(now, n) % 8 == 0;
      if (again) expected[now + 1].insert(n);
      return again;
    });
    const std::set<std::uint32_t>& due = expected[now];
    ASSERT_EQ(visited, std::vector<std::uint32_t>(due.begin(), due.end()))
        << nodes << " nodes, " << furthest << " cycles ahead, cycle " << now;
    for (std::uint64_t k = 0; k < 3; ++k) {
      const std::uint32_t n = static_cast<std::uint32_t>(mix(now, k, nodes) % nodes);
      calendar.wake(n, now + 1 + k);
      expected[now + 1 + k].insert(n);
    }
  }
}

TEST(wake_calendar, visits_each_node_once_in_order_in_its_cycle) {
  for (const std::uint32_t nodes : {1u, 64u, 65u, 4096u, 5000u, 300'000u})
    for (const unsigned furthest : {3u, 4u, 7u, 8u}) expect_wakes(nodes, furthest);
}

TEST(wire, tells_its_reader_what_comes_and_when) {
  arena memory;
  wake_calendar wakes(10, 8);
  arrival_schedule reader(memory, &wakes, 3, 5);
  flit_wire& flits = flit_wire::make(memory, 5, &reader, flit_arrival(2));
  credit_wire& credits = credit_wire::make(memory, 1, &reader, credit_arrival(4));
  flits.send(10, flit_word{1});
  credits.send(14, credit_word{3});
  flits.send(11, flit_word{});  // an idle word wakes no router
  std::vector<cycle_t> woken;
  for (cycle_t t = 11; t < 20; ++t) {
    const auto look = [&](std::uint32_t n) {
      EXPECT_EQ(n, 3u);
      woken.push_back(t);
      return false;
    };
    wakes.take(t, look);
    EXPECT_EQ(reader.arrivals(t), t == 15 ? (arrival_mask{1} << 2 | arrival_mask{1} << 36) : 0) << t;
    EXPECT_EQ(flits.shown(t).valid(), t == 15) << t;
    EXPECT_EQ(credits.shown(t).vcs, t == 15 ? 3 : 0) << t;
  }
  EXPECT_EQ(woken, std::vector<cycle_t>{15});
}

TEST(wire, the_last_word_sent_in_a_cycle_counts) {
  arena memory;
  arrival_schedule reader(memory, nullptr, 0, 3);
  flit_wire& flits = flit_wire::make(memory, 2, &reader, flit_arrival(1));
  credit_wire& credits = credit_wire::make(memory, 2, &reader, credit_arrival(1));
  flits.send(5, flit_word{1});
  credits.send(5, credit_word{2});
  flits.send(5, flit_word{});
  EXPECT_FALSE(flits.shown(7).valid());
  EXPECT_EQ(credits.shown(7).vcs, 2);
  flits.send(5, flit_word{3});
  EXPECT_EQ(flits.shown(7).bits, 3u);
  credits.send(5, credit_word{});
  EXPECT_EQ(reader.arrivals(7), arrival_mask{1} << flit_arrival(1));
}

TEST(wire, credits_of_cycle_zero_and_of_late_cycles) {
  arena memory;
  credit_wire& credits = credit_wire::make(memory, 1);
  EXPECT_FALSE(credits.shown(0).valid());
  credits.send(~cycle_t{0}, credit_word{1});  // before the first edge
  EXPECT_TRUE(credits.shown(0).valid());
  credits.send((cycle_t{1} << 40) + 1, credit_word{9});
  EXPECT_EQ(credits.shown((cycle_t{1} << 40) + 2).vcs, 9);
}

TEST(packet_table, takes_records_of_packets_that_other_tables_had) {
  packet_table table;
  constexpr packet_id packets = 5000;
  for (packet_id id = 0; id < packets; ++id) {
    if (id % 3 == 0)
      EXPECT_EQ(table.create({1, 2, 3}, id), id);
    else
      table.skip();
  }
  EXPECT_EQ(table.created(), packets);
  EXPECT_EQ(table.alive(), (packets + 2) / 3);
  for (packet_id id = 0; id < packets; id += 3) table.retire(id);  // the blocks are given back
  packet_record record;
  record.flits = 7;
  for (const packet_id id : {packet_id{4000}, packet_id{1}, packet_id{700}, packet_id{4999}}) {
    EXPECT_FALSE(table.has(id));
    record.created = id;
    table.adopt(id, record);
    EXPECT_TRUE(table.has(id));
  }
  EXPECT_EQ(table.alive(), 4u);
  EXPECT_EQ(table[4000].created, 4000u);
  EXPECT_FALSE(table.has(4001));
  table.retire(1);
  EXPECT_FALSE(table.has(1));
  EXPECT_EQ(table[700].created, 700u);
  table.retire(4000);
  table.retire(700);
  table.adopt(1, record);  // once more
  EXPECT_TRUE(table.has(1));
  table.retire(1);
  table.retire(4999);
  EXPECT_EQ(table.alive(), 0u);
  EXPECT_EQ(table.create({1, 2, 3}, 0), packets);
  EXPECT_TRUE(table.has(packets));
}

TEST(packet_table, finds_packets_by_the_low_bits_of_their_number) {
  packet_table table;
  std::set<packet_id> alive;
  constexpr unsigned tag_bits = 12;
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    const packet_id id = table.create({static_cast<node_id>(step), 7, 3}, step);
    EXPECT_EQ(id, step);
    alive.insert(id);
    while (alive.size() > 1000 || (!alive.empty() && mix(step, alive.size()) % 3 == 0)) {
      auto victim = alive.begin();
      std::advance(victim, static_cast<long>(mix(step, 5) % std::min<std::size_t>(alive.size(), 50)));
      ASSERT_EQ(table.find(*victim & ((1u << tag_bits) - 1), tag_bits), *victim);
      ASSERT_EQ(table[*victim].source, *victim);
      ASSERT_EQ(table[*victim].created, *victim);
      table.retire(*victim);
      alive.erase(victim);
    }
    ASSERT_EQ(table.alive(), alive.size());
  }
  EXPECT_EQ(table.created(), 20'000u);
}

TEST(flit_layout, fields_do_not_touch_each_other) {
  const flit_layout layout(1000, 4);
  EXPECT_EQ(layout.destination_bits(), 10u);
  EXPECT_EQ(layout.tag_bits(), 64u - 7 - 10 - 4);
  const flit_word head = layout.head(999, 0xa, layout.tag_of(~std::uint64_t{0}), false).on_vc(15);
  EXPECT_TRUE(head.valid() && head.head() && !head.tail());
  EXPECT_EQ(head.vc(), 15u);
  EXPECT_EQ(layout.destination(head), 999u);
  EXPECT_EQ(layout.state(head), 0xau);
  const flit_word later = layout.with_state(head.on_vc(3), 5);
  EXPECT_EQ(layout.destination(later), 999u);
  EXPECT_EQ(layout.state(later), 5u);
  EXPECT_EQ(layout.tag(later), layout.tag(head));
  EXPECT_EQ(layout.index(layout.body(17, 1, true)), 17u);
  EXPECT_TRUE(layout.body(17, 1, true).tail());
  EXPECT_EQ(layout.describe(), "valid 0, head 1, tail 2, vc 3..6, dst 7..16, state 17..20, tag 21..63");
  EXPECT_THROW(flit_layout(1u << 20, 18), std::invalid_argument);
  EXPECT_NO_THROW(flit_layout(1u << 20, 17));
}

TEST(flit_layout, is_at_first_that_of_two_nodes) {
  EXPECT_EQ(flit_layout().describe(), "valid 0, head 1, tail 2, vc 3..6, dst 7, state none, tag 8..63");
  EXPECT_EQ(flit_layout(2, 0).describe(), flit_layout().describe());
  EXPECT_EQ(flit_layout().tag_of(~std::uint64_t{0}), ~std::uint64_t{0} >> 8);
  EXPECT_EQ(flit_layout().index_mask(), 1u);
}

TEST(router_config, says_what_is_wrong) {
  router_config c;
  EXPECT_TRUE(c.validate().empty());
  c.vcs = 17;
  c.depth = 0;
  EXPECT_EQ(c.validate(),
            (std::vector<std::string>{"vcs: 17 is out of range; expected 1 to 16",
                                      "depth: 0 is out of range; expected 1 to 64 flits per VC"}));
  c = {};
  c.pipeline = pipeline::paper2009;
  EXPECT_EQ(c.validate().size(), 1u);
  c.depth = 1;
  EXPECT_TRUE(c.validate().empty());
  // Each of the counts alone is noticed where the pipeline has its own.
  for (unsigned stage_counts::*const count :
       {&stage_counts::rc, &stage_counts::va, &stage_counts::sa, &stage_counts::st}) {
    c = {};
    c.custom_stages.*count = 2;
    EXPECT_EQ(c.validate().size(), 1u);
    c.pipeline = pipeline::custom;
    EXPECT_TRUE(c.validate().empty());
  }
}

TEST(router_config, says_in_full_what_is_wrong_with_each_value) {
  const auto alone = [](auto change) {
    router_config c;
    c.pipeline = pipeline::custom;
    change(c);
    const std::vector<std::string> errors = c.validate();
    return errors.empty() ? "" : errors.size() > 1 ? "several" : errors[0];
  };
  for (const auto& [name, count] : {std::pair{"rc", &stage_counts::rc}, {"va", &stage_counts::va},
                                    {"sa", &stage_counts::sa}, {"st", &stage_counts::st}}) {
    const std::string said = "stages: " + std::string(name) + ": 8 is out of range; expected 0 to 7 cycles";
    EXPECT_EQ(alone([&, of = count](router_config& c) { c.custom_stages.*of = 8; }), said);
    EXPECT_EQ(alone([&, of = count](router_config& c) { c.custom_stages.*of = 7; }), "");
    EXPECT_EQ(alone([&, of = count](router_config& c) { c.custom_stages.*of = 0; }), "");
  }
  EXPECT_EQ(alone([](router_config& c) { c.custom_stages = {1, 1, 0, 0}; }),
            "stages: sa and st are both 0; at least one of them must be 1");
  EXPECT_EQ(alone([](router_config& c) { c.pipeline = pipeline::four_stage, c.custom_stages.st = 2; }),
            "stages: the four_stage pipeline has its own stage counts; use --pipeline custom or leave --stages out");
  EXPECT_EQ(alone([](router_config& c) { c.islip_iterations = 0; }),
            "islip_iterations: 0 is out of range; expected 1 to 8");
  EXPECT_EQ(alone([](router_config& c) { c.islip_iterations = 9; }),
            "islip_iterations: 9 is out of range; expected 1 to 8");
  const std::string needs = "islip_iterations: 2 iterations need --va-allocator islip or --sa-allocator islip";
  EXPECT_EQ(alone([](router_config& c) { c.islip_iterations = 2; }), needs);
  EXPECT_EQ(alone([](router_config& c) { c.islip_iterations = 2, c.sa_allocator = allocator_kind::islip; }), "");
  EXPECT_EQ(alone([](router_config& c) { c.islip_iterations = 2, c.va_allocator = allocator_kind::islip; }), "");
  EXPECT_EQ(alone([](router_config& c) { c.adaptive_delay_cycles = 15; }), "");
  EXPECT_EQ(alone([](router_config& c) { c.adaptive_delay_cycles = 16; }),
            "adaptive_delay_cycles: 16 is out of range; expected 0 to 15 cycles");
  EXPECT_EQ(alone([](router_config& c) { c.speculative = true, c.custom_stages.va = 2; }),
            "speculative: heads request an output VC and the switch in one cycle; expected va = 1, not 2");
  EXPECT_EQ(alone([](router_config& c) { c.speculative = true, c.pipeline = pipeline::single_cycle; }),
            "speculative: heads request an output VC and the switch in one cycle; expected va = 1, not 0");
  EXPECT_EQ(alone([](router_config& c) { c.vcs = 16, c.depth = 64; }), "");
  EXPECT_EQ(alone([](router_config& c) { c.vcs = 0; }), "vcs: 0 is out of range; expected 1 to 16");
  EXPECT_EQ(alone([](router_config& c) { c.depth = 65; }), "depth: 65 is out of range; expected 1 to 64 flits per VC");
}

TEST(router_config, of_paper2009_has_no_choices) {
  const auto said = [](auto change) {
    router_config c;
    c.pipeline = pipeline::paper2009;
    c.depth = 1;
    change(c);
    return c.validate();
  };
  using errors = std::vector<std::string>;
  EXPECT_EQ(said([](router_config&) {}), errors{});
  EXPECT_EQ(said([](router_config& c) { c.depth = 2; }),
            errors{"depth: the paper2009 pipeline has one-flit buffers; expected 1, not 2"});
  EXPECT_EQ(said([](router_config& c) { c.va_allocator = allocator_kind::islip; }),
            errors{"va_allocator: the paper2009 pipeline has the paper's allocator, input_first"});
  EXPECT_EQ(said([](router_config& c) { c.sa_allocator = allocator_kind::islip; }),
            errors{"sa_allocator: the paper2009 pipeline has no switch allocator"});
  EXPECT_EQ(said([](router_config& c) { c.arbiter = arbiter_kind::matrix; }),
            errors{"arbiter: the paper2009 pipeline has the paper's arbiters, round_robin"});
  EXPECT_EQ(said([](router_config& c) { c.lookahead = true; }),
            errors{"lookahead: the paper2009 pipeline has no look-ahead routing"});
  EXPECT_EQ(said([](router_config& c) { c.speculative = true; }),
            errors{"speculative: the paper2009 pipeline has no speculation"});
  EXPECT_EQ(said([](router_config& c) { c.adaptive_delay_cycles = 1; }),
            errors{"adaptive_delay_cycles: the paper2009 pipeline has no routing stage that could be longer"});
  EXPECT_EQ(said([](router_config& c) { c.configurable_pipeline = true; }),
            errors{"configurable_pipeline: the paper2009 pipeline has a machine of its own"});
}

TEST(router_config, has_a_fast_path_for_a_pipeline_by_its_name_with_the_default_policies) {
  const auto fast = [](auto change) {
    router_config c;
    change(c);
    return c.has_fast_path();
  };
  EXPECT_TRUE(fast([](router_config&) {}));
  EXPECT_TRUE(fast([](router_config& c) { c.pipeline = pipeline::single_cycle; }));
  EXPECT_TRUE(fast([](router_config& c) { c.pipeline = pipeline::paper2009; }));
  EXPECT_FALSE(fast([](router_config& c) { c.pipeline = pipeline::custom; }));
  EXPECT_FALSE(fast([](router_config& c) { c.va_allocator = allocator_kind::islip; }));
  EXPECT_FALSE(fast([](router_config& c) { c.sa_allocator = allocator_kind::islip; }));
  EXPECT_FALSE(fast([](router_config& c) { c.arbiter = arbiter_kind::age; }));
  EXPECT_FALSE(fast([](router_config& c) { c.lookahead = true; }));
  EXPECT_FALSE(fast([](router_config& c) { c.speculative = true; }));
  EXPECT_FALSE(fast([](router_config& c) { c.adaptive_delay_cycles = 1; }));
  EXPECT_FALSE(fast([](router_config& c) { c.configurable_pipeline = true; }));
}

TEST(router_config, names_when_a_vc_is_given_again) {
  EXPECT_STREQ(to_string(vc_reallocation::non_atomic), "tail");
  EXPECT_STREQ(to_string(vc_reallocation::atomic), "drained");
}

TEST(router_config, only_islip_iterates) {
  router_config c;
  c.islip_iterations = 3;
  EXPECT_EQ(c.iterations_of(allocator_kind::islip), 3u);
  EXPECT_EQ(c.iterations_of(allocator_kind::input_first), 1u);
  EXPECT_EQ(c.iterations_of(allocator_kind::output_first), 1u);
}

TEST(packet_table, visits_the_packets_alive_and_no_other) {
  packet_table packets;
  const auto lengths = [&] {
    std::vector<std::uint32_t> list;
    packets.for_each_alive([&](const packet_record& r) { list.push_back(r.flits); });
    return list;
  };
  EXPECT_TRUE(lengths().empty());
  for (std::uint32_t flits = 2; flits < 6; ++flits) packets.create({0, 1, flits, 0}, 0);
  packets.retire(1);
  EXPECT_EQ(lengths(), (std::vector<std::uint32_t>{2, 4, 5}));
  for (std::uint32_t flits = 6; flits < 300; ++flits) packets.create({0, 1, flits, 0}, 0);
  EXPECT_EQ(lengths().size(), packets.alive());
  EXPECT_EQ(lengths().back(), 299u);
}

class two_ways : public routing_function {
 public:
  unsigned route(const route_request&, route_option*) const override { return 0; }
  unsigned state_bits() const override { return 2; }
  route_state injection_states() const override { return 3; }
  bool takes_states_in_turn() const override { return true; }
};

TEST(turns_of_pairs, go_round_for_each_pair_on_its_own) {
  constexpr terminal_id terminals = 9;
  const injection_rule rule{two_ways()};
  turns_of_pairs turns;
  std::vector<std::vector<route_state>> given(terminals * terminals);
  for (unsigned i = 0; i < 1000; ++i) {
    packet_record packet;
    packet.source = i * i % 7;
    packet.destination = i % terminals;
    turns.give(packet, rule, terminals);
    given[packet.source * terminals + packet.destination].push_back(rule.of(i, packet));
  }
  std::vector<unsigned> firsts(3);
  for (const std::vector<route_state>& states : given) {
    if (!states.empty()) ++firsts.at(states.front());
    for (std::size_t k = 1; k < states.size(); ++k) ASSERT_EQ(states[k], (states[k - 1] + 1) % 3);
  }
  for (const unsigned pairs : firsts) EXPECT_GT(pairs, 3u) << "the first of a pair is drawn";
}

/// The 99.9 % quantile of chi-square with 63 degrees of freedom is 103; neighbouring packets are not alike either.
TEST(drawn_state, is_drawn_with_equal_shares) {
  constexpr unsigned states = 64, packets = 64000;
  std::vector<unsigned> drawn(states), pairs(states);
  for (packet_id id = 0; id < packets; ++id) {
    ++drawn.at(drawn_state(id, states));
    ++pairs.at((drawn_state(id, 8) * 8 + drawn_state(id + 1, 8)));
  }
  for (const auto& counts : {drawn, pairs}) {
    double chi_square = 0;
    for (const unsigned count : counts) chi_square += std::pow(count - 1000., 2) / 1000;
    EXPECT_LT(chi_square, 103);
    EXPECT_GT(chi_square, 30) << "nor too even";
  }
  for (const route_state count : {3u, 1000u, 70000u}) {
    route_state most = 0;
    for (packet_id id = 0; id < 300000; ++id) most = std::max(most, drawn_state(id, count));
    EXPECT_EQ(most, count - 1);
  }
  EXPECT_EQ(drawn_state(5, 1), 0U);
}

}  // namespace
}  // namespace toriscope::units_test
