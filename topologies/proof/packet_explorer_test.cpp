// SPDX-License-Identifier: Apache-2.0
// Two ways to follow all packets give the same dependencies: by destinations and by classes of them.
#include "topologies/proof/packet_explorer.h"

#include <gmock/gmock.h>

#include "topologies/proof/position_set.h"
#include "topologies/registry.h"

namespace toriscope {
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

}  // namespace
}  // namespace toriscope
