// SPDX-License-Identifier: Apache-2.0
// A flit or credit too many, on each wire and VC and at any distance, is told with its buffer; so is a count that is
// wrong.
#include "network/conservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "network/simulation_context.h"
#include "network/some_packets_test.h"
#include "topologies/registry.h"

namespace toriscope::conservation_test {
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

TEST(conservation, is_checked_in_each_cycle_where_that_is_asked_for) {
  for (const std::uint64_t too_many : {0u, 1u}) {
    bench b(false);
    b.state->counters.flits_imported += too_many;
    b.net->step();
    ASSERT_EQ(b.net->failure() != nullptr, too_many == 1);
    if (too_many == 0) continue;
    EXPECT_THAT(b.net->failure()->message, testing::StartsWith("broken invariant in cycle 200: flits: "));
    EXPECT_EQ(b.net->failure()->cycle, 200u);
    EXPECT_EQ(b.net->failure()->nodes, std::vector<node_id>{0});
    b.net->step();
    EXPECT_EQ(b.net->cycles_done(), 201u);
  }
}

/// The first of two ranks, of which the other one says what the test gives it to say.
class given_words final : public process_transport {
 public:
  unsigned rank() const override { return 0; }
  unsigned ranks() const override { return 2; }
  void exchange(const rank_words& out, rank_words& in) override {
    in = {{}, said.empty() ? std::vector<std::uint64_t>(out[1].size()) : said};
    told = out[1];
  }
  double waiting_cpu_seconds() const override { return 0; }
  void finish() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }

  std::vector<std::uint64_t> said, told;
};

// Each rank has its side of the links between them: by link and VC what it accounts for, then its flits and records.
TEST(conservation, adds_up_what_ranks_have_of_the_links_between_them) {
  topology_options options;
  options.vcs = 3;
  const topology mesh = make_topology("mesh:2x1", options);
  const netlist& wiring = *mesh.wiring;
  for (link_id l = 0; l < 2; ++l) mesh.wiring->link(l).delay_cycles = 9;
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.router.vcs = 3;
  config.router.depth = 5;
  given_words other;
  partition part;
  part.transport = &other;
  part.rank_of = {0, 1};
  network net("mesh", mesh.wiring, mesh.routing, config, {}, part);
  net.leave_kernel({1, sc_core::SC_NS});
  for (unsigned cycle = 0; cycle < 3; ++cycle) net.step();
  std::vector<std::uint64_t> own, rest;  // all slots are with the sender
  for (link_id l = 0; l < 2; ++l)
    for (unsigned v = 0; v < 3; ++v) {
      own.push_back(wiring.link(l).from == 0 ? 5 : 0);
      rest.push_back(5 - own.back());
    }
  for (std::vector<std::uint64_t>* words : {&own, &rest}) words->insert(words->end(), {0, 0});
  const auto verdict = [&](std::size_t place, std::uint64_t more) {
    other.said = rest;
    other.said[place] += more;
    return net.check_conservation();
  };
  EXPECT_EQ(verdict(0, 0), "");
  EXPECT_EQ(other.told, own);
  for (std::size_t place = 0; place < 6; ++place) {
    const netlist_link& link = wiring.link(static_cast<link_id>(place / 3));
    EXPECT_EQ(verdict(place, 2), "credits of " + wiring.path(link.to) + ".in_" +
                                     wiring.port_name(link.to, link.to_port) + ".vc" + std::to_string(place % 3) +
                                     ": 7 slots are accounted for, the buffer has 5");
  }
  EXPECT_EQ(verdict(6, 4), "") << "flits are under way";
  EXPECT_EQ(verdict(7, 4), "all flits have arrived; records of packets that are left: 4");
  rest[6] = 3;
  EXPECT_EQ(verdict(7, 4), "") << "of packets that are under way";
}

}  // namespace
}  // namespace toriscope::conservation_test
