// SPDX-License-Identifier: Apache-2.0
// Links that die at random (docs/model.md, "Dead links"): every packet is received, refused or discarded, as
// an oracle of the test's own says; the network drains; nothing is lost from flits or credits.
//
//   oracle   refused: a fixpoint over (node, input port, VC, state), from the destination's side of the
//            definition; received and discarded: by the reports, each packet exactly one
//   tiers    100 networks, 1,000 with TORISCOPE_LONG=1
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <tuple>

#include "network/network.h"
#include "testbenches/reference/failures/hierarchical_torus.h"
#include "testbenches/reference/failures/west_first.h"
#include "testbenches/reference/tier.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

constexpr cycle_t traffic_ends = 300;

struct family {
  const char* name;
  unsigned vcs;
  topology (*make)(unsigned vcs);
};

topology of_registry(const char* spec, unsigned vcs, const char* routing = "") {
  topology_options options;
  options.vcs = vcs;
  options.routing = routing;
  return make_topology(spec, options);
}

const family families[] = {
    {"torus", 2, [](unsigned vcs) { return of_registry("torus:5x4", vcs); }},
    {"mesh", 2, [](unsigned vcs) { return of_registry("mesh:4x5", vcs); }},
    {"ttn", 4, [](unsigned vcs) { return of_registry("ttn:2,2,0", vcs); }},
    {"htn", 6, [](unsigned) { return make_hierarchical_torus(); }},
    {"adaptive", 3,
     [](unsigned vcs) {
       topology mesh = of_registry("mesh:5x5", vcs);
       mesh.routing = make_west_first(mesh.wiring, vcs);
       return mesh;
     }},
    {"queues", 4, [](unsigned vcs) { return of_registry("ring:6", vcs, "ugal"); }},
};

/// Whether the options lead from source to destination, said in the plainest way: all that can be reached.
bool reaches(const topology& t, unsigned vcs, const std::vector<dead_link>& deaths, cycle_t now,
             node_id source, node_id destination, route_state state) {
  std::set<std::tuple<node_id, unsigned, unsigned, route_state>> seen;
  std::vector<route_request> work;
  const netlist& net = *t.wiring;
  for (unsigned v = 0; v < vcs; ++v)
    work.push_back({source, net.local_port(source), static_cast<std::uint8_t>(v), destination, state});
  while (!work.empty()) {
    const route_request r = work.back();
    work.pop_back();
    if (r.node == destination) return true;
    if (!seen.insert({r.node, r.in_port, r.in_vc, r.state}).second) continue;
    route_option options[routing_function::max_options];
    const unsigned count = t.routing->route(r, options);
    for (unsigned i = 0; i < count; ++i) {
      const link_id l = net.ports(r.node)[options[i].out_port].out;
      bool dead = false;
      for (const dead_link& d : deaths) dead |= d.link == l && d.from_cycle <= now;
      if (dead) continue;
      for (unsigned v = 0; v < vcs; ++v)
        if (options[i].vcs >> v & 1u)
          work.push_back({net.link(l).to, net.link(l).to_port, static_cast<std::uint8_t>(v), destination,
                          options[i].state});
    }
  }
  return false;
}

/// A network with random failures, random traffic, and what was reported of it.
class scenario : public traffic_source, public packet_sink {
 public:
  explicit scenario(unsigned number)
      : number_(number), random_(number), family_(families[number % std::size(families)]) {
    made_ = family_.make(family_.vcs);
    network_config config;
    const unsigned kind = number / std::size(families) % 4;
    config.router.vcs = family_.vcs;
    config.router.depth = 1 + draw(8);
    if (kind == 0) config.router.pipeline = pipeline::single_cycle;
    if (kind == 1) {
      config.router.pipeline = pipeline::paper2009;
      config.router.depth = 1;
    }
    if (kind == 3) {
      config.router.va_allocator = draw(2) ? allocator_kind::islip : allocator_kind::output_first;
      config.router.sa_allocator = draw(2) ? allocator_kind::islip : allocator_kind::output_first;
      config.router.speculative = draw(2) == 1;
    }
    config.router.vc_reallocation = draw(2) ? vc_reallocation::non_atomic : vc_reallocation::atomic;
    if (draw(4) == 0) config.checks = check_level::full;
    const std::size_t links = made_.wiring->links().size();
    for (unsigned dead = 1 + draw(5); dead > 0; --dead)
      config.dead_links.push_back({static_cast<link_id>(draw(static_cast<unsigned>(links))),
                                   draw(2) ? 0u : 1 + draw(static_cast<unsigned>(traffic_ends))});
    for (link_id l = 0; l < links; ++l) {
      made_.wiring->link(l).delay_cycles = static_cast<std::uint16_t>(1 + draw(3));
      if (draw(8) == 0) made_.wiring->link(l).flit_cycles = static_cast<std::uint8_t>(1 + draw(4));
    }
    net = std::make_unique<network>(("n" + std::to_string(number)).c_str(), made_.wiring, made_.routing,
                                    config);
    net->keep_simulating_after_failure();
    net->set_source(this);
    net->add_sink(this);
  }

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now >= traffic_ends) return;
    const unsigned nodes = made_.wiring->node_count();
    // Hierarchical networks take in little.
    for (unsigned i = 0; i < (nodes > 100 ? 1 : nodes / 16 + 1); ++i) {
      if (draw(4) == 0) continue;
      const packet_request request{draw(nodes), draw(nodes), 1 + draw(12)};
      out.push_back(request);
      const bool connected =
          request.source == request.destination ||
          reaches(made_, family_.vcs, net->config().dead_links, now, request.source, request.destination,
                  drawn_state(static_cast<packet_id>(packets_.size()), made_.routing->injection_states()));
      packets_.push_back({request, connected});
    }
  }
  void packet_received(packet_id id, const packet_record& record, cycle_t) override {
    expect(id, record, packets_.at(id).connected, "received");
    ++received;
  }
  void packet_refused(packet_id id, const packet_record& record) override {
    expect(id, record, !packets_.at(id).connected, "refused");
    ++refused;
  }
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t when) override {
    expect(id, record, packets_.at(id).connected, "discarded");
    ++discarded;
    bool dead = false;
    for (const dead_link& d : net->config().dead_links)
      dead |= d.link == made_.wiring->ports(where)[wanted].out && d.from_cycle <= when;
    if (!dead) wrong += " discarded at a port that is not dead;";
  }

  std::string verdict() {
    if (net->failure()) wrong += " " + net->failure()->message;
    if (!net->idle()) wrong += " not drained;";
    for (std::size_t id = 0; id < packets_.size(); ++id)
      if (packets_[id].fates != 1) wrong += " packet " + std::to_string(id) + " has no fate;";
    wrong += net->check_conservation();
    const network_counters& c = net->counters();
    std::uint64_t flits = 0;
    for (const fate& p : packets_) flits += p.connected ? p.request.flits : 0;
    if (c.flits_created != flits || c.flits_ejected + c.flits_discarded != flits ||
        c.packets_discarded != discarded || c.packets_refused != refused || c.packets_received != received)
      wrong += " counters;";
    return wrong.empty() ? "" : std::to_string(number_) + " (" + family_.name + "):" + wrong;
  }

  std::unique_ptr<network> net;
  std::uint64_t received = 0, refused = 0, discarded = 0;

 private:
  struct fate {
    packet_request request;
    bool connected;
    unsigned fates = 0;
  };

  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

  void expect(packet_id id, const packet_record& record, bool right, const char* what) {
    fate& p = packets_.at(id);
    ++p.fates;
    const bool same = record.source == p.request.source && record.destination == p.request.destination &&
                      record.flits == p.request.flits;
    if (!right || !same) wrong += " packet " + std::to_string(id) + " " + what + ";";
  }

  unsigned number_;
  std::mt19937 random_;
  const family& family_;
  topology made_;
  std::vector<fate> packets_;
  std::string wrong;
};

TEST(dead_links, the_test_networks_are_free_of_deadlock) {
  const topology htn = make_hierarchical_torus();
  EXPECT_TRUE(find_channel_dependencies(*htn.wiring, *htn.routing, 6).acyclic());
  const topology mesh = families[4].make(3);
  EXPECT_TRUE(find_channel_dependencies(*mesh.wiring, *mesh.routing, 3).acyclic());
}

TEST(dead_links, every_packet_is_received_refused_or_discarded) {
  const unsigned count = is_long_tier() ? 1000 : 50;
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  std::vector<scenario*> all;  // never destroyed: SystemC takes many modules apart in quadratic time
  for (unsigned i = 0; i < count; ++i) {
    all.push_back(new scenario(i));
    all.back()->net->clk(clock);
  }
  sc_core::sc_start(sc_core::sc_time(traffic_ends, sc_core::SC_NS));
  for (int looks = 0; looks < 200; ++looks) {
    bool idle = true;
    for (const scenario* s : all) idle &= s->net->idle() || s->net->failure();
    if (idle) break;
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  }
  std::uint64_t received = 0, refused = 0, discarded = 0;
  for (scenario* s : all) {
    EXPECT_EQ(s->verdict(), "");
    received += s->received;
    refused += s->refused;
    discarded += s->discarded;
  }
  EXPECT_GT(received, 50 * count);
  EXPECT_GT(refused, count);
  EXPECT_GT(discarded, count / 4);
  RecordProperty("received", std::to_string(received));
  std::printf("%llu received, %llu refused, %llu discarded\n", static_cast<unsigned long long>(received),
              static_cast<unsigned long long>(refused), static_cast<unsigned long long>(discarded));
}

}  // namespace
}  // namespace toriscope
