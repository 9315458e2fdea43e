// SPDX-License-Identifier: Apache-2.0
// Delays by wire length, and narrow links: figures worked out on paper (Dally 1990, Eq. 4, 5, 17).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "base/words.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/link_models/link_width.h"
#include "topologies/live_routes.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

double cycles(const char* model, unsigned length) { return whole_cycles(make_delay_model(model), length); }

TEST(delay_model, rounds_up_to_whole_cycles_and_at_least_one) {
  EXPECT_EQ(cycles("7", 100), 7);
  EXPECT_EQ(cycles("constant:2.5", 1), 3);
  EXPECT_EQ(cycles("linear:0.1", 10), 1) << "0.1 * 10 is a whole number, whatever doubles make of it";
  EXPECT_EQ(cycles("linear:0.1", 11), 2);
  EXPECT_EQ(cycles("linear:0.5", 1), 1);
  // 1 + ln l: 1, 1.69, 2.10, 3.08, 7.93
  EXPECT_EQ(cycles("log:1", 1), 1);
  EXPECT_EQ(cycles("log:1", 2), 2);
  EXPECT_EQ(cycles("log:1", 3), 3);
  EXPECT_EQ(cycles("log:1", 8), 4);
  EXPECT_EQ(cycles("log:1", 1024), 8);
  // 2 ln(4 l): 2.77, 5.55
  EXPECT_EQ(cycles("log:2:4", 1), 3);
  EXPECT_EQ(cycles("log:2:4", 4), 6);
}

TEST(delay_model, takes_numbers_with_zeros_before_them) {
  EXPECT_EQ(cycles("010", 1), 10);
  EXPECT_EQ(cycles("01", 1), 1);
}

TEST(delay_model, refuses_what_it_does_not_know) {
  for (const char* text : {"", "0", "1001", "-1", "1.5", "linear", "linear:", "linear:0", "linear:-1",
                           "linear:x", "linear:1x", "constant:1:2", "linear:1:2", "mm:1:2", "log:1:2:3", "cubic:1",
                           "constant:inf"})
    EXPECT_THROW(make_delay_model(text), std::invalid_argument) << text;
}

TEST(delay_model, goes_by_level_and_by_length) {
  topology torus = make_topology("torus:4x8");
  set_link_delays(*torus.wiring, std::vector<std::string>{"linear:2"});
  for (const netlist_link& l : torus.wiring->links()) EXPECT_EQ(l.delay_cycles, 2 * l.length);
  topology ttn = make_topology("ttn:2,2,0");
  set_link_delays(*ttn.wiring, std::vector<std::string>{"3", "linear:1"});
  for (const netlist_link& l : ttn.wiring->links()) EXPECT_EQ(l.delay_cycles, l.level == 1 ? 3 : l.length);
  EXPECT_THROW(set_link_delays(*torus.wiring, std::vector<std::string>{"1", "2"}), std::invalid_argument);
  EXPECT_THROW(set_link_delays(*torus.wiring, std::vector<std::string>{"linear:900"}), std::invalid_argument);
}

TEST(delay_model, by_length_in_mm) {
  topology torus = make_topology("torus:4x8");  // wrap links 3 and 7 pitches long
  set_link_delays(*torus.wiring, std::vector<std::string>{"mm:0.5"}, 2.5);
  for (const netlist_link& l : torus.wiring->links())
    EXPECT_EQ(l.delay_cycles, l.length == 1 ? 2 : l.length == 3 ? 4 : 9) << "1.25, 3.75, 8.75 cycles";
  try {
    set_link_delays(*torus.wiring, std::vector<std::string>{"mm:0.5"});
    ADD_FAILURE() << "a length in mm without a pitch";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "link delay 'mm:0.5' is by length in mm; add --pitch MM");
  }
  try {
    set_link_delays(*torus.wiring, std::vector<std::string>{"mmm:0.5"});
    ADD_FAILURE() << "no such model";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("link delay 'mmm:0.5'; expected a whole number of cycles"));
  }
}

/// Links of an interposer are some 10 pitches long, and have a delay of their own.
TEST(delay_model, may_be_too_slow_for_links_with_a_delay_of_their_own) {
  const topology t = make_topology("chiplets:mesh:2x2+mesh:8x8");
  set_link_delays(*t.wiring, std::vector<std::string>{"linear:900"});
  for (const netlist_link& l : t.wiring->links()) EXPECT_EQ(l.delay_cycles, l.level == 1 ? 900 : 4);
}

TEST(link_width, a_flit_takes_as_many_cycles_as_it_needs) {
  EXPECT_EQ(flit_cycles(64, 64), 1);
  EXPECT_EQ(flit_cycles(64, 1000), 1);
  EXPECT_EQ(flit_cycles(64, 63), 2);
  EXPECT_EQ(flit_cycles(64, 16), 4);
  EXPECT_EQ(flit_cycles(255, 1), 255);
  EXPECT_THROW(flit_cycles(256, 1), std::invalid_argument);
  EXPECT_THROW(flit_cycles(64, 0), std::invalid_argument);
  topology ttn = make_topology("ttn:2,2,0");
  set_link_widths(*ttn.wiring, 64, {64, 16});
  for (const netlist_link& l : ttn.wiring->links()) EXPECT_EQ(l.flit_cycles, l.level == 1 ? 1 : 4);
}

TEST(live_routes, drawn_routes_are_cut_one_by_one) {
  // From 0 to 3 of a square, x first over 1 or y first over 2.
  topology_options options;
  options.routing = "o1turn";
  const topology square = make_topology("mesh:2x2", options);
  live_routes routes(*square.wiring, *square.routing, 4);
  const port_id x = square.wiring->port_named(0, "x+");
  routes.kill(square.wiring->ports(0)[x].out);
  EXPECT_NE(routes.connect(0, 3, 0), routes.connect(0, 3, 1)) << "one of both orders";
  EXPECT_TRUE(routes.connect(3, 0, 0) && routes.connect(3, 0, 1));
  const node_id next = square.wiring->link(square.wiring->ports(0)[x].out).to;
  EXPECT_FALSE(routes.connect(0, next, 0) || routes.connect(0, next, 1));
  EXPECT_EQ(routes.count_cut_pairs(), 1u) << "to the other corner there is still a way";
}

TEST(live_routes, a_dead_link_cuts_the_pairs_that_go_over_it) {
  // Nodes 0..3 in a row: over 1 -> 2 go 0 -> 2, 0 -> 3, 1 -> 2, 1 -> 3.
  const topology row = make_topology("mesh:1x4");
  live_routes routes(*row.wiring, *row.routing, 4);
  EXPECT_EQ(routes.count_cut_pairs(), 0u);
  routes.kill(row.wiring->ports(1)[row.wiring->port_named(1, "x+")].out);
  EXPECT_EQ(routes.count_cut_pairs(), 4u);
  EXPECT_FALSE(routes.connect(0, 3, 0));
  EXPECT_FALSE(routes.connect(1, 3, 0));
  EXPECT_TRUE(routes.connect(2, 3, 0)) << "what is known is known of a pair";
  EXPECT_TRUE(routes.connect(3, 0, 0));
  EXPECT_TRUE(routes.connect(0, 1, 0));
  routes.kill(row.wiring->ports(0)[row.wiring->port_named(0, "x+")].out);
  EXPECT_FALSE(routes.connect(0, 1, 0)) << "what was known is forgotten when another link dies";
  EXPECT_TRUE(routes.connect(0, 0, 0));
}

/// Goes round a ring for ever, with another route state in each node, and counts how often it is asked.
class endless_routing final : public routing_function {
 public:
  explicit endless_routing(port_id ahead) : ahead_(ahead) {}
  unsigned route(const route_request& request, route_option* options) const override {
    ++asked;
    options[0] = {ahead_, 3, 1 - request.state};
    return 1;
  }
  unsigned state_bits() const override { return 1; }
  mutable unsigned asked = 0;

 private:
  port_id ahead_;
};

TEST(live_routes, a_search_looks_at_each_place_once_and_its_answer_is_kept) {
  const topology ring = make_topology("ring:5");
  const port_id ahead = ring.wiring->port_named(0, "x+");
  const endless_routing routing(ahead);
  live_routes routes(*ring.wiring, routing, 2);
  EXPECT_TRUE(routes.connect(0, 3, 0)) << "no link is dead";
  EXPECT_EQ(routing.asked, 0u);
  routes.kill(ring.wiring->ports(1)[1 - ahead].out);
  EXPECT_FALSE(routes.connect(0, 3, 0));
  // On either VC: at the local port, and in each of five nodes with two states.
  EXPECT_EQ(routing.asked, 2u * (1 + 5 * 2));
  EXPECT_FALSE(routes.connect(0, 3, 0));
  EXPECT_EQ(routing.asked, 22u) << "the answer is known";
  EXPECT_FALSE(routes.connect(0, 3, 1));
  EXPECT_EQ(routing.asked, 44u) << "with another state at injection";
  EXPECT_FALSE(routes.connect(3, 0, 0));
  EXPECT_EQ(routing.asked, 66u) << "of another pair";
  EXPECT_FALSE(routes.connect(0, 3, 0));
  EXPECT_EQ(routing.asked, 66u) << "the first answer is still known";
}

/// Goes ahead round a ring to one node, and leaves there by one of its local ports.
class leaves_at final : public routing_function {
 public:
  leaves_at(port_id ahead, node_id node, port_id local) : ahead_(ahead), node_(node), local_(local) {}
  unsigned route(const route_request& request, route_option* options) const override {
    options[0] = {request.node == node_ ? local_ : ahead_, 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  port_id ahead_;
  node_id node_;
  port_id local_;
};

/// Two terminals at each of four nodes, on the local ports 2 and 3; from terminal 0 to terminal 4, the first of node 2.
TEST(live_routes, lead_to_the_port_of_the_terminal_at_its_node) {
  const topology ring = make_topology("ring:4");
  ring.wiring->set_terminals({0, 0, 1, 1, 2, 2, 3, 3});
  const port_id ahead = ring.wiring->port_named(0, "x+");
  const auto connects = [&](node_id node, port_id local) {
    const leaves_at routing(ahead, node, local);
    live_routes routes(*ring.wiring, routing, 1);
    routes.kill(ring.wiring->ports(0)[1 - ahead].out);
    return routes.connect(0, 4, 0);
  };
  EXPECT_TRUE(connects(2, 2));
  EXPECT_FALSE(connects(2, 3)) << "to the other terminal";
  EXPECT_FALSE(connects(1, 2)) << "at another node";
}

/// By hand. The link from switch 0.0 to switch 1.0 leads from the terminals 0 and 1 to the terminals 0 and 1.
TEST(live_routes, of_a_butterfly_cross_links_to_their_own_switch) {
  const topology fly = make_topology("butterfly:2,2");
  live_routes routes(*fly.wiring, *fly.routing, 4);
  routes.kill(fly.wiring->ports(0)[0].out);
  EXPECT_FALSE(routes.connect(0, 1, 0) || routes.connect(0, 0, 0));
  EXPECT_TRUE(routes.connect(0, 2, 0) && routes.connect(2, 3, 0) && routes.connect(2, 0, 0));
  EXPECT_EQ(routes.count_cut_pairs(), 2u) << "of different terminals";
  const topology pair = make_topology("cmesh:1x2,3");
  live_routes of_pair(*pair.wiring, *pair.routing, 4);
  of_pair.kill(0);
  EXPECT_EQ(of_pair.count_cut_pairs(), 3u * 3) << "from the terminals of one node to those of the other";
}

/// Ahead round a ring on VC 0, on which it goes back again; on VC 1 it would arrive.
class arrives_on_vc_1 final : public routing_function {
 public:
  explicit arrives_on_vc_1(const netlist& ring) : ring_(ring) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const bool injected = ring_.is_local(request.node, request.in_port);
    const port_id ahead = ring_.port_named(request.node, "x+"), back = ring_.port_named(request.node, "x-");
    options[0] = {injected || request.in_vc == 1 ? ahead : back, 1, 0};
    if (request.node == request.destination) options[0].out_port = ring_.local_port(request.node);
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const netlist& ring_;
};

TEST(live_routes, stay_on_the_vcs_of_their_options) {
  const topology ring = make_topology("ring:5");
  const arrives_on_vc_1 routing(*ring.wiring);
  live_routes routes(*ring.wiring, routing, 2);
  routes.kill(ring.wiring->ports(0)[ring.wiring->port_named(0, "x-")].out);
  EXPECT_TRUE(routes.connect(0, 1, 0));
  EXPECT_FALSE(routes.connect(0, 2, 0));
}

TEST(delay_model, says_what_is_wrong) {
  const topology ttn = make_topology("ttn:2,2,0"), torus = make_topology("torus:4x8");
  EXPECT_EQ(error_of([&] { set_link_delays(*ttn.wiring, std::vector<std::string>{"1", "2", "3"}); }),
            "3 link delays for the 2 levels of links of ttn; give one per level, the lowest first");
  EXPECT_EQ(error_of([&] { set_link_widths(*ttn.wiring, 64, {1, 2, 3}); }),
            "3 link widths for the 2 levels of links of ttn; give one per level, the lowest first");
  EXPECT_EQ(error_of([&] { set_link_delays(*torus.wiring, std::vector<std::string>{"linear:900"}); }),
            "link delay 'linear:900': more than 1000 cycles for a link of length 7 node pitches; that is the most");
  for (const char* spec : {"star:4", "fattree:2,3", "butterfly:2,3", "chiplets:mesh:1x2+fattree:2,2"}) {
    const topology tree = make_topology(spec);
    set_link_delays(*tree.wiring, std::vector<std::string>{"constant:2.5"});
    EXPECT_EQ(tree.wiring->links()[0].delay_cycles, 3);
    for (const std::string by_length : {"linear:2", "mm:2", "log:2"})
      EXPECT_EQ(error_of([&] { set_link_delays(*tree.wiring, std::vector<std::string>{by_length}, 1); }),
                "link delay '" + by_length + "' is by length, and " + tree.wiring->name() +
                    " has no layout; expected cycles, for example 2");
  }
  for (const std::size_t letters : {100u, 101u}) {
    const std::string model(letters, 'x');
    EXPECT_EQ(error_of([&] { make_delay_model(model); }),
              "link delay '" + (letters == 100 ? model : one_line(model, 100)) +
                  "'; expected a whole number of cycles from 1 to 1000, constant:CYCLES, linear:CYCLES_PER_PITCH, "
                  "mm:CYCLES_PER_MM, log:CYCLES or log:CYCLES:K");
  }
  EXPECT_EQ(flit_cycles(64, ~std::uint64_t{0}), 1u);
  EXPECT_EQ(error_of([] { flit_cycles(256, 1); }),
            "a link of 1 bits for flits of 256; a link has at least a bit, and passes a flit in at most 255 cycles");
}

TEST(link_width, is_noted_at_the_link) {
  netlist_link link;
  set_width(link, 64, 16);
  EXPECT_EQ(link.flit_cycles, 4);
  EXPECT_EQ(link.width_bits, 16);
  set_width(link, 64, 70000);
  EXPECT_EQ(link.flit_cycles, 1);
  EXPECT_EQ(link.width_bits, 65535) << "the most that it can note";
}

/// A link with a load of 1/F may take F cycles for a flit, 255 at most; the flit in F parts.
TEST(link_width, the_least_that_a_load_needs) {
  EXPECT_EQ(least_width(64, 1), 64u);
  EXPECT_EQ(least_width(64, 1 + 1e-10), 64u) << "rounding";
  EXPECT_EQ(least_width(64, 1.01), 0u) << "too much for any";
  EXPECT_EQ(least_width(64, .51), 64u);
  EXPECT_EQ(least_width(64, .5), 32u);
  EXPECT_EQ(least_width(64, 1 / 3.), 22u);
  EXPECT_EQ(least_width(64, .1), 7u) << "10 cycles of 7 bits";
  EXPECT_EQ(least_width(64, 0), 1u);
  EXPECT_EQ(least_width(510, 0), 2u);
  EXPECT_EQ(least_width(511, 0), 3u);
  EXPECT_EQ(least_width(2, .1), 1u);
}

}  // namespace
}  // namespace toriscope
