// SPDX-License-Identifier: Apache-2.0
// Links and ports told by hand.
#include "testbenches/simulation/statistics/link_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "topologies/analysis/destination_weights.h"
#include "topologies/registry.h"

namespace toriscope::link_use_test {
namespace {

statistic::value_type value(const link_use& use, const std::string& name) {
  for (const statistic& s : use.figures())
    if (s.name == name) return s.value;
  ADD_FAILURE() << "no figure " << name;
  return 0.0;
}

/// mesh:1x3 has the links 0 -> 1, 1 -> 2, 1 -> 0, 2 -> 1 in some order, then three ports in, three out.
struct line {
  topology made = make_topology("mesh:1x3");
  std::vector<std::uint64_t> flits = std::vector<std::uint64_t>(4 + 3 + 3);
  link_id link(node_id from, node_id to) const {
    for (link_id l = 0; l < made.wiring->links().size(); ++l)
      if (made.wiring->link(l).from == from && made.wiring->link(l).to == to) return l;
    return no_link;
  }
  link_use use() const { return {*made.wiring, flits, 200}; }
};

TEST(link_use, is_not_known_of_no_cycle) {
  const line l;
  for (const auto& [name, shares] : link_use(*l.made.wiring, l.flits, 0).lists()) {
    EXPECT_GT(shares.size(), 0u) << name;
    for (const double share : shares) EXPECT_TRUE(std::isnan(share)) << name;
  }
  for (const auto& [name, shares] : l.use().lists())
    for (const double share : shares) EXPECT_EQ(share, 0) << name;
}

TEST(link_use, a_narrow_link_is_as_busy_as_its_flits_are_long) {
  line l;
  l.made.wiring->link(l.link(0, 1)).flit_cycles = 8;
  l.flits[l.link(0, 1)] = 25;
  l.flits[l.link(1, 2)] = 50;
  const link_use use = l.use();
  EXPECT_DOUBLE_EQ(use.utilisation(l.link(0, 1)), 0.125);
  EXPECT_DOUBLE_EQ(use.busy(l.link(0, 1)), 1.0);
  EXPECT_DOUBLE_EQ(use.busy(l.link(1, 2)), 0.25);
  EXPECT_EQ(std::get<double>(value(use, "links.utilisation_max")), 0.25);
  EXPECT_EQ(std::get<double>(value(use, "links.utilisation_mean")), 0.375 / 4);
  EXPECT_EQ(std::get<double>(value(use, "links.busy_max")), 1.0);
  EXPECT_EQ(std::get<double>(value(use, "links.busy_mean")), 1.25 / 4);
  EXPECT_EQ(std::get<std::string>(value(use, "bottleneck.name")), "00 x+ -> 01");
  EXPECT_EQ(use.sentence(), "The link 00 x+ -> 01 is full: busy 100.0 % of the measured cycles.");
}

TEST(link_use, a_network_without_links_has_figures_of_its_ports_alone) {
  const topology made = make_topology("crossbar:3");
  const statistics figures = link_use(*made.wiring, {4, 0, 0, 0, 4, 0}, 8).figures();
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "bottleneck.name");
  EXPECT_EQ(std::get<double>(figures[1].value), 0.5);
}

TEST(link_use, a_share_is_at_most_1) {
  line l;
  l.made.wiring->link(l.link(0, 1)).flit_cycles = 8;
  l.flits[l.link(0, 1)] = 26;  // the last of them is still on the link when the window ends
  EXPECT_EQ(l.use().busy(l.link(0, 1)), 1.0);
}

TEST(link_use, ports_are_links) {
  line l;
  l.flits = {20, 20, 20, 20, 30, 31, 0, 0, 0, 199};
  const link_use use = l.use();
  EXPECT_EQ(use.busiest(), ejection_wire(*l.made.wiring, 2));
  EXPECT_EQ(std::get<std::string>(value(use, "bottleneck.name")), "02 local out");
  EXPECT_DOUBLE_EQ(std::get<double>(value(use, "bottleneck.busy")), 0.995);
  EXPECT_DOUBLE_EQ(std::get<double>(value(use, "links.busy_max")), 0.1) << "of links alone";
  EXPECT_EQ(use.sentence(), "The ejection port of node 2 (02) is full: busy 99.5 % of the measured cycles.");
  const auto lists = use.lists();
  ASSERT_EQ(lists.size(), 4u);
  const std::vector<double> links(4, 0.1);
  using list = std::pair<std::string, std::vector<double>>;
  EXPECT_EQ(lists[0], list("links", links));
  EXPECT_EQ(lists[1], list("links_busy", links));
  EXPECT_EQ(lists[2], list("injection_ports", {0.15, 0.155, 0}));
  EXPECT_EQ(lists[3], list("ejection_ports", {0, 0, 0.995}));
}

/// Two nodes and a link from the first to the second, which has two terminals.
TEST(link_use, of_one_link_and_one_cycle) {
  netlist net("pair", {2}, {{"node", 1}});
  net.add_node({"out"});
  net.add_node({"in"});
  net.connect(0, 0, 1, 0, 1, 1);
  net.set_terminals({0, 1, 1});
  const link_use use(net, {1, 0, 1, 0, 0, 0, 0}, 1);
  EXPECT_EQ(use.utilisation(0), 1.0);
  EXPECT_EQ(use.busiest(), 0u);
  EXPECT_EQ(use.flits_where_busy(), 2u);
  EXPECT_EQ(use.sentence(), "The link 0 out -> 1 is full: busy 100.0 % of the measured cycles.");
  const statistics figures = use.figures();
  ASSERT_EQ(figures.size(), 6u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(std::get<double>(figures[i].value), 1.0) << figures[i].name;
  EXPECT_EQ(use.in_words(1), "the injection port of terminal 0");
  EXPECT_EQ(use.in_words(5), "the ejection port of terminal 1 (1.t0)");
}

TEST(link_use, a_link_that_is_busy_95_percent_of_the_time_is_full) {
  line l;
  std::uint64_t& flits = l.flits[l.link(0, 1)];
  flits = 190;
  EXPECT_EQ(l.use().sentence(), "The link 00 x+ -> 01 is full: busy 95.0 % of the measured cycles.");
  flits = 189;
  EXPECT_EQ(l.use().sentence(),
            "No link or port is full; the busiest, the link 00 x+ -> 01, is busy 94.5 % of the measured cycles.");
}

TEST(link_use, where_no_flit_was_sent_nothing_is_a_bottleneck) {
  const line l;
  const link_use use = l.use();
  EXPECT_EQ(use.sentence(), "No flit was sent in the measured cycles.");
  EXPECT_EQ(std::get<std::string>(value(use, "bottleneck.name")), "none");
  EXPECT_EQ(std::get<double>(value(use, "bottleneck.busy")), 0);
}

TEST(link_use, fairness_is_jains_index_of_what_sources_sent) {
  line l;
  const auto fairness = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    l.flits = {1, 1, 1, 1, a, b, c, 9, 9, 9};
    return l.use().fairness();
  };
  const statistics uneven = fairness(20, 40, 0);
  EXPECT_DOUBLE_EQ(std::get<double>(uneven[0].value), 60. * 60 / (3 * (20. * 20 + 40 * 40)));
  EXPECT_EQ(std::get<double>(uneven[1].value), 0) << "the third starves";
  EXPECT_EQ(std::get<std::string>(uneven[2].value), "02");
  EXPECT_DOUBLE_EQ(std::get<double>(uneven[3].value), .2);
  EXPECT_EQ(std::get<std::string>(fairness(7, 5, 6)[2].value), "01");
  EXPECT_DOUBLE_EQ(std::get<double>(fairness(8, 8, 8)[0].value), 1);
  EXPECT_EQ(std::get<std::string>(fairness(8, 8, 8)[2].value), "00") << "of several the first";
  EXPECT_TRUE(std::isnan(std::get<double>(fairness(0, 0, 0)[1].value)));
  EXPECT_TRUE(std::isnan(std::get<double>(fairness(0, 0, 0)[3].value)));
  EXPECT_TRUE(std::isnan(std::get<double>(fairness(0, 0, 0)[0].value)));
  EXPECT_TRUE(std::isnan(std::get<double>(fairness(0, 0, 0)[2].value)));
}

TEST(link_use, half_busy_is_not_full) {
  line l;
  l.flits[injection_wire(*l.made.wiring, 1)] = 100;
  EXPECT_EQ(l.use().sentence(),
            "No link or port is full; the busiest, the injection port of node 1 (01), is busy 50.0 % of the "
            "measured cycles.");
}

TEST(link_use, the_limit_of_a_source_is_on_its_routes) {
  line l;
  l.flits = std::vector<std::uint64_t>(10, 1);
  l.flits[l.link(1, 0)] = 190;  // not on the way of node 0
  l.flits[l.link(1, 2)] = 120;
  l.flits[ejection_wire(*l.made.wiring, 1)] = 100;
  l.flits[injection_wire(*l.made.wiring, 0)] = 110;
  const link_use use = l.use();
  const auto limit = [&](const std::vector<node_id>& to) {
    return use.busiest_on_routes(*l.made.routing, 4, 0, to);
  };
  EXPECT_EQ(limit({1}), injection_wire(*l.made.wiring, 0));
  EXPECT_EQ(limit({1, 2}), l.link(1, 2));
  EXPECT_EQ(limit({}), injection_wire(*l.made.wiring, 0));
  EXPECT_EQ(use.busiest(), l.link(1, 0));
}

/// Half of the packets go along x first, 0, 1, 2, 5, 8, half along y first, 0, 3, 6, 7, 8.
TEST(link_use, the_limit_of_a_source_is_on_any_route_that_may_be_drawn) {
  topology_options options;
  options.routing = "o1turn";
  line l{make_topology("mesh:3x3", options)};
  for (const auto& [from, to] : {std::pair{1u, 2u}, {3u, 6u}}) {
    l.flits.assign(wire_count(*l.made.wiring), 1);
    l.flits[l.link(from, to)] = 120;
    l.flits[l.link(1, 4)] = l.flits[l.link(3, 4)] = 190;
    EXPECT_EQ(l.use().busiest_on_routes(*l.made.routing, options.vcs, 0, {8}), l.link(from, to));
  }
}

TEST(link_use, of_several_that_are_as_busy_the_first_is_named) {
  line l;
  l.flits = std::vector<std::uint64_t>(10, 50);
  const link_use use = l.use();
  EXPECT_EQ(use.busiest(), 0u);
  EXPECT_EQ(use.busiest_on_routes(*l.made.routing, 4, 0, {1, 2}), injection_wire(*l.made.wiring, 0));
}

TEST(link_use, flits_where_it_is_nine_tenths_as_busy_as_anywhere) {
  line l;
  l.flits = {95, 89, 90, 100, 0, 0, 91, 0, 88, 0};
  EXPECT_EQ(l.use().flits_where_busy(), 95u + 90 + 100 + 91);
}

TEST(link_use, destinations_are_those_with_a_share) {
  const std::vector<node_id> others{0, 2, 3}, two{1, 3};
  EXPECT_EQ(destinations_of(uniform_traffic(4, false)(1), 4, 1), others);
  EXPECT_EQ(destinations_of(uniform_traffic(4, true)(1), 4, 1).size(), 4u);
  EXPECT_EQ(destinations_of({0, 0, {{3, 0.5}, {1, 0.5}, {0, 0}}}, 4, 2), two);
}

TEST(link_use, without_a_window_nothing_is_in_use) {
  const line l;
  const link_use use(*l.made.wiring, {}, 0);
  EXPECT_EQ(use.busy(use.busiest()), 0.0);
}

}  // namespace
}  // namespace toriscope::link_use_test
