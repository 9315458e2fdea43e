// SPDX-License-Identifier: Apache-2.0
// Which VC rules are free of deadlock in TTN, TESH and STTN. The table was found by an independent exhaustive
// search; here the channel-dependency graphs of the routing function itself are looked at. Networks of 4096
// nodes: ttn_deadlock_large_test.cpp.
#include <gmock/gmock.h>

#include <algorithm>
#include <initializer_list>

#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

namespace toriscope::ttn_deadlock_test {
namespace {

bool acyclic(const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs) {
  return find_channel_dependencies(*build_ttn(shape), *make_ttn_routing(shape, ties, rule, vcs), vcs)
      .acyclic();
}

bool acyclic(const ttn_shape& shape, ttn_vc_rule rule, ring_ties ties = ring_ties::nowrap) {
  return acyclic(shape, ties, rule, ttn_vc_classes(rule, shape));
}

/// For every rule at L = 2.
constexpr unsigned enough_vcs = 4;

TEST(ttn_deadlock_paper, table_of_256_nodes) {
  for (const bool one_way : {true, false})
    for (const unsigned q : {0u, 1u, 2u}) {
      const ttn_shape shape{2, q, one_way};
      EXPECT_FALSE(acyclic(shape, ttn_vc_rule::paper));
      EXPECT_EQ(acyclic(shape, ttn_vc_rule::A), q < 2);
      EXPECT_EQ(acyclic(shape, ttn_vc_rule::C), q < 2);
      EXPECT_TRUE(acyclic(shape, ttn_vc_rule::D3));
      EXPECT_TRUE(acyclic(shape, ttn_vc_rule::E));
      EXPECT_TRUE(acyclic(shape, ttn_vc_rule::G));
      EXPECT_FALSE(acyclic(shape, ttn_vc_rule::paper, ring_ties::positive));
      EXPECT_EQ(acyclic(shape, ttn_vc_rule::C, ring_ties::positive), q < 2);
    }
  EXPECT_TRUE(acyclic({2, 0, true}, ttn_vc_rule::K));
  EXPECT_TRUE(acyclic({2, 0, false}, ttn_vc_rule::K));
}

// With meshes for basic modules Theorem 1 leaves one VC of the BM to all phases.
TEST(tesh_deadlock_paper, table_of_256_nodes) {
  for (const bool one_way : {true, false})
    for (const unsigned q : {0u, 1u, 2u}) {
      const ttn_shape shape{2, q, one_way, ttn_kind::tesh};
      EXPECT_FALSE(acyclic(shape, ttn_vc_rule::paper));
      EXPECT_EQ(acyclic(shape, ttn_vc_rule::A), q < 2);
      EXPECT_TRUE(acyclic(shape, ttn_vc_rule::D3));
      EXPECT_TRUE(acyclic(shape, ttn_vc_rule::G));
    }
}

TEST(sttn_deadlock, table_of_256_nodes) {
  for (const bool one_way : {true, false}) {
    const ttn_shape shape{2, 0, one_way, ttn_kind::sttn};
    for (const ttn_vc_rule rule : {ttn_vc_rule::paper, ttn_vc_rule::A, ttn_vc_rule::C})
      EXPECT_FALSE(acyclic(shape, rule)) << to_string(rule);
    for (const ttn_vc_rule rule : {ttn_vc_rule::E, ttn_vc_rule::G, ttn_vc_rule::S})
      EXPECT_TRUE(acyclic(shape, rule)) << to_string(rule);
    EXPECT_EQ(acyclic(shape, ttn_vc_rule::D3), one_way);
  }
}

// What the program says about a rule is what the graph says.
TEST(ttn_deadlock, ttn_deadlock_free_says_the_same) {
  unsigned judged = 0;
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh, ttn_kind::sttn})
    for (const bool one_way : {true, false})
      for (unsigned q = 0; q < (kind == ttn_kind::sttn ? 1u : 3u); ++q)
        for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive})
          for (const ttn_vc_rule rule : ttn_vc_rules()) {
            const ttn_shape shape{2, q, one_way, kind};
            try {
              choose_ttn_vc_rule(shape, ties, to_string(rule), enough_vcs);
            } catch (const std::invalid_argument&) {
              continue;
            }
            EXPECT_EQ(acyclic(shape, rule, ties), ttn_deadlock_free(shape, ties, rule))
                << ttn_in_words(shape) << " " << to_string(rule) << " " << to_string(ties);
            ++judged;
          }
  EXPECT_EQ(judged, 144u);
}

TEST(ttn_deadlock, more_vcs_than_classes_change_nothing) {
  for (const unsigned vcs : {3u, 5u, 8u}) {
    EXPECT_TRUE(acyclic({2, 0, false}, ring_ties::nowrap, ttn_vc_rule::A, vcs));
    EXPECT_FALSE(acyclic({2, 0, true}, ring_ties::nowrap, ttn_vc_rule::paper, vcs));
  }
  EXPECT_TRUE(acyclic({2, 2, false}, ring_ties::nowrap, ttn_vc_rule::E, 6));
}

TEST(ttn_deadlock, safe_is_acyclic_on_any_number_of_vcs) {
  for (const bool one_way : {true, false})
    for (const unsigned q : {0u, 1u, 2u})
      for (unsigned vcs = q == 2 ? 3 : 2; vcs <= 6; ++vcs) {
        const ttn_shape shape{2, q, one_way};
        for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh}) {
          ttn_shape of_kind = shape;
          of_kind.kind = kind;
          const ttn_vc_rule rule = choose_ttn_vc_rule(of_kind, ring_ties::nowrap, "safe", vcs);
          EXPECT_TRUE(acyclic(of_kind, ring_ties::nowrap, rule, vcs)) << to_string(rule) << " on " << vcs;
        }
      }
  for (const bool one_way : {true, false})
    for (unsigned vcs = one_way ? 3 : 4; vcs <= 6; ++vcs) {
      const ttn_shape shape{2, 0, one_way, ttn_kind::sttn};
      EXPECT_TRUE(
          acyclic(shape, ring_ties::nowrap, choose_ttn_vc_rule(shape, ring_ties::nowrap, "safe", vcs), vcs));
    }
  const ttn_vc_rule rule = choose_ttn_vc_rule({2, 1, true}, ring_ties::positive, "safe", 4);
  EXPECT_TRUE(acyclic({2, 1, true}, rule, ring_ties::positive));
}

/// Packets that freeze under the paper's rule, from an independent simulator: packet i holds channel i of a
/// cycle, its hop number `hops` - 1, and waits for channel i + 1.
struct witness {
  bool one_way;
  ring_ties ties;
  std::vector<std::string> cycle;
  struct packet {
    std::string source, destination;
    unsigned hops;
  };
  std::vector<packet> packets;
};

const std::vector<witness>& witnesses() {
  static const std::vector<witness> all{
      {true,
       ring_ties::nowrap,
       {"10.00 L2_V_out0 vc0", "20.00 L2_V_out0 vc0", "30.00 L2_V_out0 vc1", "00.00 x- vc1",
        "00.03 L2_H_out0 vc0", "01.03 L2_H_out0 vc0", "02.03 L2_H_out0 vc0", "03.03 L2_H_out0 vc1",
        "00.03 x+ vc1", "00.00 L2_V_out0 vc0"},
       {{"1000", "0000", 1},
        {"2000", "0000", 1},
        {"3000", "0003", 1},
        {"0000", "0100", 1},
        {"0001", "0200", 3},
        {"0100", "0000", 2},
        {"0200", "0000", 2},
        {"0300", "0000", 2},
        {"0003", "1000", 1},
        {"0002", "2000", 3}}},
      {true,
       ring_ties::positive,
       {"20.00 L2_V_out0 vc0", "30.00 L2_V_out0 vc1", "00.00 y+ vc0", "00.10 y+ vc0", "00.20 y+ vc0",
        "00.30 y+ vc1", "00.00 L2_V_out0 vc0", "10.00 L2_V_out0 vc0"},
       {{"2000", "0000", 1},
        {"3000", "0010", 1},
        {"0000", "0020", 1},
        {"0010", "0030", 1},
        {"0020", "0000", 1},
        {"0030", "1000", 1},
        {"0001", "2000", 2},
        {"1000", "0000", 1}}},
      {false,
       ring_ties::nowrap,
       {"21.00 L2_V_out0 vc0", "31.00 x- vc1", "31.03 L2_H_out0 vc0", "32.03 x+ vc1", "32.00 L2_V_in0 vc0",
        "22.00 x- vc1", "22.03 L2_H_in0 vc0", "21.03 x+ vc1"},
       {{"1100", "3000", 2},
        {"0100", "3200", 2},
        {"0000", "3200", 4},
        {"3203", "2000", 1},
        {"3200", "2000", 1},
        {"0200", "2100", 3},
        {"2201", "2100", 3},
        {"2103", "0000", 1}}},
      {false,
       ring_ties::positive,
       {"20.03 x+ vc1", "20.00 L2_V_out0 vc0", "30.00 x- vc1", "30.03 L2_H_out0 vc0", "31.03 x+ vc1",
        "31.00 L2_V_in0 vc0", "21.00 x- vc1", "21.03 L2_H_in0 vc0"},
       {{"2002", "0000", 2},
        {"1000", "3003", 2},
        {"0000", "3100", 2},
        {"3001", "3100", 3},
        {"3102", "2000", 2},
        {"3100", "2000", 1},
        {"0100", "2000", 3},
        {"2101", "2000", 3}}},
  };
  return all;
}

TEST(ttn_deadlock_paper, packets_that_wait_for_each_other_in_a_circle) {
  for (const witness& w : witnesses()) {
    const ttn_shape shape{2, 0, w.one_way};
    const auto net = build_ttn(shape);
    const auto routing = make_ttn_routing(shape, w.ties, ttn_vc_rule::paper, 2);
    const auto node = [&](const std::string& digits) {
      std::vector<unsigned> values;
      for (const char c : digits) values.push_back(static_cast<unsigned>(c - '0'));
      return net->node_at(values);
    };
    ASSERT_EQ(w.cycle.size(), w.packets.size());
    for (std::size_t i = 0; i < w.packets.size(); ++i) {
      const witness::packet& p = w.packets[i];
      const auto hops = walk(*net, *routing, node(p.source), node(p.destination), 2);
      ASSERT_GT(hops.size(), p.hops);
      const auto named = [&](const hop& h) { return to_string(*net, channel{h.link, h.vc}); };
      EXPECT_EQ(named(hops[p.hops - 1]), w.cycle[i]);
      EXPECT_EQ(named(hops[p.hops]), w.cycle[(i + 1) % w.cycle.size()]);
    }
  }
}

TEST(ttn_deadlock, refusals) {
  const auto choose = [](const ttn_shape& shape, ring_ties ties, const std::string& name, unsigned vcs) {
    try {
      return std::string(to_string(choose_ttn_vc_rule(shape, ties, name, vcs)));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  const ring_ties nowrap = ring_ties::nowrap;
  const ring_ties positive = ring_ties::positive;
  // safe, by network and VCs
  EXPECT_EQ(choose({2, 0, true}, nowrap, "safe", 4), "K");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "safe", 16), "K");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "safe", 3), "K");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "safe", 2), "K");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "safe", 1),
            "no VC rule free of deadlock in TTN(2,2,0) with one_way links and tie break nowrap is known for "
            "1 VC; it needs at "
            "least 2");
  EXPECT_EQ(choose({3, 1, true}, nowrap, "safe", 4), "E");
  EXPECT_EQ(choose({3, 1, true}, nowrap, "safe", 3), "D3");
  EXPECT_EQ(choose({3, 1, false}, nowrap, "safe", 3),
            "no VC rule free of deadlock in TTN(2,3,1) with duplex links and tie break nowrap is known for 3 VCs; it "
            "needs at "
            "least 4");
  EXPECT_EQ(choose({2, 2, true}, nowrap, "safe", 2),
            "no VC rule free of deadlock in TTN(2,2,2) with one_way links and tie break nowrap is known for 2 VCs; it "
            "needs at "
            "least 3");
  EXPECT_EQ(choose({5, 0, true}, nowrap, "safe", 4), "K");
  EXPECT_EQ(choose({4, 0, false}, nowrap, "safe", 3), "K") << "of its four classes it uses three";
  EXPECT_EQ(choose({4, 0, false}, nowrap, "safe", 2),
            "no VC rule free of deadlock in TTN(2,4,0) with duplex links and tie break nowrap is known for 2 VCs; it "
            "needs at least 3");
  const ttn_kind tesh = ttn_kind::tesh;
  const ttn_kind sttn = ttn_kind::sttn;
  EXPECT_EQ(choose({5, 0, false, tesh}, nowrap, "safe", 4), "K");
  EXPECT_EQ(choose({3, 1, true, tesh}, nowrap, "safe", 4), "G");
  EXPECT_EQ(
      choose({3, 1, true, tesh}, nowrap, "safe", 3),
      "no VC rule free of deadlock in TESH(2,3,1) with one_way links is known for 3 VCs; it needs at least 4");
  EXPECT_EQ(choose({2, 2, true, tesh}, positive, "safe", 3), "D3") << "a mesh has no ties";
  EXPECT_EQ(choose({3, 0, true, sttn}, nowrap, "safe", 4), "S");
  EXPECT_EQ(choose({3, 0, true, sttn}, nowrap, "safe", 3), "D3");
  EXPECT_EQ(choose({3, 0, false, sttn}, nowrap, "safe", 6), "S");
  EXPECT_EQ(choose({3, 0, false, sttn}, nowrap, "safe", 5), "E") << "S needs 6";
  EXPECT_EQ(choose({4, 0, false, sttn}, nowrap, "safe", 4),
            "no VC rule free of deadlock in STTN(2,4,0) with duplex links and tie break nowrap is known for 4 VCs; it "
            "needs at least 8");
  EXPECT_EQ(choose({5, 0, true, sttn}, nowrap, "safe", 4),
            "no VC rule free of deadlock in STTN(2,5,0) with one_way links and tie break nowrap is known for 4 VCs; it "
            "needs at least 6");
  EXPECT_EQ(choose({3, 0, false, sttn}, nowrap, "S", 4), "VC rule S needs at least 6 VCs, not 4");
  EXPECT_EQ(choose({2, 0, true, sttn}, nowrap, "K", 4),
            "VC rule 'K' is not made for an STTN; it has: safe, paper, A, C, D3, E, G, S");
  EXPECT_EQ(choose({4, 0, true, tesh}, nowrap, "G", 4),
            "VC rule G is made for L = 2 and 3 only, not for TESH(2,4,0); safe chooses one that fits");
  EXPECT_EQ(choose({2, 1, true, tesh}, nowrap, "K", 4),
            "VC rule K is made for q = 0 only, not for TESH(2,2,1); G is made for q > 0");
  EXPECT_EQ(choose({2, 0, true}, positive, "safe", 4), "C");
  EXPECT_EQ(choose({2, 0, true}, positive, "safe", 3),
            "no VC rule free of deadlock in TTN(2,2,0) with one_way links and tie break positive is known "
            "for 3 VCs; it "
            "needs at "
            "least 4");
  EXPECT_EQ(choose({4, 0, true}, positive, "safe", 8),
            "no VC rule is known to be free of deadlock in TTN(2,4,0) with one_way links and tie break positive; use "
            "tie break nowrap, "
            "or name a rule");
  // rules by name
  EXPECT_EQ(choose({2, 0, true}, nowrap, "paper", 2), "paper");
  EXPECT_EQ(choose({2, 2, true}, nowrap, "A", 2), "A") << "cyclic, but asked for";
  EXPECT_EQ(choose({4, 0, true}, nowrap, "F", 4), "F");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "F", 4),
            "VC rule F is made for L = 4 only, not for TTN(2,2,0); safe chooses one that fits");
  EXPECT_EQ(choose({2, 1, true}, nowrap, "K", 4),
            "VC rule K is made for q = 0 only, not for TTN(2,2,1); E is made for q > 0");
  for (const std::string rule : {"A", "D3", "E", "K"})
    EXPECT_EQ(choose({2, 0, true}, positive, rule, 4),
              "VC rule " + rule + " is made for tie break nowrap only, not for positive");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "D3", 2), "D3") << "without hops inside a ring D3 is A";
  EXPECT_EQ(choose({2, 2, true}, nowrap, "D3", 2), "VC rule D3 needs at least 3 VCs, not 2");
  EXPECT_EQ(choose({2, 0, true}, nowrap, "dateline", 4),
            "VC rule 'dateline' is not made for a TTN; it has: safe, paper, A, C, D3, E, F, G, K");
}

/// As the descriptions of the rules say it, network by network. @pre the rule is made for the network
bool described_as_acyclic(ttn_vc_rule rule, const std::string& network, bool one_way) {
  const auto among = [&](std::initializer_list<const char*> list) {
    return std::count(list.begin(), list.end(), network) > 0;
  };
  const bool two_levels =
      among({"TTN(2,2,0)", "TTN(2,2,1)", "TTN(2,2,2)", "TESH(2,2,0)", "TESH(2,2,1)", "TESH(2,2,2)"});
  switch (rule) {
    case ttn_vc_rule::paper:
      return false;
    case ttn_vc_rule::A:
    case ttn_vc_rule::C:
      return among({"TTN(2,2,0)", "TTN(2,2,1)", "TTN(2,3,0)", "TESH(2,2,0)", "TESH(2,2,1)", "TESH(2,3,0)"});
    case ttn_vc_rule::D3:
      if (one_way && among({"TTN(2,3,1)", "STTN(2,2,0)", "STTN(2,3,0)"})) return true;
      return two_levels || among({"TTN(2,3,0)", "TESH(2,3,0)"});
    case ttn_vc_rule::E:
      return two_levels || among({"TTN(2,3,0)", "TTN(2,3,1)", "TESH(2,3,0)", "STTN(2,2,0)", "STTN(2,3,0)"});
    case ttn_vc_rule::F:
      return among({"TTN(2,4,0)", "TESH(2,4,0)"});
    case ttn_vc_rule::G:
      if (one_way && network == "STTN(2,3,0)") return true;
      return two_levels || among({"TTN(2,3,0)", "TTN(2,3,1)", "TESH(2,3,0)", "TESH(2,3,1)", "STTN(2,2,0)"});
    case ttn_vc_rule::K:
      return among({"TTN(2,2,0)", "TTN(2,3,0)", "TTN(2,4,0)", "TTN(2,5,0)", "TESH(2,2,0)", "TESH(2,3,0)",
                    "TESH(2,4,0)", "TESH(2,5,0)"});
    case ttn_vc_rule::S:
      return among({"STTN(2,2,0)", "STTN(2,3,0)", "STTN(2,4,0)", "STTN(2,5,0)"});
  }
  return false;
}

TEST(ttn_deadlock, verdicts_are_those_of_the_descriptions) {
  unsigned judged = 0;
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh, ttn_kind::sttn})
    for (const bool one_way : {true, false})
      for (unsigned levels = 2; levels <= 5; ++levels)
        for (unsigned q = 0; q <= 2; ++q) {
          if (levels > ttn_highest_level(q) || (kind == ttn_kind::sttn && q > 0)) continue;
          const ttn_shape shape{levels, q, one_way, kind};
          for (const ttn_vc_rule rule : ttn_vc_rules()) {
            try {
              choose_ttn_vc_rule(shape, ring_ties::nowrap, to_string(rule), 16);
            } catch (const std::invalid_argument&) {
              continue;  // it is not made for the network
            }
            EXPECT_EQ(ttn_deadlock_free(shape, ring_ties::nowrap, rule),
                      described_as_acyclic(rule, ttn_in_words(shape), one_way))
                << ttn_in_words(shape) << (one_way ? " U " : " B ") << to_string(rule);
            ++judged;
          }
        }
  EXPECT_EQ(judged, 2 * (45u + 45 + 26)) << "links one way or both; TTN, TESH, STTN";
}

}  // namespace
}  // namespace toriscope::ttn_deadlock_test
