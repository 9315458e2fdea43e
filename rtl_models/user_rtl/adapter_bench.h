// SPDX-License-Identifier: Apache-2.0
// For tests: the middle node of a 3x3 mesh alone, with random packets at all its ports and random
// back-pressure, and a scoreboard of its own: every flit once, in order, by the right port, on a VC that is
// its packet's from head to tail, and never without a credit.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "network/network_config.h"
#include "network/node.h"
#include "rtl_models/rtl_router.h"
#include "rtl_models/user_rtl/adapter_config.h"
#include "topologies/registry.h"

namespace toriscope {

class adapter_bench {
 public:
  static constexpr node_id middle = 4;
  static constexpr unsigned ports = 5;

  /// @param spec  run() is for the default; context() is that of node 4 of any
  adapter_bench(unsigned vcs, unsigned depth, vc_reallocation reallocation = vc_reallocation::non_atomic,
                const std::string& spec = "mesh:3x3") {
    topology_options options;
    options.vcs = vcs;
    options.routing = "xy";
    made_ = make_topology(spec, options);
    config_.router.vcs = vcs;
    config_.router.depth = depth;
    config_.router.vc_reallocation = reallocation;
    kinds_ = std::make_unique<router_kinds>(*made_.wiring, config_);
    wires_ = std::make_unique<wire_table>(*made_.wiring, config_, *kinds_, one_part_);
    network_ = std::make_unique<network_state>(config_.router, flit_layout(made_.wiring->terminal_count(), 0),
                                               *made_.routing, made_.wiring->node_count(), 8);
    for (unsigned p = 0; p < ports; ++p) {
      inputs_[p].credits.assign(vcs, depth);
      inputs_[p].open.resize(vcs);
      outputs_[p].held.assign(vcs, 0);
      outputs_[p].owner.assign(vcs, no_packet);
    }
  }

  const netlist& wiring() const { return *made_.wiring; }
  const routing_function& routing() const { return *made_.routing; }
  const network_config& config() const { return config_; }
  node_context context() { return {middle, *made_.wiring, *network_, *wires_, *kinds_}; }

  /// Offers packets for `busy` cycles, then waits until all have left. @returns cycles taken
  /// @param rate    probability that an idle input VC starts a packet
  /// @param return_rate  probability that a flit downstream gives its slot back in a cycle
  unsigned run(rtl_router& router, unsigned busy, double rate, double return_rate) {
    unsigned cycle = 0;
    for (; cycle < busy || (under_way_ > 0 && cycle < 100 * busy); ++cycle) {
      for (port_id p = 0; p < ports; ++p) {
        router.set_flit(p, next_flit(inputs_[p], p, cycle < busy ? rate : 0));
        if (p + 1u < ports) router.set_credit(p, returned(outputs_[p], return_rate));
      }
      router.clock_edge();
      for (port_id p = 0; p < ports; ++p) {
        take(outputs_[p], p, router.flit(p));
        for (unsigned v = 0; v < config_.router.vcs; ++v)
          if (router.credit(p).vcs >> v & 1u) ++inputs_[p].credits[v];
      }
    }
    return cycle;
  }
  unsigned long packets() const { return network_->packets.created(); }
  unsigned long under_way() const { return under_way_; }

  /// All slots of its buffers have been given back.
  void expect_all_credits() const {
    for (const input& in : inputs_)
      for (const unsigned credits : in.credits) EXPECT_EQ(credits, config_.router.depth);
  }

 private:
  struct input {
    std::vector<unsigned> credits;
    std::vector<std::deque<flit_word>> open;  ///< of the packet on each VC
  };
  struct output {
    std::vector<unsigned> held;  ///< flits downstream
    std::vector<packet_id> owner;
  };
  struct expected {
    port_id out;
    std::deque<flit_word> flits;
  };

  double draw() { return std::uniform_real_distribution<>(0, 1)(random_); }

  /// Whether an XY route may come in there. @returns the port by which it goes on
  bool passes(port_id in, node_id destination, port_id& out) const {
    route_option option;
    made_.routing->route({middle, in, 0, destination, 0}, &option);
    out = option.out_port;
    const bool from_y = made_.wiring->port_name(middle, in)[0] == 'y';
    return out == 4 || (out != in && !(from_y && made_.wiring->port_name(middle, out)[0] == 'x'));
  }

  void start(input& in, port_id p, unsigned vc) {
    port_id out = 0;
    node_id to = 0;
    do to = static_cast<node_id>(random_() % 9);
    while (!passes(p, to, out));
    const auto length = static_cast<std::uint32_t>(1 + random_() % 6);
    const packet_id id = network_->packets.create({static_cast<node_id>(random_() % 9), to, length}, 0);
    const flit_layout& layout = network_->layout;
    for (unsigned i = 0; i < length; ++i) {
      const flit_word f = i == 0 ? layout.head(to, 0, layout.tag_of(id), length == 1)
                                 : layout.body(i, layout.tag_of(id), i + 1 == length);
      in.open[vc].push_back(f.on_vc(vc));
      expected_[id].flits.push_back(f);
    }
    expected_[id].out = out;
    ++under_way_;
  }

  flit_word next_flit(input& in, port_id p, double rate) {
    const unsigned vc = static_cast<unsigned>(random_() % in.open.size());
    if (in.open[vc].empty() && draw() < rate) start(in, p, vc);
    if (in.open[vc].empty() || in.credits[vc] == 0) return {};
    --in.credits[vc];
    const flit_word f = in.open[vc].front();
    in.open[vc].pop_front();
    return f;
  }

  credit_word returned(output& out, double rate) {
    credit_word credits;
    for (unsigned v = 0; v < out.held.size(); ++v)
      if (out.held[v] > 0 && draw() < rate) {
        --out.held[v];
        credits.vcs = static_cast<std::uint16_t>(credits.vcs | 1u << v);
      }
    return credits;
  }

  void take(output& out, port_id p, flit_word f) {
    if (!f.valid()) return;
    const packet_id id = network_->packet_of(f);
    const unsigned v = f.vc();
    ASSERT_LT(v, config_.router.vcs);
    const auto found = expected_.find(id);
    ASSERT_NE(found, expected_.end()) << "packet " << id << " left again";
    EXPECT_EQ(found->second.out, p) << "packet " << id;
    EXPECT_EQ(found->second.flits.front().on_vc(0).bits, f.on_vc(0).bits) << "packet " << id;
    EXPECT_EQ(out.owner[v], f.head() ? no_packet : id) << "port " << +p << ", VC " << v;
    out.owner[v] = f.tail() ? no_packet : id;
    if (p + 1u < ports) {
      if (f.head() && config_.router.vc_reallocation == vc_reallocation::atomic) {
        EXPECT_EQ(out.held[v], 0u) << "flits of another packet are on the VC";
      }
      EXPECT_LE(++out.held[v], config_.router.depth) << "no credit";
    }
    found->second.flits.pop_front();
    EXPECT_EQ(found->second.flits.empty(), f.tail());
    if (!f.tail()) return;
    expected_.erase(found);
    network_->packets.retire(id);
    --under_way_;
  }

  topology made_;
  network_config config_;
  std::unique_ptr<router_kinds> kinds_;
  const node_ranges one_part_;
  std::unique_ptr<wire_table> wires_;
  std::unique_ptr<network_state> network_;
  std::mt19937_64 random_{3};
  input inputs_[ports];
  output outputs_[ports];
  std::map<packet_id, expected> expected_;
  unsigned long under_way_ = 0;
};

/// Those of a router whose ports are called west, east, south, north and local.
inline std::vector<adapter_config::port> ports_of_middle(const netlist& wiring) {
  std::vector<adapter_config::port> ports{{"local", wiring.local_port(adapter_bench::middle)}};
  for (const auto& [user_name, model_name] :
       {std::pair("north", "y+"), {"south", "y-"}, {"east", "x+"}, {"west", "x-"}})
    ports.insert(ports.begin(), {user_name, wiring.port_named(adapter_bench::middle, model_name)});
  return ports;
}

}  // namespace toriscope
