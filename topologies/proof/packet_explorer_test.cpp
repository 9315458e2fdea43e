// SPDX-License-Identifier: Apache-2.0
// Two ways to follow all packets give the same dependencies: by destinations and by classes of them.
#include "topologies/proof/packet_explorer.h"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "topologies/proof/position_set.h"
#include "topologies/registry.h"

namespace toriscope::packet_explorer_test {
namespace {

dependency_sets by_destinations(const netlist& net, const routing_function& routing, unsigned vcs) {
  packet_explorer packets(net, routing, vcs);
  for (node_id n = 0; n < net.node_count(); ++n) packets.follow_packets_to(n);
  return packets.dependencies();
}

TEST(packet_explorer, classes_of_destinations_give_the_same_dependencies) {
  for (const char* spec : {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,2,2"})
    for (const char* links : {"U", "B"})
      for (const char* ties : {"nowrap", "positive"})
        for (const char* rule : {"paper", "A", "C", "D3", "E", "K"}) {
          topology_options options;
          options.links = links;
          options.ties = ties;
          options.vc_rule = rule;
          topology made;
          try {
            made = make_topology(spec, options);
          } catch (const std::invalid_argument&) {
            continue;  // the rule is not made for that
          }
          ASSERT_TRUE(made.routing->reads_to_first_difference());
          packet_explorer by_classes(*made.wiring, *made.routing, options.vcs);
          by_classes.follow_classes();
          const dependency_sets wanted = by_destinations(*made.wiring, *made.routing, options.vcs);
          EXPECT_TRUE(by_classes.dependencies() == wanted)
              << spec << " " << links << " " << ties << " " << rule << ": "
              << by_classes.dependencies().dependencies() << " and " << wanted.dependencies();
        }
}

/// Another routing function, with `bits` more bits of route state: a count of hops, which it need not know.
struct counts_hops : routing_function {
  counts_hops(const routing_function& inner, unsigned bits) : inner_(inner), more_(bits) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned low = inner_.state_bits();
    route_request without = request;
    without.state &= (1u << low) - 1;
    const unsigned count = inner_.route(without, options);
    const route_state hops = ((request.state >> low) + 1) & ((1u << more_) - 1);
    for (unsigned i = 0; i < count; ++i) options[i].state |= hops << low;
    return count;
  }
  unsigned state_bits() const override { return inner_.state_bits() + more_; }
  const routing_function& inner_;
  unsigned more_;
};

/// Where there is a place for each, all of them are found at once; a search from the first would take minutes.
TEST(position_set, has_a_place_for_each_of_few_states) {
  constexpr unsigned links = 500000;
  position_set set(links, 1);
  for (int round = 0; round < 2; ++round, set.clear()) {
    unsigned added = 0, again = 0;
    for (link_id l = 0; l < links; ++l) added += set.add(l, l & 1, 5) == 5;
    for (link_id l = 0; l < links; ++l) again += set.add(l, l & 1, 7) == 2;
    EXPECT_EQ(added, links);
    EXPECT_EQ(again, links);
  }
}

TEST(packet_explorer, route_states_of_many_bits) {
  const topology made = make_topology("ttn:2,2,0");
  EXPECT_TRUE(by_destinations(*made.wiring, counts_hops(*made.routing, 24), 4) ==
              by_destinations(*made.wiring, *made.routing, 4));
}

/// Claims what is not so: the number of VCs depends on the last digit of the destination.
struct reads_everything : routing_function {
  explicit reads_everything(const routing_function& inner) : inner_(inner) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = inner_.route(request, options);
    if (request.destination % 4 == 3) options[0].vcs = static_cast<vc_mask>(options[0].vcs & 1 ? 3 : 1);
    return count;
  }
  unsigned state_bits() const override { return inner_.state_bits(); }
  const routing_function& inner_;
};

TEST(packet_explorer, a_false_claim_is_found_out) {
  const topology made = make_topology("ttn:2,2,0");
  const reads_everything false_claim(*made.routing);
  packet_explorer packets(*made.wiring, false_claim, 4);
  EXPECT_THAT([&] { packets.follow_classes(); },
              testing::ThrowsMessage<std::logic_error>(testing::HasSubstr("reads beyond the first digit")));
}

/// Options drawn for what is asked, the same in the VCs 0 to 2 but for their number. Round and round they go.
struct drawn_routes : routing_function {
  drawn_routes(const netlist& net, unsigned seed) : net_(net), seed_(seed) {}
  unsigned route(const route_request& at, route_option* options) const override {
    options[0] = {net_.local_port(at.node), 1, 0};
    if (at.node == at.destination) return 1;
    const unsigned place = (at.node * 8 + at.in_port) * 4 + at.state;
    std::mt19937 random(((seed_ * 1024 + place) * 8 + at.destination) * 2 + (at.in_vc == 3 ? 1 : 0));
    const port_range ports = net_.ports(at.node);
    for (unsigned i = 0; i < 3; ++i) {
      do options[i].out_port = static_cast<port_id>(random() % ports.size());
      while (ports[options[i].out_port].out == no_link);
      options[i].vcs = static_cast<vc_mask>(1u << random() % 4);
      options[i].state = static_cast<route_state>(random() % 4);
    }
    return at.in_vc == 1 ? 1 + static_cast<unsigned>(random() % 3) : 1;
  }
  unsigned state_bits() const override { return 2; }
  route_state injection_states() const override { return 2; }
  unsigned options_at_most() const override { return 3; }
  const netlist& net_;
  unsigned seed_;
};

using dependency = std::pair<unsigned, unsigned>;  // channels, link * 4 + VC

/// One head after the other: its link, its VC and its state.
struct one_by_one {
  void ask(const route_request& at, std::set<dependency>* dependencies, unsigned channel) {
    route_option options[routing_function::max_options];
    const unsigned count = routing.route(at, options);
    for (unsigned i = 0; i < count; ++i) {
      if (net.is_local(at.node, options[i].out_port)) continue;
      const link_id link = net.ports(at.node)[options[i].out_port].out;
      used[link] |= options[i].vcs;
      for (unsigned vc = 0; vc < 4; ++vc) {
        if ((options[i].vcs >> vc & 1) == 0) continue;
        if (dependencies) dependencies->emplace(channel, link * 4 + vc);
        if (been.emplace(link, vc, options[i].state).second) {
          const netlist_link& wire = net.link(link);
          ask({wire.to, wire.to_port, static_cast<std::uint8_t>(vc), at.destination, options[i].state}, &found,
              link * 4 + vc);
        }
      }
    }
  }
  void inject(node_id source, node_id destination, unsigned first_vc) {
    for (unsigned vc = first_vc; vc < 4; ++vc)
      for (route_state drawn = 0; drawn < 2; ++drawn)
        ask({source, net.local_port(source), static_cast<std::uint8_t>(vc), destination, drawn}, nullptr, 0);
  }

  const netlist& net;
  const routing_function& routing;
  std::vector<vc_mask> used = std::vector<vc_mask>(net.links().size(), 0);
  std::set<std::tuple<link_id, unsigned, route_state>> been{};
  std::set<dependency> found{};
};

/// Packets of one pair in the upper two VCs, or from everywhere to two destinations.
TEST(packet_explorer, drawn_routes_as_one_by_one) {
  const auto wiring = make_topology("mesh:3x2").wiring;
  const netlist& net = *wiring;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const drawn_routes routing(net, seed);
    packet_explorer packets(net, routing, 4);
    one_by_one wanted{net, routing};
    if (seed % 2 == 0) {
      talking_pairs pairs(4, 2);
      pairs.add(0, 5, 1);
      packets.follow_packets_to(5, &pairs);
      wanted.inject(0, 5, 2);
    } else {
      for (const node_id destination : {4u, 1u}) {
        packets.follow_packets_to(destination);
        wanted.been.clear();
        for (node_id source = 0; source < 6; ++source) wanted.inject(source, destination, 0);
      }
    }
    std::set<dependency> found;
    for (std::uint32_t from = 0; from < packets.dependencies().channels(); ++from)
      packets.dependencies().for_each(from, [&](std::uint32_t to) { found.emplace(from, to); });
    EXPECT_EQ(found, wanted.found) << seed;
    EXPECT_EQ(packets.vcs_used(), wanted.used) << seed;
  }
}

}  // namespace
}  // namespace toriscope::packet_explorer_test
