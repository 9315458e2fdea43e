// SPDX-License-Identifier: Apache-2.0
// Duato's condition for drawn routing functions, against the definition: all that a packet which holds an escape
// channel can come to ask for over adaptive channels alone.
#include "topologies/proof/escape_proof.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "topologies/proof/certificate_checker.h"
#include "topologies/proof/packet_explorer.h"
#include "topologies/registry.h"

namespace toriscope::escape_proof_test {
namespace {

constexpr unsigned vcs = 2;  // 0 is the escape

unsigned mixed(unsigned bits) {
  bits = (bits ^ bits >> 16) * 0x7feb352du;
  bits = (bits ^ bits >> 15) * 0x846ca68bu;
  return bits ^ bits >> 16;
}

/// Shortest ways in a mesh: adaptive options drawn for what is asked; an escape drawn for the node and the
/// destination, in most places that of dimension order.
struct drawn_escapes : routing_function {
  drawn_escapes(const netlist& net, unsigned seed) : net_(net), seed_(seed) {}
  unsigned route(const route_request& at, route_option* options) const override {
    options[0] = {net_.local_port(at.node), 3, 0};
    if (at.node == at.destination) return 1;
    const unsigned place = (seed_ * 16 + at.node) * 16 + at.destination;
    unsigned random = mixed((((place * 8 + at.in_port) * 2 + at.in_vc) * 2 + at.state) * 2 + 1);
    const auto draw = [&](unsigned below) {
      const unsigned drawn = random % below;
      random /= below;
      return drawn;
    };
    const auto from = net_.digits(at.node), to = net_.digits(at.destination);
    std::vector<port_id> ports;
    for (unsigned digit = 0; digit < 2; ++digit)
      if (from[digit] != to[digit])
        ports.push_back(net_.port_named(
            at.node, std::string(digit == 0 ? "y" : "x") + (from[digit] < to[digit] ? "+" : "-")));
    unsigned count = 0;
    for (const port_id port : ports) {
      const unsigned state = draw(2);
      const bool any_vc = seed_ % 3 == 0 && draw(32) == 0;
      if (draw(2) == 0) options[count++] = {port, static_cast<vc_mask>(any_vc ? 3 : 2), state};
    }
    const bool lacks_escape = seed_ % 4 == 0 && count > 0 && draw(128) == 0;
    const port_id escape = mixed(place * 2) % (8 + seed_ % 64) == 0 ? ports.back() : ports.front();
    if (!lacks_escape) options[count++] = {escape, 1, draw(2)};
    return count;
  }
  unsigned state_bits() const override { return 1; }
  route_state injection_states() const override { return 2; }
  unsigned options_at_most() const override { return 3; }
  vc_mask escape_vcs() const override { return 1; }
  const netlist& net_;
  unsigned seed_;
};

/// The extended dependency graph by its definition.
struct by_definition {
  using head = std::pair<std::uint32_t, route_state>;  // channel, link * 2 + VC

  std::vector<head> ask(const route_request& at) {
    route_option options[routing_function::max_options];
    const unsigned count = routing.route(at, options);
    std::vector<head> next;
    bool escape = false;
    for (unsigned i = 0; i < count; ++i) {
      const bool leaves = net.is_local(at.node, options[i].out_port);
      escape = escape || leaves || options[i].vcs == 1;
      for (unsigned vc = 0; vc < vcs && !leaves; ++vc)
        if (options[i].vcs >> vc & 1)
          next.emplace_back(net.ports(at.node)[options[i].out_port].out * vcs + vc, options[i].state);
    }
    stuck = stuck || !escape;
    return next;
  }
  std::vector<head> ask(const head& h, node_id destination) {
    const netlist_link& wire = net.link(h.first / vcs);
    return ask({wire.to, wire.to_port, static_cast<std::uint8_t>(h.first % vcs), destination, h.second});
  }
  /// With all that it can lead to, or with that over adaptive channels; escape channels asked for into `asked`.
  void follow(const head& h, node_id destination, bool adaptive, std::set<head>* been,
              std::set<std::uint32_t>* asked) {
    if (!been->insert(h).second) return;
    for (const head& next : ask(h, destination)) {
      if (next.first % vcs == 0) asked->insert(next.first);
      if (next.first % vcs != 0 || !adaptive) follow(next, destination, adaptive, been, asked);
    }
  }
  void look_at(node_id destination) {
    std::set<head> heads;
    std::set<std::uint32_t> all_asked;
    for (node_id source = 0; source < net.node_count(); ++source)
      for (unsigned vc = 0; vc < vcs; ++vc)
        for (route_state drawn = 0; drawn < 2; ++drawn)
          for (const head& first :
               ask({source, net.local_port(source), static_cast<std::uint8_t>(vc), destination, drawn}))
            follow(first, destination, false, &heads, &all_asked);
    for (const head& h : heads) {
      if (h.first % vcs != 0) continue;
      std::set<head> been;
      std::set<std::uint32_t> asked;
      follow(h, destination, true, &been, &asked);
      for (const std::uint32_t to : asked) dependencies.emplace(h.first, to);
      for (const head& next : ask(h, destination))
        if (next.first % vcs == 0) direct.emplace(h.first, next.first);
    }
  }

  const netlist& net;
  const routing_function& routing;
  bool stuck = false;
  std::set<std::pair<std::uint32_t, std::uint32_t>> dependencies{};
  std::set<std::pair<std::uint32_t, std::uint32_t>> direct{};
};

/// Takes away, again and again, what leads to nothing that is left.
bool acyclic(std::set<std::pair<std::uint32_t, std::uint32_t>> edges) {
  for (std::size_t before = 0; before != edges.size();) {
    before = edges.size();
    std::set<std::uint32_t> from;
    for (const auto& e : edges) from.insert(e.first);
    for (auto e = edges.begin(); e != edges.end();) e = from.count(e->second) ? std::next(e) : edges.erase(e);
  }
  return edges.empty();
}

TEST(escape_proof, of_drawn_routes_by_the_definition) {
  const auto wiring = make_topology("mesh:3x3").wiring;
  const netlist& net = *wiring;
  std::vector<terminal_id> destinations;
  for (node_id n = 0; n < net.node_count(); ++n) destinations.push_back(n);
  std::mt19937 random(1);
  unsigned holding = 0, stuck = 0, cyclic = 0, indirectly = 0, good = 0, bad = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const drawn_escapes routing(net, seed);
    packet_explorer packets(net, routing, vcs);
    by_definition wanted{net, routing};
    for (const node_id destination : destinations) {
      packets.follow_packets_to(destination);
      wanted.look_at(destination);
    }
    const bool has_order = acyclic(wanted.dependencies);
    escape_proof found = prove_escape(net, routing, packets.dependencies(), 1, destinations);
    EXPECT_EQ(found.holds, has_order && !wanted.stuck);
    EXPECT_EQ(found.numbers.empty(), !found.holds);
    EXPECT_TRUE(found.cycle.empty() || !has_order);
    if (has_order && wanted.stuck) {
      EXPECT_THAT(found.reason, testing::HasSubstr("has no option of escape VCs only"));
    }
    if (!has_order && !wanted.stuck) {
      EXPECT_EQ(found.reason, "the extended dependency graph of the escape channels has a cycle");
      ASSERT_FALSE(found.cycle.empty());
      for (std::size_t i = 0; i < found.cycle.size(); ++i) {
        const channel &from = found.cycle[i], &to = found.cycle[(i + 1) % found.cycle.size()];
        EXPECT_EQ(wanted.dependencies.count({from.link * vcs + from.vc, to.link * vcs + to.vc}), 1u);
      }
    }
    holding += found.holds;
    stuck += has_order && wanted.stuck;
    cyclic += !has_order && !wanted.stuck;
    indirectly += !has_order && !wanted.stuck && acyclic(wanted.direct);
    if (!found.holds) continue;
    EXPECT_LE(found.dependencies, wanted.dependencies.size());
    EXPECT_GE(found.dependencies, wanted.direct.size());
    for (unsigned change = 0; change < 8; ++change) {
      const auto holds = [&](const auto& d) { return found.numbers[d.first] < found.numbers[d.second]; };
      const bool all = std::all_of(wanted.dependencies.begin(), wanted.dependencies.end(), holds);
      EXPECT_TRUE(all || change > 0);
      EXPECT_EQ(check_certificate(net, routing, vcs, 1, found.numbers).holds, all) << change;
      ++(all ? good : bad);
      found.numbers[random() % found.numbers.size()] += static_cast<std::uint32_t>(random() % 3);
    }
  }
  EXPECT_GT(holding, 10u);
  EXPECT_GT(stuck, 5u);
  EXPECT_GT(cyclic, 10u);
  EXPECT_GT(indirectly, 3u) << "over adaptive channels alone";
  EXPECT_GT(std::min(good, bad), 10u);
}

/// With more bits of route state than there is a table of places for.
struct wide_states final : drawn_escapes {
  using drawn_escapes::drawn_escapes;
  unsigned state_bits() const override { return 24; }
};

TEST(escape_proof, of_wide_route_states_is_that_of_narrow_ones) {
  const auto wiring = make_topology("mesh:3x3").wiring;
  const netlist& net = *wiring;
  std::vector<terminal_id> destinations;
  for (node_id n = 0; n < net.node_count(); ++n) destinations.push_back(n);
  for (unsigned seed = 0; seed < 12; ++seed) {
    const drawn_escapes narrow(net, seed);
    packet_explorer packets(net, narrow, vcs);
    for (const node_id destination : destinations) packets.follow_packets_to(destination);
    const escape_proof expected = prove_escape(net, narrow, packets.dependencies(), 1, destinations);
    const escape_proof found =
        prove_escape(net, wide_states(net, seed), packets.dependencies(), 1, destinations);
    EXPECT_EQ(found.holds, expected.holds) << seed;
    EXPECT_EQ(found.reason, expected.reason) << seed;
    EXPECT_EQ(found.dependencies, expected.dependencies) << seed;
    EXPECT_EQ(found.numbers, expected.numbers) << seed;
  }
}

}  // namespace
}  // namespace toriscope::escape_proof_test
