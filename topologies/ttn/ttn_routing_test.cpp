// SPDX-License-Identifier: Apache-2.0
// Routes in TTN, TESH and STTN, judged by the addresses alone, and against the golden values of an
// independent exhaustive search.
#include "topologies/ttn/ttn_routing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/ttn/ttn.h"
#include "topologies/vc_classes.h"

namespace toriscope::ttn_routing_test {
namespace {

using testing::ElementsAre;

const std::vector<ttn_shape>& small_shapes() {
  static const std::vector<ttn_shape> shapes = [] {
    std::vector<ttn_shape> all;
    for (const bool one_way : {true, false}) {
      for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh})
        for (const unsigned q : {0u, 1u, 2u}) all.push_back({2, q, one_way, kind});
      all.push_back({2, 0, one_way, ttn_kind::sttn});
    }
    return all;
  }();
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
    static const std::pair<place, place> side_v[] = {
        {{0, 0}, {0, 1}}, {{3, 3}, {3, 2}}, {{0, 3}, {1, 3}}, {{3, 0}, {2, 0}}};
    static const std::pair<place, place> side_h[] = {
        {{0, 2}, {0, 3}}, {{3, 1}, {3, 0}}, {{2, 3}, {3, 3}}, {{1, 0}, {0, 0}}};
    const unsigned block = shape_.levels == 2 ? group : level - 2 + 2 * group;
    if (shape_.kind == ttn_kind::sttn) return horizontal ? side_h[block] : side_v[block];
    return horizontal ? h[block] : v[block];
  }
  unsigned distance(const std::vector<unsigned>& at, unsigned row, unsigned column) const {
    static const unsigned ring[] = {0, 1, 2, 1};
    const unsigned here_row = at[at.size() - 2];
    const unsigned here_column = at.back();
    if (shape_.kind == ttn_kind::tesh)
      return std::max(row, here_row) - std::min(row, here_row) + std::max(column, here_column) -
             std::min(column, here_column);
    return ring[(row + 4 - here_row) % 4] + ring[(column + 4 - here_column) % 4];
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
        ttn_shape{4, 0, false}, ttn_shape{5, 0, true}, ttn_shape{5, 0, false},
        ttn_shape{3, 1, false, ttn_kind::tesh}, ttn_shape{4, 0, true, ttn_kind::tesh},
        ttn_shape{3, 0, true, ttn_kind::sttn}, ttn_shape{5, 0, false, ttn_kind::sttn}}) {
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
    EXPECT_EQ(make_ttn_routing({4, 0, true}, ring_ties::nowrap, rule, 5)->state_bits(), 1u);
    EXPECT_EQ(make_ttn_routing({2, 2, false}, ring_ties::nowrap, rule, 4)->state_bits(), 3u);
  }
  EXPECT_EQ(make_ttn_routing({2, 2, true}, ring_ties::positive, ttn_vc_rule::C, 4)->state_bits(), 4u);
  EXPECT_EQ(
      make_ttn_routing({2, 2, true, ttn_kind::tesh}, ring_ties::positive, ttn_vc_rule::C, 4)->state_bits(),
      3u);
}

// Every VC set against the rule's words, with the bits that the rule speaks of worked out from the hops
// alone.
TEST(ttn_routing, vc_classes_follow_the_rules) {
  for (const ttn_shape& shape :
       {ttn_shape{2, 2, false}, ttn_shape{3, 0, true}, ttn_shape{3, 1, false}, ttn_shape{4, 0, true},
        ttn_shape{4, 0, false}, ttn_shape{5, 0, false}, ttn_shape{3, 1, false, ttn_kind::tesh},
        ttn_shape{3, 0, true, ttn_kind::sttn}, ttn_shape{5, 0, false, ttn_kind::sttn}}) {
    const auto net = build_ttn(shape);
    std::mt19937 random(3);
    for (const ttn_vc_rule rule : ttn_vc_rules()) {
      const std::string name = to_string(rule);
      const ring_ties ties = name == "paper" || name == "C" ? ring_ties::positive : ring_ties::nowrap;
      const bool mesh = shape.kind == ttn_kind::tesh;
      const unsigned top = shape.unidirectional ? shape.levels : 2 * shape.levels - 1;
      for (const unsigned vcs : {ttn_vc_classes(rule, shape), 11u}) {
        // By link - in a BM the BM node and port, between BMs the digit and way, too - and class: the VC sets of hops.
        std::map<std::string, std::map<unsigned, std::set<vc_mask>>> met;
        std::set<unsigned> in_bm;
        const auto routing = make_ttn_routing(shape, ties, rule, vcs);
        for (int i = 0; i < 400; ++i) {
          const node_id source = random() % net->node_count();
          const node_id destination = random() % net->node_count();
          const auto hops = walk(*net, *routing, source, destination, vcs);
          route_request at{source, net->local_port(source), 0, destination, 0};
          unsigned rd = 0;
          unsigned bmd = 0;
          std::string ring;    // "L2_V" while the packet is in it
          char last_port = 0;  // of the BM move under way
          for (std::size_t h = 0; h < hops.size(); ++h) {
            route_option option;
            routing->route(at, &option);
            const netlist_link& wire = net->link(hops[h].link);
            const std::string& port = net->port_name(wire.from, wire.from_port);
            unsigned wanted = 0;
            std::size_t digit_of_ring = 0;
            if (wire.level > 1) {
              const auto from = net->digits(wire.from);
              const auto to = net->digits(wire.to);
              std::size_t digit = 0;
              while (from[digit] == to[digit]) ++digit;
              digit_of_ring = digit;
              if (from[digit] + to[digit] == 3 && from[digit] % 3 == 0) rd = 1;  // between 0 and 3
              wanted = rd;
              if (to[digit] == net->digits(destination)[digit]) rd = 0;  // the ring is done
              last_port = 0;
              ring = to[digit] == net->digits(destination)[digit] ? "" : port.substr(0, 4);
            } else {
              const bool vertical = port[0] == 'y';
              const auto row_or_column = [&](node_id n) { return vertical ? (n >> 2) & 3 : n & 3; };
              if (port[0] != last_port) bmd = 0;
              last_port = port[0];
              if (row_or_column(wire.from) % 3 == 0 && row_or_column(wire.from) + row_or_column(wire.to) == 3)
                bmd = mesh ? throw std::logic_error("a wrap link in a mesh") : 1;
              // The ring on the way to: that of the next inter-BM hop.
              std::size_t next = h;
              while (next < hops.size() && net->link(hops[next].link).level == 1) ++next;
              const bool last = next == hops.size();
              const std::string gate = last ? ""
                                            : net->port_name(net->link(hops[next].link).from,
                                                             net->link(hops[next].link).from_port);
              const unsigned level = last ? 0 : static_cast<unsigned>(gate[1] - '0');
              const unsigned horizontal = !last && gate[3] == 'H' ? 1 : 0;
              const bool inside = !last && gate.substr(0, 4) == ring;
              if (name == "paper") wanted = bmd;
              if (name == "A") wanted = last ? 1 : 0;
              if (name == "C") wanted = last ? 2 + bmd : bmd;
              if (name == "D3") wanted = last ? 2 : rd;
              if (name == "E") wanted = last ? 3 : horizontal + rd;
              if (name == "F") wanted = last ? 3 : level < 4 ? 0 : 1 + rd;
              if (name == "G") {
                if (last)
                  wanted = 3;
                else if (inside && rd == 1)
                  wanted = 0;
                else if (inside)
                  wanted = horizontal != 0 ? 1 : 2;
                else
                  wanted = horizontal != 0 && level == 2 ? 1 : 2;
              }
              if (name == "S" && shape.unidirectional) wanted = last ? top : level - 2 + (rd == 1 ? 0 : 1);
              if (name == "S" && !shape.unidirectional)
                wanted = last ? top : 2 * (level - 2) + 2 - horizontal - rd;
              if (name == "K") wanted = last ? 3 : level < 4 ? 0 : level == 4 ? 1 - rd : 2 - rd;
            }
            std::string link = port + " of " + std::to_string(wire.from & 15);
            if (wire.level == 1)
              in_bm.insert(wanted);
            else
              link = port + " at " + std::to_string(net->digits(wire.from)[digit_of_ring]);
            met[link][wanted].insert(option.vcs);
            at = {wire.to, wire.to_port, hops[h].vc, destination, option.state};
          }
        }
        for (const auto& [link, classes] : met) {
          vc_mask before =
              0;  // classes met have VCs of their own, in ascending order, and their share of them
          for (const auto& [wanted, sets] : classes) {
            const std::string what =
                name + " " + ttn_in_words(shape) + " " + link + " class " + std::to_string(wanted);
            ASSERT_EQ(sets.size(), 1u) << what;
            const vc_mask mine = *sets.begin();
            EXPECT_GT(mine & ~before, 0) << what;
            EXPECT_EQ(mine & before, 0) << what;
            EXPECT_GT(mine, before) << what;
            EXPECT_GE(__builtin_popcount(mine), static_cast<int>(vcs / ttn_vc_classes(rule, shape))) << what;
            before = static_cast<vc_mask>(before | mine);
          }
        }
        EXPECT_EQ(std::max<std::size_t>(2, in_bm.size()), ttn_vc_classes(rule, shape)) << name;
      }
    }
  }
}

// With one gate for each ring and direction no link has a VC that no packet may take, under any rule for them
// but the published one, on any number of VCs.
TEST(ttn_routing, leaves_no_vc_idle) {
  for (const ttn_shape& shape :
       {ttn_shape{2, 0, true}, ttn_shape{2, 0, false}, ttn_shape{2, 1, true}, ttn_shape{2, 1, false},
        ttn_shape{3, 0, true}, ttn_shape{3, 0, false}, ttn_shape{2, 0, true, ttn_kind::tesh},
        ttn_shape{2, 1, false, ttn_kind::tesh}, ttn_shape{3, 0, true, ttn_kind::tesh}})
    for (const ttn_vc_rule rule : ttn_vc_rules())
      for (const unsigned vcs : {ttn_vc_classes(rule, shape), 7u}) {
        if (rule == ttn_vc_rule::paper || rule == ttn_vc_rule::S) continue;
        const auto net = build_ttn(shape);
        const auto proof = prove(*net, *make_ttn_routing(shape, ring_ties::nowrap, rule, vcs), vcs);
        EXPECT_EQ(in_words(*net, proof.unused), "") << ttn_in_words(shape) << " " << to_string(rule);
      }
}

struct golden {
  ttn_shape shape;
  unsigned diameter;
  double mean_all;
  double tolerance;
};

/// measure_routes() from all nodes to those of one BM, which is as good as to all of them: no digit above the
/// BM has a zero (ttn_symmetry_test.cpp).
routed_distances measure_routes_to_a_bm(const netlist& net, const routing_function& routing) {
  routed_distances result;
  for (node_id source = 0; source < net.node_count(); ++source)
    for (node_id destination = 0; destination < 16; ++destination) {
      const unsigned hops = routed_distance(net, routing, source, destination, 4);
      result.diameter = std::max(result.diameter, hops);
      result.total += hops;
    }
  result.mean_all = static_cast<double>(result.total) / (16.0 * net.node_count());
  return result;
}

void expect_golden(const golden& row) {
  for (const ring_ties ties : ties_of_bm()) {
    const auto net = build_ttn(row.shape);
    const auto routing = make_ttn_routing(row.shape, ties, ttn_vc_rule::C, 4);
    const auto found =
        row.shape.levels == 2 ? measure_routes(*net, *routing, 4) : measure_routes_to_a_bm(*net, *routing);
    EXPECT_EQ(found.diameter, row.diameter);
    EXPECT_NEAR(found.mean_all, row.mean_all, row.tolerance);
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

// Table 1 prints 21 / 10.47, 19 / 9.53 and 32 / 17.80: one-way links for 256 nodes, full-duplex ones for
// 4096. It prints 16 / 7.80 for TESH(2,2,2) and 28 / 14.53 for TESH(2,3,1), whose further gates it does not
// tell.
TEST(tesh_routing_paper, diameter_and_mean) {
  expect_golden({{2, 0, true, ttn_kind::tesh}, 21, 10.46875, 0});
  expect_golden({{2, 0, false, ttn_kind::tesh}, 19, 9.46875, 0});
  expect_golden({{2, 1, true, ttn_kind::tesh}, 19, 9.53125, 0});
  expect_golden({{2, 1, false, ttn_kind::tesh}, 17, 8.53125, 0});
  expect_golden({{3, 0, true, ttn_kind::tesh}, 36, 19.791, 0.0005});
  expect_golden({{3, 0, false, ttn_kind::tesh}, 32, 17.79102, 0.000005});
}

// Al Faisal, Rahman 2009, Sect. V: the diameter is somewhat larger than that of TTN and far below that of
// TESH; at 2^20 nodes (here by 50,000 pairs, which tells means to 0.1) the average distance is below that
// of TTN.
TEST(sttn_routing_paper, claims) {
  const auto measured = [](ttn_kind kind, unsigned levels, bool one_way) {
    const ttn_shape shape{levels, 0, one_way, kind};
    const auto net = build_ttn(shape);
    const auto routing = make_ttn_routing(shape, ring_ties::nowrap, ttn_vc_rule::E, 4);
    if (levels < 5) return measure_routes_to_a_bm(*net, *routing);
    std::mt19937 random(17);
    routed_distances sample;
    constexpr unsigned pairs = 50000;
    for (unsigned i = 0; i < pairs; ++i)
      sample.total +=
          routed_distance(*net, *routing, random() % net->node_count(), random() % net->node_count(), 4);
    sample.mean_all = static_cast<double>(sample.total) / pairs;
    return sample;
  };
  for (const bool one_way : {true, false})
    for (const unsigned levels : {2u, 3u, 5u}) {
      if (levels == 5 && !one_way) continue;  // elaborates three networks of a million nodes
      const auto sttn = measured(ttn_kind::sttn, levels, one_way);
      const auto ttn = measured(ttn_kind::ttn, levels, one_way);
      const auto tesh = measured(ttn_kind::tesh, levels, one_way);
      EXPECT_LT(sttn.mean_all, tesh.mean_all - 1);
      if (levels == 5) {
        EXPECT_LT(sttn.mean_all, ttn.mean_all - 0.2);
      } else {
        EXPECT_GT(sttn.diameter, ttn.diameter);
        EXPECT_LT(sttn.diameter, tesh.diameter);
      }
    }
}

}  // namespace
}  // namespace toriscope::ttn_routing_test
