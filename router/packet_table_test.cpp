// SPDX-License-Identifier: Apache-2.0
// The table of packets against a map of all that was ever created, and states of it at the bounds of each number.
#include "router/packet_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/error_of_test.h"

namespace toriscope::packet_table_test {
namespace {

class states_routing : public routing_function {
 public:
  states_routing(route_state states, bool in_turn) : states_(states), in_turn_(in_turn) {}
  unsigned route(const route_request&, route_option*) const override { return 0; }
  unsigned state_bits() const override { return 4; }
  route_state injection_states() const override { return states_; }
  bool takes_states_in_turn() const override { return in_turn_; }

 private:
  route_state states_;
  bool in_turn_;
};

/// One of 0 .. end-1.
unsigned below(std::mt19937& random, std::uint64_t end) { return static_cast<unsigned>(random() % end); }

constexpr terminal_id terminals = 12;
constexpr cycle_t now = 900;

const std::string accepted = "none";

std::string words_of(const packet_record& r) {
  std::string words;
  for (const std::uint64_t w : {r.created, r.head_sent, std::uint64_t{r.source}, std::uint64_t{r.destination},
                                std::uint64_t{r.flits}, std::uint64_t{r.hops}, std::uint64_t{r.turn},
                                std::uint64_t{r.message_class}})
    words += std::to_string(w) + ' ';
  return words;
}

using packets = std::map<packet_id, std::string>;

packets under_way(const packet_table& table) {
  packets found;
  table.for_each_alive([&](packet_id id, const packet_record& r) {
    EXPECT_TRUE(found.empty() || found.rbegin()->first < id);
    found[id] = words_of(r);
  });
  return found;
}

/// A table in which packets were created and have ended at random, and what should be in it.
struct history {
  packet_table table;
  packets expected;
  std::uint64_t created = 0;

  history(unsigned seed, unsigned steps, unsigned keep_percent) {
    std::mt19937 random(seed);
    for (unsigned i = 0; i < steps; ++i) {
      if (random() % 16 == 0) {
        table.skip();
        table.adopt(created, {});
        table.retire(created++);
        continue;
      }
      const packet_request request{below(random, terminals), below(random, terminals), 1 + below(random, 16),
                                   static_cast<std::uint8_t>(random() % 2)};
      EXPECT_EQ(table.create(request, i % now), created);
      packet_record& r = table[created];
      r.hops = below(random, 9);
      if (random() % 4 > 0) r.head_sent = below(random, now);
      r.turn = static_cast<std::uint8_t>(random() % 3);
      expected[created++] = words_of(r);
      while (random() % 100 >= keep_percent && !expected.empty()) {
        auto ended = expected.lower_bound(random() % created);
        if (ended == expected.end()) ended = expected.begin();
        table.retire(ended->first);
        expected.erase(ended);
      }
    }
  }
};

void is_as_expected(const packet_table& table, const history& h) {
  EXPECT_EQ(table.created(), h.created);
  EXPECT_EQ(table.alive(), h.expected.size());
  EXPECT_EQ(under_way(table), h.expected);
  const packet_id oldest = h.expected.empty() ? h.created : h.expected.begin()->first;
  EXPECT_LE(table.first_kept(), oldest);
  EXPECT_LT(oldest - table.first_kept(), 256u) << "blocks whose packets are done are kept";
  for (packet_id id = 0; id < h.created; ++id) EXPECT_EQ(table.has(id), h.expected.count(id) == 1) << id;
}

void archive(state_archive& a, packet_table& table) {
  const states_routing routing(3, true);
  table.archive(a, injection_rule(routing), terminals, 2, now);
}

TEST(packet_table, has_the_packets_under_way_and_brings_them_back) {
  unsigned with_gaps = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    history h(seed, seed * 40, std::vector{30u, 60u, 99u}[seed % 3]);
    is_as_expected(h.table, h);
    with_gaps += h.expected.size() > 1 && h.expected.rbegin()->first - h.expected.begin()->first > 600;
    state_archive saved;
    archive(saved, h.table);
    packet_table back;
    state_archive read(saved.bytes());
    archive(read, back);
    is_as_expected(back, h);
    // Both go on in the same way.
    for (packet_table* table : {&h.table, &back})
      for (unsigned i = 0; i < 600; ++i) {
        const packet_id id = table->create({1, 2, 3, 0}, i);
        if (i % 7 > 0) table->retire(id);
      }
    EXPECT_EQ(under_way(back), under_way(h.table));
    EXPECT_EQ(back.created(), h.created + 600);
    EXPECT_EQ(back.alive(), h.table.alive());
  }
  EXPECT_GT(with_gaps, 10u);
}

TEST(packet_table, finds_the_youngest_packet_of_a_tag) {
  packet_table table;
  for (packet_id created = 1; created < 700; ++created) {
    table.create({}, 0);
    for (const unsigned bits : {3u, 8u, 64u})
      for (packet_id id = created - std::min<packet_id>(created, bits == 3 ? 8 : 200); id < created; ++id)
        ASSERT_EQ(table.find(bits == 64 ? id : id % (1u << bits), bits), id) << created << ' ' << bits;
  }
}

/// One record, as a state has it. @returns why it is rejected, or `accepted`
std::string verdict(const packet_record& record, unsigned states = 3) {
  state_archive saved;
  packet_record(record).archive(saved, 256, 1u << 30, 256, ~cycle_t{0});
  packet_record back;
  state_archive read(saved.bytes());
  return error_of<damaged_state>([&] { back.archive(read, states, terminals, 2, now); });
}

TEST(packet_record, each_number_of_a_state_has_its_bounds) {
  const auto with = [](auto member, std::uint64_t value) {
    packet_record r;
    r.*member = static_cast<std::decay_t<decltype(r.*member)>>(value);
    return r;
  };
  const std::string out_of_range = "a number is out of its range";
  EXPECT_EQ(verdict({}), accepted);
  EXPECT_EQ(verdict(with(&packet_record::created, now - 1)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::created, now)), out_of_range);
  EXPECT_EQ(verdict(with(&packet_record::head_sent, not_sent)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::source, terminals - 1)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::source, terminals)), out_of_range);
  EXPECT_EQ(verdict(with(&packet_record::destination, terminals - 1)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::destination, terminals)), out_of_range);
  EXPECT_EQ(verdict(with(&packet_record::flits, 1 << 20)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::flits, (1 << 20) + 1)), "a packet has too many flits");
  EXPECT_EQ(verdict(with(&packet_record::flits, 0)), "a packet has no flits");
  EXPECT_EQ(verdict(with(&packet_record::hops, ~std::uint32_t{0})), accepted);
  EXPECT_EQ(verdict(with(&packet_record::turn, 2)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::turn, 3)), out_of_range);
  EXPECT_EQ(verdict(with(&packet_record::turn, 0), 0), accepted) << "where routes have no states";
  EXPECT_EQ(verdict(with(&packet_record::turn, 1), 0), out_of_range);
  EXPECT_EQ(verdict(with(&packet_record::message_class, 1)), accepted);
  EXPECT_EQ(verdict(with(&packet_record::message_class, 2)), out_of_range);
}

/// The numbers of packets in a state: `next`, how many, and for each how far it is behind the one before.
std::string numbers_verdict(std::uint64_t next, std::uint64_t first, const std::vector<std::uint64_t>& steps) {
  state_archive saved;
  saved.number(next);
  saved.size(steps.size());
  saved.number(first);
  for (std::uint64_t step : steps) {
    saved.number(step);
    packet_record{}.archive(saved, 3, terminals, 2, now);
  }
  packet_table back;
  state_archive read(saved.bytes());
  return error_of<damaged_state>([&] { archive(read, back); });
}

TEST(packet_table, numbers_of_a_state_rise_and_are_below_the_next) {
  const std::string wrong = "packets have wrong numbers";
  constexpr std::uint64_t furthest = (std::uint64_t{1} << 26) + 256;
  EXPECT_EQ(numbers_verdict(0, 0, {}), accepted);
  EXPECT_EQ(numbers_verdict(7, 7, {}), accepted);
  EXPECT_EQ(numbers_verdict(7, 8, {}), wrong);
  EXPECT_EQ(numbers_verdict(7, 3, {0, 1, 2}), accepted) << "3, 4, 6";
  EXPECT_EQ(numbers_verdict(7, 3, {0, 1, 3}), wrong) << "7 is not created";
  EXPECT_EQ(numbers_verdict(7, 3, {0, 0}), wrong) << "3 twice";
  EXPECT_EQ(numbers_verdict(7, 6, {0, 1}), wrong) << "two in the place of one";
  EXPECT_EQ(numbers_verdict(7, 5, {1}), accepted) << "the first may be behind what it is counted from";
  EXPECT_EQ(numbers_verdict(furthest + 6, 7, {0}), accepted);
  EXPECT_EQ(numbers_verdict(furthest + 7, 7, {0}), wrong) << "too far apart";
  EXPECT_EQ(numbers_verdict(no_packet - 20, no_packet - 30, {0}), "a number is out of its range");
  constexpr std::uint64_t last = (std::uint64_t{1} << 62) - 1;
  EXPECT_EQ(numbers_verdict(last + 1, last - 10, {0}), "a number is out of its range");
  EXPECT_EQ(numbers_verdict(last, last - 10, {0, ~std::uint64_t{0}}), wrong) << "an overflow";
}

TEST(turns_of_pairs, are_given_in_turn_and_brought_back) {
  const states_routing routing(3, true), drawn(3, false);
  turns_of_pairs turns;
  std::map<std::uint64_t, unsigned> expected;
  const auto gives_the_next = [&](turns_of_pairs& those, node_id source, node_id destination) {
    packet_record r;
    r.source = source;
    r.destination = destination;
    those.give(r, injection_rule(routing), terminals);
    const std::uint64_t pair = std::uint64_t{source} * terminals + destination;
    const auto turn = expected.try_emplace(pair, drawn_state(pair, 3)).first;
    EXPECT_EQ(r.turn, turn->second % 3) << source << ' ' << destination;
    ++turn->second;
  };
  std::mt19937 random(5);
  for (unsigned i = 0; i < 400; ++i) gives_the_next(turns, below(random, terminals), below(random, terminals));

  state_archive saved, again;
  turns.archive(saved, injection_rule(routing), terminals);
  turns_of_pairs back;
  back.give(*std::make_unique<packet_record>(), injection_rule(routing), terminals);
  state_archive read(saved.bytes());
  back.archive(read, injection_rule(routing), terminals);
  back.archive(again, injection_rule(routing), terminals);
  EXPECT_EQ(again.bytes(), saved.bytes());
  for (unsigned i = 0; i < 400; ++i) gives_the_next(back, below(random, terminals), below(random, terminals));

  // Turns of a part of the sources, and those that another table knows better.
  turns_of_pairs kept = {};
  kept.add(back);
  kept.keep(terminals, [](terminal_id source) { return source < 4; });
  for (unsigned i = 0; i < 100; ++i) gives_the_next(kept, below(random, 4), below(random, terminals));
  back.add(kept);
  for (unsigned i = 0; i < 400; ++i) gives_the_next(back, below(random, terminals), below(random, terminals));

  packet_record untouched;
  untouched.turn = 9;
  back.give(untouched, injection_rule(drawn), terminals);
  EXPECT_EQ(untouched.turn, 9) << "the rule draws states";
}

TEST(turns_of_pairs, of_a_state_have_their_bounds) {
  const states_routing routing(3, true);
  const auto verdict = [&](std::uint64_t pair, route_state turn) {
    state_archive saved;
    saved.size(1);
    saved.number(pair);
    saved.number(turn);
    turns_of_pairs back;
    state_archive read(saved.bytes());
    return error_of<damaged_state>([&] { back.archive(read, injection_rule(routing), terminals); });
  };
  EXPECT_EQ(verdict(143, 2), accepted);
  EXPECT_EQ(verdict(144, 2), "a number is out of its range");
  EXPECT_EQ(verdict(143, 3), "a number is out of its range");
}

TEST(packet_table, a_new_packet_is_as_asked_for_and_has_done_nothing) {
  const std::string unsent = std::to_string(not_sent);
  packet_table table;
  packet_request plain;
  plain.source = 2;
  plain.destination = 1;
  EXPECT_EQ(table.create(plain, 0), 0u);
  EXPECT_EQ(table.create({3, 7, 5, 2}, 40), 1u);
  EXPECT_EQ(words_of(table[0]), "0 " + unsent + " 2 1 1 0 0 0 ") << "a packet has a flit";
  EXPECT_EQ(words_of(table[1]), "40 " + unsent + " 3 7 5 0 0 2 ");
  for (const packet_id id : {0, 1}) EXPECT_EQ(table[id].next, no_packet);
  EXPECT_EQ(table.first_kept(), 0u);
  EXPECT_EQ(packet_table().created(), 0u);
  EXPECT_EQ(packet_table().alive(), 0u);
}

}  // namespace
}  // namespace toriscope::packet_table_test
