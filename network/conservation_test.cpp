// SPDX-License-Identifier: Apache-2.0
// A flit or credit too many, on each wire and VC and at any distance, is told with its buffer; so is a count that is
// wrong.
#include "network/conservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "network/network.h"
#include "network/simulation_context.h"
#include "network/some_packets_test.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

/// A network with two terminals at each of four routers, in the middle of its traffic.
struct bench {
  static constexpr unsigned vcs = 2, depth = 3, delay = 2;

  simulation_context context;
  simulation_context::entry here{context};
  topology made = make_topology("cmesh:2x2,2", with_vcs());
  some_packets source{8};
  wire_table* wires = nullptr;
  network_state* state = nullptr;
  std::unique_ptr<network> net;
  std::vector<node*> nodes;

  explicit bench(bool limited, bool own_depth = false, cycle_t cycles = 200) {
    for (link_id l = 0; l < made.wiring->links().size(); ++l) made.wiring->link(l).delay_cycles = delay;
    if (own_depth) {
      std::vector<own_node_values> values(4);
      values[2].depth = depth + 1;
      made.wiring->set_node_values(values);
    }
    network_config config;
    config.router.vcs = vcs;
    config.router.depth = depth;
    config.limited_reception = limited;
    config.checks = check_level::full;
    net = std::make_unique<network>("mesh", made.wiring, made.routing, config,
                                    [this](const char*, const node_context& c) {
                                      wires = &c.wires;
                                      state = &c.network;
                                      return std::unique_ptr<node>();
                                    });
    net->set_source(&source);
    net->leave_kernel({1, sc_core::SC_NS});
    while (net->cycles_done() < cycles) net->step();
    for (node_id n = 0; n < 4; ++n) nodes.push_back(&net->at(n));
  }
  static topology_options with_vcs() {
    topology_options options;
    options.vcs = vcs;
    return options;
  }
  std::string check() const { return net->check_conservation(); }
};

/// What is told of a slot too many in this buffer.
std::string told(node_id reader, const bench& b, port_id port, unsigned vc, const char* direction, unsigned depth) {
  const netlist& wiring = *b.made.wiring;
  return "credits of " + wiring.path(reader) + '.' + direction + '_' + wiring.port_name(reader, port) + ".vc" +
         std::to_string(vc) + ": " + std::to_string(depth + 1) + " slots are accounted for, the " +
         (direction == std::string("out") ? "reception " : "") + "buffer has " + std::to_string(depth);
}

TEST(conservation, a_word_too_many_is_told_with_its_buffer) {
  unsigned tried = 0;
  for (const bool limited : {false, true}) {
    const bench example(limited);
    ASSERT_EQ(example.check(), "");
    const std::size_t links = example.made.wiring->links().size();
    for (std::size_t wire = 0; wire < example.wires->size(); ++wire)
      for (unsigned vc = 0; vc < bench::vcs; ++vc)
        for (const bool credit : {false, true})
          for (unsigned ahead = 1; ahead <= (wire < links ? bench::delay : 1u); ++ahead) {
            bench b(limited, false, 60 + tried % 50);
            const netlist& wiring = *b.made.wiring;
            credit_wire* const credits = b.wires->credit(wire);
            const cycle_t shown = b.net->cycles_done() - 1 + ahead;
            if (credit && (!credits || credits->shown(shown).valid())) continue;
            if (!credit && b.wires->flit(wire).shown(shown).valid()) continue;
            if (credit)
              credits->put_back(shown, {static_cast<std::uint16_t>(1u << vc)});
            else
              b.wires->flit(wire).put_back(shown, b.state->layout.body(1, 0, false).on_vc(vc));
            ++tried;
            std::string expected;
            if (wire < links) {
              const netlist_link& l = wiring.link(static_cast<link_id>(wire));
              expected = told(l.to, b, l.to_port, vc, "in", bench::depth);
            } else if (wire < b.wires->ejection(0)) {
              const netlist_terminal t = wiring.terminal(static_cast<terminal_id>(wire - links));
              expected = told(t.node, b, t.port, vc, "in", bench::depth);
            } else if (limited) {
              const netlist_terminal t = wiring.terminal(static_cast<terminal_id>(wire - b.wires->ejection(0)));
              expected = told(t.exit, b, t.exit_port, vc, "out", bench::depth);
            } else {
              const network_counters& c = b.net->counters();
              expected = "flits: " + std::to_string(c.flits_injected) + " were injected, " +
                         std::to_string(c.flits_ejected) + " ejected, 0 discarded, and " +
                         std::to_string(c.flits_injected - c.flits_ejected + 1) + " are in the network";
            }
            EXPECT_EQ(b.check(), expected) << "wire " << wire << ", " << ahead << " cycles ahead";
          }
  }
  EXPECT_GT(tried, 150u);
}

TEST(conservation, buffers_have_the_depth_of_their_router) {
  for (const bool limited : {false, true}) {
    bench b(limited, true);
    EXPECT_EQ(b.check(), "");
    credit_wire& credits = *b.wires->credit(b.wires->injection(4));
    ASSERT_FALSE(credits.shown(200).valid());
    credits.put_back(200, {1});
    const netlist_terminal t = b.made.wiring->terminal(4);
    ASSERT_EQ(t.node, 2u);
    EXPECT_EQ(b.check(), told(t.node, b, t.port, 0, "in", bench::depth + 1));
  }
}

TEST(conservation, flits_add_up) {
  const bench b(true);
  const auto verdict = [&](const network_counters& c) {
    return check_conservation(*b.made.wiring, b.nodes, *b.wires, *b.state, c, b.net->cycles_done() - 1);
  };
  EXPECT_EQ(verdict(b.net->counters()), "");
  EXPECT_EQ(flits_inside(*b.made.wiring, b.nodes, *b.wires, *b.state, b.net->cycles_done() - 1),
            b.net->counters().flits_injected - b.net->counters().flits_ejected);
  for (auto count : {&network_counters::flits_injected, &network_counters::flits_ejected,
                     &network_counters::flits_discarded, &network_counters::flits_imported,
                     &network_counters::flits_exported}) {
    network_counters wrong = b.net->counters();
    ++(wrong.*count);
    EXPECT_THAT(verdict(wrong), testing::StartsWith("flits: "));
  }
  network_counters moved = b.net->counters();
  ++moved.flits_imported;
  ++moved.flits_exported;
  EXPECT_EQ(verdict(moved), "");
}

TEST(conservation, no_record_is_left_when_all_flits_have_arrived) {
  const bench b(false);
  network_counters counters;
  EXPECT_GT(b.state->packets.alive(), 1u);
  counters.flits_created = 10;
  counters.flits_ejected = 7;
  counters.flits_discarded = 2;
  EXPECT_EQ(check_records(*b.state, counters), "");
  ++counters.flits_discarded;
  EXPECT_EQ(check_records(*b.state, counters), "all flits have arrived; records of packets that are left: " +
                                                   std::to_string(b.state->packets.alive()));
}

}  // namespace
}  // namespace toriscope
