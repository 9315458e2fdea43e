// SPDX-License-Identifier: Apache-2.0
// Arbiters and allocators against models of their own: a matrix of bits, and matchings worked out over a
// table of requests as docs/model.md tells it ("Arbiters", "Allocators"), round by round with random
// requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/error_of_test.h"
#include "base/hash.h"
#include "router/allocation/registry.h"

namespace toriscope::allocation_test {
namespace {

/// One of those in `asking`, as the bank has it.
unsigned winner(const arbiter_array& bank, unsigned arbiter, const std::vector<requester>& asking) {
  requester best = asking.front();
  for (const requester& r : asking)
    if (bank.before(arbiter, r, best)) best = r;
  return best.number;
}

/// What an arbiter does, told without pointers, places or ranks.
class model_arbiter {
 public:
  model_arbiter(arbiter_kind which, unsigned n) : which_(which), n_(n), before_(n, std::vector<bool>(n)) {
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = i + 1; j < n; ++j) before_[i][j] = true;
  }
  unsigned pick(const std::map<unsigned, packet_id>& asking) const {
    if (which_ == arbiter_kind::age) {
      const auto older = [](const auto& a, const auto& b) { return a.second < b.second; };
      return std::min_element(asking.begin(), asking.end(), older)->first;
    }
    if (which_ == arbiter_kind::round_robin) {
      unsigned i = next_;
      while (asking.count(i) == 0) i = (i + 1) % n_;
      return i;
    }
    for (const auto& [i, packet] : asking) {
      bool first = true;
      for (const auto& [j, other] : asking) first = first && (i == j || before_[i][j]);
      if (first) return i;
    }
    ADD_FAILURE() << "no requester goes first";
    return 0;
  }
  void granted(unsigned w) {
    next_ = (w + 1) % n_;
    for (unsigned j = 0; j < n_; ++j) {
      before_[w][j] = false;
      before_[j][w] = j != w;
    }
  }

 private:
  arbiter_kind which_;
  unsigned n_, next_ = 0;
  std::vector<std::vector<bool>> before_;
};

TEST(arbiters, are_those_of_the_contract) {
  for (const arbiter_entry& kind : arbiter_entries())
    for (const unsigned n : {1u, 2u, 5u, 20u, 496u}) {
      constexpr unsigned arbiters = 3;
      arena memory;
      arbiter_array& bank = make_arbiters(memory, kind.which, arbiters, n);
      std::vector<model_arbiter> models(arbiters, model_arbiter(kind.which, n));
      for (std::uint64_t round = 0; round < 600; ++round) {
        const unsigned a = static_cast<unsigned>(mix(round, 1) % arbiters);
        std::map<unsigned, packet_id> asking;
        std::vector<requester> list;
        for (unsigned i = 0; i < n; ++i)
          if (mix(round, i, 2) % 3 == 0) asking[i] = mix(round, i, 3) % 50;
        asking[static_cast<unsigned>(mix(round, 4) % n)] = 25;
        for (const auto& [i, packet] : asking) list.push_back({i, packet});
        std::reverse(list.begin(), list.end());  // the order in which they are told must not matter
        const unsigned expected = models[a].pick(asking);
        ASSERT_EQ(winner(bank, a, list), expected) << kind.name << ' ' << n << ' ' << round;
        if (mix(round, 5) % 4 == 0) continue;  // a pick that became no grant
        bank.granted(a, expected);
        models[a].granted(expected);
      }
    }
}

TEST(arbiters, by_hand) {
  arena memory;
  const std::vector<requester> all = {{0, 30}, {1, 10}, {2, 20}};
  const auto turns = [&](arbiter_kind which) {
    arbiter_array& bank = make_arbiters(memory, which, 1, 3);
    bank.granted(0, 1);
    std::vector<unsigned> list;
    for (int i = 0; i < 4; ++i) {
      list.push_back(winner(bank, 0, all));
      bank.granted(0, list.back());
    }
    return list;
  };
  EXPECT_EQ(turns(arbiter_kind::round_robin), (std::vector<unsigned>{2, 0, 1, 2}));
  EXPECT_EQ(turns(arbiter_kind::matrix), (std::vector<unsigned>{0, 2, 1, 0})) << "1 was granted last";
  EXPECT_EQ(turns(arbiter_kind::age), (std::vector<unsigned>{1, 1, 1, 1})) << "packet 10 is the oldest";
}

TEST(arbiters, are_strict_orders) {
  for (const arbiter_entry& kind : arbiter_entries()) {
    arena memory;
    arbiter_array& bank = make_arbiters(memory, kind.which, 2, 4);
    for (std::uint64_t round = 0; round < 50; ++round) {
      for (const unsigned arbiter : {0u, 1u})
        for (unsigned i = 0; i < 4; ++i)
          for (unsigned j = 0; j < 4; ++j) {
            const requester a{i, 7}, b{j, 7};  // of the same packet
            EXPECT_EQ(bank.before(arbiter, a, b), i != j && !bank.before(arbiter, b, a)) << kind.name << i << j;
          }
      bank.granted(round % 3 == 0, static_cast<unsigned>(mix(round) % 4));
    }
  }
}

using edge = std::tuple<unsigned, unsigned, unsigned>;  // asking, choice, asked

/// An allocator told in the words of the contract, over a table of who may ask whom by which choice.
class model_allocator {
 public:
  model_allocator(allocator_kind which, const allocator_shape& s)
      : which_(which),
        shape_(s),
        inputs_(s.requesters, model_arbiter(s.arbiter, s.candidates)),
        outputs_(s.resources, model_arbiter(s.arbiter, s.requesters)),
        accept_(s.requesters, model_arbiter(s.arbiter, s.resources)) {}

  std::set<edge> allocate(const std::map<edge, packet_id>& requests, unsigned iterations) {
    std::set<edge> grants;
    std::set<unsigned> used_asking, used_asked;
    for (unsigned i = 0; i < (which_ == allocator_kind::islip ? iterations : 1); ++i) {
      std::map<edge, packet_id> left;
      for (const auto& [e, packet] : requests)
        if (used_asking.count(std::get<0>(e)) == 0 && used_asked.count(std::get<2>(e)) == 0) left[e] = packet;
      for (const edge& e : which_ == allocator_kind::input_first ? inputs_first(left) : outputs_first(left)) {
        const auto [asking, choice, asked] = e;
        const bool moves = which_ != allocator_kind::islip || i == 0;
        if (moves) outputs_[asked].granted(asking);
        if (moves) accept_[asking].granted(asked);
        if (moves || shape_.shared_outputs) inputs_[asking].granted(choice);
        used_asking.insert(asking);
        used_asked.insert(asked);
        grants.insert(e);
      }
    }
    return grants;
  }

 private:
  /// The oldest packet of those for whom each requester stands.
  static void stand_for(std::map<unsigned, packet_id>& list, unsigned number, packet_id packet) {
    const auto [place, is_new] = list.emplace(number, packet);
    if (!is_new) place->second = std::min(place->second, packet);
  }

  std::set<edge> inputs_first(const std::map<edge, packet_id>& requests) const {
    std::map<unsigned, std::map<unsigned, packet_id>> choices, picked_by;
    for (const auto& [e, packet] : requests) choices[std::get<0>(e)][std::get<1>(e)] = packet;
    std::map<unsigned, edge> picks;
    for (const auto& [e, packet] : requests) {
      const auto [asking, choice, asked] = e;
      if (inputs_[asking].pick(choices[asking]) != choice) continue;
      picks[asking] = e;
      picked_by[asked][asking] = packet;
    }
    std::set<edge> grants;
    for (const auto& [asked, list] : picked_by) grants.insert(picks[outputs_[asked].pick(list)]);
    return grants;
  }

  std::set<edge> outputs_first(const std::map<edge, packet_id>& requests) const {
    std::map<unsigned, std::map<unsigned, packet_id>> asking_by;  // by asked
    for (const auto& [e, packet] : requests) stand_for(asking_by[std::get<2>(e)], std::get<0>(e), packet);
    std::map<edge, packet_id> left;  // requests whose output picked their input
    for (const auto& [e, packet] : requests)
      if (outputs_[std::get<2>(e)].pick(asking_by[std::get<2>(e)]) == std::get<0>(e)) left[e] = packet;
    if (which_ == allocator_kind::islip && shape_.shared_outputs) {
      std::map<unsigned, std::map<unsigned, packet_id>> offers;  // by asking
      for (const auto& [e, packet] : left) stand_for(offers[std::get<0>(e)], std::get<2>(e), packet);
      for (auto it = left.begin(); it != left.end();) {
        const auto [asking, choice, asked] = it->first;
        it = accept_[asking].pick(offers[asking]) == asked ? std::next(it) : left.erase(it);
      }
    }
    std::map<unsigned, std::map<unsigned, packet_id>> choices;  // by asking
    for (const auto& [e, packet] : left) choices[std::get<0>(e)][std::get<1>(e)] = packet;
    std::set<edge> grants;
    for (const auto& [e, packet] : left)
      if (inputs_[std::get<0>(e)].pick(choices[std::get<0>(e)]) == std::get<1>(e)) grants.insert(e);
    return grants;
  }

  allocator_kind which_;
  allocator_shape shape_;
  std::vector<model_arbiter> inputs_, outputs_, accept_;
};

/// Requests as in SA: each VC that asks has an output port; or as in VA: for some VCs of one output port.
std::map<edge, packet_id> random_requests(const allocator_shape& s, std::uint64_t round) {
  std::map<edge, packet_id> requests;
  for (unsigned a = 0; a < s.requesters; ++a) {
    const unsigned port = static_cast<unsigned>(mix(round, a, 6) % (s.resources / s.candidates + 1));
    for (unsigned c = 0; c < s.candidates; ++c) {
      const std::uint64_t draw = mix(round, a, c);
      if (draw % 3 == 0) continue;
      if (s.shared_outputs)
        requests[{a, c, static_cast<unsigned>(draw >> 20) % s.resources}] = a + s.requesters * (draw >> 40 & 63);
      else if (port < s.resources / s.candidates)
        requests[{a, c, port * s.candidates + c}] = mix(round, a, 7) % 90;
    }
  }
  return requests;
}

TEST(allocators, are_those_of_the_contract) {
  for (const allocator_entry& kind : allocator_entries())
    for (const arbiter_entry& by : arbiter_entries())
      for (const bool switches : {true, false})
        for (const unsigned iterations : {1u, 2u, 4u}) {
          const allocator_shape shape = switches ? allocator_shape{by.which, 5, 4, 5, true}
                                                  : allocator_shape{by.which, 12, 4, 12, false};
          arena memory;
          allocator& one = make_allocator(memory, kind.which, shape);
          model_allocator model(kind.which, shape);
          tentative_grants space;
          space.reserve(shape.resources);
          for (std::uint64_t round = 0; round < 400; ++round) {
            const std::map<edge, packet_id> table = random_requests(shape, round);
            if (table.empty()) continue;
            request_list requests, grants;
            for (const auto& [e, packet] : table)
              requests.push_back({packet, static_cast<std::uint16_t>(std::get<0>(e)),
                                  static_cast<std::uint16_t>(std::get<2>(e)),
                                  static_cast<std::uint8_t>(std::get<1>(e)), 0});
            const unsigned n = kind.which == allocator_kind::islip ? iterations : 1;
            const unsigned first = allocate_in_iterations(one, n, requests, space, grants);
            std::set<edge> granted;
            for (unsigned g = 0; g < grants.size(); ++g) {
              one.update_priorities(grants[g], g < first);
              granted.insert({grants[g].requester, grants[g].candidate, grants[g].resource});
            }
            ASSERT_EQ(granted, model.allocate(table, iterations))
                << kind.name << ' ' << by.name << (switches ? " SA " : " VA ") << iterations << " round "
                << round;
          }
        }
}

request_list dense(unsigned ports) {
  request_list list;  // VC v of every input port wants output port v
  for (unsigned p = 0; p < ports; ++p)
    for (unsigned v = 0; v < ports; ++v)
      list.push_back(
          {0, static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(v), static_cast<std::uint8_t>(v), 0});
  return list;
}

/// Flits per cycle when every input always requests every output.
std::vector<std::size_t> grants_of_cycles(allocator_kind which, unsigned iterations, unsigned ports, int count) {
  arena memory;
  allocator& one =
      make_allocator(memory, which, {arbiter_kind::round_robin, ports, ports, ports, true});
  tentative_grants space;
  space.reserve(ports);
  std::vector<std::size_t> list;
  for (int cycle = 0; cycle < count; ++cycle) {
    request_list requests = dense(ports), grants;
    const unsigned first = allocate_in_iterations(one, iterations, requests, space, grants);
    for (unsigned g = 0; g < grants.size(); ++g) one.update_priorities(grants[g], g < first);
    list.push_back(grants.size());
  }
  return list;
}

TEST(allocators, by_hand_under_full_load) {
  using counts = std::vector<std::size_t>;
  EXPECT_EQ(grants_of_cycles(allocator_kind::input_first, 1, 4, 5), (counts{1, 2, 3, 4, 4}));
  EXPECT_EQ(grants_of_cycles(allocator_kind::output_first, 1, 4, 5), (counts{1, 2, 3, 4, 4}));
  EXPECT_EQ(grants_of_cycles(allocator_kind::islip, 1, 4, 5), (counts{1, 2, 3, 4, 4}))
      << "pointers drift apart (McKeown 1999, Sect. III)";
  EXPECT_EQ(grants_of_cycles(allocator_kind::islip, 4, 4, 2), (counts{4, 4}))
      << "N iterations match every input";
}

TEST(allocators, islip_moves_state_in_the_first_iteration_only) {
  arena memory;
  allocator& one =
      make_allocator(memory, allocator_kind::islip, {arbiter_kind::round_robin, 2, 2, 2, true});
  tentative_grants space;
  space.reserve(2);
  const auto cycle = [&] {
    request_list requests = dense(2), grants;
    const unsigned first = allocate_in_iterations(one, 2, requests, space, grants);
    std::vector<std::pair<unsigned, unsigned>> pairs;
    for (unsigned g = 0; g < grants.size(); ++g) {
      one.update_priorities(grants[g], g < first);
      pairs.emplace_back(grants[g].requester, grants[g].resource);
    }
    return pairs;
  };
  using pairs = std::vector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(cycle(), (pairs{{0, 0}, {1, 1}}));  // 1, 1 in the second: only output 0 and input 0 have moved on
  EXPECT_EQ(cycle(), (pairs{{0, 1}, {1, 0}}));  // both in the first
}

std::string bytes_of(const std::vector<std::uint64_t>& numbers) {
  state_archive a;
  for (std::uint64_t n : numbers) a.number(n);
  return a.bytes();
}

/// What arbiters, or an allocator, write; and what they say of these numbers.
template <class Thing, class... Shape>
std::string saved(Thing& thing, const Shape&... shape) {
  state_archive a;
  thing.archive(a, shape...);
  return a.bytes();
}
template <class Thing, class... Shape>
std::string verdict(const std::string& bytes, Thing& thing, const Shape&... shape) {
  state_archive a{std::string_view(bytes)};
  return error_of<damaged_state>([&] {
    thing.archive(a, shape...);
    a.end();
  });
}

TEST(arbiters, are_saved_by_arbiter_and_requester) {
  constexpr unsigned count = 3, n = 5;
  for (const arbiter_entry& kind : arbiter_entries()) {
    arena memory;
    arbiter_array& bank = make_arbiters(memory, kind.which, count, n);
    std::vector<std::uint64_t> expected;  // pointers; or how many were granted before, and which was one's last
    if (kind.which == arbiter_kind::round_robin) expected.assign(count, 0);
    if (kind.which == arbiter_kind::matrix) expected = {n, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
    EXPECT_EQ(saved(bank, count, n), bytes_of(expected)) << kind.name;
    for (std::uint64_t round = 0; round < 60; ++round) {
      const auto a = static_cast<unsigned>(mix(round, 1) % count), winner = static_cast<unsigned>(mix(round, 2) % n);
      bank.granted(a, winner);
      if (kind.which == arbiter_kind::round_robin) expected[a] = winner + 1;
      if (kind.which == arbiter_kind::matrix) expected[1 + a * n + winner] = expected[0]++;
      ASSERT_EQ(saved(bank, count, n), bytes_of(expected)) << kind.name << ' ' << round;
    }
    arbiter_array& back = make_arbiters(memory, kind.which, count, n);
    EXPECT_EQ(verdict(bytes_of(expected), back, count, n), "none") << kind.name;
    EXPECT_EQ(saved(back, count, n), bytes_of(expected)) << kind.name;
    for (unsigned arbiter = 0; arbiter < count; ++arbiter)
      for (unsigned i = 0; i < n; ++i)
        for (unsigned j = 0; j < n; ++j)
          EXPECT_EQ(back.before(arbiter, {i, 7}, {j, 7}), bank.before(arbiter, {i, 7}, {j, 7})) << kind.name << i << j;
  }
}

TEST(arbiters, of_a_state_have_their_bounds) {
  arena memory;
  const auto said = [&](arbiter_kind which, const std::vector<std::uint64_t>& numbers) {
    return verdict(bytes_of(numbers), make_arbiters(memory, which, 2, 3), 2u, 3u);
  };
  const std::string out_of_range = "a number is out of its range";
  EXPECT_EQ(said(arbiter_kind::round_robin, {3, 3}), "none") << "behind the last";
  EXPECT_EQ(said(arbiter_kind::round_robin, {4, 0}), out_of_range);
  EXPECT_EQ(said(arbiter_kind::round_robin, {0, 4}), out_of_range);
  EXPECT_EQ(said(arbiter_kind::matrix, {9, 8, 0, 1, 7, 2, 8}), "none");
  for (unsigned place = 1; place <= 6; ++place) {
    std::vector<std::uint64_t> numbers{9, 8, 0, 1, 7, 2, 8};
    numbers[place] = 9;
    EXPECT_EQ(said(arbiter_kind::matrix, numbers), out_of_range) << "the tenth grant of nine";
  }
}

/// Round-robin arbiters of the requesters, of the resources and, of switches that iSLIP allocates, those that accept.
TEST(allocators, are_saved_with_all_of_their_arbiters) {
  constexpr unsigned requesters = 4, candidates = 3, resources = 5;
  for (const allocator_entry& kind : allocator_entries())
    for (const bool switches : {true, false}) {
      const allocator_shape shape{arbiter_kind::round_robin, requesters, candidates, resources, switches};
      const bool is_islip = kind.which == allocator_kind::islip, accepts = is_islip && switches;
      arena memory;
      allocator& one = make_allocator(memory, kind.which, shape);
      std::vector<std::uint64_t> inputs(requesters), outputs(resources), accept(accepts ? requesters : 0);
      const auto expected = [&] { return bytes_of(inputs) + bytes_of(outputs) + bytes_of(accept); };
      EXPECT_EQ(saved(one, shape), expected()) << kind.name;
      for (std::uint64_t round = 0; round < 80; ++round) {
        const auto r = static_cast<unsigned>(mix(round, 1) % requesters),
                   c = static_cast<unsigned>(mix(round, 2) % candidates),
                   o = static_cast<unsigned>(mix(round, 3) % resources);
        const bool first = mix(round, 4) % 2 == 0;
        one.update_priorities({0, static_cast<std::uint16_t>(r), static_cast<std::uint16_t>(o),
                               static_cast<std::uint8_t>(c), 0},
                              first);
        if (!is_islip || first) outputs[o] = r + 1;
        if (!is_islip || first || switches) inputs[r] = c + 1;
        if (accepts && first) accept[r] = o + 1;
        ASSERT_EQ(saved(one, shape), expected()) << kind.name << switches << ' ' << round;
      }
      allocator& back = make_allocator(memory, kind.which, shape);
      EXPECT_EQ(verdict(expected(), back, shape), "none") << kind.name;
      EXPECT_EQ(saved(back, shape), expected()) << kind.name;
    }
}

}  // namespace
}  // namespace toriscope::allocation_test
