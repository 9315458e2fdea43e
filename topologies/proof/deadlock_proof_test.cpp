// SPDX-License-Identifier: Apache-2.0
// Verdicts: what each method says, and Duato's condition on escapes that hold and escapes that do not.
#include "topologies/proof/deadlock_proof.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "topologies/proof/certificate_checker.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/registry.h"

namespace toriscope::deadlock_proof_test {
namespace {

using testing::HasSubstr;

topology make(const char* spec, const char* rule = "safe", unsigned vcs = 4) {
  topology_options options;
  options.vc_rule = rule;
  options.vcs = vcs;
  return make_topology(spec, options);
}

deadlock_proof prove_by(const topology& made, unsigned vcs, proof_method method) {
  proof_options options;
  options.method = method;
  return prove(*made.wiring, *made.routing, vcs, options);
}

TEST(deadlock_proof, exhaustive) {
  const topology made = make("ttn:2,2,0");
  const deadlock_proof found = prove_by(made, 4, proof_method::exhaustive);
  EXPECT_EQ(found.outcome, proof_outcome::proven);
  EXPECT_EQ(found.channels, made.wiring->links().size() * 4);
  EXPECT_TRUE(found.cycle.empty());
  EXPECT_EQ(found.numbers.size(), found.channels);
  EXPECT_EQ(found.escape_vcs, 0);
  EXPECT_EQ(found.escape_channels, 0u);
  EXPECT_EQ(found.extended_dependencies, 0u);
  EXPECT_FALSE(found.needs_atomic_vcs);
  EXPECT_EQ(found.reason, "the channel-dependency graph is acyclic");
  EXPECT_EQ(found.vcs, 4u);
}

TEST(deadlock_proof, keeps_no_numbers_without_a_certificate) {
  const topology made = make("mesh:2x2");
  proof_options options;
  EXPECT_FALSE(prove(*made.wiring, *made.routing, 4, options).numbers.empty());
  options.with_certificate = false;
  const deadlock_proof found = prove(*made.wiring, *made.routing, 4, options);
  EXPECT_EQ(found.outcome, proof_outcome::proven);
  EXPECT_TRUE(found.numbers.empty());
}

TEST(deadlock_proof, a_cycle_is_shown) {
  const topology made = make("ttn:2,2,0", "paper", 2);
  for (const proof_method method : {proof_method::exhaustive, proof_method::sampled}) {
    const deadlock_proof found = prove_by(made, 2, method);
    EXPECT_EQ(found.outcome, proof_outcome::cyclic);
    EXPECT_EQ(found.method, method);
    ASSERT_GE(found.cycle.size(), 2u);
    EXPECT_TRUE(found.numbers.empty());
    // Each channel begins where the one before ends.
    for (std::size_t i = 0; i < found.cycle.size(); ++i)
      EXPECT_EQ(made.wiring->link(found.cycle[i].link).to,
                made.wiring->link(found.cycle[(i + 1) % found.cycle.size()].link).from);
    EXPECT_THAT(cycle_in_words(*made.wiring, found.cycle), HasSubstr(" vc1 -> "));
  }
}

TEST(deadlock_proof, samples_prove_nothing) {
  const deadlock_proof found = prove_by(make("ttn:2,2,0"), 4, proof_method::sampled);
  EXPECT_EQ(found.outcome, proof_outcome::unknown);
  EXPECT_THAT(found.reason, HasSubstr("to 64 of the 256 terminals"));
  EXPECT_TRUE(found.numbers.empty());
}

/// mt19937 begins with 1791095845, 4282876139, 3093770124, 4005303368, 491263: 5, 11, 12, 8 and 15 of 16.
TEST(deadlock_proof, samples_are_drawn_alike_each_time) {
  proof_options options;
  options.method = proof_method::sampled;
  options.samples = 5;
  const topology made = make("mesh:4x4");
  EXPECT_EQ(prove(*made.wiring, *made.routing, 4, options).reason,
            "no cycle among packets to 5 of the 16 terminals, which proves nothing for all");
}

/// Routers with three terminals each route as those with one; 12 samples are all.
TEST(deadlock_proof, is_of_packets_to_all_terminals) {
  const topology mesh = make("mesh:2x2"), concentrated = make("cmesh:2x2,3");
  const deadlock_proof found = prove_by(concentrated, 4, proof_method::exhaustive);
  EXPECT_EQ(found.dependencies, prove_by(mesh, 4, proof_method::exhaustive).dependencies);
  const netlist& net = *concentrated.wiring;
  EXPECT_EQ(find_channel_dependencies(net, *concentrated.routing, 4).dependencies, found.dependencies);
  const auto steps = [](const topology& t, const std::vector<std::uint32_t>& numbers) {
    return check_certificate(*t.wiring, *t.routing, 4, 15, numbers).steps;
  };
  EXPECT_EQ(steps(concentrated, found.numbers), 3 * steps(mesh, found.numbers));
  proof_options options;
  options.method = proof_method::sampled;
  for (const unsigned samples : {11u, 12u, 500u}) {
    options.samples = samples;
    const deadlock_proof sampled = prove(*concentrated.wiring, *concentrated.routing, 4, options);
    EXPECT_EQ(sampled.outcome, samples < 12 ? proof_outcome::unknown : proof_outcome::proven);
    EXPECT_EQ(sampled.method, samples < 12 ? proof_method::sampled : proof_method::exhaustive);
  }
}

TEST(deadlock_proof, says_which_vcs_are_unused_where_all_packets_were_followed) {
  const topology made = make("torus:4x4", "dateline");
  EXPECT_FALSE(prove_by(made, 4, proof_method::exhaustive).unused.empty());
  EXPECT_TRUE(prove_by(make("torus:9x9", "dateline"), 4, proof_method::sampled).unused.empty());
}

TEST(deadlock_proof, symmetric_wants_a_claim) {
  EXPECT_THAT([] { prove_by(make("torus:4x4"), 4, proof_method::symmetric); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("use exhaustive or sampled")));
}

TEST(deadlock_proof, is_symmetric_where_it_can_be_unless_another_method_is_asked_for) {
  EXPECT_EQ(prove_by(make("ttn:2,2,0"), 4, proof_method::automatic).method, proof_method::symmetric);
  EXPECT_EQ(prove_by(make("torus:4x4"), 4, proof_method::automatic).method, proof_method::exhaustive);
}

/// Minimal adaptive routing in a 2-D mesh: any VC but the first of the escape toward the destination, and the
/// escape in `escape_ports` order.
class adaptive_mesh : public routing_function {
 public:
  explicit adaptive_mesh(const netlist& net, vc_mask adaptive_vcs = 2) : net_(net), adaptive_(adaptive_vcs) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const port_id local = net_.local_port(request.node);
    if (request.node == request.destination) {
      options[0] = {local, 3, 0};
      return 1;
    }
    const auto at = net_.digits(request.node);
    const auto to = net_.digits(request.destination);
    unsigned count = 0;
    for (unsigned digit = 0; digit < 2; ++digit) {
      if (at[digit] == to[digit]) continue;
      const std::string name = std::string(digit == 0 ? "y" : "x") + (at[digit] < to[digit] ? "+" : "-");
      options[count++] = {net_.port_named(request.node, name), adaptive_, 0};
    }
    return add_escape(request, options, count);
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 3; }
  vc_mask escape_vcs() const override { return 1; }

 protected:
  virtual unsigned add_escape(const route_request&, route_option* options, unsigned count) const {
    options[count] = options[0];  // y first
    options[count].vcs = 1;
    return count + 1;
  }
  const netlist& net_;
  vc_mask adaptive_;
};

/// Leaves some heads without an escape.
struct sometimes_stuck : adaptive_mesh {
  using adaptive_mesh::adaptive_mesh;
  unsigned add_escape(const route_request& r, route_option* options, unsigned count) const override {
    return r.node == 5 ? count : adaptive_mesh::add_escape(r, options, count);
  }
};

/// Once in the escape, a packet stays there.
struct stays_in_the_escape : adaptive_mesh {
  using adaptive_mesh::adaptive_mesh;
  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = adaptive_mesh::route(request, options);
    if (count == 1 || request.in_vc != 0 || request.in_port == net_.local_port(request.node)) return count;
    options[0] = options[count - 1];
    return 1;
  }
};

// No escape channel is part of a cycle there, and still: at saturation, with VCs granted again behind a tail,
// the like of it froze in a mesh of 8x8 after 2,504 cycles (3 VCs of depth 8, packets of 4 flits), all in
// adaptive channels.
TEST(deadlock_proof, staying_in_the_escape_needs_atomic_vcs_too) {
  const topology made = make("mesh:5x4", "safe", 2);
  const deadlock_proof found = prove(*made.wiring, stays_in_the_escape(*made.wiring), 2);
  EXPECT_EQ(found.outcome, proof_outcome::proven) << found.reason;
  EXPECT_TRUE(found.needs_atomic_vcs);
}

TEST(deadlock_proof, an_escape_that_holds) {
  const topology made = make("mesh:5x4", "safe", 2);
  const deadlock_proof found = prove(*made.wiring, adaptive_mesh(*made.wiring), 2);
  EXPECT_EQ(found.outcome, proof_outcome::proven) << found.reason;
  EXPECT_EQ(found.escape_vcs, 1);
  EXPECT_EQ(found.escape_channels, made.wiring->links().size());
  EXPECT_TRUE(found.needs_atomic_vcs) << "a head behind a tail in an adaptive VC cannot turn to its escape";
  EXPECT_EQ(found.numbers.size(), found.channels);

  const auto check = [&](std::vector<std::uint32_t> numbers) {
    return check_certificate(*made.wiring, adaptive_mesh(*made.wiring), 2, 1, numbers);
  };
  EXPECT_TRUE(check(found.numbers).holds) << check(found.numbers).objection;
  std::vector<std::uint32_t> reversed = found.numbers;
  for (std::uint32_t& n : reversed) n = 1000 - n;
  EXPECT_FALSE(check(reversed).holds);
  EXPECT_THAT(check_certificate(*made.wiring, sometimes_stuck(*made.wiring), 2, 1, found.numbers).objection,
              HasSubstr("no option of escape VCs only"));
}

TEST(deadlock_proof, a_head_without_an_escape) {
  const topology made = make("mesh:5x4", "safe", 2);
  const deadlock_proof found = prove(*made.wiring, sometimes_stuck(*made.wiring), 2);
  EXPECT_EQ(found.outcome, proof_outcome::unknown);
  EXPECT_EQ(found.reason, "a head at 11 to 00 that came in by local vc0 has no option of escape VCs only");
}

/// Lacks an escape for heads of one kind: those that the first option of the first source leads to.
struct stuck_at_first : adaptive_mesh {
  using adaptive_mesh::adaptive_mesh;
  unsigned add_escape(const route_request& r, route_option* options, unsigned count) const override {
    const bool stuck = r.node == 2 && r.destination == 3 && r.in_vc == 1 && r.in_port != net_.local_port(2);
    return stuck ? count : adaptive_mesh::add_escape(r, options, count);
  }
};

TEST(deadlock_proof, the_first_head_without_an_escape_is_found) {
  const topology made = make("mesh:2x2", "safe", 2);
  const deadlock_proof found = prove(*made.wiring, stuck_at_first(*made.wiring), 2);
  EXPECT_EQ(found.outcome, proof_outcome::unknown);
  EXPECT_EQ(found.reason, "a head at 10 to 11 that came in by y- vc1 has no option of escape VCs only");
  EXPECT_EQ(prove(*made.wiring, adaptive_mesh(*made.wiring), 2).outcome, proof_outcome::proven);
}

/// Adaptive VCs alone.
struct without_escape : adaptive_mesh {
  using adaptive_mesh::adaptive_mesh;
  vc_mask escape_vcs() const override { return 0; }
};

TEST(deadlock_proof, no_vc_is_an_escape) {
  const topology made = make("mesh:5x4", "safe", 2);
  const deadlock_proof found = prove(*made.wiring, without_escape(*made.wiring), 2);
  EXPECT_EQ(found.outcome, proof_outcome::unknown);
  EXPECT_EQ(found.reason, "the routing function names no escape VCs");
  EXPECT_TRUE(found.numbers.empty());
}

/// y first for some destinations, x first for others: the direct dependencies have a cycle.
struct no_order : adaptive_mesh {
  using adaptive_mesh::adaptive_mesh;
  unsigned add_escape(const route_request& r, route_option* options, unsigned count) const override {
    options[count] = options[r.destination % 2 == 0 ? 0 : count - 1];
    options[count].vcs = 1;
    return count + 1;
  }
};

TEST(deadlock_proof, an_escape_with_a_cycle) {
  const topology made = make("mesh:5x4", "safe", 2);
  const deadlock_proof found = prove(*made.wiring, no_order(*made.wiring), 2);
  EXPECT_EQ(found.outcome, proof_outcome::cyclic);
  EXPECT_GE(found.cycle.size(), 4u);
  EXPECT_THAT(found.reason, HasSubstr("extended"));
}

/// Round a one-way ring of 6: over the escape with a dateline, if injected before it; and over the adaptive
/// VC, which forgets on which side of the dateline it was.
struct forgets_the_dateline : routing_function {
  unsigned route(const route_request& r, route_option* options) const override {
    if (r.node == r.destination) {
      options[0] = {2, 7, 0};
      return 1;
    }
    const bool came_by_escape = r.in_port != 2 && r.in_vc != 2;
    const bool after = (came_by_escape && r.in_vc == 1) || r.node == 5;
    options[0] = {0, 4, 0};
    options[1] = {0, static_cast<vc_mask>(after ? 2 : 1), 0};
    return 2;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }
  vc_mask escape_vcs() const override { return 3; }
};

TEST(deadlock_proof, a_cycle_of_indirect_dependencies) {
  topology_options options;
  const topology made = make_topology("ucube:6,1", options);
  const deadlock_proof found = prove(*made.wiring, forgets_the_dateline(), 3);
  EXPECT_EQ(found.outcome, proof_outcome::cyclic) << found.reason;
  EXPECT_THAT(found.reason, HasSubstr("extended"));
}

/// Round a one-way ring; a packet keeps the VC of its message class.
struct keeps_its_class : routing_function {
  unsigned route(const route_request& r, route_option* options) const override {
    options[0] = {static_cast<port_id>(r.node == r.destination ? 2 : 0), static_cast<vc_mask>(1 << r.in_vc),
                  0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 1; }
  vc_mask escape_vcs() const override { return 3; }
};

// A link of a one-way ring depends on the next where a packet goes on at the node between them; so there is a cycle
// when packets of one class go on at every node.
TEST(deadlock_proof, of_pairs_that_talk) {
  constexpr unsigned nodes = 6, classes = 2;
  const topology made = make_topology("ucube:6,1", {});
  std::mt19937 random(1);
  unsigned cyclic = 0, proven = 0;
  for (unsigned round = 0; round < 400; ++round) {
    talking_pairs pairs(2, classes);
    bool goes_on[classes][nodes] = {};
    unsigned dependencies = 0;
    for (unsigned i = 0; i < 1 + round % 9; ++i) {
      const unsigned from = random() % nodes, to = random() % nodes, of = random() % classes;
      if (from == to) continue;
      pairs.add(from, to, of);
      EXPECT_TRUE(pairs.talk(from, to));
      for (unsigned at = (from + 1) % nodes; at != to; at = (at + 1) % nodes) {
        dependencies += !goes_on[of][at];
        goes_on[of][at] = true;
      }
    }
    bool cycle = false;
    for (const auto& nodes_of_class : goes_on)
      cycle = cycle || std::all_of(nodes_of_class, nodes_of_class + nodes, [](bool b) { return b; });
    proof_options options;
    options.message_classes = classes;
    options.only = &pairs;
    const deadlock_proof found = prove(*made.wiring, keeps_its_class(), 2, options);
    EXPECT_EQ(found.outcome, cycle ? proof_outcome::cyclic : proof_outcome::proven) << round;
    EXPECT_EQ(found.dependencies, dependencies) << round;
    EXPECT_EQ(found.cycle.size(), cycle ? nodes : 0) << round;
    ++(cycle ? cyclic : proven);
  }
  EXPECT_GT(std::min(cyclic, proven), 50u);
  EXPECT_EQ(prove(*made.wiring, keeps_its_class(), 2, {}).outcome, proof_outcome::cyclic) << "when all talk";
}

// Node 5, where heads lack an escape, is in the second row: packets within the last three do not come there.
TEST(deadlock_proof, of_an_escape_of_pairs_that_talk) {
  const topology made = make("mesh:5x4", "safe", 2);
  talking_pairs pairs(2, 1);
  for (terminal_id source = 8; source < 20; ++source)
    for (terminal_id destination = 8; destination < 20; ++destination)
      if (source != destination) pairs.add(source, destination, 0);
  proof_options options;
  options.only = &pairs;
  const deadlock_proof found = prove(*made.wiring, sometimes_stuck(*made.wiring), 2, options);
  EXPECT_EQ(found.outcome, proof_outcome::proven) << found.reason;
  EXPECT_TRUE(found.needs_atomic_vcs) << "by its escape";
  pairs.add(4, 7, 0);
  const deadlock_proof stuck = prove(*made.wiring, sometimes_stuck(*made.wiring), 2, options);
  EXPECT_EQ(stuck.outcome, proof_outcome::unknown);
  EXPECT_THAT(stuck.reason, HasSubstr("a head at 11 to 13"));
}

/// The pairs are few: their packets are all followed, whatever the method.
TEST(deadlock_proof, of_pairs_that_talk_is_exhaustive) {
  const topology made = make("mesh:5x4", "safe", 2);
  talking_pairs pairs(2, 1);
  pairs.add(8, 11, 0);
  proof_options options;
  options.only = &pairs;
  options.method = proof_method::sampled;
  const deadlock_proof found = prove(*made.wiring, *made.routing, 2, options);
  EXPECT_EQ(found.method, proof_method::exhaustive);
  EXPECT_EQ(found.outcome, proof_outcome::proven);
}

/// Round a one-way ring, from the VC of one class into that of the other.
struct changes_its_class : routing_function {
  unsigned route(const route_request& r, route_option* options) const override {
    options[0] = {port_id{0}, static_cast<vc_mask>(2 >> r.in_vc), 0};
    if (r.node == r.destination) options[0].out_port = 2;
    return 1;
  }
  unsigned state_bits() const override { return 0; }
};

TEST(deadlock_proof, of_message_classes_has_no_packet_that_changes_its_class) {
  const topology made = make_topology("ucube:6,1", {});
  proof_options options;
  options.message_classes = 2;
  EXPECT_THAT([&] { prove(*made.wiring, changes_its_class(), 2, options); },
              testing::ThrowsMessage<std::logic_error>(
                  "routing leads from message class 0 to 1: 0 x+ vc0 -> 1 x+ vc1 -> 0 x+ vc0"));
}

TEST(talking_pairs, are_those_that_were_added) {
  const topology made = make("mesh:2x2");
  talking_pairs pairs(4, 2);
  for (const auto& [source, of] : {std::pair(1u, 0u), std::pair(2u, 1u), std::pair(1u, 1u), std::pair(1u, 0u)})
    pairs.add(source, 3, of);
  EXPECT_EQ(pairs.size(), 3u) << "one for each class";
  EXPECT_THAT(pairs.destinations(), testing::ElementsAre(3));
  EXPECT_TRUE(pairs.talk(1, 3) && pairs.talk(2, 3));
  EXPECT_FALSE(pairs.talk(0, 3) || pairs.talk(3, 3) || pairs.talk(3, 1));
  std::vector<std::vector<unsigned>> entries;
  pairs.for_each_entry(*made.wiring, 3, [&](node_id node, port_id port, unsigned first, unsigned end) {
    entries.push_back({node, port, first, end});
  });
  const unsigned local = made.wiring->local_port(1);
  EXPECT_THAT(entries, testing::ElementsAre(testing::ElementsAre(1, local, 0, 2), testing::ElementsAre(1, local, 2, 4),
                                            testing::ElementsAre(2, local, 2, 4)));
}

}  // namespace
}  // namespace toriscope::deadlock_proof_test
