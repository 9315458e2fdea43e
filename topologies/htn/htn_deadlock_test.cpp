// SPDX-License-Identifier: Apache-2.0
// Which VC rules are free of deadlock in the HTN: the table of an independent exhaustive search, judged by
// the channel-dependency graphs of the routing function itself. The suites called *_long look at every
// combination.
#include <gmock/gmock.h>

#include "topologies/htn/htn.h"
#include "topologies/htn/htn_routing.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

constexpr htn_selection dor{};
constexpr htn_selection cs{false, true};
constexpr htn_selection ls{true, false};
constexpr htn_selection ls_cs{true, true};

constexpr htn_gates nearest = htn_gates::nearest;
constexpr htn_gates destination = htn_gates::destination;
constexpr ring_ties nowrap = ring_ties::nowrap;
constexpr ring_ties positive = ring_ties::positive;

/// By all destinations; with gates nearest by classes of them, which gives the same graph (deadlock_proof.h).
bool acyclic(const htn_shape& shape, const htn_setting& setting, const htn_vc_rule& rule) {
  const unsigned vcs = rule.classes_in(shape);
  return prove(*build_htn(shape), *make_htn_routing(shape, setting, rule, vcs), vcs).outcome ==
         proof_outcome::proven;
}

bool acyclic(unsigned q, const std::string& name, const htn_setting& setting) {
  const htn_shape shape{htn_kind::htn, 4, 4, 2, q};
  return acyclic(shape, setting, choose_htn_vc_rule(shape, setting, name, 16));
}

TEST(htn_deadlock_paper, theorem_1_is_cyclic) {
  for (const unsigned q : {0u, 1u, 2u}) {
    const htn_shape shape{htn_kind::htn, 4, 4, 2, q};
    const htn_setting setting{nearest, positive, dor};
    const htn_vc_rule& paper = choose_htn_vc_rule(shape, setting, "paper", 3);
    const auto net = build_htn(shape);
    const auto found = find_channel_dependencies(*net, *make_htn_routing(shape, setting, paper, 3), 3);
    EXPECT_EQ(found.cycle.size(), 8u);
  }
  for (const ring_ties ties : {nowrap, positive}) EXPECT_FALSE(acyclic(0, "paper", {destination, ties, dor}));
}

// The shortest cycle: packet i goes from BM (0,i), node 000, to BM (0,i+2).
TEST(htn_deadlock_paper, four_packets_that_wait_for_each_other_in_a_circle) {
  topology_options options;
  options.gates = "nearest";
  options.ties = "positive";
  options.vc_rule = "paper";
  options.vcs = 3;
  const topology made = make_topology("htn:4,4,2,0", options);
  const netlist& net = *made.wiring;
  const auto named = [&](const hop& h) { return to_string(net, channel{h.link, h.vc}); };
  for (unsigned i = 0; i < 4; ++i) {
    const auto bm = [](unsigned x) { return "0" + std::to_string(x % 4); };
    const auto hops =
        walk(net, *made.routing, net.node_at({0, i, 0, 0, 0}), net.node_at({0, (i + 2) % 4, 0, 0, 0}), 3);
    ASSERT_GE(hops.size(), 4u);
    EXPECT_EQ(named(hops[0]), bm(i) + ".000 x- vc1");
    EXPECT_EQ(named(hops[1]), bm(i) + ".003 L2_X+ vc" + (i == 3 ? "2" : "0"));
    EXPECT_EQ(named(hops[2]), bm(i + 1) + ".000 x- vc1") << "where the next packet is";
  }
}

TEST(htn_deadlock, dimension_order) {
  for (const unsigned q : {0u, 1u, 2u}) {
    EXPECT_TRUE(acyclic(q, "P3", {nearest, positive, dor}));
    EXPECT_FALSE(acyclic(q, "P3", {destination, positive, dor}));
    EXPECT_FALSE(acyclic(q, "P3", {destination, nowrap, dor}));
    for (const char* rule : {"PXd", "PY"}) {
      EXPECT_TRUE(acyclic(q, rule, {destination, nowrap, dor}));
      EXPECT_FALSE(acyclic(q, rule, {destination, positive, dor}));
    }
  }
  EXPECT_TRUE(acyclic(1, "P3", {nearest, nowrap, dor}));
  EXPECT_TRUE(acyclic(1, "P4", {nearest, nowrap, dor}));
  for (const char* rule : {"PXd", "PY"}) {
    EXPECT_TRUE(acyclic(1, rule, {nearest, nowrap, dor}));
    EXPECT_FALSE(acyclic(1, rule, {nearest, positive, dor}));
  }
}

TEST(htn_deadlock, selections) {
  EXPECT_TRUE(acyclic(1, "P3", {nearest, positive, ls}));
  EXPECT_TRUE(acyclic(1, "P3", {nearest, positive, ls_cs}));
  EXPECT_TRUE(acyclic(1, "P3", {nearest, positive, cs}));
  EXPECT_TRUE(acyclic(1, "P4", {nearest, positive, ls_cs}));
  EXPECT_TRUE(acyclic(1, "P3w", {nearest, nowrap, cs}));
  EXPECT_FALSE(acyclic(1, "P3w", {nearest, positive, cs}));
  EXPECT_FALSE(acyclic(1, "P3w", {nearest, positive, ls_cs}));
  EXPECT_TRUE(acyclic(1, "PXd", {destination, nowrap, cs}));
  EXPECT_FALSE(acyclic(1, "PXd", {destination, nowrap, ls}));
  EXPECT_FALSE(acyclic(1, "PY", {destination, nowrap, ls}));
}

// The default, on other numbers of VCs than the rule's.
TEST(htn_deadlock, safe_is_acyclic_on_any_number_of_vcs) {
  for (const char* gates : {"destination", "nearest"})
    for (const char* routing : {"dor", "cs", "ls", "ls+cs"})
      for (const unsigned vcs : {3u, 4u, 7u}) {
        if (gates == std::string("destination") && routing[0] == 'l') continue;
        topology_options options;
        options.gates = gates;
        options.routing = routing;
        options.vcs = vcs;
        const topology made = make_topology("htn:4,3,2,0", options);
        EXPECT_TRUE(find_channel_dependencies(*made.wiring, *made.routing, vcs).acyclic())
            << gates << " " << routing << " " << made.choice.vc_rule << " on " << vcs;
      }
}

bool proven(const topology& made, unsigned vcs) {
  return prove(*made.wiring, *made.routing, vcs).outcome == proof_outcome::proven;
}

// Rahman, Inoguchi, Horiguchi 2005 say that two VCs suffice; no rule of this form with two was found to be
// acyclic.
TEST(htn_deadlock, modules_in_3d) {
  for (const char* kind : {"mh3dt", "h3dt"})
    for (const char* size : {":4,4,2,0", ":4,4,2,2", ":4,3,2,1", ":4,2,3,1"}) {
      topology_options options;
      options.vcs = size[5] == '2' ? 3 : 5;
      EXPECT_TRUE(proven(make_topology(kind + std::string(size), options), options.vcs)) << kind << size;
      options.ties = "positive";
      options.vcs += 2;
      EXPECT_TRUE(proven(make_topology(kind + std::string(size), options), options.vcs)) << kind << size;
      if (size[3] != '4') continue;
      options.vc_rule = "M3";
      EXPECT_FALSE(proven(make_topology(kind + std::string(size), options), options.vcs)) << kind << size;
    }
}

TEST(htn_deadlock, higher_levels) {
  topology_options options;
  options.gates = "nearest";
  for (const char* spec : {"htn:4,4,3,0", "htn:4,3,3,1", "htn:4,2,5,0"}) {
    const topology made = make_topology(spec, options);
    EXPECT_EQ(made.choice.vc_rule, "PY");
    EXPECT_EQ(made.vc_rule_note,
              "acyclic in the smaller networks with as many levels that were looked at; toriscope prove looks at this "
              "one");
    EXPECT_TRUE(proven(made, 4)) << spec;
  }
  options.routing = "ls+cs";
  EXPECT_TRUE(proven(make_topology("htn:4,4,3,0", options), 4));
  options.vc_rule = "P3";
  EXPECT_FALSE(proven(make_topology("htn:4,2,4,0", options), 4)) << "holds up to L = 3";
  options.vc_rule = "safe";
  EXPECT_THROW(make_topology("htn:4,2,4,0", options), std::invalid_argument);
  EXPECT_TRUE(proven(make_topology("htn:4,2,3,0"), 4));
}

// Duato's condition; the whole graph has cycles.
TEST(htn_deadlock, adaptive) {
  for (const char* gates : {"destination", "nearest"})
    for (const char* spec : {"htn:2,4,2,0", "htn:3,3,2,1", "htn:4,2,2,1"}) {
      topology_options options;
      options.routing = "adaptive";
      if (spec[0] == 'h' && spec[1] == 't') options.gates = gates;
      const topology made = make_topology(spec, options);
      const deadlock_proof proof = prove(*made.wiring, *made.routing, 4);
      EXPECT_EQ(proof.outcome, proof_outcome::proven) << spec << proof.reason;
      EXPECT_EQ(proof.escape_vcs, 7u);
      EXPECT_TRUE(proof.needs_atomic_vcs);
    }
}

TEST(htn_deadlock, rules_of_3d_networks_have_two_classes_more_for_each_level_above_2) {
  for (const htn_kind kind : {htn_kind::htn, htn_kind::mh3dt})
    for (const htn_vc_rule& rule : htn_vc_rules(kind))
      for (unsigned levels = 2; levels <= 5; ++levels)
        EXPECT_EQ(rule.classes_in({kind, 4, 4, levels, 0}),
                  (rule.name == std::string("P4") ? 4u : rule.name == std::string("M5") ? 5u : 3u) +
                      (kind == htn_kind::htn ? 0 : 2 * (levels - 2)))
            << rule.name;
}

// As the descriptions of the rules and htn_vc_rule.h say it.
TEST(htn_deadlock, verdicts_are_those_of_the_descriptions) {
  for (const htn_kind kind : {htn_kind::htn, htn_kind::mh3dt})
    for (unsigned m = kind == htn_kind::htn ? 2 : 4; m <= (kind == htn_kind::htn ? 5 : 4); ++m)
      for (unsigned n = 2; n <= 5; ++n)
        for (unsigned levels = 2; levels <= 5; ++levels)
          for (const htn_gates gates : {destination, nearest})
            for (const htn_selection& selection : {dor, cs, ls, ls_cs})
              for (const ring_ties ties : {nowrap, positive})
                for (const htn_vc_rule& rule : htn_vc_rules(kind)) {
                  const htn_shape shape{kind, m, n, levels, 0};
                  const std::string name = rule.name;
                  const bool in_order = ties == nowrap && !selection.links;
                  const bool few_levels = levels == 2 || levels == 3;
                  bool expected = false;  // paper
                  if (name == "PXd" || name == "PXd_fixed" || name == "PY")
                    expected = in_order && m != 5 && n != 5 &&
                               (gates == nearest || few_levels || (levels == 4 && n == 2));
                  if (name == "P3" || name == "P3_fixed" || name == "P4") expected = gates == nearest && few_levels;
                  if (name == "P3w")
                    expected = gates == nearest && few_levels && (!selection.channels || (in_order && n != 5));
                  if (name == "M3") expected = in_order && n != 5;
                  if (name == "M5") expected = true;
                  ASSERT_EQ(htn_deadlock_free(shape, {gates, ties, selection}, rule), expected)
                      << shape.in_words() << " " << name << " " << to_string(ties);
                }
}

// Every rule is tried with everything, also what is known to be cyclic.
class every_combination : public testing::Test {
 protected:
  static void compare(const htn_shape& shape, bool cyclic_too) {
    for (const htn_vc_rule& rule : htn_vc_rules(shape.kind))
      for (const htn_gates gates : {destination, nearest})
        for (const htn_selection& selection : {dor, cs, ls, ls_cs})
          for (const ring_ties ties : {nowrap, positive}) {
            const htn_setting setting{gates, ties, selection};
            const bool expected = htn_deadlock_free(shape, setting, rule);
            if (!expected && !cyclic_too) continue;
            EXPECT_EQ(acyclic(shape, setting, rule), expected)
                << shape.in_words() << " " << rule.name << (gates == nearest ? " nearest " : " destination ")
                << to_string(ties) << (selection.links ? " ls" : "") << (selection.channels ? " cs" : "");
          }
  }
};
using htn_deadlock_small = every_combination;
using htn_deadlock_long = every_combination;

TEST_F(htn_deadlock_small, what_is_said_to_be_free_of_deadlock_is) {
  for (const htn_shape& shape : {htn_shape{htn_kind::htn, 2, 3, 2, 0}, htn_shape{htn_kind::htn, 2, 6, 2, 1},
                                 htn_shape{htn_kind::htn, 3, 3, 2, 1}, htn_shape{htn_kind::htn, 4, 2, 2, 1},
                                 htn_shape{htn_kind::htn, 6, 2, 2, 0}, htn_shape{htn_kind::htn, 3, 2, 3, 0}})
    compare(shape, false);
}

TEST_F(htn_deadlock_long, adaptive) {
  for (const char* gates : {"destination", "nearest"})
    for (const char* spec : {"htn:4,4,2,0", "htn:4,4,2,1", "htn:4,4,2,2"}) {
      topology_options options;
      options.routing = "adaptive";
      options.gates = gates;
      EXPECT_TRUE(proven(make_topology(spec, options), 4)) << spec << gates;
    }
  topology_options options;
  options.routing = "adaptive";
  for (const char* spec : {"mh3dt:4,2,2,1", "mh3dt:4,3,2,2", "h3dt:4,2,2,0", "h3dt:4,3,2,0"})
    EXPECT_TRUE(proven(make_topology(spec, options), 4)) << spec;
}

TEST_F(htn_deadlock_long, htn_of_1024_nodes) {
  for (const unsigned q : {0u, 1u, 2u}) compare({htn_kind::htn, 4, 4, 2, q}, true);
}

}  // namespace
}  // namespace toriscope
