// SPDX-License-Identifier: Apache-2.0
// Routes in the hierarchical torus networks, judged by the addresses alone, and against the golden values of
// an independent exhaustive search.
#include "topologies/htn/htn_routing.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "topologies/bfs_oracle.h"
#include "topologies/htn/htn.h"
#include "topologies/htn/htn_test_shapes.h"
#include "topologies/path.h"
#include "topologies/proof/packet_explorer.h"
#include "topologies/proof/unused_vcs.h"
#include "topologies/registry.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using digits = std::vector<unsigned>;

const htn_vc_rule& rule_named(const htn_shape& shape, const std::string& name) {
  return choose_htn_vc_rule(shape, {}, name, 16);
}

/// Hops of a route, added up ring by ring: Fig. 2 of the paper without ports, VCs and states.
class hop_count {
 public:
  hop_count(const htn_shape& shape, htn_gates gates, bool positive)
      : shape_(shape), destination_(gates == htn_gates::destination), positive_(positive) {}

  unsigned operator()(digits at, const digits& to) const {
    const std::size_t bm = at.size() - 3;
    const unsigned dimensions = shape_.kind == htn_kind::htn ? 2 : 3;
    unsigned hops = 0;
    for (std::size_t i = 0; i < bm; ++i) {
      const std::size_t d = dimensions - 1 - i % dimensions;  // 0 x, 1 y, 2 z
      const auto level = static_cast<unsigned>(shape_.levels - i / dimensions);
      const unsigned forth = (to[i] + shape_.n - at[i]) % shape_.n;
      if (forth == 0) continue;
      const unsigned back = shape_.n - forth;
      const bool plus = forth < back || (forth == back && (positive_ || to[i] > at[i]));
      for (unsigned steps = std::min(forth, back); steps > 0; --steps) {
        const auto [leave, enter] = gate(at, to, i, d, level, plus);
        hops += distance(at, leave) + 1;
        std::copy(enter.begin(), enter.end(), at.begin() + static_cast<long>(bm));
        at[i] = (at[i] + (plus ? 1 : shape_.n - 1)) % shape_.n;
      }
    }
    return hops + distance(at, {to.begin() + static_cast<long>(bm), to.end()});
  }

 private:
  unsigned distance(const digits& at, const digits& node) const {
    unsigned hops = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const unsigned a = at[at.size() - 3 + i];
      const unsigned apart = a < node[i] ? node[i] - a : a - node[i];
      hops += shape_.kind == htn_kind::h3dt ? apart : std::min(apart, shape_.m - apart);
    }
    return hops;
  }

  /// Where the packet leaves its BM and enters the next: z, y, x.
  std::pair<digits, digits> gate(const digits& at, const digits& to, std::size_t ring, std::size_t d,
                                 unsigned level, bool plus) const {
    const std::size_t bm = at.size() - 3;
    const unsigned first = (level - 2) << shape_.connectivity;
    std::pair<digits, digits> best;
    unsigned nearest = 99;
    const auto consider = [&](digits out, digits in) {
      if (!plus) std::swap(out, in);
      if (distance(at, out) >= nearest) return;
      nearest = distance(at, out);
      best = {out, in};
    };
    if (shape_.kind != htn_kind::htn) {
      for (unsigned i = first; i < first + (1u << shape_.connectivity); ++i) {
        if (d == 0) consider({0, i, 3}, {0, i, 0});
        if (d == 1) consider({2, 3, i}, {2, 0, i});
        if (d == 2) consider({0, i / 2 * 3, i % 2 * 3}, {2, i / 2 * 3, i % 2 * 3});
      }
      return best;
    }
    // The coordinate along the ring's lines: its own, or the destination's where no ring will set it.
    const std::size_t other = bm + (d == 0 ? 1 : 2);
    unsigned open = at[other];
    bool set_later = false;
    for (std::size_t i = ring; i < bm; ++i) set_later = set_later || (i % 2 != ring % 2 && at[i] != to[i]);
    if (destination_ && !set_later) open = to[other];
    for (unsigned z = first; z < first + (1u << shape_.connectivity); ++z)
      if (d == 0)
        consider({z, open, shape_.m - 1}, {z, open, 0});
      else
        consider({z, shape_.m - 1, open}, {z, 0, open});
    return best;
  }

  htn_shape shape_;
  bool destination_, positive_;
};

TEST(htn_routing, hops_of_all_pairs) {
  for (const htn_shape& shape :
       {htn_shape{htn_kind::mh3dt, 4, 2, 2, 2}, htn_shape{htn_kind::h3dt, 4, 3, 2, 0},
        htn_shape{htn_kind::mh3dt, 4, 2, 3, 1}, htn(4, 4, 2, 1), htn(4, 2, 2, 0), htn(2, 4, 2, 1),
        htn(3, 3, 2, 1), htn(5, 2, 2, 2), htn(2, 5, 2, 0), htn(4, 2, 3, 0), htn(4, 2, 3, 1)})
    for (const htn_gates gates : {htn_gates::destination, htn_gates::nearest})
      for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive}) {
        const auto net = build_htn(shape);
        const auto routing = make_htn_routing(
            shape, {gates, ties, {}}, rule_named(shape, shape.kind == htn_kind::htn ? "P3" : "M5"), 16);
        const hop_count expected(shape, gates, ties == ring_ties::positive);
        std::vector<digits> addresses;
        for (node_id node = 0; node < net->node_count(); ++node) addresses.push_back(net->digits(node));
        // All pairs of the small ones; of the large ones all destinations from some of the sources.
        const node_id step = 1 + net->node_count() / 50;
        for (node_id source = 0; source < net->node_count(); source += step) {
          const auto shortest = bfs_distances(*net, source);
          for (node_id destination = 0; destination < net->node_count(); ++destination) {
            const unsigned hops = routed_distance(*net, *routing, source, destination, 16);
            ASSERT_EQ(hops, expected(addresses[source], addresses[destination]))
                << net->address(source) << " " << net->address(destination);
            ASSERT_GE(hops, shortest[destination]);
          }
        }
      }
}

TEST(htn_routing_paper, golden_values) {
  struct row {
    unsigned q, diameter;
    double mean;
  };
  for (const row& r : {row{0, 18, 7.9375}, row{1, 17, 7.46875}, row{2, 16, 7.0}})
    for (const htn_gates gates : {htn_gates::destination, htn_gates::nearest})
      for (const ring_ties ties : {ring_ties::positive, ring_ties::nowrap}) {
        const htn_shape shape = htn(4, 4, 2, r.q);
        const auto net = build_htn(shape);
        const auto routing = make_htn_routing(shape, {gates, ties, {}}, rule_named(shape, "P3"), 3);
        const routed_distances d = measure_routes(*net, *routing, 3);
        EXPECT_EQ(d.diameter, r.diameter);
        EXPECT_EQ(d.mean_all, r.mean);
      }
}

// Rahman et al. 2009, Table 1, prints diameter 18 and average 9.37 for MH3DT(4,4,2,2), which are those of
// shortest paths (htn_test.cpp); top-down dimension order takes more.
TEST(htn_routing_paper, dimension_order_in_the_mh3dt_is_not_shortest) {
  const htn_shape shape{htn_kind::mh3dt, 4, 4, 2, 2};
  const auto net = build_htn(shape);
  const auto routing =
      make_htn_routing(shape, {htn_gates::nearest, ring_ties::positive, {}}, rule_named(shape, "M5"), 5);
  unsigned diameter = 0;
  unsigned total = 0;
  // All BMs are alike with these ties.
  for (node_id source = 0; source < 64; ++source)
    for (node_id destination = 0; destination < 4096; ++destination) {
      const unsigned hops = routed_distance(*net, *routing, source, destination, 5);
      diameter = std::max(diameter, hops);
      total += hops;
    }
  EXPECT_EQ(diameter, 24u);
  EXPECT_EQ(total / 64.0 / 4096, 11.359375);
}

std::vector<std::string> route_in_words(const topology& made, const digits& from, const digits& to) {
  std::vector<std::string> words;
  for (const hop& h :
       walk(*made.wiring, *made.routing, made.wiring->node_at(from), made.wiring->node_at(to), 4))
    words.push_back(made.wiring->address(h.node) + " " + made.wiring->port_name(h.node, h.out_port));
  return words;
}

// Rahman et al. 2012, Sect. III: 0000000 -> 1131230 leaves by the Level-3 outlet 0000130.
TEST(htn_routing_paper, worked_example) {
  for (const char* gates : {"destination", "nearest"}) {
    topology_options options;
    options.gates = gates;
    const topology made = make_topology("htn:4,4,3,0", options);
    const auto words = route_in_words(made, {0, 0, 0, 0, 0, 0, 0}, {1, 1, 3, 1, 2, 3, 0});
    EXPECT_THAT(words,
                testing::ElementsAre("00.00.000 z+", "00.00.100 y-", "00.00.130 L3_Y+",  // outlet (1,3,0)
                                     "10.00.100 x-", "10.00.103 L3_X+",                  //
                                     "11.00.100 z-", "11.00.000 L2_Y-",                  // BM (3,1)
                                     "11.30.030 x-", "11.30.033 L2_X+",                  //
                                     "11.31.030 z+", "11.31.130 z+"))
        << gates;
  }
}

TEST(htn_routing, gates_destination_leave_in_the_row_of_the_destination) {
  topology_options options;
  const auto first_gate = [&](const char* gates, const digits& to) {
    options.gates = gates;
    const topology made = make_topology("htn:4,4,2,1", options);
    for (const std::string& word : route_in_words(made, {0, 0, 1, 0, 1}, to))
      if (word.find('L') != std::string::npos) return word;
    return std::string();
  };
  EXPECT_EQ(first_gate("destination", {0, 1, 3, 2, 1}), "00.123 L2_X+");
  EXPECT_EQ(first_gate("nearest", {0, 1, 3, 2, 1}), "00.103 L2_X+");
  EXPECT_EQ(first_gate("destination", {1, 0, 3, 2, 2}), "00.132 L2_Y+");
  EXPECT_EQ(first_gate("destination", {1, 1, 3, 2, 2}), "00.131 L2_Y+") << "an x ring follows and sets x";
  EXPECT_EQ(first_gate("nearest", {1, 0, 3, 2, 2}), "00.131 L2_Y+");
}

/// Follows options at random to the end; how many hops.
unsigned stroll(const netlist& net, const routing_function& routing, node_id source, node_id destination,
                std::mt19937& random) {
  route_request at{source, net.local_port(source), 0, destination, 0};
  for (unsigned hops = 0; hops < 200; ++hops) {
    route_option options[routing_function::max_options];
    const unsigned count = routing.route(at, options);
    EXPECT_LE(count, routing.options_at_most());
    const route_option& taken = options[random() % count];
    if (taken.out_port == net.local_port(at.node)) {
      EXPECT_EQ(at.node, destination);
      return hops;
    }
    const netlist_link& wire = net.link(net.ports(at.node)[taken.out_port].out);
    at = {wire.to, wire.to_port, static_cast<std::uint8_t>(__builtin_ctz(taken.vcs)), destination,
          taken.state};
  }
  ADD_FAILURE() << "never arrives: " << net.address(source) << " " << net.address(destination);
  return 0;
}

// Whatever is selected, the hops are those of one of the two ways at each tie: never fewer than the shortest
// path, and no more than dimension order's diameter.
TEST(htn_routing, selections_arrive) {
  std::mt19937 random(3);
  for (const char* name : {"cs", "ls", "ls+cs"})
    for (const char* spec : {"htn:4,4,2,1", "htn:2,4,2,1", "htn:6,2,2,0", "htn:4,2,3,0"}) {
      topology_options options;
      options.routing = name;
      options.gates = "nearest";
      const topology made = make_topology(spec, options);
      const netlist& net = *made.wiring;
      for (int i = 0; i < 3000; ++i) {
        const node_id source = random() % net.node_count();
        const node_id destination = random() % net.node_count();
        const unsigned first = routed_distance(net, *made.routing, source, destination, 4);
        const unsigned hops = stroll(net, *made.routing, source, destination, random);
        if (options.routing == "cs") {
          ASSERT_EQ(hops, first);
        }
        ASSERT_LE(hops, 40u);
      }
    }
}

// The first options are as many hops as dimension order takes, and so is any mixture of adaptive options as
// long as there is no tie between BMs; the escape adds the way back from a gate at most.
TEST(htn_routing, adaptive_arrives) {
  std::mt19937 random(9);
  for (const char* spec : {"htn:4,4,2,1", "htn:2,4,2,0", "htn:3,3,2,1", "mh3dt:4,3,2,2", "h3dt:4,2,2,0"})
    for (const char* gates : {"destination", "nearest"}) {
      topology_options options;
      if (spec[0] == 'h' && spec[1] == 't') options.gates = gates;
      const topology in_order = make_topology(spec, options);
      options.routing = "adaptive";
      const topology made = make_topology(spec, options);
      const netlist& net = *made.wiring;
      EXPECT_EQ(made.choice.vc_rule, "duato");
      EXPECT_EQ(made.routing->escape_vcs(), 7u);
      for (int i = 0; i < 2000; ++i) {
        const node_id source = random() % net.node_count();
        const node_id destination = random() % net.node_count();
        const unsigned expected = routed_distance(net, *in_order.routing, source, destination, 4);
        ASSERT_EQ(routed_distance(net, *made.routing, source, destination, 4), expected);
        const unsigned hops = stroll(net, *made.routing, source, destination, random);
        if (net.radices().front() % 2 == 1) {
          ASSERT_EQ(hops, expected) << "no ties";
        }
        ASSERT_LE(hops, expected + 24);
      }
    }
}

std::vector<std::string> options_in_words(const topology& made, const digits& at, const digits& to) {
  const netlist& net = *made.wiring;
  const node_id node = net.node_at(at);
  route_option options[routing_function::max_options];
  const unsigned count = made.routing->route({node, net.local_port(node), 0, net.node_at(to), 0}, options);
  std::vector<std::string> words;
  for (unsigned i = 0; i < count; ++i)
    words.push_back(net.port_name(node, options[i].out_port) + " " + std::to_string(options[i].vcs));
  return words;
}

// Lemma 3, condition 3, and Sect. III.C: clockwise first. Lemma 2, condition 3: the class behind the wrap link where
// none is used. The classes on a link share its VCs: 1 (VC 0), 6 (VCs 1 and 2), or 7.
TEST(htn_routing, selects_in_the_order_of_the_paper) {
  topology_options options;
  options.gates = "nearest";
  options.vc_rule = "P3";
  options.vcs = 3;
  const auto ways = [&](const char* routing, const digits& at, const digits& to) {
    options.routing = routing;
    return options_in_words(make_topology("htn:4,4,2,0", options), at, to);
  };
  using testing::ElementsAre;
  EXPECT_THAT(ways("ls", {0, 0, 1, 0, 0}, {0, 0, 3, 0, 0}), ElementsAre("z+ 7", "z- 1"));
  EXPECT_THAT(ways("ls", {0, 0, 3, 0, 0}, {0, 0, 1, 0, 0}), ElementsAre("z+ 1", "z- 1"));
  EXPECT_THAT(ways("ls", {0, 0, 1, 0, 0}, {0, 0, 2, 0, 0}), ElementsAre("z+ 7"));
  EXPECT_THAT(ways("ls", {0, 0, 0, 0, 3}, {0, 2, 0, 0, 0}), ElementsAre("L2_X+ 1", "x+ 6"))
      << "gates x = 3, 0";
  EXPECT_THAT(ways("cs", {0, 0, 0, 0, 0}, {0, 0, 0, 0, 1}), ElementsAre("x+ 1", "x+ 6"));
  EXPECT_THAT(ways("cs", {0, 0, 0, 0, 0}, {0, 0, 0, 0, 3}), ElementsAre("x- 1"))
      << "the wrap link, with packets toward gates";
  EXPECT_THAT(ways("cs", {0, 0, 0, 0, 3}, {0, 1, 0, 0, 0}), ElementsAre("L2_X+ 7"));
  EXPECT_THAT(ways("ls+cs", {0, 0, 1, 0, 0}, {0, 0, 3, 0, 0}), ElementsAre("z+ 1", "z+ 6", "z- 1"));
  options.vc_rule = "safe";
  options.vcs = 4;
  EXPECT_THAT(ways("adaptive", {0, 0, 0, 1, 3}, {0, 0, 1, 3, 0}),
              ElementsAre("x+ 8", "y+ 8", "y- 8", "z+ 8", "z+ 1"));
  EXPECT_THAT(ways("adaptive", {0, 0, 0, 1, 3}, {0, 2, 1, 3, 0}), ElementsAre("L2_X+ 8", "x+ 8", "L2_X+ 1"));
  options.vcs = 3;
  options.vc_rule = "P3w";
  EXPECT_THAT(ways("cs", {0, 0, 0, 0, 3}, {0, 1, 0, 0, 0}), ElementsAre("L2_X+ 1", "L2_X+ 6"))
      << "between BMs the two classes share all VCs";
  EXPECT_THAT(ways("cs", {0, 0, 0, 0, 0}, {0, 3, 0, 0, 0}), ElementsAre("L2_X- 7"))
      << "the wrap link has one class";
}

TEST(htn_routing, gives_a_class_the_same_vcs_on_all_links_under_fixed_rules) {
  const htn_shape shape = htn(4, 4, 2, 1);
  for (const char* const name : {"PXd_fixed", "P3_fixed"}) {
    const htn_vc_rule& rule = choose_htn_vc_rule(shape, {htn_gates::nearest, ring_ties::nowrap, {}}, name, 3);
    const auto net = build_htn(shape);
    const auto routing = make_htn_routing(shape, {htn_gates::nearest, ring_ties::nowrap, {}}, rule, 3);
    packet_explorer packets(*net, *routing, 3);
    for (node_id node = 0; node < net->node_count(); node += 37) packets.follow_packets_to(node);
    // Between modules VC 2 is never used, within them it is.
    vc_mask between = 0;
    vc_mask within = 0;
    const std::vector<vc_mask> used = packets.vcs_used();
    for (link_id l = 0; l < used.size(); ++l) {
      const netlist_link& wire = net->link(l);
      (wire.from / shape.bm_nodes() == wire.to / shape.bm_nodes() ? within : between) |= used[l];
    }
    EXPECT_EQ(between & 4, 0) << name;
    EXPECT_EQ(within, 7) << name;
  }
}

// Under any rule but those that are fixed, packets take every VC of a link in some module. With n = 2, where
// each module is left one way only, they do so in every module, on the links that they cross at all.
TEST(htn_routing, leaves_no_vc_idle) {
  constexpr htn_selection dor{};
  for (const htn_shape& shape :
       {htn_shape{htn_kind::mh3dt, 4, 2, 2, 0}, htn(2, 2, 2, 0), htn(2, 4, 2, 1), htn(3, 3, 2, 1)})
    for (const htn_vc_rule& rule : htn_vc_rules(shape.kind))
      for (const htn_gates gates : {htn_gates::destination, htn_gates::nearest})
        for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive})
          for (const htn_selection& selection : {dor, {false, true}, {true, false}, {true, true}}) {
            const bool is_htn = shape.kind == htn_kind::htn;
            if (rule.fixed) continue;
            if (!is_htn && (gates == htn_gates::nearest || selection.links || selection.channels)) continue;
            const unsigned vcs = rule.classes_in(shape) + 2;
            const auto net = build_htn(shape);
            const auto routing = make_htn_routing(shape, {gates, ties, selection}, rule, vcs);
            packet_explorer packets(*net, *routing, vcs);
            for (node_id node = 0; node < net->node_count(); ++node) packets.follow_packets_to(node);
            std::vector<vc_mask> used = packets.vcs_used();
            std::map<std::pair<node_id, port_id>, vc_mask> of_modules;
            const auto in_module = [&](link_id l) {
              const netlist_link& wire = net->link(l);
              return std::make_pair(wire.from % shape.bm_nodes(), wire.from_port);
            };
            for (link_id l = 0; l < used.size(); ++l) of_modules[in_module(l)] |= used[l];
            for (link_id l = 0; l < used.size(); ++l)
              if (shape.n > 2)
                used[l] = of_modules[in_module(l)];
              else if (used[l] == 0)
                used[l] = all_vcs(vcs);
            EXPECT_EQ(in_words(*net, unused_among(*net, used, vcs)), "")
                << shape.in_words() << " " << rule.name;
          }
}

// Turning the digits above the BM changes neither wiring nor routes with ties positive.
TEST(htn_routing, cyclic_digits) {
  for (const char* spec : {"htn:4,4,2,1", "htn:2,3,2,1", "htn:4,2,3,0"}) {
    topology_options options;
    options.ties = "positive";
    options.gates = "nearest";
    const topology made = make_topology(spec, options);
    const netlist& net = *made.wiring;
    ASSERT_EQ(made.cyclic_digits, net.radices().size() - 3);
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
      const node_id source = random() % net.node_count();
      const node_id destination = random() % net.node_count();
      const unsigned digit = static_cast<unsigned>(random()) % made.cyclic_digits;
      const auto turned = [&](node_id node) {
        auto d = net.digits(node);
        d[digit] = (d[digit] + 1) % net.radices()[digit];
        return net.node_at(d);
      };
      const auto hops = walk(net, *made.routing, source, destination, 4);
      const auto others = walk(net, *made.routing, turned(source), turned(destination), 4);
      ASSERT_EQ(hops.size(), others.size());
      for (std::size_t h = 0; h < hops.size(); ++h) {
        ASSERT_EQ(turned(hops[h].node), others[h].node);
        ASSERT_EQ(hops[h].out_port, others[h].out_port);
      }
    }
  }
  EXPECT_EQ(make_topology("htn:4,4,2,1").cyclic_digits, 0u) << "nowrap looks at the digits";
}

std::string refusal(const std::string& spec, const topology_options& options = {}) {
  try {
    make_topology(spec, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(htn_family, refusals) {
  EXPECT_EQ(refusal("htn:4,4,2"),
            "topology 'htn:4,4,2': 3 numbers; expected four, m, n, L and q: htn:4,4,2,0");
  EXPECT_EQ(refusal("htn:1,4,2,0"), "topology 'htn:1,4,2,0': m = 1; a basic module has a side of at least 2");
  EXPECT_EQ(refusal("htn:4,1,2,0"), "topology 'htn:4,1,2,0': n = 1; a ring has at least 2 subnetworks");
  EXPECT_EQ(refusal("htn:4,4,1,0"),
            "topology 'htn:4,4,1,0': L = 1; L is at least 2 (a basic module alone is a torus or mesh)");
  EXPECT_EQ(refusal("htn:4,4,2,3"),
            "topology 'htn:4,4,2,3': q = 3; the inter-level connectivity q is 0 .. log2 m = 2");
  EXPECT_EQ(refusal("htn:4,4,3,2"),
            "topology 'htn:4,4,3,2': L = 3 is too large for q = 2 (L <= 2^(p-q) + 1 = 2 with p = log2 m = 2; "
            "Rahman et al. 2012, Sect. II)");
  topology_options options;
  options.routing = "ls";
  EXPECT_EQ(refusal("htn:4,4,2,0", options),
            "topology 'htn:4,4,2,0': no VC rule is known to be free of deadlock in HTN(4,4,2,0) (gateways "
            "destination, routing ls); with gateways nearest there is one");
  topology_options nearest;
  nearest.routing = "ls+cs";
  nearest.gates = "nearest";
  EXPECT_EQ(refusal("htn:4,4,5,0", nearest),
            "topology 'htn:4,4,5,0': no VC rule is known to be free of deadlock in HTN(4,4,5,0) (gateways nearest, "
            "routing ls+cs)");
  EXPECT_EQ(refusal("mh3dt:2,4,2,0"),
            "topology 'mh3dt:2,4,2,0': m = 2; the gates are worked out for m = 4 only");
  EXPECT_EQ(
      refusal("h3dt:4,2,3,0"),
      "topology 'h3dt:4,2,3,0': no VC rule free of deadlock in H3D-torus(4,2,3,0) (tie break nowrap) is known for "
      "4 VCs; it needs at least 5");
  options.routing = "adaptive";
  for (const std::string numbers : {"5,4,2,0", "6,2,2,0", "4,5,2,0", "4,2,3,0"})
    EXPECT_EQ(refusal("htn:" + numbers, options),
              "topology 'htn:" + numbers +
                  "': routing adaptive has a proven escape for L = 2 and m and n up to 4 only, not in HTN(" + numbers +
                  ")");
  options.vcs = 3;
  EXPECT_EQ(refusal("htn:4,4,2,0", options),
            "topology 'htn:4,4,2,0': adaptive routing needs at least 4 VCs, not 3");
  options.vcs = 4;
  options.ties = "positive";
  EXPECT_EQ(refusal("htn:4,4,2,0", options),
            "topology 'htn:4,4,2,0': ties 'positive' are not among those it has: nowrap");
  options.ties = "";
  options.routing = "";
  options.vcs = 2;
  EXPECT_EQ(refusal("htn:4,4,2,0", options),
            "topology 'htn:4,4,2,0': no VC rule free of deadlock in HTN(4,4,2,0) (gateways destination, "
            "tie break nowrap) "
            "is known for 2 VCs; it needs at least 3");
}

TEST(htn_family, four_levels_are_proven_for_rings_of_two_where_ways_look_at_digits_below) {
  for (const auto& [n, holds] : {std::pair(2u, true), std::pair(3u, false), std::pair(4u, false)}) {
    const htn_shape shape = htn(4, n, 4, 0);
    EXPECT_EQ(htn_deadlock_free(shape, {}, rule_named(shape, "PY")), holds) << n;
  }
}

}  // namespace
}  // namespace toriscope
