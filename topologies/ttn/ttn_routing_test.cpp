// SPDX-License-Identifier: Apache-2.0
// Routes in the TTN, judged by the addresses alone, and against the golden values of an independent
// exhaustive search.
#include "topologies/ttn/ttn_routing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/ttn/ttn.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using testing::ElementsAre;

const std::vector<ttn_shape>& small_shapes() {
  static const std::vector<ttn_shape> shapes{{2, 0, true},  {2, 1, true},  {2, 2, true},
                                             {2, 0, false}, {2, 1, false}, {2, 2, false}};
  return shapes;
}

/// Hops of a route, added up from BM to BM: the algorithm of Fig. 4 without ports, VCs and states.
class hop_count {
 public:
  explicit hop_count(const ttn_shape& shape) : shape_(shape) {}

  unsigned operator()(std::vector<unsigned> at, const std::vector<unsigned>& to) const {
    unsigned hops = 0;
    for (unsigned level = shape_.levels; level >= 2; --level) {
      int group = -1;
      for (const bool horizontal : {false, true}) {
        const unsigned i = 2 * (shape_.levels - level) + (horizontal ? 1 : 0);
        const unsigned forth = (to[i] + 4 - at[i]) % 4;
        const bool plus = shape_.unidirectional || forth <= 2;
        for (unsigned steps = plus ? forth : 4 - forth; steps > 0; --steps) {
          if (group < 0) group = nearest(at, level, horizontal, plus);
          const auto [out, in] = gates(level, horizontal, static_cast<unsigned>(group));
          const auto [leave, enter] = plus ? std::pair(out, in) : std::pair(in, out);
          hops += distance(at, leave.first, leave.second) + 1;
          at[at.size() - 2] = enter.first;
          at[at.size() - 1] = enter.second;
          at[i] = (at[i] + (plus ? 1 : 3)) % 4;
        }
      }
    }
    return hops + distance(at, to[to.size() - 2], to.back());
  }

 private:
  using place = std::pair<unsigned, unsigned>;  // row, column

  std::pair<place, place> gates(unsigned level, bool horizontal, unsigned group) const {
    static const std::pair<place, place> v[] = {
        {{0, 0}, {0, 0}}, {{3, 0}, {3, 0}}, {{0, 2}, {0, 1}}, {{3, 2}, {3, 1}}};
    static const std::pair<place, place> h[] = {
        {{0, 3}, {0, 3}}, {{3, 3}, {3, 3}}, {{2, 0}, {1, 0}}, {{2, 3}, {1, 3}}};
    const unsigned block = shape_.levels == 2 ? group : level - 2 + 2 * group;
    return horizontal ? h[block] : v[block];
  }
  static unsigned distance(const std::vector<unsigned>& at, unsigned row, unsigned column) {
    static const unsigned ring[] = {0, 1, 2, 1};
    return ring[(row + 4 - at[at.size() - 2]) % 4] + ring[(column + 4 - at.back()) % 4];
  }
  int nearest(const std::vector<unsigned>& at, unsigned level, bool horizontal, bool plus) const {
    int best = 0;
    unsigned best_distance = 99;
    for (unsigned g = 0; g < (1u << shape_.connectivity); ++g) {
      const auto [out, in] = gates(level, horizontal, g);
      const place start = plus ? out : in;
      const unsigned d = distance(at, start.first, start.second);
      if (d < best_distance) {
        best = static_cast<int>(g);
        best_distance = d;
      }
    }
    return best;
  }

  ttn_shape shape_;
};

/// All ties, with a rule that takes them.
const std::vector<ring_ties>& ties_of_bm() {
  static const std::vector<ring_ties> ties{ring_ties::nowrap, ring_ties::positive};
  return ties;
}

TEST(ttn_routing, hops_of_all_pairs) {
  for (const ttn_shape& shape : small_shapes())
    for (const ring_ties ties : ties_of_bm()) {
      const auto net = build_ttn(shape);
      const auto routing = make_ttn_routing(shape, ties, ttn_vc_rule::C, 4);
      const hop_count expected(shape);
      for (node_id source = 0; source < 256; ++source) {
        const auto shortest = bfs_distances(*net, source);
        for (node_id destination = 0; destination < 256; ++destination) {
          const unsigned hops = routed_distance(*net, *routing, source, destination, 4);
          ASSERT_EQ(hops, expected(net->digits(source), net->digits(destination)))
              << net->address(source) << " " << net->address(destination);
          ASSERT_GE(hops, shortest[destination]);
        }
      }
    }
}

TEST(ttn_routing, hops_of_random_pairs_in_large_networks) {
  for (const ttn_shape& shape :
       {ttn_shape{3, 0, false}, ttn_shape{3, 1, true}, ttn_shape{3, 1, false}, ttn_shape{4, 0, true},
        ttn_shape{4, 0, false}, ttn_shape{5, 0, true}, ttn_shape{5, 0, false}}) {
    const auto net = build_ttn(shape);
    const auto routing = make_ttn_routing(shape, ring_ties::nowrap, ttn_vc_rule::E, 4);
    const hop_count expected(shape);
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
      const node_id source = random() % net->node_count();
      const node_id destination = random() % net->node_count();
      ASSERT_EQ(routed_distance(*net, *routing, source, destination, 4),
                expected(net->digits(source), net->digits(destination)))
          << net->address(source) << " " << net->address(destination);
    }
  }
}

TEST(ttn_routing, goes_down_the_levels_and_v_before_h) {
  const ttn_shape shape{4, 0, false};
  const auto net = build_ttn(shape);
  const auto routing = make_ttn_routing(shape, ring_ties::nowrap, ttn_vc_rule::K, 4);
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const node_id source = random() % net->node_count();
    const node_id destination = random() % net->node_count();
    std::size_t least = 0;
    for (const hop& h : walk(*net, *routing, source, destination, 4)) {
      const netlist_link& wire = net->link(h.link);
      if (wire.level == 1) continue;
      const auto from = net->digits(wire.from);
      const auto to = net->digits(wire.to);
      std::size_t changed = 0;
      while (from[changed] == to[changed]) ++changed;
      ASSERT_GE(changed, least);
      least = changed;
    }
  }
}

/// "10.00 L2_V_out0" for each hop.
std::vector<std::string> in_words(const netlist& net, const std::vector<hop>& hops) {
  std::vector<std::string> words;
  for (const hop& h : hops) words.push_back(net.address(h.node) + " " + net.port_name(h.node, h.out_port));
  return words;
}

// Rahman et al. 2009, Sect. 3.1 and Fig. 5: from 000000 to 231112 by the outlet node (3,0) of Level 3.
TEST(ttn_routing_paper, worked_example) {
  const ttn_shape shape{3, 0, true};
  const auto net = build_ttn(shape);
  const auto routing = make_ttn_routing(shape, ring_ties::nowrap, ttn_vc_rule::K, 4);
  const auto hops =
      walk(*net, *routing, net->node_at({0, 0, 0, 0, 0, 0}), net->node_at({2, 3, 1, 1, 1, 2}), 4);
  EXPECT_THAT(in_words(*net, hops),
              ElementsAre("00.00.00 y-", "00.00.30 L3_V_out0", "10.00.30 L3_V_out0", "20.00.30 x-",
                          "20.00.33 L3_H_out0", "21.00.33 L3_H_out0", "22.00.33 L3_H_out0", "23.00.33 y+",
                          "23.00.03 x+", "23.00.00 L2_V_out0", "23.10.00 x-", "23.10.03 L2_H_out0",
                          "23.11.03 y+", "23.11.13 x-"));
}

// With full-duplex links the H ring (offset 3) is taken the other way.
TEST(ttn_routing, worked_example_both_ways) {
  const ttn_shape shape{3, 0, false};
  const auto net = build_ttn(shape);
  const auto routing = make_ttn_routing(shape, ring_ties::nowrap, ttn_vc_rule::K, 4);
  const auto hops =
      walk(*net, *routing, net->node_at({0, 0, 0, 0, 0, 0}), net->node_at({2, 3, 1, 1, 1, 2}), 4);
  EXPECT_THAT(in_words(*net, hops),
              ElementsAre("00.00.00 y-", "00.00.30 L3_V_out0", "10.00.30 L3_V_out0", "20.00.30 x-",
                          "20.00.33 L3_H_in0", "23.00.33 y+", "23.00.03 x+", "23.00.00 L2_V_out0",
                          "23.10.00 x-", "23.10.03 L2_H_out0", "23.11.03 y+", "23.11.13 x-"));
}

TEST(ttn_routing, ties_in_the_basic_module) {
  const ttn_shape shape{2, 0, true};
  const auto net = build_ttn(shape);
  const auto ports = [&](ring_ties ties, unsigned from, unsigned to) {
    std::string result;
    for (const hop& h : walk(*net, *make_ttn_routing(shape, ties, ttn_vc_rule::C, 4), from, to, 4))
      result += net->port_name(h.node, h.out_port) + " ";
    return result;
  };
  EXPECT_EQ(ports(ring_ties::nowrap, 0, 10), "y+ y+ x+ x+ ");
  EXPECT_EQ(ports(ring_ties::nowrap, 10, 0), "y- y- x- x- ");
  EXPECT_EQ(ports(ring_ties::nowrap, 15, 5), "y- y- x- x- ");
  EXPECT_EQ(ports(ring_ties::positive, 0, 10), "y+ y+ x+ x+ ");
  EXPECT_EQ(ports(ring_ties::positive, 10, 0), "y+ y+ x+ x+ ");
  EXPECT_EQ(ports(ring_ties::nowrap, 0, 15), "y- x- ");
  EXPECT_EQ(ports(ring_ties::nowrap, 15, 0), "y+ x+ ");
}

TEST(ttn_routing, route_state_is_small) {
  for (const ttn_vc_rule rule : ttn_vc_rules()) {
    EXPECT_EQ(make_ttn_routing({4, 0, true}, ring_ties::nowrap, rule, 4)->state_bits(), 1u);
    EXPECT_EQ(make_ttn_routing({2, 2, false}, ring_ties::nowrap, rule, 4)->state_bits(), 3u);
  }
  EXPECT_EQ(make_ttn_routing({2, 2, true}, ring_ties::positive, ttn_vc_rule::C, 4)->state_bits(), 4u);
}

// Every VC set against the rule's words, with the bits that the rule speaks of worked out from the hops
// alone.
TEST(ttn_routing, vc_classes_follow_the_rules) {
  for (const ttn_shape& shape : {ttn_shape{2, 2, false}, ttn_shape{3, 0, true}, ttn_shape{3, 1, false},
                                 ttn_shape{4, 0, true}, ttn_shape{4, 0, false}, ttn_shape{5, 0, false}}) {
    const auto net = build_ttn(shape);
    std::mt19937 random(3);
    for (const ttn_vc_rule rule : ttn_vc_rules()) {
      const std::string name = to_string(rule);
      const ring_ties ties = name == "paper" || name == "C" ? ring_ties::positive : ring_ties::nowrap;
      const unsigned classes = name == "paper" || name == "A" ? 2 : name == "D3" ? 3 : 4;
      for (const unsigned vcs : {classes, 7u}) {
        const auto routing = make_ttn_routing(shape, ties, rule, vcs);
        for (int i = 0; i < 400; ++i) {
          const node_id source = random() % net->node_count();
          const node_id destination = random() % net->node_count();
          const auto hops = walk(*net, *routing, source, destination, vcs);
          route_request at{source, net->local_port(source), 0, destination, 0};
          unsigned rd = 0;
          unsigned bmd = 0;
          char last_port = 0;  // of the BM move under way
          for (std::size_t h = 0; h < hops.size(); ++h) {
            route_option option;
            routing->route(at, &option);
            const netlist_link& wire = net->link(hops[h].link);
            const std::string& port = net->port_name(wire.from, wire.from_port);
            unsigned wanted = 0;
            if (wire.level > 1) {
              const auto from = net->digits(wire.from);
              const auto to = net->digits(wire.to);
              std::size_t digit = 0;
              while (from[digit] == to[digit]) ++digit;
              if (from[digit] + to[digit] == 3 && from[digit] % 3 == 0) rd = 1;  // between 0 and 3
              wanted = rd;
              if (to[digit] == net->digits(destination)[digit]) rd = 0;  // the ring is done
              last_port = 0;
            } else {
              const bool vertical = port[0] == 'y';
              const auto row_or_column = [&](node_id n) { return vertical ? (n >> 2) & 3 : n & 3; };
              if (port[0] != last_port) bmd = 0;
              last_port = port[0];
              if (row_or_column(wire.from) % 3 == 0 && row_or_column(wire.from) + row_or_column(wire.to) == 3)
                bmd = 1;
              // The ring on the way to: that of the next inter-BM hop.
              std::size_t next = h;
              while (next < hops.size() && net->link(hops[next].link).level == 1) ++next;
              const bool last = next == hops.size();
              const std::string gate = last ? ""
                                            : net->port_name(net->link(hops[next].link).from,
                                                             net->link(hops[next].link).from_port);
              const unsigned level = last ? 0 : static_cast<unsigned>(gate[1] - '0');
              const unsigned horizontal = !last && gate[3] == 'H' ? 1 : 0;
              if (name == "paper") wanted = bmd;
              if (name == "A") wanted = last ? 1 : 0;
              if (name == "C") wanted = last ? 2 + bmd : bmd;
              if (name == "D3") wanted = last ? 2 : rd;
              if (name == "E") wanted = last ? 3 : horizontal + rd;
              if (name == "F") wanted = last ? 3 : level < 4 ? 0 : 1 + rd;
              if (name == "K") wanted = last ? 3 : level < 4 ? 0 : level == 4 ? 1 - rd : 2 - rd;
            }
            ASSERT_EQ(option.vcs, vc_class(wanted, classes, vcs))
                << name << " " << net->address(source) << " -> " << net->address(destination) << " hop " << h;
            at = {wire.to, wire.to_port, hops[h].vc, destination, option.state};
          }
        }
      }
    }
  }
}

struct golden {
  ttn_shape shape;
  unsigned diameter;
  double mean_all;
  double tolerance;
};

void expect_golden(const golden& row) {
  for (const ring_ties ties : ties_of_bm()) {
    const auto found =
        measure_routes(*build_ttn(row.shape), *make_ttn_routing(row.shape, ties, ttn_vc_rule::C, 4), 4);
    EXPECT_EQ(found.diameter, row.diameter);
    EXPECT_NEAR(found.mean_all, row.mean_all, row.tolerance);
    if (row.shape.levels > 2) break;  // both ties are equally long, which the small ones show
  }
}

// Rahman et al. 2009, Table 1, prints 15 / 7.44 for TTN(2,2,0): one-way links. For TTN(2,2,1) it prints 13
// / 6.34, which is TTN(2,2,0) with full-duplex links.
TEST(ttn_routing_paper, diameter_and_mean_of_256_nodes) {
  expect_golden({{2, 0, true}, 15, 7.4375, 0});
  expect_golden({{2, 0, false}, 13, 6.4375, 0});
  expect_golden({{2, 1, true}, 14, 6.96875, 0});
  expect_golden({{2, 1, false}, 12, 5.96875, 0});
}

// Table 1 prints 24 / 12.60 for TTN(2,3,0), and 20 / 10.59 for TTN(2,3,1), which is TTN(2,3,0) with
// full-duplex links.
TEST(ttn_routing_paper, diameter_and_mean_of_4096_nodes) {
  expect_golden({{3, 0, true}, 24, 12.59375, 0});
  expect_golden({{3, 0, false}, 20, 10.59375, 0});
  expect_golden({{3, 1, true}, 28, 12.88, 0.005});
  expect_golden({{3, 1, false}, 22, 10.78, 0.005});
}

}  // namespace
}  // namespace toriscope
