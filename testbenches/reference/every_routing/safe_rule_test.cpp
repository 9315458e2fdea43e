// SPDX-License-Identifier: Apache-2.0
// What `safe` promises beside freedom from deadlock: no proven rule of the same network carries more, and no virtual
// channel is idle but those that the proof says no packet may take. Small networks; with TORISCOPE_LONG=1 in the
// environment larger ones, and more numbers of VCs.
#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <systemc>

#include "base/words.h"
#include "network/network.h"
#include "testbenches/reference/child_process.h"
#include "testbenches/reference/every_routing/routed_networks.h"
#include "testbenches/reference/tier.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope::safe_rule_test {
namespace {

/// Notes in which input VCs heads have stood: which VCs of which links have carried packets.
class noted_routing final : public routing_function {
 public:
  noted_routing(const netlist& net, std::shared_ptr<const routing_function> inner)
      : net_(net), inner_(std::move(inner)), carried_(net.links().size(), 0) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const port_range ports = net_.ports(request.node);
    if (request.in_port < ports.size()) carried_[ports[request.in_port].in] |= 1u << request.in_vc;
    return inner_->route(request, options);
  }
  unsigned state_bits() const override { return inner_->state_bits(); }
  route_state injection_states() const override { return inner_->injection_states(); }
  unsigned options_at_most() const override { return inner_->options_at_most(); }
  vc_mask escape_vcs() const override { return inner_->escape_vcs(); }

  const std::vector<unsigned>& carried() const { return carried_; }

 private:
  const netlist& net_;
  std::shared_ptr<const routing_function> inner_;
  mutable std::vector<unsigned> carried_;  ///< by link, a bit for each VC
};

struct load {
  double rate;
  const char* lengths;
  cycle_t warmup;
  cycle_t cycles;
};

/// Uniform traffic in the network of the registry, four_stage, 8 flits per VC. In a process of its own.
/// @param is_enough  asked every 1000 cycles whether to stop
/// @return the share of the offered flits that is accepted
double accepted_share(const topology& made, const std::shared_ptr<const routing_function>& routing, unsigned vcs,
                      const load& l, const std::function<bool()>& is_enough = [] { return false; }) {
  network_config config;
  config.router.vcs = vcs;
  config.router.depth = 8;
  config.router.pipeline = pipeline::four_stage;
  if (has_escape(*routing, vcs)) config.router.vc_reallocation = vc_reallocation::atomic;
  synthetic_source::config traffic;
  traffic.rate_flits_per_node_cycle = l.rate;
  traffic.lengths = packet_lengths(l.lengths);
  synthetic_source source(made.wiring->terminal_count(), make_pattern("uniform", made.wiring, {}), traffic);
  auto& clock = reference::keep(std::make_unique<sc_core::sc_clock>("clock", 1, sc_core::SC_NS));
  auto& net = reference::keep(std::make_unique<network>("net", made.wiring, routing, config));
  net.clk(clock);
  net.set_source(&source);
  sc_core::sc_start(static_cast<double>(l.warmup), sc_core::SC_NS);
  const auto created = net.counters().flits_created;
  const auto received = net.counters().flits_ejected;
  for (cycle_t cycle = 0; cycle < l.cycles && !is_enough(); cycle += 1000) sc_core::sc_start(1000, sc_core::SC_NS);
  return static_cast<double>(net.counters().flits_ejected - received) /
         static_cast<double>(net.counters().flits_created - created);
}

/// Whether the network keeps up with that load: accepts 98 % of it. In windows that are too short, chance is
/// as large as the 3 % between rules.
bool keeps_up(const std::string& spec, const topology_options& options, double rate) {
  const std::string share = reference::run_in_child([&] {
    const topology made = make_topology(spec, options);
    return std::to_string(accepted_share(made, made.routing, options.vcs,
                                         {rate, "16", 5000, is_long_tier() ? 40000u : 10000u}));
  });
  return std::stod(share) >= 0.98;
}

struct rules_case {
  std::string spec;
  topology_options options;
  std::vector<unsigned> vcs;
  double low, high;  ///< it saturates between
};

void PrintTo(const rules_case& c, std::ostream* out) { *out << c.spec << " links " << c.options.links; }

std::vector<rules_case> rules_cases() {
  const auto with = [](const char* links, const char* gates = "") {
    topology_options options;
    options.links = links;
    options.gates = gates;
    return options;
  };
  std::vector<rules_case> list{{"torus:4x4", with("U"), {2, 4}, 0.2, 0.9},
                               {"torus:5x5", with("U"), {3}, 0.2, 0.9},
                               {"torus:8x8", with("U"), {4}, 0.3, 0.7},
                               {"ucube:4,2", with("U"), {2, 4}, 0.1, 0.6}};
  if (!is_long_tier()) return list;
  for (const char* links : {"U", "B"})
    for (const char* spec : {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,2,2", "tesh:2,2,0", "tesh:2,2,2"})
      list.push_back({spec, with(links), {3, 4, 6}, 0.01, 0.4});
  list.push_back({"sttn:2,2,0", with("U"), {3, 4, 6}, 0.01, 0.4});
  list.push_back({"sttn:2,2,0", with("B"), {4, 6}, 0.01, 0.4});  // no rule for 3 VCs is proven
  list.push_back({"torus:8x8", with("U"), {2, 3, 8}, 0.2, 0.8});
  list.push_back({"torus:16x16", with("U"), {4}, 0.1, 0.5});
  list.push_back({"htn:4,4,2,0", with("U"), {3, 4}, 0.01, 0.16});
  list.push_back({"mh3dt:4,2,2,0", with("U"), {3, 5}, 0.01, 0.08});
  return list;
}

/// Rules proven for that network, on any number of VCs up to `vcs`, without the one that safe has chosen.
std::set<std::pair<unsigned, std::string>> other_rules(const rules_case& c, unsigned vcs,
                                                       const std::string& safe) {
  std::set<std::pair<unsigned, std::string>> found;
  for (const vc_rule_kind& rule : vc_rules())
    for (unsigned fewer = 1; fewer <= vcs; ++fewer) {
      topology_options options = c.options;
      options.vcs = fewer;
      options.vc_rule = rule.name;
      try {
        const topology made = make_topology(c.spec, options);
        if (made.choice.vc_rule == safe && fewer == vcs) continue;
        if (prove(*made.wiring, *made.routing, fewer).outcome == proof_outcome::proven)
          found.emplace(fewer, made.choice.vc_rule);
      } catch (const std::invalid_argument&) {  // not made for it, or for more VCs
      }
    }
  return found;
}

class safe_rule : public testing::TestWithParam<rules_case> {};

TEST_P(safe_rule, saturates_no_sooner_than_any_proven_rule) {
  const rules_case& c = GetParam();
  for (const unsigned vcs : c.vcs) {
    topology_options options = c.options;
    options.vcs = vcs;
    const std::string safe = make_topology(c.spec, options).choice.vc_rule;
    double low = c.low;
    double high = c.high;
    while (high - low > 0.015 * high) {
      const double rate = (low + high) / 2;
      (keeps_up(c.spec, options, rate) ? low : high) = rate;
    }
    ASSERT_GT(low, c.low) << c.spec;
    ASSERT_LT(high, c.high) << c.spec << " with " << vcs << " VCs carries more than was searched";
    for (const auto& [fewer, rule] : other_rules(c, vcs, safe)) {
      topology_options others = options;
      others.vcs = fewer;
      others.vc_rule = rule;
      EXPECT_FALSE(keeps_up(c.spec, others, 1.03 * high))
          << c.spec << ": " << rule << " on " << fewer << " VCs keeps up with 1.03 x " << high << ", where " << safe
          << " on " << vcs << " saturates";
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<rules_case>& c) {
  return indexed_test_name(c.index, c.param.spec + "_" + c.param.options.links);
}

INSTANTIATE_TEST_SUITE_P(all, safe_rule, testing::ValuesIn(rules_cases()), name_of_case);

std::string in_digits(const std::vector<unsigned>& vcs_of_links) {
  std::string digits;
  for (const unsigned vcs : vcs_of_links)
    for (unsigned d = 0; d < 4; ++d) digits += "0123456789abcdef"[vcs >> (12 - 4 * d) & 15];
  return digits;
}

/// The VCs that packets of uniform traffic have taken, by link: four hexadecimal digits each. It ends when they are all
/// that packets may take.
std::string taken_by_uniform_traffic(const routed_network& n, const std::vector<vc_mask>& allowed) {
  const topology made = make_topology(n.spec, n.options);
  const auto noted = std::make_shared<noted_routing>(*made.wiring, made.routing);
  accepted_share(made, noted, n.options.vcs, {0.5, "1", 0, is_long_tier() ? 400000u : 100000u}, [&] {
    return std::equal(allowed.begin(), allowed.end(), noted->carried().begin(),
                      [](vc_mask may, unsigned carried) { return (may & ~carried) == 0; });
  });
  return in_digits(noted->carried());
}

/// The same of bursts that `send` hands over.
std::string taken_by_bursts(const routed_network& n, const std::function<void(const netlist&, network&)>& send) {
  const topology made = make_topology(n.spec, n.options);
  const auto noted = std::make_shared<noted_routing>(*made.wiring, made.routing);
  network_config config;
  config.router.vcs = n.options.vcs;
  if (has_escape(*noted, n.options.vcs)) config.router.vc_reallocation = vc_reallocation::atomic;
  auto& clock = reference::keep(std::make_unique<sc_core::sc_clock>("clock", 1, sc_core::SC_NS));
  auto& net = reference::keep(std::make_unique<network>("net", made.wiring, noted, config));
  net.clk(clock);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  send(*made.wiring, net);
  return in_digits(noted->carried());
}

void send_packet(network& net, node_id source, node_id destination, unsigned flits) {
  packet_request packet{};
  packet.source = source;
  packet.destination = destination;
  packet.flits = flits;
  net.send(packet);
}

node_id nodes_of_module(const netlist& wiring) {
  if (!wiring.has_plain_terminals()) return wiring.terminal_count();
  node_id module = 1;
  for (unsigned d = 0; d < wiring.hierarchy().back().digits; ++d)
    module *= wiring.radices()[wiring.radices().size() - 1 - d];
  return module;
}

/// Many packets between all nodes of each basic module: all nodes, where there are no modules.
void send_within_modules(const netlist& wiring, network& net) {
  const node_id module = nodes_of_module(wiring);
  for (unsigned repeated = 0; repeated < 100; ++repeated)
    for (terminal_id source = 0; source < wiring.terminal_count(); ++source)
      for (node_id i = 0; i < module; ++i)
        send_packet(net, source, source / module * module + (source + i * (2 * repeated + 1)) % module, 1);
  sc_core::sc_start(20000, sc_core::SC_NS);
}

/// From each node to those at its place in the other modules, by all nodes alike: the links between two modules are
/// full, and a routing with a second choice takes it.
void send_between_modules(const netlist& wiring, network& net) {
  const node_id module = nodes_of_module(wiring);
  const node_id modules = wiring.node_count() / module;
  for (node_id step = 1; step < modules; ++step) {
    for (unsigned repeated = 0; repeated < 100; ++repeated)
      for (node_id source = 0; source < wiring.node_count(); ++source)
        send_packet(net, source, (source + step * module) % wiring.node_count(), 16);
    sc_core::sc_start(100000, sc_core::SC_NS);
  }
}

/// "vc 1 of 00.x+" for each VC of a link that no packet has taken and some packet may take.
std::string idle_vcs(const routed_network& n) {
  const topology made = make_topology(n.spec, n.options);
  const netlist& net = *made.wiring;
  std::vector<vc_mask> idle = vcs_allowed(made, n.options.vcs);
  std::string wrong;
  const auto run = [&](auto&& taken_by) {
    if (std::all_of(idle.begin(), idle.end(), [](vc_mask vcs) { return vcs == 0; })) return;
    const std::string digits = reference::run_in_child(taken_by);
    if (digits.size() != 4 * idle.size()) return void(wrong += digits);
    for (link_id l = 0; l < idle.size(); ++l)
      idle[l] = static_cast<vc_mask>(idle[l] & ~std::stoul(digits.substr(4 * l, 4), nullptr, 16));
  };
  run([&] { return taken_by_uniform_traffic(n, idle); });
  run([&] { return taken_by_bursts(n, send_within_modules); });
  // Only a routing that selects among links has a class that no first choice brings to a link.
  if (begins_with(n.options.routing, "ls")) run([&] { return taken_by_bursts(n, send_between_modules); });
  for (link_id l = 0; l < idle.size(); ++l) {
    const netlist_link& wire = net.link(l);
    if (idle[l] != 0)
      wrong += "vc " + in_words(idle[l]) + " of " + net.address(wire.from) + "." +
               net.port_name(wire.from, wire.from_port) + "; ";
  }
  return wrong;
}

class vcs_at_saturation : public testing::TestWithParam<routed_network> {};

TEST_P(vcs_at_saturation, all_carry_packets) { EXPECT_EQ(idle_vcs(GetParam()), ""); }

std::vector<routed_network> networks_of_this_tier() {
  std::vector<routed_network> list;
  for (const routed_network& n : routed_networks())
    if (is_long_tier() || make_topology(n.spec, n.options).wiring->node_count() <= 64) list.push_back(n);
  return list;
}

INSTANTIATE_TEST_SUITE_P(all, vcs_at_saturation, testing::ValuesIn(networks_of_this_tier()), name_of_test);

}  // namespace
}  // namespace toriscope::safe_rule_test
