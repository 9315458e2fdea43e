// SPDX-License-Identifier: Apache-2.0
// The transaction-level model alone: zero load against the formula of docs/model.md, and that every
// packet arrives once.
#include "network/transaction/packet_model.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "network/transaction/on_one_vc_test.h"
#include "topologies/path.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

struct arrivals final : packet_sink {
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override {
    EXPECT_TRUE(latency.emplace(id, received - record.created).second) << "packet " << id << " came twice";
    hops[id] = record.hops;
    hash += mix(record.source, record.destination, record.created, received);  // docs/model.md
    flits += record.flits;
  }
  std::map<packet_id, std::uint64_t> latency;
  std::map<packet_id, unsigned> hops;
  std::uint64_t flits = 0;
  std::uint64_t hash = 0;
};

struct case_of {
  const char* spec;
  unsigned vcs;
  unsigned depth;
  pipeline stages;
  unsigned injection_delay = 1;
};

void PrintTo(const case_of& c, std::ostream* out) { *out << c.spec << " depth " << c.depth; }

/// @param spec  perhaps with a blank and a routing
topology made(const std::string& spec, unsigned vcs) {
  topology_options options;
  options.vcs = vcs;
  const std::size_t blank = std::min(spec.find(' '), spec.size());
  options.routing = spec.substr(std::min(blank + 1, spec.size()));
  return make_topology(spec.substr(0, blank), options);
}

network_config config_of(const case_of& c) {
  network_config config;
  config.router.vcs = c.vcs;
  config.router.depth = c.depth;
  config.router.pipeline = c.stages;
  config.injection_delay_cycles = c.injection_delay;
  return config;
}

void run_until_idle(packet_model& model, cycle_t from) {
  for (cycle_t now = model.next_event(from); now != never; now = model.next_event(now + 1)) {
    ASSERT_LT(now, from + 1000000) << "packets never arrive";
    model.do_cycle(now);
    if (now % 16 == 0) {
      ASSERT_EQ(model.check_conservation(), "") << "cycle " << now;
    }
  }
  EXPECT_EQ(model.packets().alive(), 0u);
  EXPECT_EQ(model.check_conservation(), "");
}

/// T0 of docs/model.md for links of one cycle, where the buffer is no shorter than the credit loop or the
/// pipeline is the single cycle.
std::uint64_t formula(unsigned hops, unsigned flits, const case_of& c) {
  const std::uint64_t stages = c.stages == pipeline::four_stage ? 4 : 1;
  const std::uint64_t x = c.stages == pipeline::four_stage ? 1 : 0;
  const std::uint64_t loop = x + 2 * std::max(1u, c.injection_delay);
  const std::uint64_t n = flits - 1;
  const std::uint64_t ser = n / c.depth * std::max<std::uint64_t>(c.depth, loop) + n % c.depth;
  return (hops + 1) * (stages - 1) + hops + c.injection_delay + 1 + ser;
}

class zero_load : public testing::TestWithParam<case_of> {};

TEST_P(zero_load, is_the_formula_between_all_pairs) {
  const topology t = made(GetParam().spec, GetParam().vcs);
  for (const unsigned flits : {1u, 5u, 16u, 37u}) {
    packet_model model(t.wiring, t.routing, config_of(GetParam()));
    arrivals seen;
    model.sinks().push_back(&seen);
    cycle_t now = 3;
    packet_id id = 0;
    for (terminal_id from = 0; from < t.wiring->terminal_count(); ++from)
      for (terminal_id to = 0; to < t.wiring->terminal_count(); ++to, ++id, now += 1000) {
        model.create({from, to, flits, 0}, now);
        run_until_idle(model, now);
        const route_state drawn = drawn_state(id, t.routing->injection_states());
        const unsigned hops = routed_distance(*t.wiring, *t.routing, from, to, GetParam().vcs, drawn);
        ASSERT_EQ(seen.hops.at(id), hops);
        ASSERT_EQ(seen.latency.at(id), formula(hops, flits, GetParam()))
            << from << " to " << to << ", " << flits;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(all, zero_load,
                         testing::Values(case_of{"torus:4x4", 4, 8, pipeline::four_stage},
                                         case_of{"torus:4x4", 2, 8, pipeline::single_cycle, 3},
                                         case_of{"mesh:3x4", 1, 3, pipeline::four_stage},
                                         case_of{"mesh:3x3", 2, 1, pipeline::single_cycle},
                                         case_of{"ucube:4,2", 2, 4, pipeline::four_stage},
                                         case_of{"hypercube:4", 1, 8, pipeline::single_cycle},
                                         case_of{"cmesh:2x3,3", 2, 8, pipeline::four_stage, 2},
                                         case_of{"crossbar:5", 1, 3, pipeline::single_cycle},
                                         case_of{"fattree:2,3", 2, 8, pipeline::four_stage},
                                         case_of{"butterfly:3,2", 2, 4, pipeline::single_cycle},
                                         case_of{"dragonfly:2,2,1", 2, 8, pipeline::four_stage},
                                         case_of{"torus:4x4 valiant", 4, 8, pipeline::four_stage},
                                         case_of{"torus:4x4 ugal", 4, 8, pipeline::four_stage},
                                         case_of{"fattree:2,3 random", 1, 8, pipeline::four_stage}));

/// Packets of mixed lengths from a plain congruential generator, enough of them to queue everywhere.
void load(packet_model& model, unsigned packets, unsigned classes) {
  std::uint64_t random = 12345;
  const auto below = [&](std::uint64_t n) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((random >> 33) % n);
  };
  const terminal_id nodes = model.wiring().terminal_count();
  cycle_t now = 0;
  for (unsigned k = 0; k < packets; ++k) {
    const node_id from = below(nodes);
    const node_id to = below(nodes);
    const std::uint32_t flits = 1 + below(20);
    model.create({from, to, flits, static_cast<std::uint8_t>(below(classes))}, now);
    if (below(3) != 0) continue;
    model.do_cycle(now);
    ++now;
  }
  run_until_idle(model, now);
}

struct loaded_case {
  const char* spec;
  const char* routing;
  unsigned vcs;
  unsigned depth;
  unsigned classes = 1;
  bool limited = false;
  bool single_cycle = false;
};

class loaded : public testing::TestWithParam<loaded_case> {};

TEST_P(loaded, every_packet_arrives_once_and_twice_the_same) {
  const loaded_case& c = GetParam();
  topology_options options;
  options.vcs = c.vcs;
  options.routing = c.routing;
  options.message_classes = c.classes;
  const topology t = make_topology(c.spec, options);
  network_config config;
  config.router.vcs = c.vcs;
  config.router.depth = c.depth;
  config.message_classes = c.classes;
  config.limited_reception = c.limited;
  if (c.single_cycle) config.router.pipeline = pipeline::single_cycle;
  if (t.routing->options_at_most() > 1) config.router.vc_reallocation = vc_reallocation::atomic;
  std::set<std::uint64_t> hashes;
  for (int run = 0; run < 2; ++run) {
    packet_model model(t.wiring, t.routing, config);
    arrivals seen;
    model.sinks().push_back(&seen);
    load(model, 3000, c.classes);
    EXPECT_EQ(seen.latency.size(), 3000u);
    EXPECT_EQ(seen.flits, model.counters().flits_created);
    EXPECT_EQ(model.counters().flits_ejected, seen.flits);
    EXPECT_EQ(model.counters().flits_injected, seen.flits);
    EXPECT_EQ(model.packet_hash(), seen.hash);
    hashes.insert(model.packet_hash());
  }
  EXPECT_EQ(hashes.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    all, loaded,
    testing::Values(
        loaded_case{"torus:4x4", "", 4, 8}, loaded_case{"torus:4x4", "", 2, 1},
        loaded_case{"torus:4x4", "adaptive", 4, 4}, loaded_case{"torus:4x4", "adaptive", 4, 4, 1, true},
        loaded_case{"mesh:4x4", "", 1, 2, 1, false, true}, loaded_case{"torus:4x4", "", 4, 8, 2},
        loaded_case{"torus:4x4", "", 4, 3, 2, true}, loaded_case{"ttn:2,2,0", "", 4, 8},
        loaded_case{"cmesh:2x2,3", "", 2, 4}, loaded_case{"fattree:2,3", "adaptive", 2, 4, 2, true},
        loaded_case{"butterfly:2,3", "", 2, 2, 1, true}, loaded_case{"dragonfly:2,2,1", "valiant", 4, 8}));

/// What waits at the gate, and behind it, is not taken for lost, however long it sleeps.
TEST(packet_model, limited_reception_holds_packets_until_the_gate_opens) {
  struct gate final : reception_gate {
    explicit gate(cycle_t c) : opens(c) {}
    bool admit(packet_id, const packet_record&, cycle_t now) override { return now >= opens; }
    void packet_sent(packet_id, const packet_record&, cycle_t) override { ++sent; }
    const cycle_t opens;
    int sent = 0;
  };
  const topology t = made("mesh:1x3", 1);
  network_config config;
  config.router.vcs = 1;
  config.limited_reception = true;
  for (const cycle_t opens : {500, 3000}) {
    gate shut(opens);
    packet_model model(t.wiring, t.routing, config);
    arrivals seen;
    model.sinks().push_back(&seen);
    model.set_gate(&shut);
    for (int k = 0; k < 6; ++k) model.create({0, 2, 16, 0}, 0);
    run_until_idle(model, 0);
    EXPECT_EQ(seen.latency.at(0), opens + 15u);  // the first flits wait at the gate, the others behind them
    EXPECT_GE(seen.latency.at(5), opens + 6 * 16u - 1);
    EXPECT_EQ(shut.sent, 6);
  }
}

// Alone, a packet is sent from the cycle of its creation on, a flit in each.
TEST(packet_model, tells_the_gate_in_which_cycle_a_tail_was_sent) {
  struct open_gate final : reception_gate {
    bool admit(packet_id, const packet_record&, cycle_t) override { return true; }
    void packet_sent(packet_id, const packet_record&, cycle_t now) override { sent.push_back(now); }
    std::vector<cycle_t> sent;
  };
  const topology t = made("mesh:1x3", 1);
  network_config config;
  config.router.vcs = 1;
  config.limited_reception = true;
  for (const unsigned flits : {1u, 5u, 8u}) {
    open_gate gate;
    packet_model model(t.wiring, t.routing, config);
    model.set_gate(&gate);
    model.create({0, 2, flits, 0}, 20);
    run_until_idle(model, 20);
    EXPECT_EQ(gate.sent, std::vector<cycle_t>{20 + flits - 1});
  }
}

TEST(packet_model, takes_packets_of_this_network_only) {
  const topology t = made("mesh:1x3", 1);
  network_config config;
  config.router.vcs = 1;
  packet_model model(t.wiring, t.routing, config);
  for (const packet_request& wrong :
       {packet_request{3, 0, 1, 0}, packet_request{0, 3, 1, 0}, packet_request{0, 1, 0, 0}, packet_request{0, 1, 1, 1}})
    EXPECT_THROW(model.create(wrong, 0), std::invalid_argument);
  EXPECT_EQ(model.counters().packets_created, 0u);
}

/// However long heads wait, as long as what they wait for moves.
TEST(packet_model, a_crowd_is_no_deadlock) {
  for (const char* spec : {"torus:4x4", "mesh:1x5", "torus:4x4 adaptive"}) {
    const bool adaptive = std::string(spec).back() == 'e';
    const topology t = made(spec, adaptive ? 3 : 2);
    network_config config;
    config.router.vcs = adaptive ? 3 : 2;
    config.router.depth = 2;
    if (adaptive) config.router.vc_reallocation = vc_reallocation::atomic;
    packet_model model(t.wiring, t.routing, config);
    const node_id nodes = t.wiring->node_count();
    for (node_id n = 0; n < 20 * nodes; ++n) model.create({n % nodes, (n * 7 + n / nodes) % nodes, 12, 0}, 0);
    for (cycle_t now = 0; now != never; now = model.next_event(now + 1)) {
      model.do_cycle(now);
      if (now % 8 != 0) continue;
      ASSERT_TRUE(model.frozen_heads(now, 0).empty()) << spec << ", cycle " << now;
    }
    EXPECT_EQ(model.packets().alive(), 0u);
  }
}

/// A unidirectional ring of four nodes: four packets that go three links each, all at once, each on the VC that it came
/// in by.
TEST(packet_model, a_deadlock_is_seen) {
  topology_options options;
  options.vcs = 2;
  const topology t = make_topology("ucube:4,1", options);
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 2;
  packet_model model(t.wiring, std::make_shared<on_one_vc>(*t.routing), config);
  for (node_id n = 0; n < 4; ++n) model.create({n, (n + 3) % 4, 16, 0}, 0);
  cycle_t now = 0;
  for (; now != never; now = model.next_event(now + 1)) model.do_cycle(now);
  EXPECT_EQ(model.packets().alive(), 4u);
  const std::vector<segment_id> frozen = model.frozen_heads(1000, 0);
  EXPECT_EQ(frozen.size(), 4u);
  EXPECT_EQ(model.frozen_since(frozen, 1000), 5u) << "shown in 1, RC, VA, SA, sent, shown to the next router";
  EXPECT_TRUE(model.frozen_heads(1000, 5000).empty()) << "no head has waited so long";
  EXPECT_EQ(model.frozen_heads(1000, 995).size(), 4u) << "since 5";
  EXPECT_TRUE(model.frozen_heads(1000, 996).empty());
  EXPECT_EQ(model.frozen_heads(5, 0).size(), 4u);
  EXPECT_TRUE(model.frozen_heads(4, 0).empty());
}

/// Three packets of each node of the ring, of three flits: two flits in the buffer of the next router, the third one
/// before the link, where it leaves space for the head of the third packet. The second one is on the other VC.
TEST(packet_model, heads_that_are_frozen_are_described) {
  topology_options options;
  options.vcs = 2;
  const topology t = make_topology("ucube:4,1", options);
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 2;
  packet_model model(t.wiring, std::make_shared<on_one_vc>(*t.routing), config);
  std::vector<std::string> expected;
  std::vector<node_id> nodes;
  for (packet_id id = 0; id < 12; ++id) {
    const auto from = static_cast<node_id>(id % 4);
    model.create({from, (from + 3) % 4, 3, 0}, 0);
    nodes.push_back(id < 8 ? (from + 1) % 4 : from);
    expected.push_back("packet " + std::to_string(id) + " from " + std::to_string(from) + " to " +
                       std::to_string((from + 3) % 4) +
                       (id < 8 ? " waits for a VC at " : " waits behind another one at ") +
                       std::to_string(nodes.back()));
  }
  for (cycle_t now = 0; now != never; now = model.next_event(now + 1)) model.do_cycle(now);
  std::vector<std::string> said;
  std::vector<node_id> where;
  const std::vector<segment_id> frozen = model.frozen_heads(1000, 0);
  for (const segment_id head : frozen) {
    said.push_back(model.describe(head));
    where.push_back(model.node_of(head));
  }
  EXPECT_THAT(said, testing::UnorderedElementsAreArray(expected));
  EXPECT_THAT(where, testing::UnorderedElementsAreArray(nodes));
  EXPECT_EQ(model.frozen_since(frozen, 1000), 5u) << "as without those behind";
}

/// Every VC of the link may be taken.
struct on_any_vc final : routing_function {
  explicit on_any_vc(const routing_function& r) : safe(r) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = safe.route(request, options);
    for (unsigned k = 0; k < count; ++k) options[k].vcs = 3;
    return count;
  }
  unsigned state_bits() const override { return safe.state_bits(); }
  const routing_function& safe;
};

/// Whatever was frozen in a cycle is so in the next one. @returns in how many of twelve runs heads froze
unsigned run_until_frozen(const topology& t, const std::shared_ptr<const routing_function>& routing) {
  const node_id nodes = t.wiring->node_count();
  unsigned froze = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    network_config config;
    config.router.vcs = 2;
    config.router.depth = seed % 2 == 0 ? 4 : 8;
    packet_model model(t.wiring, routing, config);
    std::vector<segment_id> before;
    cycle_t since = 600;
    for (cycle_t now = 0; now < 600; ++now) {
      for (node_id n = 0; n < nodes; ++n)
        if (const std::uint64_t draw = mix(seed, n, now); draw % 16 == 0)
          model.create({n, static_cast<node_id>((draw >> 32) % nodes), 4 + static_cast<unsigned>(draw >> 8 & 15), 0},
                       now);
      model.do_cycle(now);
      std::vector<segment_id> frozen = model.frozen_heads(now, 0);
      std::sort(frozen.begin(), frozen.end());
      EXPECT_TRUE(std::includes(frozen.begin(), frozen.end(), before.begin(), before.end()))
          << "seed " << seed << ": a head that was frozen in cycle " << now - 1 << " has gone on";
      if (!frozen.empty()) {
        const cycle_t earliest = model.frozen_since(frozen, now);
        EXPECT_LE(earliest, since) << "seed " << seed << ", cycle " << now;
        std::reverse(frozen.begin(), frozen.end());
        EXPECT_EQ(model.frozen_since(frozen, now), earliest) << "in another order";
        std::reverse(frozen.begin(), frozen.end());
        since = earliest;
      }
      before = std::move(frozen);
    }
    froze += !before.empty();
    if (testing::Test::HasFailure()) break;
  }
  return froze;
}

/// A head whose VC is that of a packet that cannot go on, but whose tail comes by yet, is not frozen; nor is one that
/// may take another VC.
TEST(packet_model, what_is_frozen_stays_so) {
  topology_options options;
  options.vcs = 2;
  const topology t = make_topology("ucube:5,2", options);
  EXPECT_GT(run_until_frozen(t, std::make_shared<on_one_vc>(*t.routing)), 5u);
  EXPECT_GT(run_until_frozen(t, std::make_shared<on_any_vc>(*t.routing)), 5u);
}

}  // namespace
}  // namespace toriscope
