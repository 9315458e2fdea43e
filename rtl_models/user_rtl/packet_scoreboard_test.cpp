// SPDX-License-Identifier: Apache-2.0
// Adapters around routers in C++: one that loses, invents or mixes up flits, and one whose outputs are registers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/error_of_test.h"
#include "rtl_models/user_rtl/adapter_bench.h"
#include "rtl_models/user_rtl/router_adapter.h"
#include "rtl_models/user_rtl/signal_adapter.h"
#include "rtl_models/user_rtl/starvation.h"

namespace toriscope::packet_scoreboard_test {
namespace {

/// A router that sends what comes in at port 0 out of port 1, in C++, with one fault.
class faulty_router final : public router_pins {
 public:
  enum class fault { none, loses, doubles, changes, wrong_port, no_link, holds_for_ever, never_ready };
  explicit faulty_router(fault f) : fault_(f) {}

  void set_in(unsigned port, bool valid, const wide_flit& flit) override {
    if (port != 0) return;
    if (valid && bit_field{31, 1}.of(flit)) {
      EXPECT_EQ((bit_field{4, 3}.of(flit)), 1u) << "the routing's port";
    }
    valid_ = valid;
    in_ = flit;
  }
  std::uint32_t in_back(unsigned) const override { return fault_ == fault::never_ready ? 0u : ~0u; }
  bool out_valid(unsigned port) const override {
    return port == out() && !flits_.empty() && fault_ != fault::holds_for_ever;
  }
  wide_flit out_flit(unsigned) const override { return flits_.front(); }
  void set_out_back(unsigned port, std::uint32_t back) override {
    if (port == out()) ready_ = back != 0;
  }
  void eval() override {}
  void clock_edge() override {
    if (out_valid(out()) && ready_ && !(fault_ == fault::doubles && ++sent_ == 5)) flits_.pop_front();
    if (!valid_ || fault_ == fault::never_ready) return;
    ++taken_;
    if (fault_ == fault::loses && taken_ == 7) return;
    if (fault_ == fault::changes && taken_ == 7) in_[0] ^= 4;
    flits_.push_back(in_);
  }

 private:
  unsigned out() const { return fault_ == fault::wrong_port ? 2u : fault_ == fault::no_link ? 5u : 1u; }

  const fault fault_;
  bool valid_ = false, ready_ = false;
  wide_flit in_{};
  unsigned taken_ = 0, sent_ = 0;
  std::deque<wide_flit> flits_;
};

/// Of that router, without VCs.
adapter_config plain_config(const netlist& wiring) {
  adapter_config c;
  c.ports = ports_of_middle(wiring);
  c.format.width = 32;
  c.format.head = {{{0, 4}, expression("tag")}, {{4, 3}, expression("port")}};
  c.format.body = {{{0, 30}, expression("payload")}};
  c.format.all = {{{31, 1}, expression("head")}, {{30, 1}, expression("tail")}};
  c.patience_cycles = 100;
  return c;
}

/// Sends packets of 3 flits from west to east through it, on the last VC. @returns what the adapter says
/// @param vcs  of network and router; several are those of two message classes
std::string complaint(faulty_router::fault fault, bool own_routes = false, unsigned vcs = 1) {
  adapter_bench bench(vcs, 4);
  node_context context = bench.context();
  adapter_config c = plain_config(bench.wiring());
  c.own_routes = own_routes;
  if (fault == faulty_router::fault::no_link) c.ports.push_back({"extra", -1});
  if (vcs > 1) {
    context.network.message_classes = 2;
    c.vcs = vcs;
    c.format.width = 34;
    c.format.all.push_back({{32, 2}, expression("vc")});
  }
  ready_valid_adapter adapter(context, c, std::make_unique<faulty_router>(fault));
  const port_id west = bench.wiring().port_named(adapter_bench::middle, "x-");
  const flit_layout& layout = context.network.layout;
  unsigned credits = 4;
  unsigned number = 0;
  packet_id id = 0;
  try {
    for (unsigned cycle = 0; cycle < 7000; ++cycle) {
      flit_word f;
      if (credits > 0 && (number % 3 != 0 || number < 30)) {
        if (number % 3 == 0) id = context.network.packets.create({3, 5, 3}, 0);
        f = number % 3 == 0 ? layout.head(5, 0, layout.tag_of(id), false)
                            : layout.body(number % 3, layout.tag_of(id), number % 3 == 2);
        ++number;
        --credits;
      }
      adapter.set_flit(west, f.valid() ? f.on_vc(vcs - 1) : f);
      adapter.clock_edge();
      credits += adapter.credit(west).valid();
      for (const char* const out : {"x+", "y-"}) {
        const port_id p = bench.wiring().port_named(adapter_bench::middle, out);
        adapter.set_credit(p, {static_cast<std::uint16_t>(adapter.flit(p).valid() << (vcs - 1))});
      }
    }
  } catch (const rtl_assertion& said) {
    return said.what();
  }
  return {};
}

TEST(packet_scoreboard, tells_what_a_router_does_wrong) {
  using fault = faulty_router::fault;
  EXPECT_EQ(complaint(fault::none), "");
  EXPECT_THAT(complaint(fault::loses),
              testing::HasSubstr("a flit that is not a head left its port east (x+)"));
  EXPECT_THAT(complaint(fault::doubles), testing::HasSubstr("flit 2 (from 0), out of port east (x+)"));
  EXPECT_THAT(complaint(fault::changes),
              testing::ContainsRegex(
                  "left by its port east .x.. with the tag 6, which no packet inside has .inside: 2.: .*; "
                  "it is 0x800000"));
  EXPECT_THAT(complaint(fault::wrong_port),
              testing::HasSubstr(
                  "(from node 3 to node 5, 3 flits) left by port south (y-), but the network's routing "
                  "sends it by east (x+)"));
  EXPECT_THAT(complaint(fault::no_link),
              testing::HasSubstr(", 3 flits) left by port extra, where the node has no link"));
  EXPECT_THAT(complaint(fault::holds_for_ever),
              testing::ContainsRegex(
                  "entered 199 cycles ago by port west .x-., 0 of its flits left, and nothing has since, although "
                  "every output is free.*; no packet has ever left it: perhaps its reset"));
  EXPECT_THAT(complaint(fault::never_ready),
              testing::HasSubstr("its input port west (x-) was not ready in the last 1"));
}

/// Packet of one flit from west to east, on a VC. @returns its flit
flit_word single_flit(const node_context& context, unsigned vc) {
  const packet_id id = context.network.packets.create({3, 5, 1}, 0);
  return context.network.layout.head(5, 0, context.network.layout.tag_of(id), true).on_vc(vc);
}

/// When its neighbours have stopped, the credits that it owes are waited for; that it keeps a packet says nothing.
TEST(router_adapter, a_packet_may_stay_when_the_neighbours_stop) {
  for (const bool stop : {false, true}) {
    adapter_bench bench(1, 4);
    const node_context context = bench.context();
    ready_valid_adapter adapter(context, plain_config(bench.wiring()),
                                std::make_unique<faulty_router>(faulty_router::fault::holds_for_ever));
    const port_id west = bench.wiring().port_named(adapter_bench::middle, "x-");
    std::string complaint;
    try {
      for (unsigned cycle = 0; cycle < 1000; ++cycle) {
        adapter.set_flit(west, cycle == 0 ? single_flit(context, 0) : flit_word{});
        if (stop && cycle == 50) adapter.neighbours_stop();
        adapter.clock_edge();
      }
    } catch (const rtl_assertion& said) {
      complaint = said.what();
    }
    EXPECT_EQ(adapter.flits_inside(), 1u);
    EXPECT_EQ(complaint.empty(), stop) << complaint;
  }
}

/// By south in place of east. VC 3 is one of the two of the second message class.
TEST(packet_scoreboard, lets_a_router_choose_its_own_ways) {
  EXPECT_EQ(complaint(faulty_router::fault::wrong_port, true), "");
  EXPECT_EQ(complaint(faulty_router::fault::wrong_port, true, 4), "");
}

/// A router without VCs in a network with two: each gets its turn, docs/your_own_rtl.md ("Without VCs").
TEST(router_adapter, router_without_vcs_serves_those_of_the_network_in_turn) {
  adapter_bench bench(2, 4);
  const node_context context = bench.context();
  const adapter_config c = plain_config(bench.wiring());
  packet_scoreboard scoreboard(context, c);
  ingress_port ingress(context, c, /*number*/ 0, /*unbuffered*/ false, scoreboard);
  for (const unsigned vc : {0u, 0u, 1u, 1u}) ingress.arrive(single_flit(context, vc));
  for (const auto& [vc_0, vc_1] : {std::pair{2u, 1u}, {1u, 1u}, {1u, 0u}, {0u, 0u}}) {
    ASSERT_NE(ingress.offer(1, 0), nullptr);
    ingress.accepted();
    EXPECT_EQ(ingress.waiting(0), vc_0);
    EXPECT_EQ(ingress.waiting(1), vc_1);
  }

  ready_valid_adapter adapter(context, c, std::make_unique<faulty_router>(faulty_router::fault::none));
  std::vector<unsigned> used;
  for (unsigned cycle = 0; cycle < 20; ++cycle) {
    adapter.set_flit(bench.wiring().port_named(adapter_bench::middle, "x-"),
                     cycle < 4 ? single_flit(context, 0) : flit_word{});
    adapter.clock_edge();
    const flit_word f = adapter.flit(bench.wiring().port_named(adapter_bench::middle, "x+"));
    if (f.valid()) used.push_back(f.vc());
  }
  EXPECT_THAT(used, testing::ElementsAre(0, 1, 0, 1));
}

/// A router that sends what comes in at port 0 out of port 1, while it is on; its outputs are registers.
class registered_router final : public router_pins {
 public:
  void set_in(unsigned port, bool valid, const wide_flit& flit) override {
    if (port != 0) return;
    valid_ = valid;
    in_ = flit;
  }
  std::uint32_t in_back(unsigned) const override { return ~0u; }
  bool out_valid(unsigned port) const override { return port == 1 && sends_; }
  wide_flit out_flit(unsigned) const override { return out_; }
  void set_out_back(unsigned port, std::uint32_t back) override {
    if (port == 1) on_ = back != 0;
  }
  void eval() override {}
  void clock_edge() override {
    sends_ = on_ && !flits_.empty();
    if (sends_) {
      out_ = flits_.front();
      flits_.pop_front();
    }
    if (valid_) flits_.push_back(in_);
  }

 private:
  bool valid_ = false, on_ = false, sends_ = false;
  wide_flit in_{}, out_{};
  std::deque<wide_flit> flits_;
};

/// In from the edge of cycle 0 on, on the pins from that of cycle 1.
TEST(on_off_adapter, registered_outputs_are_those_after_the_edge) {
  adapter_bench bench(1, 4);
  const node_context context = bench.context();
  adapter_config c = plain_config(bench.wiring());
  c.registered_outputs = true;
  c.depth = 4;
  on_off_adapter adapter(context, c, std::make_unique<registered_router>());
  std::vector<unsigned> left;
  for (unsigned cycle = 0; cycle < 20; ++cycle) {
    adapter.set_flit(bench.wiring().port_named(adapter_bench::middle, "x-"),
                     cycle == 0 ? single_flit(context, 0) : flit_word{});
    adapter.clock_edge();
    if (adapter.flit(bench.wiring().port_named(adapter_bench::middle, "x+")).valid()) left.push_back(cycle);
  }
  EXPECT_THAT(left, testing::ElementsAre(1));
}

/// Of eight packets of one flit for the node itself, without a credit of its network interface.
unsigned flits_to_the_local_port(bool limited_reception) {
  adapter_bench bench(1, 4);
  const node_context context = bench.context();
  context.network.limited_reception = limited_reception;
  adapter_config c = plain_config(bench.wiring());
  std::swap(c.ports[1], c.ports[4]);
  ready_valid_adapter adapter(context, c, std::make_unique<faulty_router>(faulty_router::fault::none));
  const flit_layout& layout = context.network.layout;
  const port_id local = bench.wiring().local_port(adapter_bench::middle);
  unsigned flits = 0;
  for (unsigned cycle = 0; cycle < 60; ++cycle) {
    flit_word f;
    if (cycle < 24 && cycle % 3 == 0) {
      const packet_id id = context.network.packets.create({3, adapter_bench::middle, 1}, 0);
      f = layout.head(adapter_bench::middle, 0, layout.tag_of(id), true);
    }
    adapter.set_flit(bench.wiring().port_named(adapter_bench::middle, "x-"), f);
    adapter.clock_edge();
    flits += adapter.flit(local).valid();
  }
  return flits;
}

TEST(router_adapter, local_port_waits_for_credits_with_limited_reception_only) {
  EXPECT_EQ(flits_to_the_local_port(true), 4u) << "as many as the buffer has room for";
  EXPECT_EQ(flits_to_the_local_port(false), 8u);
}

TEST(router_adapter, rejects_what_does_not_go_with_the_network) {
  adapter_bench bench(4, 4);
  const auto said = [&](const adapter_config& c) {
    return error_of<std::invalid_argument>([&] {
      ready_valid_adapter(bench.context(), c, std::make_unique<faulty_router>(faulty_router::fault::none));
    });
  };
  adapter_config c = plain_config(bench.wiring());
  EXPECT_EQ(said(c), "none");
  c.vcs = 2;
  EXPECT_EQ(said(c), "node_1_1: the router has 2 VCs and the network 4: run with --vcs 2");
  c.vcs = 4;
  EXPECT_EQ(said(c), "node_1_1: the router has 4 VCs, and no field of its flits is 'vc'");
  c = plain_config(bench.wiring());
  c.ports[2].of_node = -1;
  EXPECT_EQ(said(c), "node_1_1: the node has a port y-, which no port of the router stands for");
  bench.context().network.message_classes = 2;
  EXPECT_EQ(said(plain_config(bench.wiring())),
            "node_1_1: a router without VCs would mix the message classes, which can deadlock");
}

/// Node 4 is the second in the second of four rows of three. Terminal 19 is the second of node 6, the first in the
/// third row; terminal 8 is the third of node 2, the last in the first row.
TEST(packet_scoreboard, gives_each_name_of_an_expression_its_value) {
  adapter_bench bench(2, 8, vc_reallocation::non_atomic, "cmesh:4x3,3");
  const node_context context = bench.context();
  adapter_config c = plain_config(bench.wiring());
  packet_scoreboard scoreboard(context, c);
  const packet_inside* p = nullptr;
  for (const node_id source : {0u, 19u}) {
    const flit_layout& layout = context.network.layout;
    const packet_id id = context.network.packets.create({source, 8, 5}, 0);
    p = scoreboard.open(layout.head(8, 0, layout.tag_of(id), false), bench.wiring().port_named(4, "x-"), 0,
                        0);
  }
  ASSERT_NE(p, nullptr);
  using q = quantity;
  const std::pair<q, int> values[] = {
      {q::id, 4},          {q::x, 1},
      {q::y, 1},           {q::z, 0},
      {q::nodes, 12},      {q::terminals, 36},
      {q::size_x, 3},      {q::size_y, 4},
      {q::size_z, 1},      {q::ports, 7},
      {q::local_ports, 3}, {q::vcs, 2},
      {q::depth, 8},       {q::dest, 8},
      {q::dest_node, 2},   {q::dest_local, 2},
      {q::dest_x, 2},      {q::dest_y, 0},
      {q::dest_z, 0},      {q::source, 19},
      {q::source_node, 6}, {q::source_local, 1},
      {q::source_x, 0},    {q::source_y, 2},
      {q::source_z, 0},    {q::length, 5},
      {q::port, 1},        {q::state, 0},
      {q::tag, 1},
  };
  for (const auto& [name, value] : values)
    EXPECT_EQ(p->values[name], value) << "quantity " << static_cast<int>(name);
}

TEST(packet_scoreboard, a_head_leaves_once) {
  adapter_bench bench(1, 4);
  const node_context context = bench.context();
  const adapter_config c = plain_config(bench.wiring());
  packet_scoreboard scoreboard(context, c);
  const flit_layout& layout = context.network.layout;
  const packet_id id = context.network.packets.create({3, 5, 2}, 0);
  const flit_word head = layout.head(5, 0, layout.tag_of(id), false);
  packet_inside* const p = scoreboard.open(head, bench.wiring().port_named(adapter_bench::middle, "x-"), 0, 0);
  scoreboard.enter(*p, head);
  const wide_flit left = scoreboard.encode(*p, head, 0);
  EXPECT_EQ(&scoreboard.find(left, "east"), p);
  EXPECT_EQ(error_of<rtl_assertion>([&] { scoreboard.find(left, "south"); }),
            "packet 0 (from node 3 to node 5, 2 flits) left twice, last by port south");
}

TEST(egress_port, serves_the_vcs_of_its_router_in_turn) {
  adapter_bench bench(2, 4);
  const node_context context = bench.context();
  adapter_config c = plain_config(bench.wiring());
  c.vcs = 2;
  c.format.width = 34;
  c.format.all.push_back({{32, 2}, expression("vc")});
  packet_scoreboard scoreboard(context, c);
  ingress_port west(context, c, /*number*/ 0, /*unbuffered*/ false, scoreboard);
  egress_port east(context, c, /*number*/ 1, /*counted*/ true, scoreboard);
  for (const unsigned vc : {0u, 0u, 1u, 1u}) west.arrive(single_flit(context, vc));
  for (int i = 0; i < 4; ++i) {
    const wide_flit* const offered = west.offer(~0u, 0);
    ASSERT_NE(offered, nullptr);
    const wide_flit flit = *offered;
    west.accepted();
    east.take(flit);
  }
  std::vector<unsigned> sent;
  for (int i = 0; i < 4; ++i) sent.push_back(east.send().vc());
  EXPECT_THAT(sent, testing::ElementsAre(0, 1, 0, 1));
}

TEST(starvation_watch, counts_cycles_in_which_all_ports_are_open_where_a_router_has_its_own_ways) {
  for (const bool all : {true, false}) {
    adapter_bench bench(1, 4);
    const node_context context = bench.context();
    adapter_config c = plain_config(bench.wiring());
    c.own_routes = true;
    packet_scoreboard scoreboard(context, c);
    starvation_watch watch(context, c);
    const auto open = [all](unsigned r) { return all || r == 1; };
    const auto look = [&](cycle_t now) {
      return watch.look(scoreboard, now, [](const packet_inside&) { return false; });
    };
    const auto enter = [&](const char* port) {
      const flit_word f = single_flit(context, 0);
      packet_inside* const p = scoreboard.open(f, bench.wiring().port_named(adapter_bench::middle, port), 0, 0);
      scoreboard.enter(*p, f);
      return scoreboard.encode(*p, f, 0);
    };
    enter("x-");
    for (int i = 0; i < 5; ++i) watch.cycle_done(open);
    EXPECT_EQ(look(5), "");
    const wide_flit other = enter("y-");
    scoreboard.leave(scoreboard.find(other, "east"), other, "east");
    for (int i = 0; i < 99; ++i) watch.cycle_done(open);
    EXPECT_EQ(look(104), "");
    watch.cycle_done(open);
    EXPECT_EQ(look(105), all ? "packet 0 (from node 3 to node 5, 1 flit) entered 105 cycles ago by port west and is "
                               "never served: its output port east was open in 100 cycles since, and 1 other packets "
                               "have left"
                             : "");
  }
}

/// Behind signals: what is offered is taken at the next edge, and goes from port 0 to port 1.
class signal_pipe final : public router_pins {
 public:
  void set_in(unsigned port, bool valid, const wide_flit& flit) override {
    if (port != 0) return;
    if (valid_) flits_.push_back(in_);
    valid_ = valid;
    in_ = flit;
  }
  std::uint32_t in_back(unsigned) const override { return ~0u; }
  bool out_valid(unsigned port) const override { return port == 1 && !flits_.empty(); }
  wide_flit out_flit(unsigned) const override { return flits_.front(); }
  void set_out_back(unsigned port, std::uint32_t back) override {
    if (port != 1) return;
    if (ready_ && !flits_.empty()) flits_.pop_front();  // it has just been sampled
    ready_ = back != 0;
  }
  void eval() override {}
  void clock_edge() override {}

 private:
  bool valid_ = false, ready_ = false;
  wide_flit in_{};
  std::deque<wide_flit> flits_;
};

TEST(signal_adapter, passes_a_flit_in_each_cycle) {
  adapter_bench bench(1, 16);
  const node_context context = bench.context();
  signal_adapter adapter(context, plain_config(bench.wiring()), std::make_unique<signal_pipe>(), nullptr);
  const flit_layout& layout = context.network.layout;
  const packet_id id = context.network.packets.create({3, 5, 12}, 0);
  std::vector<unsigned> left;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    flit_word f;
    if (cycle < 12)
      f = cycle == 0 ? layout.head(5, 0, layout.tag_of(id), false)
                     : layout.body(cycle, layout.tag_of(id), cycle == 11);
    adapter.set_flit(bench.wiring().port_named(adapter_bench::middle, "x-"), f);
    adapter.clock_edge();
    if (adapter.flit(bench.wiring().port_named(adapter_bench::middle, "x+")).valid()) left.push_back(cycle);
  }
  ASSERT_EQ(left.size(), 12u);
  EXPECT_EQ(left.back() - left.front(), 11u);
}

TEST(signal_adapter, flits_of_each_type_have_the_same_bits) {
  wide_flit wide{0x89abcdef, 0x01234567};
  const std::uint64_t low = 0x0123456789abcdef;
  EXPECT_EQ(flit_bits<flit_word>::from(wide).bits, low);
  EXPECT_EQ(flit_bits<std::uint64_t>::from(wide), low);
  EXPECT_EQ(flit_bits<flit_word>::to(flit_word{low}), wide);
  EXPECT_EQ(flit_bits<std::uint64_t>::to(low), wide);
  wide[2] = 0xbeef;
  using bits = sc_dt::sc_bv<80>;
  EXPECT_EQ(flit_bits<bits>::from(wide).range(79, 64).to_uint(), 0xbeefu);
  EXPECT_EQ(flit_bits<bits>::to(flit_bits<bits>::from(wide)), wide);
}

}  // namespace
}  // namespace toriscope::packet_scoreboard_test
