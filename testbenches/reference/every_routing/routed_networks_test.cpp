// SPDX-License-Identifier: Apache-2.0
// Without simulating: every routing of every kind delivers all pairs, never over fewer links than there must
// be, and is proven free of deadlock.
#include "testbenches/reference/every_routing/routed_networks.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

#include "base/words.h"
#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope {
namespace {

TEST(routed_networks, leave_no_routing_out) {
  std::set<std::string> wanted, there;
  for (const topology_kind& kind : topology_kinds())
    for (const std::string& routing : kind.routings) wanted.insert(kind.name + " " + routing);
  for (const routed_network& n : routed_networks()) {
    const topology made = make_topology(n.spec, n.options);
    there.insert(n.spec.substr(0, n.spec.find(':')) + " " + made.choice.routing);
  }
  // As printed, floating vector routing has no rule free of deadlock: the tests of its rejection look at it.
  wanted.erase("rdt floating");
  EXPECT_EQ(there, wanted);
}

class each_routing : public testing::TestWithParam<routed_network> {};

TEST_P(each_routing, delivers_all_pairs) {
  const topology made = make_topology(GetParam().spec, GetParam().options);
  const netlist& net = *made.wiring;
  for (terminal_id s = 0; s < net.terminal_count(); ++s) {
    const std::vector<unsigned> least = bfs_distances(net, net.terminal(s).node);
    for (terminal_id d = 0; d < net.terminal_count(); ++d)
      for (route_state drawn = 0; drawn < made.routing->injection_states(); ++drawn)
        ASSERT_GE(routed_distance(net, *made.routing, s, d, GetParam().options.vcs, drawn),
                  least[net.terminal(d).exit])
            << net.terminal_address(s) << " to " << net.terminal_address(d) << ", " << drawn;
  }
}

/// Links crossed by a packet that draws option and VC at every hop; more than `most`: never mind.
unsigned drawn_walk(const topology& made, terminal_id s, terminal_id d, route_state drawn, unsigned vcs,
                    unsigned most, std::mt19937& random) {
  const netlist& net = *made.wiring;
  route_request at{net.terminal(s).node, net.terminal(s).port, static_cast<std::uint8_t>(random() % vcs), d,
                   drawn};
  for (unsigned hops = 0; hops <= most; ++hops) {
    route_option options[routing_function::max_options];
    const route_option& o = options[random() % made.routing->route(at, options)];
    if (net.is_local(at.node, o.out_port)) return net.leaving(at.node, o.out_port) == d ? hops : most + 1;
    unsigned vc = random() % vcs;
    while (!(o.vcs >> vc & 1u)) vc = (vc + 1) % vcs;
    const netlist_link& wire = net.link(net.ports(at.node)[o.out_port].out);
    at = {wire.to, wire.to_port, static_cast<std::uint8_t>(vc), d, o.state};
  }
  return most + 1;
}

/// Where queues are compared, one way is a detour. Both ways round a ring of modules are equally long, but their gates
/// may lie differently; and an escape may lead back from a gate that adaptive hops had led to.
bool ways_may_differ(const topology& made) {
  return made.routing->compares_queues() ||
         (made.routing->options_at_most() > 1 && made.wiring->has_plain_terminals() &&
          (made.wiring->hierarchy().size() > 1 || begins_with(made.choice.spec, "file:")));
}

// Whatever the routers choose, no choice leads astray.
TEST_P(each_routing, delivers_by_any_option) {
  const topology made = make_topology(GetParam().spec, GetParam().options);
  const unsigned vcs = GetParam().options.vcs;
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const auto s = static_cast<terminal_id>(random() % made.wiring->terminal_count());
    const auto d = static_cast<terminal_id>(random() % made.wiring->terminal_count());
    const auto drawn = static_cast<route_state>(random() % made.routing->injection_states());
    const unsigned usual = routed_distance(*made.wiring, *made.routing, s, d, vcs, drawn);
    const unsigned hops = drawn_walk(made, s, d, drawn, vcs, 1000, random);
    if (ways_may_differ(made)) {
      EXPECT_LE(hops, usual + 24) << s << " to " << d;
    } else {
      EXPECT_EQ(hops, usual) << s << " to " << d;
    }
  }
}

TEST_P(each_routing, is_free_of_deadlock) {
  const topology made = make_topology(GetParam().spec, GetParam().options);
  const deadlock_proof proof = prove(*made.wiring, *made.routing, GetParam().options.vcs);
  EXPECT_EQ(proof.outcome, proof_outcome::proven) << proof.reason;
  EXPECT_LE(proof.needs_atomic_vcs, has_escape(*made.routing, GetParam().options.vcs));
}

INSTANTIATE_TEST_SUITE_P(all, each_routing, testing::ValuesIn(routed_networks()), name_of_test);

}  // namespace
}  // namespace toriscope
