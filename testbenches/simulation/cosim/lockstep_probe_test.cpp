// SPDX-License-Identifier: Apache-2.0
// Model and RTL side by side, the RTL a script: what it is shown, what is compared and counted, and in which words a
// difference is told.
#include "testbenches/simulation/cosim/lockstep_probe.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "testbenches/simulation/cosim/bit_fault.h"
#include "testbenches/simulation/cosim/scripted_rtl_test.h"

namespace toriscope {
namespace {

using pins = pin_difference::pins;

TEST(lockstep_probe, shows_the_rtl_what_the_model_is_shown_and_compares_all_pins) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row;
  row.write_as_the_model();
  std::vector<std::pair<node_id, cycle_t>> disturbed, expected_disturbed;
  row.probe.interfere([&](const probed_node& node, rtl_router& rtl, cycle_t now) {
    EXPECT_EQ(&rtl, row.rtl.at(node.id()));
    disturbed.emplace_back(node.id(), now);
  });
  std::vector<std::tuple<node_id, cycle_t, unsigned>> compared, expected;
  row.probe.listen([&](const port_comparison& c) {
    compared.emplace_back(c.node, c.cycle, c.rtl_port);
    EXPECT_EQ(c.model_flit, c.rtl_flit);
    EXPECT_EQ(c.model_credit, c.rtl_credit);
  });
  row.run_ten_cycles();
  EXPECT_EQ(row.probe.mismatches(), 0u);
  EXPECT_FALSE(row.probe.first());
  EXPECT_EQ(row.probe.router_cycles(), 2 * 10u);
  EXPECT_EQ(row.probe.pins_compared(), 2 * 10u * row.ports() * (64 + 2));
  for (const node_id n : {1u, 2u})
    for (cycle_t now = 0; now < 10; ++now) {
      expected_disturbed.emplace_back(n, now);
      for (unsigned q = 0; q < row.ports(); ++q) {
        expected.emplace_back(n, now, q);
        const bool comes = n == 1 && q == row.incoming() && (now == 2 || now == 3);
        const flit_word shown = !comes ? flit_word{} : now == 2 ? row.head() : row.tail();
        EXPECT_EQ(row.rtl.at(n)->shown.at(now).flits[q], shown) << n << ' ' << now << ' ' << q;
        EXPECT_EQ(row.rtl.at(n)->shown.at(now).credits[q], credit_word{}) << n << ' ' << now << ' ' << q;
      }
    }
  const auto by_node = [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); };
  std::stable_sort(disturbed.begin(), disturbed.end(), by_node);
  std::stable_sort(compared.begin(), compared.end(), by_node);
  EXPECT_EQ(disturbed, expected_disturbed);
  EXPECT_EQ(compared, expected);
}

/// The router of node 2 is shown the flits of its interface in 1 and 2 and sends them on, and credits back; those of
/// node 1 come in 3 and 4. The RTL sends nothing.
TEST(lockstep_probe, shows_the_rtl_credits) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row;
  row.source.from = 2;
  row.run_ten_cycles();
  EXPECT_EQ(row.probe.mismatches(), 8u) << "two flits and two credits of each";
  port_id outgoing = 0;
  for (const netlist_link& l : row.wiring().links())
    if (l.from == 2) outgoing = l.from_port;
  for (cycle_t now = 0; now < 10; ++now)
    for (unsigned q = 0; q < row.ports(); ++q) {
      const scripted_rtl::pins& of_1 = row.rtl.at(1)->shown.at(now);
      const scripted_rtl::pins& of_2 = row.rtl.at(2)->shown.at(now);
      EXPECT_EQ(of_1.flits[q].valid(), q == row.incoming(2) && (now == 2 || now == 3)) << now << ' ' << q;
      EXPECT_EQ(of_1.credits[q].vcs, 0u) << now << ' ' << q;
      if (row.probe.port_of(2, q) >= row.wiring().port_count(2)) continue;  // tied off: never driven
      EXPECT_EQ(of_2.flits[q].valid(), q == row.local() && (now == 1 || now == 2)) << now << ' ' << q;
      EXPECT_EQ(of_2.credits[q].vcs, q == outgoing && (now == 3 || now == 4) ? 1u : 0u) << now << ' ' << q;
    }
}

TEST(lockstep_probe, does_all_cycles_of_nodes_in_which_nothing_happens) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row;
  row.source.from = 1;
  row.run_ten_cycles();
  for (const node_id n : {1u, 2u}) EXPECT_EQ(row.rtl.at(n)->shown.size(), 10u) << n;
  EXPECT_EQ(row.probe.router_cycles(), 20u);
  EXPECT_EQ(row.probe.mismatches(), 0u);
}

TEST(lockstep_probe, keeps_the_first_difference_and_counts_all) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row;
  row.scripts[1].flits = {{{2, row.local()}, row.head().on_vc(1)}};  // and no tail
  row.scripts[1].credits = {{{2, row.incoming()}, {2}}, {{3, row.incoming()}, {3}}};
  row.scripts[2].flits = {{{5, row.tied_off()}, {0x10}}};
  row.scripts[2].asserts = {7};
  row.run_ten_cycles();
  EXPECT_EQ(row.probe.mismatches(), 6u);
  EXPECT_EQ(row.probe.router_cycles(), 20u);
  ASSERT_TRUE(row.probe.first());
  const pin_difference& first = *row.probe.first();
  EXPECT_EQ(std::tuple(first.cycle, first.node, first.port, first.model, first.rtl),
            std::tuple(2u, 1u, row.incoming(), 1u, 2u));
  EXPECT_EQ(first.what, pins::credit_o);
  EXPECT_EQ(to_string(first, row.wiring(), row.net->layout()),
            "cycle 2, mesh.node_0_1, port " + row.wiring().port_name(1, row.incoming()) +
                ", credit_o: the model sends credit of VC 0; the RTL credit of VC 1");
}

/// Node 1 is stepped when flits come to it, in cycles 2 and 3; node 2 never is.
TEST(lockstep_probe, keeps_the_earliest_difference_of_a_node_that_is_not_stepped) {
  for (const bool is_found_at_once : {true, false}) {
    const simulation_context context;
    const simulation_context::entry here(context);
    scripted_row row;
    row.write_as_the_model();
    row.scripts[1].flits[{is_found_at_once ? 3 : 9, row.tied_off()}] = {0x10};
    row.scripts[2].asserts = {1};
    cycle_t told_in = 0;
    row.probe.interfere([&](const probed_node& node, rtl_router&, cycle_t now) {
      if (node.id() == 2 && now == 1) told_in = row.net->cycles_done();
    });
    row.run_ten_cycles();
    EXPECT_EQ(row.probe.mismatches(), 2u);
    ASSERT_TRUE(row.probe.first());
    EXPECT_EQ(row.probe.first()->cycle, 1u);
    EXPECT_EQ(row.probe.first()->node, 2u);
    EXPECT_EQ(told_in, is_found_at_once ? 3u : 9u) << "then all nodes do the cycles before";
    EXPECT_EQ(row.probe.router_cycles(), 20u);
  }
}

/// The model's node 2 sends in cycle 1, the RTL nothing; node 1 is not stepped before a flit comes to it in cycle 2.
TEST(lockstep_probe, keeps_the_earliest_difference_of_the_first_node_too) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row;
  row.source.from = 2;
  row.scripts[1].asserts = {0};
  cycle_t told_in = 99;
  row.probe.interfere([&](const probed_node& node, rtl_router&, cycle_t now) {
    if (node.id() == 1 && now == 0) told_in = row.net->cycles_done();
  });
  row.run_ten_cycles();
  ASSERT_TRUE(row.probe.first());
  EXPECT_EQ(row.probe.first()->node, 1u);
  EXPECT_EQ(row.probe.first()->cycle, 0u);
  EXPECT_EQ(told_in, 1u);
}

/// The node in which nothing happens does its cycles at the end.
TEST(lockstep_probe, tells_of_an_assertion) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row;
  row.write_as_the_model();
  row.scripts[2].asserts = {7, 8};
  row.run_ten_cycles();
  EXPECT_EQ(row.probe.mismatches(), 2u);
  ASSERT_TRUE(row.probe.first());
  const pin_difference& first = *row.probe.first();
  EXPECT_EQ(std::tuple(first.cycle, first.node, first.port, first.model, first.rtl), std::tuple(7u, 2u, 0u, 0u, 0u));
  EXPECT_EQ(first.what, pins::assertion);
  EXPECT_EQ(to_string(first, row.wiring(), row.net->layout()),
            "cycle 7, mesh.node_0_2: an assertion of the RTL failed: no grant");
}

TEST(pin_difference, is_told_field_by_field) {
  const topology mesh = make_topology("mesh:1x3");
  const flit_layout layout(3, 1);
  const auto said = [&](pins what, std::uint64_t model, std::uint64_t rtl) {
    pin_difference d;
    d.what = what;
    d.model = model;
    d.rtl = rtl;
    const std::string text = to_string(d, *mesh.wiring, layout);
    return text.substr(text.find("the model"));
  };
  const auto in_hex = [](flit_word f) {
    char text[32];
    std::snprintf(text, sizeof text, " (0x%016llx)", static_cast<unsigned long long>(f.bits));
    return std::string(text);
  };
  EXPECT_EQ(to_string(pin_difference{}, *mesh.wiring, layout),
            "cycle 0, mesh.node_0_0, port " + mesh.wiring->port_name(0, 0) +
                ", flit_o: the model sends no flit; the RTL no flit");
  pin_difference tied;
  tied.port = static_cast<port_id>(mesh.wiring->port_count(0));
  EXPECT_THAT(to_string(tied, *mesh.wiring, layout), testing::StartsWith("cycle 0, mesh.node_0_0, port (tied off), "));
  tied.port = static_cast<port_id>(tied.port - 1);
  EXPECT_THAT(to_string(tied, *mesh.wiring, layout), testing::StartsWith("cycle 0, mesh.node_0_0, port local, "));

  const flit_word head = layout.head(2, 1, 5, false).on_vc(1), whole = layout.head(1, 0, 9, true);
  EXPECT_EQ(said(pins::flit_o, head.bits, whole.bits),
            "the model sends head on VC 1, destination 2, state 1, tag 5" + in_hex(head) +
                "; the RTL head and tail on VC 0, destination 1, state 0, tag 9" + in_hex(whole));
  const flit_word body = layout.body(3, 7, false).on_vc(2), tail = layout.body(4, 7, true);
  EXPECT_EQ(said(pins::flit_o, body.bits, tail.bits),
            "the model sends body on VC 2, index 3, tag 7" + in_hex(body) + "; the RTL tail on VC 0, index 4, tag 7" +
                in_hex(tail));
  EXPECT_EQ(said(pins::flit_o, 0, 0x10), "the model sends no flit; the RTL 0x0000000000000010, not valid");
  EXPECT_EQ(said(pins::credit_o, 0, 5), "the model sends no credit; the RTL credit of VC 0, 2");
}

/// @returns as status of the process how many cycles are done when the simulation is paused, 100 when it is not. The
/// RTL sends nothing: it differs in cycle 2.
void run_until_paused(cycle_t cycles_after) {
  scripted_row row(cycles_after);
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  row.net->clk(clock);
  sc_core::sc_start(90, sc_core::SC_NS);
  std::_Exit(sc_core::sc_get_status() == sc_core::SC_PAUSED ? static_cast<int>(row.net->cycles_done()) : 100);
}

TEST(lockstep_probe_DeathTest, pauses_when_it_was_told_to_after_the_first_difference) {
  EXPECT_EXIT(run_until_paused(0), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(run_until_paused(4), testing::ExitedWithCode(7), "");
}

TEST(bit_fault, is_injected_from_the_cycle_on_that_is_named) {
  const topology torus = make_topology("torus:4x4");
  const std::vector<node_id> nodes = {5, 6};
  const auto cycle_of = [&](const char* text) { return bit_fault(text, *torus.wiring, nodes, 50).cycle(); };
  EXPECT_EQ(cycle_of(""), 50u);
  EXPECT_EQ(cycle_of("6"), 50u);
  EXPECT_EQ(cycle_of("6@321"), 321u);
  EXPECT_EQ(cycle_of("torus.node_1_*@0"), 0u);
  EXPECT_EQ(cycle_of("@7"), 7u);
  EXPECT_EQ(bit_fault("6", *torus.wiring, nodes, 50).done(), "");
  EXPECT_EQ(error_of([&] { cycle_of("5@"); }),
            "--inject-fault: '5@' must be NODE@CYCLE, the cycle a whole number");
  EXPECT_EQ(error_of([&] { cycle_of("4@7"); }), "--inject-fault: '4' is none of the nodes that --rtl chooses");
}

/// The registers of the buffers of all input VCs of node 1, by what bit_fault.h says of them; the front is in slot 2.
struct written_buffers {
  struct buffer {
    std::uint8_t count = 0, front = 2;
    std::array<std::uint64_t, 4> slots{5, 5, 5, 5};
  };
  std::array<std::array<buffer, 2>, 4> by_port_and_vc;

  std::vector<rtl_register> registers() {
    std::vector<rtl_register> all;
    for (unsigned p = 0; p < 4; ++p)
      for (unsigned v = 0; v < 2; ++v) {
        buffer& b = by_port_and_vc[p][v];
        const std::string scope = "node_0_1.router.gen_input[" + std::to_string(p) + "].unit.gen_vc[" +
                                  std::to_string(v) + "].buffer";
        rtl_register slots{scope, "slots_q", {}};
        for (std::uint64_t& slot : b.slots) slots.words.emplace_back(&slot, 64);
        all.insert(all.end(), {slots, {scope, "front_q", {{&b.front, 2}}}, {scope, "count_q", {{&b.count, 3}}}});
      }
    return all;
  }
  /// Those that are not as they were: "1 0: 0 5 5 5 5" is VC 0 of port 1, its count and its slots.
  std::string changed() const {
    std::string text;
    for (unsigned p = 0; p < 4; ++p)
      for (unsigned v = 0; v < 2; ++v) {
        const buffer& b = by_port_and_vc[p][v];
        if (b.count == 0 && b.slots == buffer().slots) continue;
        text += std::to_string(p) + ' ' + std::to_string(v) + ": " + std::to_string(b.count);
        for (const std::uint64_t slot : b.slots) text += ' ' + std::to_string(slot);
      }
    return text;
  }
};

struct injected {
  std::string done, changed;
};

/// @param from  of the packet of two flits to terminal 1; 1: there is none @returns what is flipped in node 1
injected inject(const std::string& fault_text, node_id from) {
  const simulation_context context;
  const simulation_context::entry here(context);
  scripted_row row(1000, pipeline::four_stage);
  row.source.from = from;
  bit_fault fault(fault_text, row.wiring(), row.probe.nodes(), 0);
  written_buffers buffers;
  row.probe.interfere([&](const probed_node& node, rtl_router& rtl, cycle_t now) {
    fault(node, rtl.parameters(), [&] { return buffers.registers(); }, now);
  });
  row.run(120);
  return {fault.done(), buffers.changed()};
}

/// By docs/model.md the interface of node 0 sends its flits in 0 and 1, and its router of four stages in 4 and 5. They
/// are shown to node 1 in 5 and 6: cycles 6 and 7 find the head in its buffer. Likewise from node 2.
TEST(bit_fault, flips_the_uppermost_bit_of_a_flit_that_waits_and_no_other_one) {
  const std::string slot = ".unit.gen_vc[0].buffer.slots_q[2] in cycle ", flipped = "9223372036854775813";  // 2^63 + 5
  const std::string begin = "bit 63 of mesh.node_0_1.router.gen_input[";
  for (const auto& [text, cycle] : {std::pair("", "6"),
                                    {"1@0", "6"},
                                    {"1@6", "6"},
                                    {"1@7", "7"},
                                    {"mesh.node_0_*@6", "6"}}) {  // the first of those that have RTL
    const injected of_0 = inject(text, 0), of_2 = inject(text, 2);
    EXPECT_EQ(of_0.done, begin + "1]" + slot + cycle) << text;
    EXPECT_EQ(of_0.changed, "1 0: 0 5 5 " + flipped + " 5") << text;
    EXPECT_EQ(of_2.done, begin + "0]" + slot + cycle) << text;
    EXPECT_EQ(of_2.changed, "0 0: 0 5 5 " + flipped + " 5") << text;
  }
}

/// Port 3 is the RTL's local one, behind one that is tied off.
TEST(bit_fault, flips_a_bit_of_the_count_of_the_local_port_where_no_flit_waits_for_100_cycles) {
  const injected late = inject("1@10", 1);
  EXPECT_EQ(late.done, "bit 0 of mesh.node_0_1.router.gen_input[3].unit.gen_vc[0].buffer.count_q in cycle 110");
  EXPECT_EQ(late.changed, "3 0: 1 5 5 5 5");
  EXPECT_EQ(inject("1@21", 1).done, "") << "after 120 cycles";
  EXPECT_EQ(inject("1@21", 1).changed, "");
}

}  // namespace
}  // namespace toriscope
